// Threads that share handles, contexts side by side, and a child after fork().
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "c/c_support.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

TEST_CASE("threads share a product, a plan and a context", "[c][threads]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(), "M=48 N=40 K=32 beta=0");
  const auto problem = problem_from("M=8 N=8 K=8");
  jute_plan* made = nullptr;
  REQUIRE(jute_plan_create(context.get(), problem.get(), nullptr, &made) == JUTE_OK);
  const Owned<jute_plan> plan(made);
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        const ConstantProduct product(context.get(), 48, 40, 32);
        const jute_run run = product.run();
        for (int n = 0; n < 5; ++n) {
          if (jute_gemm_run(gemm.get(), &run) != JUTE_OK) ++wrong;
          if (jute_plan_explain(plan.get()) == nullptr) ++wrong;
          jute_problem* own = nullptr;
          if (jute_problem_create("M=1 N=1 K=1", &own) != JUTE_OK) ++wrong;
          if (jute_problem_free(own) != JUTE_OK) ++wrong;
        }
        if (!product.is_right()) ++wrong;
      });
  }
  CHECK(wrong == 0);
}

TEST_CASE("two contexts do not meet", "[c][threads]") {
  const TemporaryFolder folder;
  const auto one = emulated_context(folder.file("one")),
             other = emulated_context(folder.file("two"));
  const auto gemm = prepared(one.get(), "M=48 N=40 K=32 beta=0");
  int64_t count = -1;
  REQUIRE(jute_context_compile_count(one.get(), &count) == JUTE_OK);
  CHECK(count == 1);
  REQUIRE(jute_context_compile_count(other.get(), &count) == JUTE_OK);
  CHECK(count == 0);
  const ConstantProduct product(one.get(), 48, 40, 32);
  const jute_run run = product.run();
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  CHECK(jute_synchronize(other.get()) == JUTE_OK);
  CHECK(product.is_right());
}

TEST_CASE("a child after fork() runs on the emulator what its parent has prepared",
          "[c][threads][fork]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(), "M=48 N=40 K=32 beta=0");
  const ConstantProduct product(context.get(), 48, 40, 32);
  const jute_run run = product.run();
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);  // before and behind the fork
  REQUIRE(product.is_right());
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<float> values(48 * 40);
    const bool is_right =
        jute_memory_fill(context.get(), product.d.address(), 0, 4 * 48 * 40) == JUTE_OK &&
        jute_gemm_run(gemm.get(), &run) == JUTE_OK && jute_synchronize(context.get()) == JUTE_OK &&
        jute_memory_copy_out(context.get(), values.data(), product.d.address(),
                             4 * values.size()) == JUTE_OK &&
        values == product.expected;
    ::_exit(is_right ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

namespace {

/// Prepares a product of so many rows, runs it and looks at what it gave.
bool multiplies(jute_context* context, int rows) {
  const std::string text = "M=" + std::to_string(rows) + " N=16 K=32 beta=0";
  jute_problem* problem = nullptr;
  jute_gemm* gemm = nullptr;
  if (jute_problem_create(text.c_str(), &problem) != JUTE_OK) return false;
  const Owned<jute_problem> kept_problem(problem);
  if (jute_gemm_prepare(context, problem, nullptr, &gemm) != JUTE_OK) return false;
  const Owned<jute_gemm> kept_gemm(gemm);
  const ConstantProduct product(context, rows, 16, 32);
  const jute_run run = product.run();
  return jute_gemm_run(gemm, &run) == JUTE_OK && product.is_right();
}

constexpr unsigned kSecondsOfChild = 60;  // after which it hangs

}  // namespace

TEST_CASE("a child that is forked while threads prepare and multiply does both",
          "[c][threads][fork]") {
  constexpr int kForks = 40, kRows = 8, kKinds = 4;
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  REQUIRE(multiplies(context.get(), kRows));
  std::atomic<bool> goes_on{true};
  std::atomic<int> wrong{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      for (int n = i; goes_on; ++n)
        if (!multiplies(context.get(), kRows + n % kKinds)) ++wrong;
    });
  int failed = 0;
  for (int n = 0; n < kForks; ++n) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(kSecondsOfChild);
      ::_exit(multiplies(context.get(), kRows) ? 0 : 1);
    }
    int status = -1;
    if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) ++failed;
  }
  goes_on = false;
  threads.clear();
  CHECK(failed == 0);
  CHECK(wrong == 0);
}
