# Installs jute to a place of its own, then builds and runs examples/embed against it.
#   cmake -DJUTE_BUILD=… -DEXAMPLE=… -DWORK=… -DCOMPILER=… -DGENERATOR=… -P run_embed_example.cmake
file(REMOVE_RECURSE ${WORK})
function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${JUTE_BUILD} --prefix ${WORK}/prefix)
step(${CMAKE_COMMAND} -S ${EXAMPLE} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${WORK}/prefix
     -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release)
step(${CMAKE_COMMAND} --build ${WORK}/build)
step(${WORK}/build/embed)
