#pragma once
// What a fork() must not cut in two: of a process with several threads the child has one, and what
// the others held stays held, what they had half done stays half done.

namespace jute::base {

/// While one lives, the process does not fork: a fork() waits for its end, and whoever comes
/// meanwhile waits for the fork. Of one thread they nest; a thread that it starts and waits for
/// must work_for it.
class Unforked {
 public:
  Unforked() { enter(); }
  ~Unforked() { leave(); }
  Unforked(const Unforked&) = delete;
  Unforked& operator=(const Unforked&) = delete;

  static void enter();
  static void leave();
  /// How deep this thread is inside.
  [[nodiscard]] static int depth();
  /// This thread works for one that is so deep inside, which waits for its end.
  static void work_for(int depth);
};

/// A mutex that no thread holds when the process forks, so that the child finds it free.
template <class Mutex>
class ForkSafe {
 public:
  void lock() {
    Unforked::enter();
    mutex_.lock();
  }
  void unlock() {
    mutex_.unlock();
    Unforked::leave();
  }
  void lock_shared() {
    Unforked::enter();
    mutex_.lock_shared();
  }
  void unlock_shared() {
    mutex_.unlock_shared();
    Unforked::leave();
  }

 private:
  Mutex mutex_;
};

}  // namespace jute::base
