// What the layout algebra costs, over the arguments of the recorded results.
#include "layout_bench.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/compiled_layout.hpp>
#include <jute/layout/xor_form.hpp>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace jute;

struct Case {
  Layout layout;
  Tiler right = Tiler::wildcard();
  IntTuple cotarget = 1;
};

/// The lines of one operation on plain layouts.
std::vector<Case> cases_of(const std::string& operation) {
  std::ifstream in(JUTE_GOLDEN_DIR "/layout_algebra.jsonl");
  std::vector<Case> cases;
  for (std::string line; std::getline(in, line);) {
    const auto record = nlohmann::json::parse(line);
    if (record["op"] != operation) continue;
    const auto arguments = record["args"].get<std::vector<std::string>>();
    const bool plain = std::ranges::all_of(
        arguments, [](const std::string& text) { return text.find_first_of("S@") == text.npos; });
    if (!plain) continue;
    Case next{Layout(arguments[0])};
    if (operation == "complement") {
      next.cotarget = arguments.size() > 1 ? IntTuple(arguments[1]) : IntTuple(cosize(next.layout));
    } else {
      next.right = Tiler(std::string_view(arguments[1]));
    }
    cases.push_back(std::move(next));
  }
  return cases;
}

using Operation = std::function<Layout(const Case&)>;

double nanoseconds_of(const Operation& operation, const Case& on) {
  constexpr int kRounds = 5;
  constexpr int kCalls = 20;
  double best = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < kCalls; ++call) benchmark::DoNotOptimize(operation(on));
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / kCalls);
  }
  return best;
}

/// Time of a call on average, and the median and 99th percentile over the arguments.
void run(benchmark::State& state, const std::vector<Case>& cases, const Operation& operation) {
  std::vector<double> times;
  for (const Case& on : cases) times.push_back(nanoseconds_of(operation, on));
  std::ranges::sort(times);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(operation(cases[next]));
    next = next + 1 < cases.size() ? next + 1 : 0;
  }
  state.counters["arguments"] = static_cast<double>(cases.size());
  state.counters["p50_ns"] = times[times.size() / 2];
  state.counters["p99_ns"] = times[times.size() * 99 / 100];
}

/// Offsets each second that bulk evaluation writes.
void offsets(benchmark::State& state, const char* notation) {
  const CompiledLayout compiled = compile(ComposedLayout(std::string_view(notation)));
  std::vector<Index> out(static_cast<std::size_t>(std::min<Index>(compiled.size(), 4096)));
  for (auto _ : state) {
    compiled.offsets(0, std::span<Index>(out));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::pair<std::string, Operation>> operations{
      {"composition", [](const Case& on) { return composition(on.layout, on.right); }},
      {"complement", [](const Case& on) { return complement(on.layout, on.cotarget); }},
      {"logical_divide", [](const Case& on) { return logical_divide(on.layout, on.right); }},
      {"zipped_divide", [](const Case& on) { return zipped_divide(on.layout, on.right); }},
      {"logical_product", [](const Case& on) { return logical_product(on.layout, on.right); }}};
  for (const auto& [name, operation] : operations) {
    benchmark::RegisterBenchmark(
        name.c_str(), [cases = cases_of(name), operation = operation](benchmark::State& state) {
          run(state, cases, operation);
        });
  }
  for (const char* notation :
       {"(64,128):(1,64)", "(64,128):(1,72)", "(128,64):(64,1)", "Sw<3,3,3>o0o(64,128):(1,64)"}) {
    benchmark::RegisterBenchmark((std::string("offsets ") + notation).c_str(),
                                 [notation](benchmark::State& state) { offsets(state, notation); });
  }
  jute::bench::register_wide_benchmarks();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
