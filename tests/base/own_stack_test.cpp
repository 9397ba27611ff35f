// Work on stacks of any size.
#include "base/own_stack.hpp"

#include <jute/base/cause.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "support/catch.hpp"
#include "support/small_stack.hpp"

using namespace jute;

namespace {

/// Bytes of stack that are touched, one of each page.
int touched(int pages) {
  volatile char page[4096];
  page[0] = 1;
  return pages == 0 ? page[0] : page[0] + touched(pages - 1);
}

}  // namespace

TEST_CASE("work finds its stack whatever thread asks for it", "[base][stack]") {
  constexpr int kPages = 1000;
  int sum = 0;
  std::thread::id thread;
  test::on_stack_of(128 << 10, [&] {
    CHECK_FALSE(base::has_stack(1 << 20));
    sum = base::with_enough_stack([&] {
      thread = std::this_thread::get_id();
      return touched(kPages);
    });
    CHECK(thread != std::this_thread::get_id());
  });
  CHECK(sum == kPages + 1);
  test::on_stack_of(8 << 20, [&] {
    thread = base::with_enough_stack([] { return std::this_thread::get_id(); });
    CHECK(thread == std::this_thread::get_id());
  });
}

TEST_CASE("the first thread has the stack that its limit says", "[base][stack]") {
  REQUIRE(gettid() == getpid());
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_STACK, &limit) == 0);
  const std::size_t all = std::min<std::size_t>(limit.rlim_cur, 64 << 20);
  CHECK(base::has_stack(all / 2));  // the program's words take up to a quarter
  CHECK_FALSE(base::has_stack(all));
}

TEST_CASE("what is thrown on another stack is thrown to who asked", "[base][stack]") {
  CHECK_THROWS_AS(base::on_own_stack([] { throw std::length_error("too long"); }),
                  std::length_error);
}

TEST_CASE("a thread that the system does not give is lacking, and nobody's fault",
          "[base][error]") {
  const auto error_of = [](const auto& thrown) {
    try {
      throw thrown;
    } catch (...) {
      return current_error();
    }
  };
  const Error no_thread =
      error_of(std::system_error(EAGAIN, std::generic_category(), "thread constructor"));
  CHECK(cause_of(no_thread.code) == Cause::environment);
  CHECK(no_thread.operand == "threads");
  CHECK(cause_of(error_of(std::bad_alloc()).code) == Cause::environment);
  CHECK(error_of(std::runtime_error("odd")).code == ErrorCode::internal);
  CHECK(error_of(Exception({.code = ErrorCode::syntax})).code == ErrorCode::syntax);
}
