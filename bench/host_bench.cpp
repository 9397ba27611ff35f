// What jute costs a program without a GPU: planning, generating, compiling, refusing, emulating,
// judging.
#include <jute/dist/distributed_plan.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/gemm/served.hpp>
#include <jute/host/operands.hpp>
#include <jute/jit/disk_cache.hpp>
#include <jute/launch/device_presets.hpp>

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
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

/// Row-major A times column-major B: tensor cores read both along K.
Problem cube(Index extent, DType type = DType::f32) {
  Problem problem;
  problem.m = problem.n = problem.k = extent;
  problem.a.type = problem.b.type = type;
  problem.c.type = problem.d.type = type == DType::s8     ? DType::s32
                                    : type == DType::tf32 ? DType::f32
                                                          : type;
  problem.b.order = Order::col;
  problem.alpha = Factor::one;
  problem.beta = Factor::zero;
  return problem;
}

ContextOptions compiling_options() {
  ContextOptions options;
  options.settings.cache = "off";
  return options;
}

std::vector<std::byte> normal_operand(DType type, Index elements, unsigned seed) {
  return random_bytes(type, elements * width_bytes(type), seed, RandomKind::normal);
}

void bench_planning(DType type) {
  const DeviceInfo& device = device_preset("h200");
  const Problem problem = cube(4096, type);
  const Plan plan = make_plan(problem, device);
  report(fmt::format("plan of a {} GEMM", name(type)),
         median_ms(51, [&] { (void)make_plan(problem, device); }));
  report("source of that plan", median_ms(51, [&] { (void)generate(plan); }));
}

/// Extents as they come, large and small ones, whole lines of memory or not.
void bench_planning_of_any() {
  constexpr int kProblems = 300;
  const DeviceInfo& device = device_preset("h200");
  std::mt19937 random(7);
  std::uniform_real_distribution<double> octave(0, 14);
  std::vector<double> times;
  for (int i = 0; i < kProblems; ++i) {
    Problem problem = cube(1, DType::bf16);
    for (Index* extent : {&problem.m, &problem.n, &problem.k}) {
      *extent = static_cast<Index>(std::exp2(octave(random)));
      if (i % 3 != 0) *extent = (*extent + 7) / 8 * 8;
    }
    times.push_back(median_ms(5, [&] { (void)make_plan(problem, device); }));
  }
  std::ranges::sort(times);
  report("plan of a bf16 GEMM of random extents, median of 300", times[kProblems / 2]);
  report("the slowest tenth of them, from", times[kProblems * 9 / 10]);
}

void bench_planning_of_ranks() {
  const DistributedProblem problem = parse_distributed_problem(
      "M=8192 N=28672 K=8192 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 "
      "mesh=row=4,col=2 place=A=M@row,K@col,B=N@col,K@row,D=M@row,N@col");
  report("plan of a product of eight ranks",
         median_ms(21, [&] { (void)make_plan(problem, device_preset("h200")); }));
}

void bench_compiling() {
  const Compiler compiler(settings_from_environment());
  bool is_first = true;
  for (const DType type :
       {DType::f32, DType::bf16, DType::f16, DType::tf32, DType::s8, DType::f64}) {
    const Source source = generate(make_plan(cube(4096, type), device_preset("h200"))).front();
    if (is_first)
      report("NVRTC, library loaded and first kernel, to PTX",
             milliseconds_of([&] { (void)compiler.compile(source, Output::ptx); }));
    is_first = false;
    report(fmt::format("NVRTC, {}, to PTX", name(type)),
           median_ms(5, [&] { (void)compiler.compile(source, Output::ptx); }));
    report(fmt::format("NVRTC, {}, to PTX and machine code", name(type)),
           median_ms(5, [&] { (void)compiler.compile(source, Output::ptx_and_cubin); }));
  }
}

void bench_disk_cache() {
  ContextOptions options = compiling_options();
  options.settings.cache = "on";
  const std::string folder =
      (std::filesystem::temp_directory_path() / fmt::format("jute_host_bench.{}", ::getpid()));
  options.settings.cache_dir = folder;
  const auto prepare_bf16 = [&] {
    Context context(open_emulator(), options);
    (void)prepare(context, cube(4096, DType::bf16));
  };
  prepare_bf16();
  report("prepare, bf16, from the disk cache, in a new context", median_ms(21, prepare_bf16));
  std::filesystem::remove_all(folder);
}

/// What a process that may not compile says of a problem that its layer's 300 do not cover.
void bench_refusing() {
  const std::string folder =
      (std::filesystem::temp_directory_path() / fmt::format("jute_host_bench.{}", ::getpid()));
  std::vector<Problem> served;
  for (Index n = 100; n < 400; ++n) served.push_back(completed(cube(n)));
  list_served(DiskCache(folder), served);
  ContextOptions options;
  options.settings.cache_layers = {folder};
  options.settings.compile = "forbidden";
  Context context(open_emulator(), options);
  Index extent = 400;
  report("prepare, refused: none of the 300 that are served", median_ms(21, [&] {
           try {
             (void)prepare(context, cube(extent++));
           } catch (const Exception&) {
           }
         }));
  std::filesystem::remove_all(folder);
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

void bench_emulating(Index extent, DType type) {
  Context context(open_emulator(), compiling_options());
  Backend& backend = context.backend();
  const Problem problem = completed(cube(extent, type));
  const Gemm gemm = prepare(context, problem);
  const OperandBytes bytes = operand_bytes(problem);
  const Buffer a(backend, bytes[TensorRole::a]), b(backend, bytes[TensorRole::b]),
      d(backend, bytes[TensorRole::d]);
  const Buffer workspace(backend, gemm.workspace_bytes());
  backend.copy_in(a.pointer(), normal_operand(type, extent * extent, 1));
  backend.copy_in(b.pointer(), normal_operand(type, extent * extent, 2));
  GemmArgs args;
  args.a = a.pointer();
  args.b = b.pointer();
  args.d = d.pointer();
  args.workspace = workspace.pointer();
  gemm.clear_workspace(args.workspace);
  report(fmt::format("emulator, {0} {1}x{1}x{1}", name(type), extent), median_ms(5, [&] {
           gemm.run(args);
           backend.synchronize();
         }));
}

void bench_judging() {
  const Problem problem = cube(300);
  const auto a = normal_operand(DType::f32, 90000, 1), b = normal_operand(DType::f32, 90000, 2);
  report("reference with bound, float32 300x300x300", median_ms(5, [&] {
           (void)reference_gemm(problem, {a, b, {}}, 1, 0, 0x1p-24);
         }));
}

}  // namespace
}  // namespace jute::bench

int main() {
  using jute::DType;
  using namespace jute::bench;
  try {
    bench_planning(DType::f32);
    bench_planning(DType::bf16);
    bench_planning_of_any();
    bench_planning_of_ranks();
    bench_compiling();
    bench_preparing();
    bench_refusing();
    bench_disk_cache();
    bench_emulating(256, DType::f32);
    bench_emulating(512, DType::bf16);
    bench_judging();
    return 0;
  } catch (const jute::Exception& exception) {
    std::cerr << "host_bench: " << exception.what() << '\n' << exception.error().detail << '\n';
    return 2;
  }
}
