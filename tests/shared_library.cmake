# What a shared jute offers, and that jute is whole without what may be left out of it. Sanitized
# objects are for tests alone.
if(JUTE_SANITIZE)
  return()
endif()

# jute_linked(NAME layer…): a shared library of the objects of these layers that leaves nothing open.
function(jute_linked name)
  add_library(${name} SHARED)
  foreach(layer ${ARGN})
    if(TARGET jute_${layer})
      target_sources(${name} PRIVATE $<FILTER:$<TARGET_OBJECTS:jute_${layer}>,EXCLUDE,${EXCEPT_OBJECTS}>)
    endif()
  endforeach()
  target_link_libraries(${name} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE -Wl,-z,defs -s
                                      -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

set(EXCEPT_OBJECTS "^$")
jute_linked(jute_all_layers ${JUTE_LAYERS})

# Three files see whether there is an emulator: they are compiled anew.
set(EXCEPT_OBJECTS "src/gemm/context[.]cpp|src/c/emulator[.]cpp|src/ranks/emulated_windows[.]cpp")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/gemm/context.cpp
                            TARGET_DIRECTORY jute_gemm PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/c/emulator.cpp
                            TARGET_DIRECTORY jute_c PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/ranks/emulated_windows.cpp
                            TARGET_DIRECTORY jute_ranks PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set(layers ${JUTE_LAYERS})
list(REMOVE_ITEM layers emulator draw)
jute_linked(jute_fewer_layers ${layers})
target_sources(jute_fewer_layers PRIVATE ${PROJECT_SOURCE_DIR}/src/gemm/context.cpp
                                         ${PROJECT_SOURCE_DIR}/src/c/emulator.cpp
                                         ${PROJECT_SOURCE_DIR}/src/ranks/emulated_windows.cpp)
target_include_directories(jute_fewer_layers PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                     ${PROJECT_SOURCE_DIR}/src)
target_include_directories(
  jute_fewer_layers SYSTEM
  PRIVATE $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(jute_fewer_layers PRIVATE JUTE_WITHOUT_EMULATOR JUTE_WITHOUT_DRAW)
jute_compile_options(jute_fewer_layers)

set(offers "shared library: it offers what public headers declare, and nothing else")
add_test(NAME ${offers} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/support/offers_public_names.sh
                                $<TARGET_FILE:jute_all_layers> ${PROJECT_SOURCE_DIR}/include/jute
                                ${PROJECT_SOURCE_DIR}/cmake/exports.map)
set_tests_properties(${offers} PROPERTIES LABELS cpu TIMEOUT 120)

set(old "headers: a compiler set to C++17 is told once what it needs")
add_test(NAME ${old} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/support/refuses_old_standard.sh
                             ${CMAKE_CXX_COMPILER} ${PROJECT_SOURCE_DIR}/include)
set_tests_properties(${old} PROPERTIES LABELS cpu TIMEOUT 120)

# As installed: it has the soname of the library that is.
set(soname libjute.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_options(jute_all_layers PRIVATE -Wl,-soname,${soname})
set_target_properties(jute_all_layers PROPERTIES NO_SONAME ON)
set(c_embed "embed: a program in C99 builds and runs with the shared library")
add_test(NAME ${c_embed} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/support/c_embed.sh
                                 $<TARGET_FILE:jute_all_layers> ${PROJECT_SOURCE_DIR} ${soname})
set_tests_properties(${c_embed} PROPERTIES LABELS cpu TIMEOUT 300)

set(c_installed "embed: a program in C99 builds and runs with an installed shared jute")
add_test(NAME ${c_installed} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/support/c_embed_installed.sh ${PROJECT_SOURCE_DIR}
                                     ${PROJECT_BINARY_DIR}/c_embed_installed ${CMAKE_CXX_COMPILER})
set_tests_properties(${c_installed} PROPERTIES LABELS soak TIMEOUT 7200)
