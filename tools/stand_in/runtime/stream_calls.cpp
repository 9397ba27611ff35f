// The runtime API's streams, events, and graphs of what streams captured.
#include "runtime/program.hpp"

using namespace jute::stand_in;

JUTE_RUNTIME_CALL cudaStreamCreate(CUstream* stream) {
  return in_device([&] { return cuStreamCreate(stream, 0); });
}
JUTE_RUNTIME_CALL cudaStreamCreateWithFlags(CUstream* stream, unsigned flags) {
  return in_device([&] { return cuStreamCreate(stream, flags); });
}
JUTE_RUNTIME_CALL cudaStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return in_device([&] { return cuStreamCreateWithPriority(stream, flags, priority); });
}
JUTE_RUNTIME_CALL cudaStreamDestroy(CUstream stream) {
  return in_device([&] { return cuStreamDestroy_v2(stream); });
}
JUTE_RUNTIME_CALL cudaStreamSynchronize(CUstream stream) {
  return in_device([&] { return cuStreamSynchronize(stream); });
}
JUTE_RUNTIME_CALL cudaStreamQuery(CUstream stream) {
  return in_device([&] { return cuStreamQuery(stream); });
}
JUTE_RUNTIME_CALL cudaStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return in_device([&] { return cuStreamWaitEvent(stream, event, flags); });
}
JUTE_RUNTIME_CALL cudaLaunchHostFunc(CUstream stream, void (*function)(void*), void* user) {
  return in_device([&] { return cuLaunchHostFunc(stream, function, user); });
}
JUTE_RUNTIME_CALL cudaStreamAddCallback(CUstream stream,
                                        void (*function)(CUstream, CUresult, void*), void* user,
                                        unsigned flags) {
  return in_device([&] { return cuStreamAddCallback(stream, function, user, flags); });
}
JUTE_RUNTIME_CALL cudaStreamGetFlags(CUstream stream, unsigned* flags) {
  return in_device([&] { return cuStreamGetFlags(stream, flags); });
}
JUTE_RUNTIME_CALL cudaStreamGetPriority(CUstream stream, int* priority) {
  return in_device([&] { return cuStreamGetPriority(stream, priority); });
}
JUTE_RUNTIME_CALL cudaStreamBeginCapture(CUstream stream, int mode) {
  return in_device([&] { return cuStreamBeginCapture_v2(stream, mode); });
}
JUTE_RUNTIME_CALL cudaStreamEndCapture(CUstream stream, CUgraph* graph) {
  return in_device([&] { return cuStreamEndCapture(stream, graph); });
}
JUTE_RUNTIME_CALL cudaStreamIsCapturing(CUstream stream, int* status) {
  return in_device([&] { return cuStreamIsCapturing(stream, status); });
}
JUTE_RUNTIME_CALL cudaGraphInstantiate(CUgraphExec* executable, CUgraph graph,
                                       unsigned long long flags) {
  return in_device([&] { return cuGraphInstantiateWithFlags(executable, graph, flags); });
}
JUTE_RUNTIME_CALL cudaGraphLaunch(CUgraphExec executable, CUstream stream) {
  return in_device([&] { return cuGraphLaunch(executable, stream); });
}
JUTE_RUNTIME_CALL cudaGraphExecDestroy(CUgraphExec executable) {
  return in_device([&] { return cuGraphExecDestroy(executable); });
}
JUTE_RUNTIME_CALL cudaGraphDestroy(CUgraph graph) {
  return in_device([&] { return cuGraphDestroy(graph); });
}

JUTE_RUNTIME_CALL cudaEventCreate(CUevent* event) {
  return in_device([&] { return cuEventCreate(event, 0); });
}
JUTE_RUNTIME_CALL cudaEventCreateWithFlags(CUevent* event, unsigned flags) {
  return in_device([&] { return cuEventCreate(event, flags); });
}
JUTE_RUNTIME_CALL cudaEventDestroy(CUevent event) {
  return in_device([&] { return cuEventDestroy_v2(event); });
}
JUTE_RUNTIME_CALL cudaEventRecord(CUevent event, CUstream stream) {
  return in_device([&] { return cuEventRecord(event, stream); });
}
JUTE_RUNTIME_CALL cudaEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return in_device([&] { return cuEventRecordWithFlags(event, stream, flags); });
}
JUTE_RUNTIME_CALL cudaEventSynchronize(CUevent event) {
  return in_device([&] { return cuEventSynchronize(event); });
}
JUTE_RUNTIME_CALL cudaEventQuery(CUevent event) {
  return in_device([&] { return cuEventQuery(event); });
}
JUTE_RUNTIME_CALL cudaEventElapsedTime(float* ms, CUevent from, CUevent to) {
  return in_device([&] { return cuEventElapsedTime(ms, from, to); });
}
