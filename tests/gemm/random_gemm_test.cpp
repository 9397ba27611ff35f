// Random problems through the emulator, judged by the reference.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"

#include <jute/emulator/emulator.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("random float32 problems come out right and touch nothing else", "[gemm][random]") {
  Context context(open_emulator(), with_kept_kernels());
  const int count = draws(80);
  const auto failures = failures_of(context, {}, count);
  for (const std::string& failure : failures) UNSCOPED_INFO(failure);
  CHECK(failures.empty());
  // Some share a kernel.
  UNSCOPED_INFO(context.compile_count() << " kernels compiled");
  CHECK(context.compile_count() < count);
}

TEST_CASE("random problems of every other type come out right", "[gemm][random]") {
  for (const TypeFamily& family : kTypeFamilies) {
    if (family.name == "f32") continue;
    Context context(open_emulator(), with_kept_kernels());
    const auto failures = failures_of(context, family.types, draws(10));
    UNSCOPED_INFO(family.name);
    for (const std::string& failure : failures) UNSCOPED_INFO(failure);
    CHECK(failures.empty());
  }
}
