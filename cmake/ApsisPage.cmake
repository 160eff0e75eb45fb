# SPDX-License-Identifier: MIT
# The page of the live view: bundled from web/ by esbuild and put into the program. Needs npm; where
# that is missing or cannot fetch its packages, `apsis view` says that this build has no page.

# apsis_embedded_texts(OUTPUT FUNCTION PATTERN DEPENDS file...)
function(apsis_embedded_texts output function pattern)
  cmake_parse_arguments(texts "" "" "DEPENDS" ${ARGN})
  set(script ${PROJECT_SOURCE_DIR}/cmake/WriteTexts.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFUNCTION=${function} -DPATTERN=${pattern} -DOUTPUT=${output} -P ${script}
    DEPENDS ${texts_DEPENDS} ${script}
    COMMENT "Embedding ${function}" VERBATIM)
endfunction()

set(page_dir ${PROJECT_BINARY_DIR}/page)
set(page_files "")
if(APSIS_PAGE)
  find_program(NPM_PROGRAM npm)
  find_program(NODE_PROGRAM NAMES node nodejs)
  if(NOT NPM_PROGRAM OR NOT NODE_PROGRAM)
    message(STATUS "Apsis: npm not found (npm, nodejs): 'apsis view' will have no page")
    set(APSIS_PAGE OFF)
  endif()
endif()
if(APSIS_PAGE)
  # packages are fetched at configure time and only where the lock file changed
  file(MAKE_DIRECTORY ${page_dir})
  file(SHA256 ${PROJECT_SOURCE_DIR}/web/package-lock.json page_lock)
  set(page_stamp ${page_dir}/packages-${page_lock})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${PROJECT_SOURCE_DIR}/web/package-lock.json)
  if(NOT EXISTS ${page_stamp})
    foreach(file package.json package-lock.json .npmrc)
      configure_file(${PROJECT_SOURCE_DIR}/web/${file} ${page_dir}/${file} COPYONLY)
    endforeach()
    execute_process(COMMAND ${NPM_PROGRAM} ci --ignore-scripts --no-progress
                    WORKING_DIRECTORY ${page_dir} RESULT_VARIABLE npm_result
                    OUTPUT_VARIABLE npm_output ERROR_VARIABLE npm_output TIMEOUT 120)
    if(npm_result EQUAL 0)
      file(TOUCH ${page_stamp})
    else()
      message(STATUS "Apsis: npm could not fetch esbuild and uplot: 'apsis view' will have no page")
      file(WRITE ${page_dir}/npm.log "${npm_output}")
      set(APSIS_PAGE OFF)
    endif()
  endif()
endif()
if(APSIS_PAGE)
  file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*.ts
       ${PROJECT_SOURCE_DIR}/web/*.html ${PROJECT_SOURCE_DIR}/web/*.css ${PROJECT_SOURCE_DIR}/web/*.svg)
  set(page_files ${page_dir}/files/index.html ${page_dir}/files/page.js ${page_dir}/files/page.css
                 ${page_dir}/files/icon.svg)
  add_custom_command(OUTPUT ${page_files}
    COMMAND ${NODE_PROGRAM} ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/web ${page_dir}
    DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/web/build.mjs ${page_stamp}
    COMMENT "Bundling the page" VERBATIM)
endif()
