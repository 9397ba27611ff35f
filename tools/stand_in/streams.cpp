// Streams and events. Work is done when it is submitted, so that nothing is ever waited for.
#include "call.hpp"

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

namespace {

Status create_stream(const char* call, StreamHandle* handle, unsigned flags, int priority) {
  return in_context(call, [&](Process& process, ContextState& context) -> Status {
    if (handle == nullptr || flags > 1) return kInvalidValue;
    auto stream = std::make_shared<StreamState>();
    stream->context = &context;
    stream->stream = process.backend().create_stream();
    stream->flags = flags;
    stream->priority = priority;
    *handle = process.streams.add(std::move(stream));
    return kSuccess;
  });
}

/// With a stream that there is; of the null streams the object is null.
template <class Body>
Status with_stream(const char* call, StreamHandle handle, const Body& body) {
  return in_context(call, [&](Process& process, ContextState& context) -> Status {
    if (is_null_stream(handle)) return body(process, context, static_cast<StreamState*>(nullptr));
    const auto stream = process.streams.find(handle);
    return stream == nullptr ? Status{kInvalidHandle} : body(process, context, stream.get());
  });
}

bool is_captured(Process& process, const StreamState* stream) {
  const std::lock_guard lock(process.mutex());
  return stream != nullptr && stream->recording != nullptr && stream->recording->is_open;
}

Status wait_for(const char* call, StreamHandle handle) {
  return with_stream(call, handle, [](Process& process, ContextState&, StreamState* stream) {
    return is_captured(process, stream) ? Status{kCaptureUnsupported} : kSuccess;
  });
}

}  // namespace

JUTE_DRIVER_CALL cuStreamCreate(StreamHandle* stream, unsigned flags) {
  return create_stream("cuStreamCreate", stream, flags, 0);
}
JUTE_DRIVER_CALL cuStreamCreateWithPriority(StreamHandle* stream, unsigned flags, int priority) {
  return create_stream("cuStreamCreateWithPriority", stream, flags, priority);
}
JUTE_DRIVER_CALL cuStreamDestroy_v2(StreamHandle handle) {
  return in_context("cuStreamDestroy", [&](Process& process, ContextState&) -> Status {
    const auto stream = process.streams.remove(handle);
    if (stream == nullptr) return kInvalidHandle;
    process.backend().destroy_stream(stream->stream);
    return kSuccess;
  });
}
JUTE_DRIVER_CALL cuStreamSynchronize(StreamHandle stream) {
  return wait_for("cuStreamSynchronize", stream);
}
JUTE_DRIVER_CALL cuStreamQuery(StreamHandle stream) { return wait_for("cuStreamQuery", stream); }

JUTE_DRIVER_CALL cuStreamGetFlags(StreamHandle handle, unsigned* flags) {
  return with_stream("cuStreamGetFlags", handle, [&](Process&, ContextState&, StreamState* stream) {
    if (flags == nullptr) return kInvalidValue;
    *flags = stream == nullptr ? 0 : stream->flags;
    return kSuccess;
  });
}
JUTE_DRIVER_CALL cuStreamGetPriority(StreamHandle handle, int* priority) {
  return with_stream("cuStreamGetPriority", handle,
                     [&](Process&, ContextState&, StreamState* stream) {
                       if (priority == nullptr) return kInvalidValue;
                       *priority = stream == nullptr ? 0 : stream->priority;
                       return kSuccess;
                     });
}
JUTE_DRIVER_CALL cuStreamGetCtx(StreamHandle handle, ContextHandle* context) {
  return with_stream("cuStreamGetCtx", handle,
                     [&](Process&, ContextState& current, StreamState* stream) {
                       if (context == nullptr) return kInvalidValue;
                       *context = stream == nullptr ? &current : stream->context;
                       return kSuccess;
                     });
}
JUTE_DRIVER_CALL cuStreamGetId(StreamHandle handle, unsigned long long* id) {
  return with_stream("cuStreamGetId", handle, [&](Process&, ContextState&, StreamState* stream) {
    if (id == nullptr) return kInvalidValue;
    *id = stream == nullptr ? 0 : stream->stream.handle;
    return kSuccess;
  });
}

