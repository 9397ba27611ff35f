// Random groups with operands and extents of their own on a real GPU.
#include "support/context_options.hpp"
#include "support/each_cases.hpp"
#include "support/gemm_families.hpp"
#include "support/gpu.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("random groups with operands of their own come out right on the GPU",
          "[gpu][groups][each]") {
  constexpr int kCasesOfType = 24, kSeconds = 240;
  for (const TypeFamily& family : kTypeFamilies) {
    INFO(family.name);
    const std::string failures = on_gpu(
        [&] {
          Context context(open_device(), without_disk_cache());
          std::string all;
          for (int index = 0; index < kCasesOfType; ++index) {
            const EachCase one = each_case(family.types, index);
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
}
