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
set(page_names index.html page.js page.css icon.svg)
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
# apsis_bundled_page(FILES): the page's files, made anew when a source of theirs changes; none where
# there is no page.
function(apsis_bundled_page files)
  set(${files} "" PARENT_SCOPE)
  if(NOT APSIS_PAGE)
    file(REMOVE_RECURSE ${page_dir}/files)
    return()
  endif()
  set(web ${PROJECT_SOURCE_DIR}/web)
  file(GLOB sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/*.html ${web}/*.css ${web}/*.svg)
  list(TRANSFORM page_names PREPEND ${page_dir}/files/ OUTPUT_VARIABLE made)
  add_custom_command(OUTPUT ${made}
    COMMAND ${NODE_PROGRAM} ${web}/build.mjs ${web} ${page_dir}
    DEPENDS ${sources} ${web}/build.mjs ${page_stamp}
    COMMENT "Bundling the page" VERBATIM)
  set(${files} ${made} PARENT_SCOPE)
endfunction()
