// A library's import of signal() is turned, and no other's.
#include "jit/host_signals.hpp"

#include <dlfcn.h>

#include <array>
#include <csignal>

#include "support/catch.hpp"

using jute::jit::leave_signals_to_host;

namespace {

void of_host(int /*signal*/) {}
void of_library(int /*signal*/) {}

sighandler_t handler_of(int signal) {
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

}  // namespace

TEST_CASE("a library that takes signals leaves a host's alone once its import is turned",
          "[jit][signals]") {
  void* const library = ::dlopen(JUTE_TAKES_SIGNALS, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  void* const function = ::dlsym(library, "take_signal");
  REQUIRE(function != nullptr);
  const auto take = reinterpret_cast<bool (*)(int, sighandler_t)>(function);
  constexpr std::array kAll{SIGINT, SIGTERM, SIGUSR1};
  std::array<sighandler_t, kAll.size()> before{};
  for (size_t i = 0; i < kAll.size(); ++i) before[i] = std::signal(kAll[i], &of_host);

  // The library's file has no such name, or another library has the function: nothing is turned.
  CHECK_FALSE(leave_signals_to_host(function, "libnvrtc"));
  CHECK_FALSE(leave_signals_to_host(reinterpret_cast<const void*>(&of_host), "as_nvrtc"));
  CHECK(take(SIGINT, &of_library));
  CHECK(handler_of(SIGINT) == &of_library);
  std::signal(SIGINT, &of_host);

  REQUIRE(leave_signals_to_host(function, "as_nvrtc"));
  CHECK(leave_signals_to_host(function, "as_nvrtc"));  // as before
  for (const int signal : {SIGINT, SIGTERM}) {
    CHECK_FALSE(take(signal, &of_library));
    CHECK(handler_of(signal) == &of_host);
  }
  CHECK(take(SIGUSR1, &of_library));
  CHECK(handler_of(SIGUSR1) == &of_library);
  // The host's own calls are as they were.
  CHECK(std::signal(SIGINT, &of_host) == &of_host);

  for (size_t i = 0; i < kAll.size(); ++i) std::signal(kAll[i], before[i]);
}
