// Products of every kind from threads of hosts, which often have little stack.
#include <jute/codegen/generate.hpp>
#include <jute/gemm/context.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/m_range.hpp>

#include "support/catch.hpp"
#include "support/every_kind.hpp"
#include "support/small_stack.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("every kind of product is planned and written on a stack of 128 KiB", "[gemm][stack]") {
#ifdef __SANITIZE_ADDRESS__
  constexpr std::size_t kStack = std::size_t{1} << 20;  // instrumented frames are larger
#else
  constexpr std::size_t kStack = std::size_t{128} << 10;
#endif
  int planned = 0, index = 0;
  for (const ProductKind& kind : product_kinds()) {
    const GemmCase one = kind.draw(index++);
    on_stack_of(kStack, [&] {
      try {
        for (const Plan& plan : make_plans(one.problem, device_preset("h200"), one.config)) {
          CHECK(check(plan).empty());
          CHECK(!generate(plan).empty());
          ++planned;
        }
      } catch (const Exception& refused) {
        WARN(kind.name << ": " << refused.what());
      }
    });
  }
  on_stack_of(kStack, [&] {
    CHECK(!considered(parse_problem("M=512 N=512 K=512 A=bf16"), device_preset("h200")).empty());
  });
  CHECK(planned > 12);
}
