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

# One file sees whether there is an emulator: it is compiled anew.
set(EXCEPT_OBJECTS "gemm/context.cpp")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/gemm/context.cpp
                            TARGET_DIRECTORY jute_gemm PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set(layers ${JUTE_LAYERS})
list(REMOVE_ITEM layers emulator draw)
jute_linked(jute_fewer_layers ${layers})
target_sources(jute_fewer_layers PRIVATE ${PROJECT_SOURCE_DIR}/src/gemm/context.cpp)
target_include_directories(jute_fewer_layers PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                     ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(jute_fewer_layers PRIVATE JUTE_WITHOUT_EMULATOR JUTE_WITHOUT_DRAW)
jute_compile_options(jute_fewer_layers)

set(offers "shared library: it offers what public headers declare, and nothing else")
add_test(NAME ${offers} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/support/offers_public_names.sh
                                $<TARGET_FILE:jute_all_layers> ${PROJECT_SOURCE_DIR}/include/jute)
set_tests_properties(${offers} PROPERTIES LABELS cpu TIMEOUT 120)

set(old "headers: a compiler set to C++17 is told once what it needs")
add_test(NAME ${old} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/support/refuses_old_standard.sh
                             ${CMAKE_CXX_COMPILER} ${PROJECT_SOURCE_DIR}/include)
set_tests_properties(${old} PROPERTIES LABELS cpu TIMEOUT 120)
