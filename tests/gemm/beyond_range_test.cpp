// Scaled elements beyond the range of the type that is multiplied: they are infinite, as rounding
// to nearest makes them, in kernels and in what judges these.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/scaled_problem.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>

#include <cmath>

using namespace jute;
using namespace jute::test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr Index kDepth = 64;

/// A is (2,64), B (64,4) along K; only the first two of K are no zeros.
struct Beyond {
  Problem problem = completed(
      parse_problem("M=2 N=4 K=64 A=f16 B=e5m2:col scale_b=f16:col:block1x64 staged=f16 D=f32 "
                    "alpha=1 beta=0"));
  std::vector<std::byte> a, b, scale;
  /// Row 1 of A has a zero where row 0 has a one. 40960 times 1.599609375 lies half way from the
  /// largest of f16, 65504, to what would be next; by 1.5986328125 it rounds to 65472.
  Beyond() {
    std::vector<double> of_a(2 * kDepth), of_b(4 * kDepth);
    of_a[0] = 1;
    of_a[1] = of_a[kDepth + 1] = 1;
    const std::array first{40960.0, 40960.0, -57344.0, 57344.0}, second{0.0, 1.0, 1.0, -57344.0};
    for (size_t n = 0; n < 4; ++n) {
      of_b[n * kDepth] = first[n];
      of_b[n * kDepth + 1] = second[n];
    }
    a = encode(DType::f16, of_a);
    b = encode(DType::e5m2, of_b);
    scale = encode(DType::f16, std::array{1.5986328125, 1.599609375, 2.0, 2.0});
  }
  [[nodiscard]] Reference reference() const {
    HostOperands operands{a, b};
    operands.memory[TensorRole::scale_b] = scale;
    return reference_gemm(problem, operands, 1, 0, 0x1p-24);
  }
  [[nodiscard]] bool accepts(const std::array<double, 8>& d) const {
    return compare(problem, reference(), encode(DType::f32, d)).ok;
  }
};

/// (0,0) is finite; zero times what is infinite is no number; inf - inf neither.
constexpr std::array<double, 8> kRight{65472, kInf, -kInf, NAN, 0, NAN, NAN, NAN};

}  // namespace

TEST_CASE("what scaling carries beyond f16 is judged as infinite", "[gemm][scaled][range]") {
  const Beyond beyond;
  CHECK(beyond.accepts(kRight));
  for (const auto& [at, other] : std::initializer_list<std::pair<size_t, double>>{{0, 65504 + 64},
                                                                                  {0, kInf},
                                                                                  {1, 65521},
                                                                                  {1, 65504},
                                                                                  {1, NAN},
                                                                                  {2, -114688},
                                                                                  {2, kInf},
                                                                                  {3, 0},
                                                                                  {3, kInf},
                                                                                  {4, NAN},
                                                                                  {5, 1.599609375},
                                                                                  {5, kInf},
                                                                                  {6, 2},
                                                                                  {7, -kInf}}) {
    std::array<double, 8> d = kRight;
    d[at] = other;
    INFO(at << " as " << other);
    CHECK_FALSE(beyond.accepts(d));
  }
}

TEST_CASE("kernels make what scaling carries beyond f16 infinite, wherever they convert",
          "[gemm][scaled][range]") {
  const Beyond beyond;
  Context context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
  Backend& backend = context.backend();
  for (const char* const config : {"", "main_loop=straight", "main_loop=register_staged",
                                   "main_loop=multistage", "main_loop=warp_specialised"}) {
    const Gemm gemm = prepare(context, beyond.problem, parse_config(config));
    const Buffer a = uploaded(backend, beyond.a), b = uploaded(backend, beyond.b),
                 scale = uploaded(backend, beyond.scale), d(backend, 4 * 8),
                 workspace(backend, std::max<Index>(gemm.workspace_bytes(), 1));
    gemm.run({.a = a.pointer(),
              .b = b.pointer(),
              .d = d.pointer(),
              .scale_b = scale.pointer(),
              .workspace = workspace.pointer()});
    backend.synchronize();
    std::vector<std::byte> bytes(4 * 8);
    backend.copy_out(bytes, d.pointer());
    const std::vector<double> got = decode(DType::f32, bytes);
    for (size_t i = 0; i < got.size(); ++i) {
      INFO(config << " " << i << " is " << got[i]);
      CHECK((got[i] == kRight[i] || (std::isnan(got[i]) && std::isnan(kRight[i]))));
    }
  }
}

TEST_CASE("random weights of e5m2 that scales carry beyond f16 come out right",
          "[gemm][scaled][range]") {
  for (const char* const chip : {"h200", "l40s"}) {
    Context context(open_emulator({.device = device_preset(chip)}), with_kept_kernels());
    for (const int index : {806, 818, 984}) {
      const GemmCase one = scaled_case(index);
      const CaseOutcome outcome = run_case(context, one, make_data(one));
      INFO(chip << " " << index << ": " << describe(one, outcome));
      CHECK(outcome.failures.empty());
    }
  }
}
