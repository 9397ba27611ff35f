#pragma once
// A child process that tells its parent what it does, line by line. What makes it hang or crash, a
// broken kernel or a broken device, leaves the parent as it was.
#include <functional>
#include <string>

#include "command/exit_status.hpp"

namespace jute::command {

/// Sends one line, without its end.
using SayLine = std::function<void(const std::string& line)>;

/// The work of a worker.
using WorkerTask = std::function<void(const SayLine& say)>;

/// How a worker ended.
struct WorkerEnd {
  int status = kDone;  ///< its exit status; `launch failed` where a signal ended it
  bool by_signal = false;
};

/// A regular value that names a running process; `finish` must be called once.
class WorkerProcess {
 public:
  /// Forks. The child runs the task and ends without the driver's own clean-up, which a broken
  /// device may block; a refusal is told on standard error and becomes its exit status. It ends
  /// with its parent, and leaves interrupts to it.
  ///   throws  internal: no file descriptors, no room for a process
  [[nodiscard]] static WorkerProcess start(const WorkerTask& task, const Telling& refusals = {});

  [[nodiscard]] int file() const { return file_; }  ///< readable when there is news
  /// Hands over the lines that have come; false once the worker has closed its end.
  [[nodiscard]] bool read(const SayLine& take);
  /// Ends it, whatever it does.
  void kill() const;
  [[nodiscard]] WorkerEnd finish() const;

 private:
  int process_ = -1;
  int file_ = -1;
  std::string pending_;
};

}  // namespace jute::command
