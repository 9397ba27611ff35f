// A context of the C interface plans for another chip than its device is.
#include <cstddef>

#include "c/c_support.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

namespace {

constexpr const char* kPlannedProblem = "M=48 N=40 K=32 A=f32 B=f32 beta=0";

std::string device_line(const char* plan) {
  const std::string text = plan == nullptr ? jute_last_error() : plan;
  const size_t from = text.find("device ");
  return from == std::string::npos ? text : text.substr(from, text.find('\n', from) - from);
}

/// Of an emulated device, as a status.
int32_t created(const char* device, const char* planned) {
  jute_context_options options{};
  options.size = sizeof options;
  options.device = JUTE_DEVICE_EMULATOR;
  options.chip = device;
  options.planned_chip = planned;
  jute_context* context = nullptr;
  const int32_t status = jute_context_create(&options, &context);
  CHECK((context != nullptr) == (status == JUTE_OK));
  CHECK(jute_context_free(context) == JUTE_OK);
  return status;
}

}  // namespace

TEST_CASE("kernels of a context are planned for the chip that its options name", "[c][chip]") {
  const TemporaryFolder folder;
  struct Row {
    const char* planned;
    const char* device_line;  ///< how the plan begins to say it
  };
  const Row rows[] = {
      {nullptr, "device h200 sm_90a 132 SMs"},
      {"a100", "device a100 sm_80 108 SMs"},
      {"sm_86", "device rtx3090 sm_86"},
      {"jute-chip 1\ndevice small A100 sm_80 7 SMs\nfigure\tmemory_seen_gb_s\t300\tmeasured: "
       "here\n",
       "device small A100 sm_80 7 SMs"},
  };
  for (const Row& row : rows) {
    jute_context_options options{};
    options.chip = "h200";
    options.check = JUTE_CHECK_FULL;
    options.planned_chip = row.planned;
    const auto context = emulated_context(folder.file("cache"), options);
    const auto gemm = prepared(context.get(), kPlannedProblem);
    CHECK(device_line(jute_gemm_plan_text(gemm.get())).starts_with(row.device_line));
    const ConstantProduct product(context.get(), 48, 40, 32);
    const jute_run run = product.run();
    REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
    CHECK(product.is_right());
  }
}

TEST_CASE("what a device lacks of a planned chip is refused with its rule", "[c][chip][refusal]") {
  CHECK(created("h200", "a100") == JUTE_OK);
  CHECK(created("t4", "a100") == JUTE_REFUSED);
  CHECK(last_error_says({"illegal_config", "\"chip\"", "code that the device runs", "108 SMs",
                         "\"nearest_legal\":\"t4\""}));
  CHECK(created("h200", "a1000") == JUTE_REFUSED);
  CHECK(last_error_says({"unknown_name", "a100"}));
  CHECK(created("h200", "jute-chip 1\ndevice nothing\n") == JUTE_REFUSED);
  CHECK(last_error_says({"bad_file", "nothing"}));
}

TEST_CASE("options without the planned chip are those of its device", "[c][chip]") {
  jute_context_options options{};
  options.device = JUTE_DEVICE_EMULATOR;
  options.size = offsetof(jute_context_options, planned_chip);
  options.planned_chip = "no chip at all";  // behind their end
  jute_context* context = nullptr;
  CHECK(jute_context_create(&options, &context) == JUTE_OK);
  CHECK(jute_context_free(context) == JUTE_OK);
}
