// SPDX-License-Identifier: MIT
// A build without CLBlast: the matrix lesson names what is missing.
#include <apsis/core/error.hpp>
#include <apsis/device/clblast.hpp>

namespace apsis::device {

bool clblast_built_in() { return false; }

void Context::multiply_by_clblast(const Buffer& /*a*/, const Buffer& /*b*/, const Buffer& /*c*/,
                                  const MatrixSizes& /*sizes*/) {
  throw Error(ExitCode::unavailable, "this build has no CLBlast", "build with libclblast-dev");
}

}  // namespace apsis::device
