// What is planned for an architecture is assembled for it: drawn over all kinds of products.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/planned_values.hpp>

#include "support/catch.hpp"
#include "support/every_kind.hpp"
#include "support/every_type.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("roles exchange registers on targets that have setmaxnreg, and on no other",
          "[gemm][arch]") {
  const auto check = [](const char* arch, const char* problem, const char* config) {
    INFO(arch << ' ' << problem);
    const GemmCase one{.problem = parse_problem(problem), .config = parse_config(config)};
    const DeviceInfo chip = preset_for(parse_arch(arch));
    const GemmStep step = gemm_step(make_plan(one.problem, chip, one.config));
    REQUIRE(step.schedule.main_loop == MainLoop::warp_specialised);
    CHECK((step.schedule.roles.front().registers > 0) == (chip.arch.suffix != '\0'));
    const Assembled result = assembled(one, chip);
    CHECK(result.kernels == 1);
    CHECK(result.faults == "");
  };
  for (const char* const arch : {"sm_90", "sm_90a"}) check(arch, "M=512 N=512 K=512 A=f32", "");
  for (const char* const arch : {"sm_100", "sm_120", "sm_120a"})
    check(arch, "M=512 N=512 K=512 A=bf16",
          "main_loop=warp_specialised mma_atom=SM80_16x8x16_F32BF16BF16F32_TN");
}

TEST_CASE("what is planned for an architecture is assembled for it", "[gemm][arch]") {
  const auto arches = compiled_arches();
  int index = 0, kernels = 0;
  for (const ProductKind& kind : product_kinds()) {
    const auto place = static_cast<std::size_t>(index * 5 + 7) % arches.size();
    const Assembled result = assembled(kind.draw(index++), preset_for(arches[place]));
    INFO(kind.name);
    CHECK(result.faults == "");
    kernels += result.kernels;
  }
  CHECK(kernels > 12);
}
