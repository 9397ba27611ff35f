#pragma once
// The frame of every call: what must hold before it, and how a refusal becomes a status.
#include "process.hpp"

#include <functional>
#include <new>

/// Declares a function of the driver.
#define JUTE_DRIVER_CALL extern "C" __attribute__((visibility("default"))) jute::driver::Status

namespace jute::stand_in {

/// `jute: cuMemAlloc: reason` on standard error, each text once: a status alone says too little.
void say(const char* call, const std::string& reason);

/// Runs the body; what it throws becomes a status, and is said.
driver::Status guarded(const char* call, const std::function<driver::Status()>& body);

/// After cuInit.
template <class Body>
driver::Status after_init(const char* call, const Body& body) {
  Process& process = Process::instance();
  if (!process.is_open()) return kNotInitialized;
  return guarded(call, [&] { return body(process); });
}

/// Where a context is current that no kernel has broken.
template <class Body>
driver::Status in_context(const char* call, const Body& body) {
  return after_init(call, [&](Process& process) -> driver::Status {
    const auto& stack = context_stack();
    if (stack.empty() || !process.is_context(stack.back())) return kInvalidContext;
    driver::ContextState& context = *stack.back();
    if (const driver::Status failure = context.failure; failure != driver::kSuccess) return failure;
    return body(process, context);
  });
}

/// In the order of a stream: at once, or when the graph is launched that the stream's capture
/// makes.
///   returns  invalid handle: there is no such stream
driver::Status submit(Process& process, driver::ContextState& context, driver::StreamHandle stream,
                      Work work);

/// Does the handle stand for the null stream, by any of its names?
[[nodiscard]] bool is_null_stream(driver::StreamHandle stream);

}  // namespace jute::stand_in
