// Graphs: what a captured stream was asked for, to be asked for again.
#include "call.hpp"

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

using GraphHandle = GraphState*;
using GraphExecHandle = GraphExecState*;

namespace {

Status instantiate(const char* call, GraphExecHandle* handle, GraphHandle graph) {
  return in_context(call, [&](Process& process, ContextState&) -> Status {
    const auto captured = process.graphs.find(graph);
    if (handle == nullptr) return kInvalidValue;
    if (captured == nullptr) return kInvalidHandle;
    auto exec = std::make_shared<GraphExecState>();
    exec->work = captured->work;
    *handle = process.graph_execs.add(std::move(exec));
    return kSuccess;
  });
}

// CUstreamCaptureStatus.
constexpr int kNoCapture = 0;
constexpr int kCaptureActive = 1;

int capture_of(Process& process, StreamHandle handle) {
  const auto stream = process.streams.find(handle);
  const std::lock_guard lock(process.mutex());
  return stream != nullptr && stream->recording != nullptr && stream->recording->is_open
             ? kCaptureActive
             : kNoCapture;
}

}  // namespace

JUTE_DRIVER_CALL cuStreamBeginCapture_v2(StreamHandle handle, int /*mode*/) {
  return in_context("cuStreamBeginCapture", [&](Process& process, ContextState&) -> Status {
    if (is_null_stream(handle)) return kCaptureUnsupported;
    const auto stream = process.streams.find(handle);
    if (stream == nullptr) return kInvalidHandle;
    const std::lock_guard lock(process.mutex());
    if (stream->recording != nullptr && stream->recording->is_open) return kCaptureUnsupported;
    stream->recording = std::make_shared<Recording>();
    stream->recording->origin = handle;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuStreamEndCapture(StreamHandle handle, GraphHandle* graph) {
  return in_context("cuStreamEndCapture", [&](Process& process, ContextState&) -> Status {
    const auto stream = process.streams.find(handle);
    if (graph == nullptr) return kInvalidValue;
    if (stream == nullptr) return kInvalidHandle;
    auto captured = std::make_shared<GraphState>();
    {
      const std::lock_guard lock(process.mutex());
      const auto recording = std::move(stream->recording);
      if (recording == nullptr || !recording->is_open || recording->origin != handle)
        return kCaptureUnsupported;
      recording->is_open = false;  // of every stream that joined it
      captured->work = std::move(recording->work);
    }
    *graph = process.graphs.add(std::move(captured));
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuStreamIsCapturing(StreamHandle stream, int* status) {
  return in_context("cuStreamIsCapturing", [&](Process& process, ContextState&) -> Status {
    if (status == nullptr) return kInvalidValue;
    *status = capture_of(process, stream);
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuThreadExchangeStreamCaptureMode(int* mode) {
  return in_context("cuThreadExchangeStreamCaptureMode", [&](Process&, ContextState&) -> Status {
    return mode == nullptr ? kInvalidValue : kSuccess;
  });
}

JUTE_DRIVER_CALL cuGraphInstantiateWithFlags(GraphExecHandle* exec, GraphHandle graph,
                                             unsigned long long /*flags*/) {
  return instantiate("cuGraphInstantiate", exec, graph);
}
JUTE_DRIVER_CALL cuGraphInstantiate_v2(GraphExecHandle* exec, GraphHandle graph,
                                       void** /*error_node*/, char* /*log*/, size_t /*bytes*/) {
  return instantiate("cuGraphInstantiate", exec, graph);
}

JUTE_DRIVER_CALL cuGraphLaunch(GraphExecHandle handle, StreamHandle stream) {
  return in_context("cuGraphLaunch", [&](Process& process, ContextState& context) -> Status {
    const auto exec = process.graph_execs.find(handle);
    if (exec == nullptr) return kInvalidHandle;
    return submit(process, context, stream, [exec](Stream order) -> Status {
      for (const Work& each : exec->work)
        if (const Status status = each(order); status != kSuccess) return status;
      return kSuccess;
    });
  });
}
JUTE_DRIVER_CALL cuGraphUpload(GraphExecHandle handle, StreamHandle /*stream*/) {
  return in_context("cuGraphUpload", [&](Process& process, ContextState&) -> Status {
    return process.graph_execs.find(handle) == nullptr ? Status{kInvalidHandle} : kSuccess;
  });
}

JUTE_DRIVER_CALL cuGraphDestroy(GraphHandle graph) {
  return in_context("cuGraphDestroy", [&](Process& process, ContextState&) -> Status {
    return process.graphs.remove(graph) == nullptr ? Status{kInvalidHandle} : kSuccess;
  });
}
JUTE_DRIVER_CALL cuGraphExecDestroy(GraphExecHandle exec) {
  return in_context("cuGraphExecDestroy", [&](Process& process, ContextState&) -> Status {
    return process.graph_execs.remove(exec) == nullptr ? Status{kInvalidHandle} : kSuccess;
  });
}
