# Configures a project that embeds jute, and compares what it finds then with what it set itself.
#   cmake -DJUTE=… -DHOST=… -DWORK=… -DCOMPILER=… -DGENERATOR=… -P configure_host_project.cmake
file(REMOVE_RECURSE ${WORK})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${HOST} -B ${WORK} -G ${GENERATOR} -DJUTE=${JUTE}
          -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
          -DJUTE_WITH_EMULATOR=OFF -DJUTE_WITH_DRAW=OFF
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

file(READ ${WORK}/left.txt left)
set(expected "build type: ''\nprecompiled: precompiled-NOTFOUND\n")
if(NOT left STREQUAL expected)
  message(FATAL_ERROR "jute left\n${left}instead of\n${expected}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${WORK} --prefix ${WORK}/prefix OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed ${WORK}/prefix/*)
if(installed)
  message(FATAL_ERROR "JUTE_INSTALL is off, yet these were installed: ${installed}")
endif()

# What was left out is not compiled.
file(STRINGS ${WORK}/compile_commands.json compiled REGEX "\"file\"")
if(compiled MATCHES "src/(emulator|draw)/" OR NOT compiled MATCHES "src/gemm/")
  message(FATAL_ERROR "with JUTE_WITH_EMULATOR and JUTE_WITH_DRAW off, these are compiled: ${compiled}")
endif()
