// A gate that fork() closes: it waits until no thread is inside, and lets them in again behind it.
#include "base/fork_gate.hpp"

#include <pthread.h>

#include <atomic>

namespace jute::base {
namespace {

/// Threads inside, and forks that wait or are under way.
std::atomic<int> inside{0}, closed{0};
/// How deep this thread is inside.
thread_local int depth_here = 0;

/// A thread that forks from inside counts itself.
int own() { return depth_here > 0 ? 1 : 0; }

void before_fork() {
  closed.fetch_add(1);
  for (int there = inside.load(); there > own(); there = inside.load()) inside.wait(there);
}
void behind_fork() {
  closed.fetch_sub(1);
  closed.notify_all();
}
void in_child() {
  inside.store(own());
  closed.store(0);
}

const int kWatchesForks = pthread_atfork(before_fork, behind_fork, in_child);

}  // namespace

void Unforked::enter() {
  if (depth_here++ > 0) return;
  for (;;) {
    inside.fetch_add(1);
    const int forks = closed.load();
    if (forks == 0) return;
    inside.fetch_sub(1);
    inside.notify_all();
    closed.wait(forks);
  }
}

void Unforked::leave() {
  if (--depth_here > 0) return;
  inside.fetch_sub(1);
  if (closed.load() > 0) inside.notify_all();
}

int Unforked::depth() { return depth_here; }
void Unforked::work_for(int depth) { depth_here = depth; }

}  // namespace jute::base
