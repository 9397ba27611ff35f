// What jute costs a program without a GPU: planning, generating, compiling, emulating, judging.
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/plan/device_presets.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <random>
#include <vector>

namespace jute::bench {
namespace {

double milliseconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double median_ms(int rounds, const std::function<void()>& work) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) times.push_back(milliseconds_of(work));
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[static_cast<size_t>(rounds / 2)];
}

void report(std::string_view what, double ms) {
  if (ms < 1)
    fmt::print("{:<62} {:>10.2f} us\n", what, ms * 1e3);
  else
    fmt::print("{:<62} {:>10.2f} ms\n", what, ms);
  std::fflush(stdout);
}

Problem cube(Index extent) {
  Problem problem;
  problem.m = problem.n = problem.k = extent;
  problem.alpha = Scale::one;
  problem.beta = Scale::zero;
  return problem;
}

ContextOptions compiling_options() {
  ContextOptions options;
  options.settings.cache = "off";
  return options;
}

std::vector<std::byte> normal_operand(Index elements, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(static_cast<size_t>(elements));
  for (double& value : values) value = normal(random);
  return encode(DType::f32, values);
}

void bench_planning() {
  const DeviceInfo& device = device_preset("h200");
  const Problem problem = cube(4096);
  const Plan plan = make_plan(problem, device);
  report("plan of a float32 GEMM", median_ms(51, [&] { (void)make_plan(problem, device); }));
  report("source of that plan", median_ms(51, [&] { (void)generate(plan); }));
}

void bench_compiling() {
  const std::vector<Source> sources = generate(make_plan(cube(4096), device_preset("h200")));
  const Compiler compiler(settings_from_environment());
  report("NVRTC, first kernel of the process, to PTX",
         milliseconds_of([&] { (void)compiler.compile(sources[0], Output::ptx); }));
  report("NVRTC, the same kernel again, to PTX",
         median_ms(5, [&] { (void)compiler.compile(sources[0], Output::ptx); }));
  report("NVRTC, the same kernel, to PTX and machine code",
         median_ms(5, [&] { (void)compiler.compile(sources[0], Output::ptx_and_cubin); }));
}

void bench_preparing() {
  Context context(open_emulator(), compiling_options());
  report("prepare, a new problem", milliseconds_of([&] { (void)prepare(context, cube(4096)); }));
  report("prepare, the same problem again",
         median_ms(101, [&] { (void)prepare(context, cube(4096)); }));
  Problem problem = cube(4096);
  report("prepare, another M of the same kernel", median_ms(51, [&] {
           ++problem.m;
           (void)prepare(context, problem);
         }));
}

void bench_emulating(Index extent) {
  Context context(open_emulator(), compiling_options());
  Backend& backend = context.backend();
  const Gemm gemm = prepare(context, cube(extent));
  const Buffer a(backend, 4 * extent * extent), b(backend, 4 * extent * extent),
      d(backend, 4 * extent * extent);
  backend.copy_in(a.pointer(), normal_operand(extent * extent, 1));
  backend.copy_in(b.pointer(), normal_operand(extent * extent, 2));
  GemmArgs args;
  args.a = a.pointer();
  args.b = b.pointer();
  args.d = d.pointer();
  report(fmt::format("emulator, float32 {0}x{0}x{0}", extent), median_ms(5, [&] {
           gemm.run(args);
           backend.synchronize();
         }));
}

void bench_judging() {
  const Problem problem = cube(300);
  const auto a = normal_operand(90000, 1), b = normal_operand(90000, 2);
  report("reference with bound, float32 300x300x300", median_ms(5, [&] {
           (void)reference_gemm(problem, {a, b, {}}, 1, 0, 0x1p-24);
         }));
}

}  // namespace
}  // namespace jute::bench

int main() {
  using namespace jute::bench;
  try {
    bench_planning();
    bench_compiling();
    bench_preparing();
    bench_emulating(256);
    bench_judging();
    return 0;
  } catch (const jute::Exception& exception) {
    std::cerr << "host_bench: " << exception.what() << '\n' << exception.error().detail << '\n';
    return 2;
  }
}
