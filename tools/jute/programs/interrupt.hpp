#pragma once
// Ctrl-C as a question whether to stop, so that what is done can be kept.
#include <csignal>

namespace jute::command {

/// While one lives, SIGINT only says that the work is to stop; a second one ends the process.
class InterruptWatch {
 public:
  InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch();
  /// From any thread.
  [[nodiscard]] static bool is_interrupted();

 private:
  struct sigaction before_;
};

/// Thrown to leave work that was interrupted.
struct Interrupted {};

}  // namespace jute::command
