// Random groups with operands and extents of their own on a real GPU: a test for each type, so that
// they run side by side.
#include "support/context_options.hpp"
#include "support/each_cases.hpp"
#include "support/gemm_families.hpp"
#include "support/gpu.hpp"

using namespace jute;
using namespace jute::test;

namespace {

template <class Drawn>
void check_own_groups_of(int count, const Drawn& drawn) {
  constexpr int kSeconds = 240;
  const std::string failures = on_gpu(
      [&] {
        Context context(open_device(), with_kept_kernels());
        std::string all;
        for (int index = 0; index < count; ++index) {
          const EachCase one = drawn(index);
          EachRun run(context, one.problem, one.groups);
          run.run(one.alpha, one.beta);
          const std::string failure = run.failures();
          if (!failure.empty()) all += to_string(one.problem) + "\n" + failure;
        }
        return all;
      },
      kSeconds);
  CHECK(failures == "");
}

void check_own_groups(std::string_view family) {
  constexpr int kCasesOfType = 24;
  const CaseTypes& types = family_of(family).types;
  check_own_groups_of(kCasesOfType, [&](int index) { return each_case(types, index); });
}

}  // namespace

TEST_CASE("random groups of f32 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("f32");
}
TEST_CASE("random groups of f64 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("f64");
}
TEST_CASE("random groups of tf32 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("tf32");
}
TEST_CASE("random groups of bf16 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("bf16");
}
TEST_CASE("random groups of bf16 to f32 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("bf16 to f32");
}
TEST_CASE("random groups of f16 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("f16");
}
TEST_CASE("random groups of f16 in f16 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("f16 in f16");
}
TEST_CASE("random groups of e4m3 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("e4m3");
}
TEST_CASE("random groups of e5m2 by e4m3 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("e5m2 by e4m3");
}
TEST_CASE("random groups of s8 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("s8");
}
TEST_CASE("random groups of u8 by s8 with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  check_own_groups("u8 by s8");
}
TEST_CASE("random groups of converted operands of their own come out right on the GPU",
          "[gpu][groups][each][scales]") {
  check_own_groups_of(60, scaled_each_case);
}
