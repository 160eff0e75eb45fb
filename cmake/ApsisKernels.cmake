# SPDX-License-Identifier: MIT
# apsis_embedded_kernels(OUTPUT): a source file with all of kernels/*.cl, written anew when one of
# them changes.
function(apsis_embedded_kernels output)
  set(folder ${PROJECT_SOURCE_DIR}/kernels)
  set(script ${PROJECT_SOURCE_DIR}/cmake/WriteKernels.cmake)
  file(GLOB kernels CONFIGURE_DEPENDS ${folder}/*.cl)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DOUTPUT=${output} -P ${script}
    DEPENDS ${kernels} ${script}
    COMMENT "Embedding the kernels" VERBATIM)
endfunction()
