// Counts: arithmetic on the values of a run, computed, printed, read.
#include <jute/plan/values/count.hpp>

#include <cstdint>
#include <limits>
#include <random>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::refusal_of;

namespace {

RunValues some_run() {
  RunValues run{.m = 300, .n = 512, .k = 33, .batch = 2};
  run[TensorRole::a] = {0x100, 40, 12000};
  run[TensorRole::b].ld = 512;
  run[TensorRole::d].batch_stride = 153600;
  return run;
}

Index evaluated(const char* text) { return Count(text).evaluate(some_run()); }

/// A random Count of up to `size` operations.
Count random_count(std::mt19937& random, int size) {
  const auto below = [&](std::uint32_t most) { return random() % most; };
  if (size == 0) {
    constexpr const char* kLeaves[] = {"m", "k", "batch", "lda", "batch_stride_d", "0", "1", "7"};
    return Count(kLeaves[below(std::size(kLeaves))]);
  }
  const int left = static_cast<int>(below(static_cast<std::uint32_t>(size)));
  const Count right = random_count(random, size - 1 - left);
  const auto op = static_cast<Count::Op>(below(7));
  // A divisor that is surely one.
  const bool divides = op == Count::Op::ceil_div || op == Count::Op::round_up;
  return {op, random_count(random, left), divides ? max(right, 1) : right};
}

}  // namespace

TEST_CASE("a count is arithmetic on the values of a run", "[plan][count]") {
  CHECK(evaluated("m") == 300);
  CHECK(evaluated("ceil_div(m,128)*ceil_div(n,128)*batch") == 24);
  CHECK(evaluated("round_up(max(k,1),8)") == 40);
  CHECK(evaluated("min(132, 16 * batch)") == 32);
  CHECK(evaluated("m-n-batch") == -214);
  CHECK(evaluated("m-(n-batch)") == -210);
  CHECK(evaluated("m+2*k") == 366);
  CHECK(evaluated("lda+ldb+batch_stride_a+batch_stride_d") == 40 + 512 + 12000 + 153600);
  CHECK(evaluated("ceil_div(0*m,128)") == 0);
}

TEST_CASE("numbers among themselves are computed at once", "[plan][count]") {
  CHECK(Count("ceil_div(4096,128)") == Count(32));
  CHECK(Count("2*3-10") == Count(-4));
  CHECK(to_string(Count("1*m*ceil_div(4096,128)+0")) == "m*32");
  CHECK(to_string(Count("ceil_div(n,1)")) == "n");
  CHECK(Count("m").is_number() == false);
  CHECK(Count(7).is_number());
}

TEST_CASE("a count is read back as it is printed, and means the same", "[plan][count][law]") {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Count count = random_count(random, i % 7);
    const std::string text = to_string(count);
    INFO(text);
    const Count again(text);
    CHECK(again == count);
    CHECK(again.evaluate(some_run()) == count.evaluate(some_run()));
  }
}

TEST_CASE("printing puts brackets only where they are needed", "[plan][count]") {
  for (const char* text : {"m*n*batch", "m*(n*batch)", "m-(n+k)", "(m+n)*k", "m*(-3)", "-3",
                           "ceil_div(m+1,128)", "max(-1,m)"}) {
    INFO(text);
    CHECK(to_string(Count(text)) == text);
  }
  CHECK(to_string(Count(" ( m ) * ( (n) ) ")) == "m*n");
}

TEST_CASE("a count that no 64-bit number holds is refused", "[plan][count][refusal]") {
  RunValues run = some_run();
  run.m = run.n = Index{1} << 40;
  const Error error = refusal_of([&] { return Count("m*n").evaluate(run); });
  CHECK(error.code == ErrorCode::overflow);
  run.m = std::numeric_limits<Index>::min();
  CHECK(refusal_of([&] { return Count("m-n").evaluate(run); }).code == ErrorCode::overflow);
  CHECK(refusal_of([&] { return Count("9223372036854775808"); }).code == ErrorCode::overflow);
}

TEST_CASE("a division by nothing is refused", "[plan][count][refusal]") {
  CHECK(refusal_of([] { return evaluated("ceil_div(m,k-33)"); }).code == ErrorCode::out_of_range);
  CHECK(refusal_of([] { return evaluated("round_up(m,k-34)"); }).value == "-1");
}

TEST_CASE("what is no count is refused, and where", "[plan][count][refusal]") {
  const auto refusal = [](const std::string& text) {
    return refusal_of([&] { return Count(text); });
  };
  CHECK(refusal("m*").position == SourcePosition{1, 3});
  CHECK(refusal("min(m)").position == SourcePosition{1, 6});
  CHECK(refusal("m n").position == SourcePosition{1, 3});
  CHECK(refusal("").code == ErrorCode::syntax);
  CHECK(refusal("-m").code == ErrorCode::syntax);
  const Error unknown = refusal("batch_strid_a");
  CHECK(unknown.code == ErrorCode::unknown_name);
  CHECK(unknown.nearest_legal == "batch_stride_a");
  CHECK(refusal(std::string(1000, '(')).code == ErrorCode::too_deep);
  std::string nested = "m";
  for (int i = 0; i < 16; ++i) nested = "n-(" + nested + ")";
  CHECK(refusal(nested).code == ErrorCode::too_deep);
}
