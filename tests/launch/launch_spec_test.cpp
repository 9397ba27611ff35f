#include <jute/launch/launch_spec.hpp>

#include "support/catch.hpp"

using namespace jute;

namespace {

const DeviceInfo kHopper{.name = "h", .arch = {90, 'a'}, .smem_bytes_per_block = 232448};

}  // namespace

TEST_CASE("launches up to the device's limits are legal", "[launch][spec]") {
  CHECK_FALSE(check({}, kHopper).has_value());
  CHECK_FALSE(
      check(
          {.grid = {2147483647, 65535, 65535}, .block = {16, 1, 64}, .dynamic_smem_bytes = 232448},
          kHopper)
          .has_value());
  CHECK_FALSE(check({.grid = {132, 2, 1}, .block = {384}, .cluster = {2, 2, 1}}, kHopper));
}

TEST_CASE("each limit of a launch is refused by name", "[launch][spec][refusal]") {
  struct Case {
    LaunchSpec spec;
    const char* operand;
    const char* value;
    std::optional<std::string> nearest;
  };
  const Case cases[] = {
      {{.grid = {0, 1, 1}}, "grid", "(0,1,1)", "(1,1,1)"},
      {{.grid = {1, 65536, 1}}, "grid", "(1,65536,1)", "(1,65535,1)"},
      {{.grid = {Index{1} << 31, 1, 1}}, "grid", "(2147483648,1,1)", "(2147483647,1,1)"},
      {{.block = {1025, 1, 1}}, "block", "(1025,1,1)", "(1024,1,1)"},
      {{.block = {1, 1, 65}}, "block", "(1,1,65)", "(1,1,64)"},
      {{.block = {64, 32, 1}}, "block", "(64,32,1)", std::nullopt},
      {{.grid = {6, 1, 1}, .cluster = {4, 1, 1}}, "grid", "(6,1,1)", std::nullopt},
      {{.grid = {16, 1, 1}, .cluster = {16, 1, 1}}, "cluster", "(16,1,1)", std::nullopt},
      {{.cluster = {0, 1, 1}}, "cluster", "(0,1,1)", std::nullopt},
      {{.dynamic_smem_bytes = 232449}, "dynamic_smem_bytes", "232449", "232448"},
      {{.dynamic_smem_bytes = -1}, "dynamic_smem_bytes", "-1", "0"},
  };
  for (const Case& each : cases) {
    const auto error = check(each.spec, kHopper);
    REQUIRE(error.has_value());
    CHECK(error->code == ErrorCode::illegal_config);
    CHECK(error->operand == each.operand);
    CHECK(error->value == each.value);
    CHECK(error->nearest_legal == each.nearest);
  }
}

TEST_CASE("the kernel's own needs and the architecture count", "[launch][spec][refusal]") {
  CHECK(check({.dynamic_smem_bytes = 232448}, kHopper, {.static_smem_bytes = 16})->nearest_legal ==
        "232432");
  CHECK(check({.block = {512, 1, 1}}, kHopper, {.max_threads_per_block = 256})->operand == "block");
  const DeviceInfo ampere{.name = "a", .arch = {80}, .smem_bytes_per_block = 166912};
  CHECK(check({.grid = {2, 1, 1}, .cluster = {2, 1, 1}}, ampere)->nearest_legal == "(1,1,1)");
}

TEST_CASE("all broken limits of a launch are listed together", "[launch][spec][refusal]") {
  const auto error =
      check({.grid = {0, 1, 1}, .block = {0, 1, 1}, .dynamic_smem_bytes = -4}, kHopper);
  REQUIRE(error.has_value());
  CHECK(error->operand == "launch");
  CHECK(error->violated_rules.size() == 3);
}

TEST_CASE("blocks that wait for each other are all on the device", "[launch][spec][refusal]") {
  const DeviceInfo device{.name = "h200",
                          .arch = {90, 'a'},
                          .sm_count = 132,
                          .smem_bytes_per_block = 232448,
                          .smem_bytes_per_sm = 233472,
                          .threads_per_sm = 2048};
  LaunchSpec spec{.grid = {132 * 2, 1, 1}, .block = {1024}, .residency = Residency::whole_grid};
  CHECK_FALSE(check(spec, device).has_value());
  spec.grid = {132, 3, 1};
  const std::optional<Error> error = check(spec, device);
  REQUIRE(error.has_value());
  CHECK(error->operand == "grid");
  CHECK(error->violated_rules[0].find("264 blocks") != std::string::npos);
  spec.dynamic_smem_bytes = 200000;
  spec.grid = {133, 1, 1};
  CHECK(check(spec, device).has_value());
  spec.residency = Residency::any;
  CHECK_FALSE(check(spec, device).has_value());
}
