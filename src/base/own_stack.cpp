// A thread by pthreads: those of the standard library have whatever stack the system gives.
#include "base/own_stack.hpp"

#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <system_error>

#include "base/fork_gate.hpp"

namespace jute::base {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 20;

struct Work {
  const std::function<void()>& work;
  int depth = Unforked::depth();
  std::exception_ptr thrown{};
};

void* run_work(void* given) {
  auto& all = *static_cast<Work*>(given);
  Unforked::work_for(all.depth);
  try {
    all.work();
  } catch (...) {
    all.thrown = std::current_exception();
  }
  return nullptr;
}

/// Where the first thread's stack ends, which begins behind the program's name; 0 where the system
/// does not say. pthread_getattr_np reads all mappings of the process for it, a millisecond behind
/// a driver's.
std::uintptr_t end_of_first_stack() {
  const std::uintptr_t begin = getauxval(AT_EXECFN);
  rlimit limit{};
  if (begin == 0 || getrlimit(RLIMIT_STACK, &limit) != 0) return 0;
  // Below it Linux leaves room for more than this, however high the limit is.
  return begin - std::min<std::uintptr_t>(limit.rlim_cur, kStackBytes);
}

/// Where this thread's stack ends, which grows down.
std::uintptr_t end_of_stack() {
  if (gettid() == getpid())
    if (const std::uintptr_t end = end_of_first_stack(); end != 0) return end;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return UINTPTR_MAX;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(lowest);
}

}  // namespace

void on_own_stack(const std::function<void()>& work) {
  Work all{work};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int status = pthread_create(&thread, &attributes, &run_work, &all);
  pthread_attr_destroy(&attributes);
  if (status != 0) throw std::system_error(status, std::generic_category());
  pthread_join(thread, nullptr);
  if (all.thrown) std::rethrow_exception(all.thrown);
}

bool has_stack(std::size_t bytes) {
  thread_local const std::uintptr_t end = end_of_stack();
  const char here = 0;
  const auto at = reinterpret_cast<std::uintptr_t>(&here);
  // A stack that is not the thread's, as a fiber's, lies anywhere.
  return at > end && at - end > bytes;
}

}  // namespace jute::base
