// SPDX-License-Identifier: MIT
// How a team of 32 work-items passes sums round: in step s work-item L works on slot L+s, and then
// hands that slot's sum to its neighbour. Through local memory with a barrier a step; or, where a
// device runs 32 work-items in lockstep (NVIDIA's warps), from register to register.
#pragma once
#include "numbers.cl"

#define LANES 32
#ifndef SHUFFLE
#define SHUFFLE 0 // 1: through registers; needs WARPS
#endif

#if WARPS
inline void team_sync(void) { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
#else
#define team_sync() barrier(CLK_LOCAL_MEM_FENCE)
#endif

#if SHUFFLE && PRECISION == 64
inline real from_lane(real v, int lane) {
  real out;
  asm volatile("{.reg .b32 low, high;\n\tmov.b64 {low, high}, %1;\n\t"
               "shfl.sync.idx.b32 low, low, %2, 0x1f, 0xffffffff;\n\t"
               "shfl.sync.idx.b32 high, high, %2, 0x1f, 0xffffffff;\n\t"
               "mov.b64 %0, {low, high};}" : "=d"(out) : "d"(v), "r"(lane));
  return out;
}
#elif SHUFFLE
inline real from_lane(real v, int lane) {
  real out;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(out) : "f"(v), "r"(lane));
  return out;
}
#endif

#if SHUFFLE
// After 32 steps a sum is back with the work-item that it started from.
inline real4 begun_sum(local real4* own_slot) { return *own_slot; }
inline real4 slot_sum(local real4* slot, real4 carried) { return carried; }
inline real4 handed_on(local real4* slot, real4 sum, int next, int values) {
  real4 out;
  out.x = from_lane(sum.x, next);
  out.y = from_lane(sum.y, next);
  out.z = from_lane(sum.z, next);
  out.w = values == 4 ? from_lane(sum.w, next) : (real)0;
  return out;
}
inline void end_sum(local real4* own_slot, real4 carried) { *own_slot = carried; }
#else
inline real4 begun_sum(local real4* own_slot) { return (real4)(0); }
inline real4 slot_sum(local real4* slot, real4 carried) { return *slot; }
#define handed_on(slot, sum, next, values) (*(slot) = (sum), team_sync(), (sum))
inline void end_sum(local real4* own_slot, real4 carried) {}
#endif
