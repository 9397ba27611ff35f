#pragma once
// The caller's signals while a library that takes them runs, where it cannot be kept from that.
#include <csignal>

namespace jute::jit {

/// An NVRTC that signals are not left to the host by (host_signals.hpp) has handlers of its own for
/// SIGINT and SIGTERM while it compiles: a host's are passed over, and lose their flags. While this
/// lives both signals wait for this thread; with the last of these the handlers are what they were
/// with the first, and what waited is delivered to them. What other threads receive meanwhile is
/// NVRTC's, and ends the process.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  sigset_t mask_{};  ///< of this thread before
};

}  // namespace jute::jit
