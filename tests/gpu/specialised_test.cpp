// Warp-specialised kernels on the GPU: right, bit-equal to the emulator, side by side and
// overlapping.
#include "race/device/graph.hpp"
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/gpu.hpp"
#include "support/specialised_cases.hpp"
#include "support/word_subtiles.hpp"

#include <jute/device/device.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/launch/own_stream.hpp>

using namespace jute;
using namespace jute::test;

namespace {

/// Of every second kind.
std::string differences_of_kinds(size_t first) {
  Context gpu(open_device(), with_kept_kernels());
  Context emulator(open_emulator(), with_kept_kernels());
  std::string failures;
  for (size_t i = first; i < kSpecialised.size(); i += 2)
    for (const unsigned seed : {3U, 4U}) {
      const SpecialisedRow& row = kSpecialised[i];
      const GemmCase gemm_case = case_of(row, seed);
      const CaseData data = make_data(gemm_case);
      const CaseOutcome there = run_case(gpu, gemm_case, data);
      const CaseOutcome here = run_case(emulator, gemm_case, data);
      failures += describe(gemm_case, there) + describe(gemm_case, here);
      if (there.d != here.d)
        failures += std::string(row.config) + ": other bits than the emulator's\n";
    }
  return failures;
}

/// A chain of products on one stream, each reading what the one before it wrote: C follows D.
struct Chain {
  static constexpr Index kExtent = 640, kRounds = 12, kBytes = kExtent * kExtent * 2;
  Context& context;
  Gemm gemm;
  Stream stream;
  Buffer a, b, even, odd, workspace;

  static Problem problem() {
    Problem square;
    square.m = square.n = square.k = kExtent;
    square.a = square.c = square.d = {.type = DType::bf16};
    square.b = {.type = DType::bf16, .order = Order::col};
    return square;
  }
  Chain(Context& in, const Config& config, Stream of_its_own)
      : context(in),
        gemm(prepare(in, problem(), config)),
        stream(of_its_own),
        a(in.backend(), kBytes),
        b(in.backend(), kBytes),
        even(in.backend(), kBytes),
        odd(in.backend(), kBytes),
        workspace(in.backend(), gemm.workspace_bytes()) {
    in.backend().fill(workspace.pointer(), 0xff, gemm.workspace_bytes(), stream);
    gemm.clear_workspace(workspace.pointer(), stream);
    restart();
  }
  /// A, B and the first D as they are before the first round.
  void restart() {
    std::vector<double> values(static_cast<size_t>(kExtent * kExtent));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 7 % 5) - 2;
    const std::vector<std::byte> encoded = encode(DType::bf16, values);
    for (const Buffer* buffer : {&a, &b, &even})
      context.backend().copy_in(buffer->pointer(), encoded, stream);
  }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  /// Round by round A is the last D, whose sums stay small.
  void round(Index index) {
    const Buffer &from = index % 2 == 0 ? even : odd, &to = index % 2 == 0 ? odd : even;
    GemmArgs args;
    args.a = from.pointer();
    args.b = b.pointer();
    args.c = a.pointer();
    args.d = to.pointer();
    args.alpha = 1.0 / 1024;
    args.beta = 1;
    args.workspace = workspace.pointer();
    args.stream = stream;
    gemm.run(args);
  }
  [[nodiscard]] std::vector<std::byte> result() {
    std::vector<std::byte> d(static_cast<size_t>(kBytes));
    context.backend().copy_out(d, even.pointer(), stream);
    return d;
  }
};

std::vector<std::byte> bits_alone(Context& context, const Config& config) {
  const OwnStream stream(context.backend());
  Chain alone(context, config, stream.get());
  for (Index i = 0; i < Chain::kRounds; ++i) alone.round(i);
  return alone.result();
}

/// Whole kernels, and slices that meet in a workspace of the stream's own.
const char* const kChains[] = {"",
                               "split_k=3 tile=128x128x64",
                               "split_k=2 swapped=on",
                               "split_k=3 reduction=all_add tile=128x128x64",
                               "split_k=3 reduction=distributed tile=128x128x64",
                               "split_k=8 reduction=distributed tile=64x64x64",
                               "ping_pong=2 tile=64x64x64 atom_layout=(1,1,1) blocks=20"};

