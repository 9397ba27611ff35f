# Installs jute to a place of its own, then builds and runs examples/embed against it: by CMake, with
# its warnings as errors, and where pkg-config is by that.
#   cmake -DJUTE_BUILD=… -DEXAMPLE=… -DWORK=… -DCOMPILER=… -DGENERATOR=… -P run_embed_example.cmake
file(REMOVE_RECURSE ${WORK})
function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${JUTE_BUILD} --prefix ${WORK}/prefix)
step(${CMAKE_COMMAND} -S ${EXAMPLE} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${WORK}/prefix
     -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release
     "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
step(${CMAKE_COMMAND} --build ${WORK}/build)
step(${WORK}/build/embed)

file(GLOB_RECURSE notices RELATIVE ${WORK}/prefix/share/doc/jute ${WORK}/prefix/share/doc/jute/*)
if(NOT notices STREQUAL "LICENSE;THIRD_PARTY_NOTICES;copyright")
  message(FATAL_ERROR "installed as licence and notices: '${notices}'")
endif()

foreach(page man/man1/jute.1 man/man1/jute-atom-show.1 bash-completion/completions/jute
        zsh/site-functions/_jute fish/vendor_completions.d/jute.fish)
  if(NOT EXISTS ${WORK}/prefix/share/${page})
    message(FATAL_ERROR "share/${page} was not installed")
  endif()
endforeach()

find_program(PKG_CONFIG pkg-config)
file(GLOB_RECURSE pc ${WORK}/prefix/*/jute.pc)
if(NOT pc)
  message(FATAL_ERROR "no jute.pc was installed")
elseif(PKG_CONFIG)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${pc} OUTPUT_VARIABLE flags
                  COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND ${flags})
  step(${COMPILER} -std=c++20 ${EXAMPLE}/main.cpp -o ${WORK}/by_pkg_config ${flags})
  step(${WORK}/by_pkg_config)
else()
  message("SKIPPED: pkg-config is not installed, and all else went well")
endif()
