#pragma once
// A thread whose stack has a size of the test's choosing.
#include <pthread.h>

#include <cstddef>
#include <functional>

#include "support/catch.hpp"

namespace jute::test {

inline void on_stack_of(std::size_t bytes, const std::function<void()>& work) {
  const auto run = [](void* given) -> void* {
    (*static_cast<const std::function<void()>*>(given))();
    return nullptr;
  };
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
  pthread_t thread;
  auto* const argument = const_cast<void*>(static_cast<const void*>(&work));
  REQUIRE(pthread_create(&thread, &attributes, run, argument) == 0);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
}

}  // namespace jute::test
