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

# Jute by itself goes without its command and tests then, unless they are asked for.
foreach(wish "" -DJUTE_BUILD_COMMAND=ON)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${JUTE} -B ${WORK}/alone -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
            -DJUTE_WITH_EMULATOR=OFF ${wish}
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
  if(wish AND NOT said MATCHES "must be ON for the command" OR NOT wish AND NOT status EQUAL 0)
    message(FATAL_ERROR "jute with JUTE_WITH_EMULATOR=OFF ${wish}: ${status}\n${said}")
  endif()
endforeach()

# What was left out is not compiled.
file(STRINGS ${WORK}/compile_commands.json compiled REGEX "\"file\"")
if(compiled MATCHES "src/(emulator|draw)/" OR NOT compiled MATCHES "src/gemm/")
  message(FATAL_ERROR "with JUTE_WITH_EMULATOR and JUTE_WITH_DRAW off, these are compiled: ${compiled}")
endif()
