// Keeping the handlers of SIGINT and SIGTERM.
#include "jit/signal_guard.hpp"

#include <array>
#include <cstddef>
#include <mutex>

namespace jute::jit {
namespace {

constexpr std::array<int, 2> kSignals{SIGINT, SIGTERM};

/// Handlers belong to the process, so what is kept of them does too.
struct Kept {
  std::mutex mutex;
  int guards = 0;
  std::array<struct sigaction, kSignals.size()> actions{};
};
Kept& kept() {
  static Kept state;
  return state;
}

}  // namespace

SignalGuard::SignalGuard() {
  sigset_t waiting;
  sigemptyset(&waiting);
  for (const int signal : kSignals) sigaddset(&waiting, signal);
  pthread_sigmask(SIG_BLOCK, &waiting, &mask_);
  const std::scoped_lock lock(kept().mutex);
  if (kept().guards++ > 0) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], nullptr, &kept().actions[i]);
}

SignalGuard::~SignalGuard() {
  {
    const std::scoped_lock lock(kept().mutex);
    if (--kept().guards == 0)
      for (std::size_t i = 0; i < kSignals.size(); ++i)
        sigaction(kSignals[i], &kept().actions[i], nullptr);
  }
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

}  // namespace jute::jit