/// Work behind the event joins the event's capture.
JUTE_DRIVER_CALL cuStreamWaitEvent(StreamHandle handle, EventHandle waited, unsigned /*flags*/) {
  return with_stream("cuStreamWaitEvent", handle,
                     [&](Process& process, ContextState&, StreamState* stream) -> Status {
                       const auto event = process.events.find(waited);
                       if (event == nullptr) return kInvalidHandle;
                       const std::lock_guard lock(process.mutex());
                       if (event->recording == nullptr || !event->recording->is_open)
                         return kSuccess;
                       if (stream == nullptr) return kCaptureUnsupported;
                       stream->recording = event->recording;
                       return kSuccess;
                     });
}

JUTE_DRIVER_CALL cuLaunchHostFunc(StreamHandle stream, void (*function)(void*), void* data) {
  return in_context("cuLaunchHostFunc", [&](Process& process, ContextState& context) -> Status {
    if (function == nullptr) return kInvalidValue;
    return submit(process, context, stream, [=](Stream) -> Status {
      function(data);
      return kSuccess;
    });
  });
}
JUTE_DRIVER_CALL cuStreamAddCallback(StreamHandle stream,
                                     void (*function)(StreamHandle, Status, void*), void* data,
                                     unsigned /*flags*/) {
  return in_context("cuStreamAddCallback", [&](Process& process, ContextState& context) -> Status {
    if (function == nullptr) return kInvalidValue;
    return submit(process, context, stream, [=](Stream) -> Status {
      function(stream, kSuccess, data);
      return kSuccess;
    });
  });
}

JUTE_DRIVER_CALL cuEventCreate(EventHandle* handle, unsigned /*flags*/) {
  return in_context("cuEventCreate", [&](Process& process, ContextState& context) -> Status {
    if (handle == nullptr) return kInvalidValue;
    auto event = std::make_shared<EventState>();
    event->context = &context;
    *handle = process.events.add(std::move(event));
    return kSuccess;
  });
}
JUTE_DRIVER_CALL cuEventDestroy_v2(EventHandle handle) {
  return in_context("cuEventDestroy", [&](Process& process, ContextState&) -> Status {
    return process.events.remove(handle) == nullptr ? Status{kInvalidHandle} : kSuccess;
  });
}

namespace {

Status record(const char* call, EventHandle recorded, StreamHandle handle) {
  return with_stream(call, handle, [&](Process& process, ContextState&, StreamState* stream) {
    const auto event = process.events.find(recorded);
    if (event == nullptr) return Status{kInvalidHandle};
    Event mark = process.backend().record(stream == nullptr ? Stream{} : stream->stream);
    const std::lock_guard lock(process.mutex());
    event->recording = stream == nullptr ? nullptr : stream->recording;
    event->mark = std::move(mark);
    return Status{kSuccess};
  });
}

Status ask(const char* call, EventHandle handle) {
  return in_context(call, [&](Process& process, ContextState&) -> Status {
    return process.events.find(handle) == nullptr ? Status{kInvalidHandle} : kSuccess;
  });
}

Status elapsed(float* milliseconds, EventHandle from, EventHandle to) {
  return in_context("cuEventElapsedTime", [&](Process& process, ContextState&) -> Status {
    const auto first = process.events.find(from);
    const auto last = process.events.find(to);
    if (milliseconds == nullptr) return kInvalidValue;
    if (first == nullptr || last == nullptr) return kInvalidHandle;
    const std::lock_guard lock(process.mutex());
    if (first->mark == nullptr || last->mark == nullptr) return kInvalidHandle;
    *milliseconds = static_cast<float>(process.backend().elapsed_ms(first->mark, last->mark));
    return kSuccess;
  });
}

}  // namespace

JUTE_DRIVER_CALL cuEventRecord(EventHandle event, StreamHandle stream) {
  return record("cuEventRecord", event, stream);
}
JUTE_DRIVER_CALL cuEventRecordWithFlags(EventHandle event, StreamHandle stream,
                                        unsigned /*flags*/) {
  return record("cuEventRecordWithFlags", event, stream);
}
JUTE_DRIVER_CALL cuEventSynchronize(EventHandle event) { return ask("cuEventSynchronize", event); }
JUTE_DRIVER_CALL cuEventQuery(EventHandle event) { return ask("cuEventQuery", event); }
JUTE_DRIVER_CALL cuEventElapsedTime(float* milliseconds, EventHandle from, EventHandle to) {
  return elapsed(milliseconds, from, to);
}
JUTE_DRIVER_CALL cuEventElapsedTime_v2(float* milliseconds, EventHandle from, EventHandle to) {
  return elapsed(milliseconds, from, to);
}
