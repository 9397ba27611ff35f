// jute against cuBLASLt on the cases of a suite: one table on standard output, one CSV for
// programs.
#include "host_costs.hpp"
#include "race.hpp"
#include "worker.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <future>
#include <iostream>
#include <map>

namespace jute::bench {
namespace {

constexpr std::string_view kColumns =
    "case,contestant,ms,tflops,sustained_tflops,mhz,against_best,least,most,against_default,error,"
    "registers,spills,note\n";

Entrant prepare_one(Context& context, const Case& bench_case, const Try& attempt) {
  Entrant entrant{attempt.text, std::nullopt, ""};
  try {
    entrant.gemm = prepare(context, problem_of(bench_case), attempt.config);
  } catch (const Exception& exception) {
    entrant.refusal = exception.what();
  }
  return entrant;
}

using Entrants = std::vector<std::future<Entrant>>;

/// Starts preparing everything at once: compiling takes longer than timing, and has cores to
/// itself.
std::vector<Entrants> prepare_all(Context& context, const std::vector<Case>& cases,
                                  const Options& options) {
  std::vector<Entrants> all;
  for (const Case& bench_case : cases) {
    Entrants entrants;
    for (const Try& attempt : options.tries)
      entrants.push_back(std::async(std::launch::async, [&context, &bench_case, &attempt] {
        return prepare_one(context, bench_case, attempt);
      }));
    all.push_back(std::move(entrants));
  }
  return all;
}

void print_header() {
  fmt::print("{:<46} {:>9} {:>8} {:>7} {:>14} {:>7} {:>8} {:>5} {:>4} {:>6}\n", "case / contestant",
             "us", "TFLOP/s", "x best", "(least-most)", "x dflt", "err/bnd", "MHz", "regs",
             "spill");
}

void print_result(const Result& result) {
  if (!result.note.empty()) {
    fmt::print("  {:<44} {}\n", result.name, result.note);
    return;
  }
  fmt::print(
      "  {:<44} {:>9.2f} {:>8.1f} {:>7.3f} {:>14} {:>7.3f} {:>8.1e} {:>5.0f} {:>4} {:>6}{}\n",
      result.name, result.ms * 1e3, result.tflops, result.against_best,
      fmt::format("({:.3f}-{:.3f})", result.least, result.most), result.against_default,
      result.error, result.mhz, result.registers, result.spills,
      result.sustained_tflops > 0 ? fmt::format("  sustained {:.1f}", result.sustained_tflops)
                                  : "");
  if (!(result.error <= 1)) fmt::print("  ^ WRONG RESULT\n");
}

void append_csv(const std::string& path, const Case& bench_case,
                const std::vector<Result>& results) {
  if (path.empty()) return;
  const bool is_new = !std::ifstream(path).good();
  std::ofstream file(path, std::ios::app);
  if (is_new) file << kColumns;
  for (const Result& r : results) {
    std::string note = r.note;
    std::ranges::replace(note, ',', ';');
    file << fmt::format(
        "{},{},{:.6f},{:.2f},{:.2f},{:.0f},{:.4f},{:.4f},{:.4f},{:.4f},{:.3e},{},{},{}\n",
        bench_case.id, r.name, r.ms, r.tflops, r.sustained_tflops, r.mhz, r.against_best, r.least,
        r.most, r.against_default, r.error, r.registers, r.spills, note);
  }
}

int work(const Options& options) {
  const Progress progress(options.report_descriptor);
  std::vector<Case> cases = read_cases(options.cases);
  std::erase_if(cases, [&](const Case& bench_case) { return !is_selected(options, bench_case); });
  require(cudaSetDevice(0), "cudaSetDevice");
  require(cudaFree(nullptr), "cudaFree");  // makes the primary context, which jute then shares
  ContextOptions context_options;
  context_options.device = DeviceChoice::cuda;
  Context context(context_options);
  progress.is_alive();
  if (options.host_costs) {
    print_host_costs(context);
    return 0;
  }
  std::vector<Entrants> prepared = prepare_all(context, cases, options);
  for (size_t i = 0; i < cases.size(); ++i)
    for (auto& entrant : prepared[i]) {
      entrant.wait();
      progress.is_alive();
    }
  Race race(context, options);
  fmt::print("{}, cublasLt {}, jute compiled {} kernels\n", context.backend().device_info().name,
             CublasPeer::version(), context.compile_count());
  print_header();
  for (size_t i = 0; i < cases.size(); ++i) {
    progress.starts(cases[i].id);
    std::vector<Entrant> entrants;
    for (auto& entrant : prepared[i]) entrants.push_back(entrant.get());
    fmt::print("{}\n", cases[i].id);
    if (options.show_plans && entrants[0].gemm)
      fmt::print("{}\n", to_string(entrants[0].gemm->plan()));
    const std::vector<Result> results = race.run(cases[i], entrants);
    for (const Result& result : results) print_result(result);
    append_csv(options.csv, cases[i], results);
    std::fflush(stdout);
    progress.ends(cases[i].id);
  }
  return 0;
}

int run(const std::vector<std::string>& arguments) {
  const Options options = parse_options(arguments);
  if (options.show_help) {
    std::cout << help_text();
    return 0;
  }
  return options.report_descriptor >= 0 ? work(options) : supervise(options, arguments);
}

}  // namespace
}  // namespace jute::bench

int main(int argc, char** argv) {
  try {
    return jute::bench::run({argv + 1, argv + argc});
  } catch (const jute::Exception& exception) {
    std::cerr << "jute_bench: " << exception.what() << '\n' << exception.error().detail << '\n';
    return 2;
  } catch (const std::exception& exception) {
    std::cerr << "jute_bench: " << exception.what() << '\n';
    return 2;
  }
}
