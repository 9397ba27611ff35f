// One flag, which a signal handler sets.
#include "programs/interrupt.hpp"

namespace jute::command {
namespace {

volatile std::sig_atomic_t is_asked_to_stop = 0;

}  // namespace

InterruptWatch::InterruptWatch() : before_() {
  is_asked_to_stop = 0;
  struct sigaction watch = {};
  watch.sa_handler = [](int) { is_asked_to_stop = 1; };
  // The next one does what it does without a watch.
  watch.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &watch, &before_);
}

InterruptWatch::~InterruptWatch() { ::sigaction(SIGINT, &before_, nullptr); }

bool InterruptWatch::is_interrupted() { return is_asked_to_stop != 0; }

}  // namespace jute::command
