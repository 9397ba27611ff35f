// Lines that overwrite each other.
#include "command/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <ostream>
#include <utility>

#include "tree/numbers.hpp"

namespace jute::command {
namespace {

/// Two digits: "0.52", "5.2", "520".
std::string rounded(double value) {
  return bench::fixed(value, value < 1.0 ? 2 : value < 10.0 ? 1 : 0);
}

std::string time_text(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 100) return std::to_string(whole) + " s";
  return std::to_string((whole + 59) / 60) + " min";
}

}  // namespace

std::string to_string(const ProgressState& state) {
  std::string text = state.what + ":";
  const double part =
      state.all > 0 ? static_cast<double>(state.done) / static_cast<double>(state.all) : 0.0;
  text += " " + std::to_string(static_cast<int>(part * 100.0)) + " %";
  if (state.work > 0.0 && state.seconds > 0.0)
    text += ", " + rounded(state.work * part / state.seconds) + " " + state.unit + "/s";
  if (part > 0.0 && part < 1.0)
    text += ", " + time_text(state.seconds * (1.0 - part) / part) + " left";
  return text;
}

ProgressLine::ProgressLine(const Session& session, ProgressState start)
    : err_(session.err),
      state_(std::move(start)),
      shows_(!session.common.quiet && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { wipe(); }

void ProgressLine::wipe() {
  const std::lock_guard lock(mutex_);
  if (is_shown_) err_ << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

void ProgressLine::at(Index done, Index all) {
  if (!shows_) return;
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  // Work that begins anew is timed anew.
  if (done < state_.done && all != state_.all) start_ = now;
  state_.done = done;
  state_.all = all;
  state_.seconds = std::chrono::duration<double>(now - start_).count();
  if (state_.seconds < 1.0 || now - told_ < std::chrono::milliseconds(200)) return;
  told_ = now;
  is_shown_ = true;
  err_ << "\r" << to_string(state_) << "\x1b[K" << std::flush;
}

}  // namespace jute::command
