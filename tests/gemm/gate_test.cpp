// Gated products through the emulator, and the reference against loops that share nothing with it.
#include <jute/emulator/emulator.hpp>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gated_cases.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/refusal.hpp"

#include <cmath>
#include <cstring>

using namespace jute;
using namespace jute::test;

TEST_CASE("random gated products come out right and touch nothing else", "[gemm][gate]") {
  const int cases_of_type = draws(6);
  for (const TypeFamily& family : kTypeFamilies) {
    Context context(open_emulator(), with_kept_kernels());
    UNSCOPED_INFO(family.name);
    for (int index = 0; index < cases_of_type; ++index) {
      const GemmCase one = gated_case(family.types, index);
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      UNSCOPED_INFO(failure);
      CHECK(failure.empty());
    }
  }
}

namespace {

struct GatedFamily {
  const char *problem, *config;
};

}  // namespace

TEST_CASE("every family of tiles takes both halves of B", "[gemm][gate]") {
  constexpr std::array kFamilies{
      GatedFamily{"A=bf16:row B=bf16:col", "main_loop=warp_specialised"},
      GatedFamily{"A=bf16:row B=bf16:row", "main_loop=warp_specialised"},
      GatedFamily{"A=bf16:row B=bf16:col", "main_loop=warp_specialised swapped=on"},
      GatedFamily{"A=bf16:row B=bf16:row", "main_loop=warp_specialised swapped=on"},
      GatedFamily{"A=bf16:row B=bf16:col", "main_loop=warp_specialised ping_pong=2"},
      GatedFamily{"A=bf16:col B=bf16:col D=bf16:col", "main_loop=warp_specialised"},
      GatedFamily{"A=f16:row B=f16:col", "main_loop=multistage"},
      GatedFamily{"A=f16:row B=f16:row gate=pairs", "main_loop=register_staged"},
      GatedFamily{"A=f16:row B=f16:col gate=pairs D=f16:col", "main_loop=multistage"},
      GatedFamily{"A=bf16:row B=bf16:col", "main_loop=straight"},
      GatedFamily{"A=bf16:row B=bf16:row", "main_loop=straight"},
      GatedFamily{"A=bf16:col B=bf16:col D=bf16:col", "main_loop=straight"},
      GatedFamily{"A=f32:row B=f32:col", "main_loop=straight"},
      GatedFamily{"A=f32:row B=f32:row", "main_loop=straight"},
      GatedFamily{"A=f64:row B=f64:col", "main_loop=straight"},
      GatedFamily{"A=s8:row B=s8:col epilogue=\"3*gate - acc\"", "main_loop=straight"},
      GatedFamily{"A=f32:row B=f32:row", "main_loop=multistage"},
      GatedFamily{"A=f32:row B=f32:col", "main_loop=warp_specialised"},
      GatedFamily{"A=f32:row B=f32:row gate=pairs", "main_loop=register_staged"},
  };
  Context context(open_emulator(), with_kept_kernels());
  for (const auto& [problem, config] : kFamilies)
    for (const char* const extents :
         {"M=200 N=144 K=144 ", "M=16 N=272 K=80 ", "M=8 N=272 K=144 "}) {
      GemmCase one;
      const bool is_said = std::strstr(problem, "epilogue") != nullptr;
      one.problem = parse_problem(std::string(extents) + problem +
                                  (is_said ? "" : " epilogue=silu(gate)*acc"));
      one.config = parse_config(config);
      INFO(config);
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      UNSCOPED_INFO(failure);
      CHECK(failure.empty());
    }
}

TEST_CASE("few rows of a gated product are read straight", "[gemm][gate]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const char* const rest :
       {"A=bf16 B=bf16:col batch=2", "A=bf16 B=bf16", "A=f16 B=f16:col D=f32", "A=f32 B=f32:col",
        "A=f32 B=f32", "A=f64 B=f64:col", "A=e4m3 B=e4m3:col"})
    for (const Index rows : {1, 2, 5, 16}) {
      GemmCase one;
      one.problem = parse_problem("M=" + std::to_string(rows) + " N=272 K=528 " + rest +
                                  " epilogue=\"silu(gate)*acc + bias[n]\"");
      one.config = parse_config("main_loop=straight");
      one.fill = Fill::normal;
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      INFO(rest);
      UNSCOPED_INFO(failure);
      CHECK(failure.empty());
    }
}

TEST_CASE("the reference reads a gate's columns where they are said to lie", "[gemm][gate]") {
  constexpr Index kM = 3, kN = 5, kK = 4;
  for (const char* const order : {"row", "col"})
    for (const char* const columns : {"halves", "pairs"}) {
      INFO(order << " " << columns);
      const bool is_row = std::strcmp(order, "row") == 0,
                 in_pairs = std::strcmp(columns, "pairs") == 0;
      const Problem problem =
          completed(parse_problem("M=3 N=5 K=4 A=f32 B=f32:" + std::string(order) +
                                  " gate=" + columns + " epilogue=\"2*gate - 3*acc\""));
      std::vector<float> a(kM * kK), b(kK * 2 * kN);
      for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
      for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * i % 11) - 5;
      const Reference reference = reference_gemm(
          problem, {std::as_bytes(std::span(a)), std::as_bytes(std::span(b))}, 1, 0, 0);
      for (Index m = 0; m < kM; ++m)
        for (Index n = 0; n < kN; ++n) {
          double gate = 0, acc = 0;
          for (Index k = 0; k < kK; ++k) {
            const auto at = [&](Index column) {
              return b.at(static_cast<size_t>(is_row ? k * 2 * kN + column : column * kK + k));
            };
            const float left = a.at(static_cast<size_t>(m * kK + k));
            gate += left * at(in_pairs ? 2 * n : n);
            acc += left * at(in_pairs ? 2 * n + 1 : kN + n);
          }
          CHECK(reference.value.at(static_cast<size_t>(m * kN + n)) == 2 * gate - 3 * acc);
        }
    }
}

TEST_CASE("what is no number on one side of a gate stays in its own elements", "[gemm][gate]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const char* const text : {"M=40 N=40 K=64 A=bf16 B=bf16:col epilogue=gate+acc",
                                 "M=40 N=40 K=64 A=f32 B=f32:row gate=pairs epilogue=gate+acc"}) {
    GemmCase one;
    one.problem = parse_problem(text);
    CaseData data = make_data(one);
    const Problem problem = completed(one.problem);
    // Column 7 of the gate, at k = 0, in every bit.
    const auto width = static_cast<size_t>(width_bytes(problem.b.type));
    const size_t at = problem.gate == GateColumns::pairs ? 14 : 7 * 64;
    std::fill_n(data.b.begin() + static_cast<std::ptrdiff_t>(at * width), width, std::byte{0xff});
    const GemmCase& judged = one;
    data.reference = reference_gemm(problem, {data.a, data.b}, 1, 0, 0x1p-23);
    data.outputs = reference_outputs(problem, {data.a, data.b}, 1, 0, 0x1p-23);
    const CaseOutcome outcome = run_case(context, judged, data);
    UNSCOPED_INFO(describe(judged, outcome));
    CHECK(outcome.failures.empty());
    CHECK(std::isnan(data.reference.value.at(7)));
    CHECK_FALSE(std::isnan(data.reference.value.at(8)));
  }
}
