// A unit test of a CUDA kernel that needs no GPU: NVRTC compiles it, jute's emulator runs it.
#include <jute/jute.hpp>

#include <fstream>
#include <numeric>
#include <sstream>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

namespace {

std::string kernel_ptx(const std::vector<std::string>& options = {}) {
  std::stringstream text;
  text << std::ifstream(BLOCK_SUM_CU).rdbuf();
  return jute::Compiler(jute::settings_from_environment())
      .ptx({.text = text.str(), .file = BLOCK_SUM_CU, .arch = {80}, .options = options});
}

jute::EmulatorOptions schedule(jute::Schedule schedule, std::uint64_t seed = 0) {
  jute::EmulatorOptions options;
  options.check = jute::Check::full;
  options.schedule = schedule;
  options.seed = seed;
  return options;
}

}  // namespace

TEST_CASE("block_sum adds each block's values, whatever the order of its warps") {
  const std::string ptx = kernel_ptx();
  std::vector<float> values(4 * 256);
  std::iota(values.begin(), values.end(), 0.0F);
  for (const auto& options : {schedule(jute::Schedule::fixed), schedule(jute::Schedule::late),
                              schedule(jute::Schedule::random, 7)}) {
    jute::EmulatedGpu gpu(options);
    const auto device_values = gpu.array(values);
    const auto sums = gpu.unset_array<float>(4);
    gpu.kernel(ptx, "block_sum").launch({.grid = {4}, .block = {256}}, {device_values, sums});
    CHECK(sums.to_host() == std::vector<float>{32640, 98176, 163712, 229248});
    CHECK(to_string(gpu.findings()) == "");
  }
}

TEST_CASE("with one barrier for all steps block_sum is a race, however the result turns out") {
  jute::EmulatedGpu gpu;
  const auto values = gpu.array(std::vector<float>(256, 1.0F));
  const auto sums = gpu.unset_array<float>(1);
  const std::string ptx = kernel_ptx({"-DBARRIER=if(step==128)__syncthreads()"});
  gpu.kernel(ptx, "block_sum").launch({.block = {256}}, {values, sums});
  const auto findings = gpu.findings();
  REQUIRE_FALSE(findings.empty());
  CHECK(findings.front().code == "R1");  // two warps touch the same bytes, and nothing orders them
  CHECK(findings.front().parties.front().source.find("block_sum.cu:12") != std::string::npos);
}
