// SPDX-License-Identifier: MIT
// Inside lab/: one function a lesson, each in a file of its name.
#pragma once

#include <apsis/lab/lesson.hpp>

namespace apsis::lab {

Lesson burst_lesson();
Lesson contacts_lesson();
Lesson cpu_lesson();
Lesson direct_lesson();
Lesson far_field_lesson();
Lesson integrators_lesson();
Lesson matmul_lesson();
Lesson precision_lesson();
Lesson relaxation_lesson();
Lesson reuse_lesson();
Lesson unroll_lesson();
Lesson your_own_lesson();

}  // namespace apsis::lab