/// Kernels that begin while others end, on two streams and in two contexts at once, leave the bits
/// of one chain alone.
std::string differences_of_chains() {
  Context first(open_device(), with_kept_kernels()), second(open_device(), with_kept_kernels());
  const OwnStream here(first.backend()), beside(first.backend()), there(second.backend());
  std::string failures;
  for (const char* text : kChains) {
    const Config config = parse_config(text);
    const std::vector<std::byte> wanted = bits_alone(first, config);
    Chain one(first, config, here.get()), other(first, config, beside.get()),
        elsewhere(second, config, there.get());
    for (Index i = 0; i < Chain::kRounds; ++i)
      for (Chain* chain : {&one, &other, &elsewhere}) chain->round(i);
    for (Chain* chain : {&one, &other, &elsewhere})
      if (chain->result() != wanted)
        failures += std::string(text) + ": a chain beside others has other bits than alone\n";
  }
  return failures;
}

/// A chain that is captured in a graph once leaves the same bits in every replay, between kernels
/// that are launched as usual.
std::string differences_of_replays() {
  const bench::Gpu gpu;
  Context context(open_device(), with_kept_kernels());
  std::string failures;
  for (const char* text : kChains) {
    const Config config = parse_config(text);
    const std::vector<std::byte> wanted = bits_alone(context, config);
    Chain chain(context, config, gpu.jute_stream());
    const bench::Graph graph(
        gpu, Chain::kRounds, [&](int index) { chain.round(index); }, bench::Edges::as_launched);
    for (int replay = 0; replay < 3; ++replay) {
      chain.restart();
      chain.round(0);
      chain.restart();
      graph.replay();
      if (chain.result() != wanted)
        failures += std::string(text) + ": a replayed chain has other bits than a launched one\n";
    }
  }
  return failures;
}

/// D of a problem whose rows TMA cannot store: threads do, two bytes at a time, and keep the way to
/// shared memory busy meanwhile.
std::vector<std::byte> scattered_d(Context& context, const Config& config) {
  Problem problem;
  problem.m = 1285, problem.n = 3007, problem.k = 95;
  problem.a = problem.c = problem.d = {.type = DType::bf16};
  problem.b = {.type = DType::bf16, .order = Order::col};
  const Gemm gemm = prepare(context, problem, config);
  const Index elems = problem.m * problem.n;
  std::vector<double> values(static_cast<size_t>(elems));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 7 % 11) - 5;
  const Buffer operands = uploaded(context.backend(), encode(DType::bf16, values));
  const Buffer d(context.backend(), elems * 2),
      workspace(context.backend(), gemm.workspace_bytes());
  GemmArgs args;
  args.a = args.b = args.c = operands.pointer();
  args.d = d.pointer();
  args.workspace = workspace.pointer();
  gemm.clear_workspace(workspace.pointer());
  gemm.run(args);
  std::vector<std::byte> result(static_cast<size_t>(elems * 2));
  context.backend().copy_out(result, d.pointer());
  return result;
}

/// TMA fills a stage again only when the reads of it have come back, however long the stores of a
/// team that drains hold them up.
std::string differences_of_teams() {
  Context context(open_device(), with_kept_kernels());
  std::string failures;
  const std::string config = "main_loop=warp_specialised swapped=on tile=64x64x64 ping_pong=";
  const std::vector<std::byte> wanted = scattered_d(context, parse_config(config + "1"));
  for (int run = 0; run < 3; ++run)
    if (scattered_d(context, parse_config(config + "2")) != wanted)
      failures += "two teams leave other bits than one\n";
  return failures;
}

}  // namespace

TEST_CASE("gpu: what a team reads is not disturbed by another's stores", "[gpu][specialised]") {
  CHECK(on_gpu(differences_of_teams, 60) == "");
}

TEST_CASE("gpu: warp-specialised kernels of all kinds agree with the emulator: a half of them",
          "[gpu][specialised]") {
  CHECK(on_gpu([] { return differences_of_kinds(0); }, 90) == "");
}
TEST_CASE("gpu: warp-specialised kernels of all kinds agree with the emulator: the other half",
          "[gpu][specialised]") {
  CHECK(on_gpu([] { return differences_of_kinds(1); }, 90) == "");
}

TEST_CASE("gpu: overlapping launches on two streams and in two contexts leave the same bits",
          "[gpu][specialised]") {
  CHECK(on_gpu(differences_of_chains, 60) == "");
}

TEST_CASE("gpu: a chain captured in a graph leaves the same bits in every replay",
          "[gpu][specialised][graph]") {
  CHECK(on_gpu(differences_of_replays, 60) == "");
}

TEST_CASE("large outputs of 32 bits leave by subtiles on the GPU", "[gpu][specialised]") {
  const std::string failures = on_gpu(
      [] {
        Context context(open_device(), with_kept_kernels());
        return word_subtile_failures(context);
      },
      60);
  CHECK(failures == "");
}
