// Warp-specialised kernels on the GPU: right, bit-equal to the emulator, side by side and
// overlapping.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gpu.hpp"
#include "support/specialised_cases.hpp"

#include <jute/device/device.hpp>
#include <jute/emulator/emulator.hpp>

using namespace jute;
using namespace jute::test;

namespace {

std::string differences_of_kinds() {
  Context gpu(open_device(), without_disk_cache());
  Context emulator(open_emulator(), without_disk_cache());
  std::string failures;
  for (const SpecialisedRow& row : kSpecialised)
    for (const unsigned seed : {3U, 4U}) {
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
  Buffer a, b, even, odd;

  static Problem problem() {
    Problem square;
    square.m = square.n = square.k = kExtent;
    square.a = square.c = square.d = {.type = DType::bf16};
    square.b = {.type = DType::bf16, .order = Order::col};
    return square;
  }
  explicit Chain(Context& in)
      : context(in),
        gemm(prepare(in, problem())),
        stream(in.backend().create_stream()),
        a(in.backend(), kBytes),
        b(in.backend(), kBytes),
        even(in.backend(), kBytes),
        odd(in.backend(), kBytes) {
    std::vector<double> values(static_cast<size_t>(kExtent * kExtent));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 7 % 5) - 2;
    const std::vector<std::byte> encoded = encode(DType::bf16, values);
    for (const Buffer* buffer : {&a, &b, &even})
      in.backend().copy_in(buffer->pointer(), encoded, stream);
  }
  ~Chain() { context.backend().destroy_stream(stream); }
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
    args.stream = stream;
    gemm.run(args);
  }
  [[nodiscard]] std::vector<std::byte> result() {
    std::vector<std::byte> d(static_cast<size_t>(kBytes));
    context.backend().copy_out(d, even.pointer(), stream);
    return d;
  }
};

/// Kernels that begin while others end, on two streams and in two contexts at once, leave the bits
/// of one chain alone.
std::string differences_of_chains() {
  Context first(open_device(), without_disk_cache()), second(open_device(), without_disk_cache());
  Chain alone(first);
  for (Index i = 0; i < Chain::kRounds; ++i) alone.round(i);
  const std::vector<std::byte> wanted = alone.result();
  Chain one(first), other(first), elsewhere(second);
  for (Index i = 0; i < Chain::kRounds; ++i)
    for (Chain* chain : {&one, &other, &elsewhere}) chain->round(i);
  std::string failures;
  for (Chain* chain : {&one, &other, &elsewhere})
    if (chain->result() != wanted) failures += "a chain beside others has other bits than alone\n";
  return failures;
}

}  // namespace

TEST_CASE("gpu: warp-specialised kernels of all kinds agree with the emulator",
          "[gpu][specialised]") {
  CHECK(on_gpu(differences_of_kinds, 90) == "");
}

TEST_CASE("gpu: overlapping launches on two streams and in two contexts leave the same bits",
          "[gpu][specialised]") {
  CHECK(on_gpu(differences_of_chains, 60) == "");
}
