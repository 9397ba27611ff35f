# Each folder of src/ is one object library; `jute` gathers them. src/layers.txt says which of them
# a folder may use: its tests are linked with those alone, so that no other edge can hide.

function(jute_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 warns of std::string's own operator+ (GCC bug 105651), g++ 13 of fmt's buffers.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict
                           -Wno-stringop-overflow -Wno-stringop-overread)
    if(CMAKE_UNITY_BUILD)
      # It takes a file that is compiled together with others for a header.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
  if(CMAKE_UNITY_BUILD)
    # What a local name hides is a constant of another file.
    target_compile_options(${target} PRIVATE -Wno-shadow)
  endif()
  if(JUTE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(JUTE_SANITIZE)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Instrumented code hides initialisation from g++, which then warns inside std::regex.
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

add_library(jute)
add_library(jute::jute ALIAS jute)
set_target_properties(jute PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(BUILD_SHARED_LIBS)
  target_link_options(jute PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
  set_target_properties(jute PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
endif()
target_compile_features(jute PUBLIC cxx_std_20)
target_include_directories(
  jute PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(jute PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
jute_compile_options(jute)

# The first target of a kind precompiles a header, the others use what it made. Nothing of it is
# installed. A compiler cache does not know what a precompiled header holds, and instrumented layers
# differ in their options: there every file reads its headers itself.
option(JUTE_PRECOMPILE "Precompile the standard headers" ${PROJECT_IS_TOP_LEVEL})
if(CMAKE_CXX_COMPILER_LAUNCHER OR JUTE_BUILD_FUZZERS)
  set(JUTE_PRECOMPILE OFF)
endif()
function(jute_precompile target kind header)
  if(NOT JUTE_PRECOMPILE)
    return()
  endif()
  get_property(first GLOBAL PROPERTY jute_precompiled_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    set_property(GLOBAL PROPERTY jute_precompiled_${kind} ${target})
    target_precompile_headers(${target} PRIVATE ${header})
  endif()
endfunction()

# Under CMAKE_UNITY_BUILD several files of a folder are compiled as one, which takes a third of the
# time. Text without a guard, and what says how the rest of a file is compiled, stay in their file.
function(jute_alone)
  foreach(source ${ARGN})
    if(EXISTS ${source})
      file(STRINGS ${source} guardless REGEX "^#include \".*[.]inc\"")
      if(guardless)
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endif()
  endforeach()
endfunction()

# Layouts are evaluated by the million, the emulator runs warps: there every optimisation pays.
set(JUTE_LAYERS_OF_LOOPS layout emulator)

# What makes C++ quick is that small functions are inlined; the rest of -O2 takes a quarter of the time
# to compile and saves planning 3 % of its instructions.
function(jute_optimise_little target)
  set(options -O1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -finline-small-functions -findirect-inlining -fpartial-inlining)
  endif()
  target_compile_options(${target} PRIVATE "$<$<NOT:$<CONFIG:Debug>>:${options}>")
endfunction()

# jute_layer(NAME file…): every .cpp below src/NAME, and the files that the build writes for it.
function(jute_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(APPEND sources ${ARGN})
  if(NOT sources)
    return()
  endif()
  add_library(jute_${name} OBJECT ${sources})
  jute_alone(${sources})
  target_include_directories(jute_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include
                                          PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # {fmt} without its definition of FMT_HEADER_ONLY: src/base/format.cpp alone holds its code.
  target_include_directories(
    jute_${name} SYSTEM
    PRIVATE $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(jute_${name} PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
  target_compile_definitions(jute_${name} PUBLIC $<TARGET_PROPERTY:jute,INTERFACE_COMPILE_DEFINITIONS>)
  jute_compile_options(jute_${name})
  if(JUTE_COMPILE_QUICKLY AND NOT name IN_LIST JUTE_LAYERS_OF_LOOPS)
    jute_optimise_little(jute_${name})
    jute_precompile(jute_${name} quick ${PROJECT_SOURCE_DIR}/cmake/standard_headers.hpp)
  else()
    jute_precompile(jute_${name} layers ${PROJECT_SOURCE_DIR}/cmake/standard_headers.hpp)
  endif()
  target_sources(jute PRIVATE $<TARGET_OBJECTS:jute_${name}>)
endfunction()

include(cmake/embed_templates.cmake)
include(cmake/environment.cmake)

# A lane function touches its registers and nothing else, 32 at a time: address checks find nothing
# there, and its files were the slowest to instrument. The portable build keeps arithmetic's checks.
if(JUTE_SANITIZE)
  file(GLOB lanes ${PROJECT_SOURCE_DIR}/src/emulator/*/*_portable.cpp)
  set_source_files_properties(${lanes} PROPERTIES COMPILE_OPTIONS -fno-sanitize=address
                                                  SKIP_PRECOMPILE_HEADERS ON)
  file(GLOB lanes ${PROJECT_SOURCE_DIR}/src/emulator/*/*_avx2.cpp)
  set_source_files_properties(${lanes} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all
                                                  SKIP_PRECOMPILE_HEADERS ON)
endif()

# The rows of the table become JUTE_LAYERS and JUTE_USES_<layer>.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/layers.txt)
file(STRINGS ${PROJECT_SOURCE_DIR}/src/layers.txt rows REGEX "^[a-z]+:")
foreach(row ${rows})
  string(REGEX MATCH "^[a-z]+" layer "${row}")
  string(TOUPPER ${layer} option)
  if(DEFINED JUTE_WITH_${option} AND NOT JUTE_WITH_${option})
    target_compile_definitions(jute PUBLIC JUTE_WITHOUT_${option})
    list(APPEND JUTE_WITHOUT ${layer})
    continue()
  endif()
  string(REGEX REPLACE "^[a-z]+: *" "" uses "${row}")
  string(REPLACE " " ";" JUTE_USES_${layer} "${uses}")
  list(APPEND JUTE_LAYERS ${layer})
  jute_layer(${layer} ${generated_${layer}})
endforeach()
