#pragma once
// How far long work is, on one line of a terminal.
#include <jute/base/types.hpp>

#include <chrono>
#include <iosfwd>
#include <mutex>
#include <string>

#include "command/command_line.hpp"

namespace jute::command {

/// The facts of a line.
struct ProgressState {
  std::string what;  ///< "emulating"
  Index done = 0, all = 0;
  double seconds = 0.0;  ///< since the work began
  double work = 0.0;     ///< of all of it; 0: nothing to tell
  std::string unit{};    ///< "GMAC": of what `work` counts
};
/// "emulating: 25 %, 0.5 GMAC/s, 3 s left"
[[nodiscard]] std::string to_string(const ProgressState& state);

/// Says where the work is, several times a second from its first second on; nothing unless standard
/// error is a terminal, nor with --quiet. Its end wipes the line away.
class ProgressLine {
 public:
  ProgressLine(const Session& session, ProgressState start);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  /// From any thread. Work that begins anew may count down.
  void at(Index done, Index all);
  /// Makes room for other lines on the terminal, until it is told again.
  void wipe();

 private:
  using Clock = std::chrono::steady_clock;
  std::ostream& err_;
  ProgressState state_;
  bool shows_ = false, is_shown_ = false;
  Clock::time_point start_ = Clock::now(), told_ = start_;
  std::mutex mutex_;
};

}  // namespace jute::command
