// What a run through the C interface costs the host more than one through C++.
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/context.hpp>
#include <jute/gemm/gemm.hpp>

#include <algorithm>
#include <chrono>
#include <limits>

#include "c/c_support.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr const char* kMeasured = "M=64 N=64 K=64 A=bf16 B=bf16:col D=bf16";
constexpr int kBatches = 300, kRuns = 1000;
constexpr double kMostNs = 60;

template <class Run>
double ns_of(const Run& run) {
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < kRuns; ++i) run();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begun)
             .count() /
         kRuns;
}

}  // namespace

TEST_CASE("a run through C costs 60 ns more than one through C++, at most", "[c][figures][nvrtc]") {
  const TemporaryFolder folder;
  ContextOptions options;
  options.settings.cache_dir = folder.file("cache");
  options.settings.tuned = "off";
  Context context(open_emulator(), options);
  const Gemm gemm = prepare(context, parse_problem(kMeasured));
  const auto c_context = emulated_context(folder.file("cache"));
  const auto c_gemm = prepared(c_context.get(), kMeasured);
  // Of no rows all is done but the launch, which both leave to one function.
  const GemmArgs args{.a = 256, .b = 512, .c = 1024, .d = 1024, .alpha = 2, .m = 0};
  jute_run run{};
  run.size = sizeof run;
  run.given = JUTE_GIVEN_M | JUTE_GIVEN_ALPHA;
  run.a = 256, run.b = 512, run.c = 1024, run.d = 1024;
  run.alpha = 2;
  int32_t failed = JUTE_OK;
  double least = std::numeric_limits<double>::infinity(), least_c = least;
  for (int i = 0; i < kBatches; ++i) {
    least = std::min(least, ns_of([&] { gemm.run(args); }));
    least_c = std::min(least_c, ns_of([&] { failed |= jute_gemm_run(c_gemm.get(), &run); }));
  }
  CHECK(failed == JUTE_OK);
#ifndef __SANITIZE_ADDRESS__
  INFO(least << " ns through C++, " << least_c << " through C");
  CHECK(least_c - least <= kMostNs);
#endif
}
