#pragma once
// The process that touches the GPU, and the one that watches it.
#include "options.hpp"

#include <string>
#include <vector>

namespace jute::bench {

/// Says over a pipe what a worker is doing, so that its parent knows which case hung or crashed.
class Progress {
 public:
  explicit Progress(int descriptor) : descriptor_(descriptor) {}
  void starts(const std::string& id) const { say("start " + id); }
  void ends(const std::string& id) const { say("end " + id); }
  void is_alive() const { say("alive"); }

 private:
  void say(const std::string& line) const;
  int descriptor_;
};

/// Runs this program again as a worker until every selected case is done: a worker that stays
/// silent for too long or dies costs the case that it was at, no more. Returns the exit status: 1
/// when a case was lost.
[[nodiscard]] int supervise(const Options& options, const std::vector<std::string>& arguments);

}  // namespace jute::bench
