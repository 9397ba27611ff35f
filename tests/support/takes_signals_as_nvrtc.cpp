// A shared library that asks signal() for a signal as NVRTC does: unless it is ignored.
#include <csignal>

extern "C" {

using Handler = void (*)(int);

/// Gives whether the handler has been put in place.
[[gnu::visibility("default")]] bool take_signal(int signal, Handler handler) {
  if (std::signal(signal, SIG_IGN) == SIG_IGN) return false;
  std::signal(signal, handler);
  return true;
}
}
