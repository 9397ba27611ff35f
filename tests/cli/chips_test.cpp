// `jute chips`: the table of chips, and one chip's figures.
#include <jute/launch/device_presets.hpp>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("chips are listed, a line each, under what their columns hold", "[cli][chips]") {
  const ProcessResult result = run_jute({"chips"});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("chip "));
  for (const DeviceInfo& chip : device_presets())
    CHECK(result.out.find("\n" + chip.name + " ") != std::string::npos);
  CHECK(result.out.find("Multiply-adds of an SM in a clock") != std::string::npos);
}

TEST_CASE("a chip's figures say how they are known", "[cli][chips]") {
  const std::string h200 = run_jute({"chips", "h200"}).out;
  CHECK(h200.find("f16 and bf16 by mma.sync (measured 2026-11-20: ") != std::string::npos);
  CHECK(h200.find("the device's memory (data sheet)") != std::string::npos);
  CHECK(run_jute({"chips", "b200"}).out.find("by mma.sync (estimate)") != std::string::npos);
  CHECK(run_jute({"chips", "t4"}).out.find("tf32") == std::string::npos);  // it has none
  const auto json = nlohmann::json::parse(run_jute({"chips", "a100", "--json"}).out);
  CHECK(json["chip"] == "a100");
  CHECK(json["document"] == "A100 data sheet (SXM, 80 GB); Ampere architecture whitepaper");
  CHECK(json["figures"].size() == 31);
  require_refusal(run_jute({"chips", "h20"}), 2, "nearest legal: h200");
}
