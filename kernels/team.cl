// SPDX-License-Identifier: MIT
// Order between the steps of a team of 32 work-items that meet in local memory. Where a device runs
// 32 work-items in lockstep (NVIDIA's warps) that is one instruction; elsewhere a barrier.

#ifndef LOCKSTEP
#define LOCKSTEP 0
#endif
#if LOCKSTEP
inline void team_sync(void) { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
#else
#define team_sync() barrier(CLK_LOCAL_MEM_FENCE)
#endif
