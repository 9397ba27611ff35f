// Every pair of values that a plan may hold: generated, compiled, and right on the emulator.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>

#include "gemm/covering.hpp"
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/gemm_case.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const std::vector<CoveringFactor> kFactors{
    {"types", {"bf16", "f16", "bf16 to f32", "tf32", "s8", "e4m3", "f64", "tf32x3", "bf16x6"}},
    {"a", {"row", "col"}},
    {"b", {"col", "row"}},
    {"d", {"row", "col"}},
    {"main_loop", {"warp_specialised", "multistage", "register_staged", "straight"}},
    {"multiplies", {"chosen", "mma.sync"}},
    {"beta", {"0", "run", "1"}},
    {"specialize", {"usual", "none", "all", "generic"}},
    {"sizes", {"ragged", "whole", "odd", "batch"}},
    {"cluster", {"1x1", "2x1", "1x2"}},
    {"blocks", {"0", "2"}},
    {"split_k", {"1", "3"}},
    {"reduction", {"last_adds", "all_add", "distributed"}},
    {"ping_pong", {"1", "2"}},
    {"swapped", {"off", "on"}},
    {"k_starts", {"1", "3"}},
    {"first_stages", {"after_barrier", "by_initialiser", "prefetched"}},
    {"release", {"never", "after_main_loop", "at_start"}},
};

struct Types {
  DType ab, cd;
  const char* mma_sync;
  Precision precision = Precision::f32;
};
constexpr Types kTypes[] = {
    {DType::bf16, DType::bf16, "SM80_16x8x16_F32BF16BF16F32_TN"},
    {DType::f16, DType::f16, "SM80_16x8x16_F32F16F16F32_TN"},
    {DType::bf16, DType::f32, "SM80_16x8x16_F32BF16BF16F32_TN"},
    {DType::tf32, DType::f32, "SM80_16x8x8_F32TF32TF32F32_TN"},
    {DType::s8, DType::s32, "SM80_16x8x32_S32S8S8S32_TN"},
    {DType::e4m3, DType::bf16, "SM89_16x8x32_F32E4M3E4M3F32_TN"},
    {DType::f64, DType::f64, "SM80_8x8x4_F64F64F64F64_TN"},
    {DType::f32, DType::f32, "SM80_16x8x8_F32TF32TF32F32_TN", Precision::tf32x3},
    {DType::f32, DType::f32, "SM80_16x8x16_F32BF16BF16F32_TN", Precision::bf16x6}};

/// What a row chooses, by the names of the factors.
class Chosen {
 public:
  explicit Chosen(const Choices& row) : row_(row) {}
  [[nodiscard]] size_t index(std::string_view factor) const {
    for (size_t i = 0; i < kFactors.size(); ++i)
      if (kFactors[i].name == factor) return row_[i];
    return 0;
  }
  [[nodiscard]] std::string_view operator[](std::string_view factor) const {
    for (size_t i = 0; i < kFactors.size(); ++i)
      if (kFactors[i].name == factor) return kFactors[i].values[row_[i]];
    return {};
  }

 private:
  const Choices& row_;
};

/// Choices that differ from the usual; what is usual is left to the planner.
Config config_of(const Chosen& chosen) {
  std::string text;
  for (const char* factor : {"main_loop", "specialize"})
    text += std::string(factor) + "=" + std::string(chosen[factor]) + " ";
  for (const char* factor : {"cluster", "blocks", "split_k", "reduction", "ping_pong", "swapped",
                             "k_starts", "first_stages", "release"})
    if (chosen.index(factor) != 0)
      text += std::string(factor) + "=" + std::string(chosen[factor]) + " ";
  if (chosen.index("multiplies") != 0)
    text += std::string("mma_atom=") + kTypes[chosen.index("types")].mma_sync;
  return parse_config(text);
}

GemmCase case_of(const Choices& row, int index) {
  const Chosen chosen(row);
  const Types& types = kTypes[chosen.index("types")];
  const auto order = [&](const char* factor) {
    return chosen[factor] == "row" ? Order::row : Order::col;
  };
  GemmCase result;
  Problem& problem = result.problem;
  problem.a = {.type = types.ab, .order = order("a")};
  problem.b = {.type = types.ab, .order = order("b")};
  problem.c = problem.d = {.type = types.cd, .order = order("d")};
  problem.precision = types.precision;
  const std::string_view sizes = chosen["sizes"];
  problem.m = sizes == "whole" ? 128 : sizes == "odd" ? 67 : 80;
  problem.n = sizes == "whole" ? 64 : sizes == "odd" ? 45 : 48;
  problem.k = sizes == "whole" ? 256 : 144;
  problem.batch = sizes == "batch" ? 2 : 1;
  // Rows of whole 16 bytes, which TMA asks for, behind extents that have none.
  const auto padded = [&](const Matrix& matrix, Index rows, Index cols) {
    return ((matrix.order == Order::row ? cols : rows) + 15) / 16 * 16;
  };
  problem.a.ld_elems = padded(problem.a, problem.m, problem.k);
  problem.b.ld_elems = padded(problem.b, problem.k, problem.n);
  problem.c.ld_elems = problem.d.ld_elems = padded(problem.d, problem.m, problem.n);
  problem.accumulate = types.ab == DType::f64  ? DType::f64
                       : types.ab == DType::s8 ? DType::s32
                                               : DType::f32;
  const std::string_view beta = chosen["beta"];
  problem.beta = beta == "0" ? Factor::zero : beta == "1" ? Factor::one : Factor::run_time;
  result.alpha = 2;
  result.beta = beta == "0" ? 0 : beta == "1" ? 1 : 3;
  result.config = config_of(chosen);
  result.seed = static_cast<std::uint64_t>(index);
  return result;
}

std::string described(const Choices& row) {
  std::string text;
  for (size_t i = 0; i < kFactors.size(); ++i)
    text += std::string(kFactors[i].name) + "=" + std::string(kFactors[i].values[row[i]]) + " ";
  return text;
}

Covering covering() {
  const DeviceInfo& device = device_preset("h200");
  const auto accepts = [&](const Choices& row) {
    const GemmCase one = case_of(row, 0);
    try {
      (void)make_plan(one.problem, device, one.config);
      return true;
    } catch (const Exception&) {
      return false;
    }
  };
  return cover_pairs(kFactors, accepts, 300);
}

/// The rules: what only kernels of producers and consumers have, and what excludes each other
/// there. Those straight from global memory overlap other kernels too.
std::vector<std::string> impossible_pairs() {
  std::vector<std::string> pairs{"cluster=2x1 first_stages=by_initialiser",
                                 "cluster=1x2 first_stages=by_initialiser",
                                 "cluster=2x1 first_stages=prefetched",
                                 "cluster=1x2 first_stages=prefetched",
                                 "split_k=3 ping_pong=2",
                                 "cluster=2x1 k_starts=3",
                                 "cluster=1x2 k_starts=3",
                                 "blocks=2 reduction=all_add",
                                 "reduction=all_add ping_pong=2",
                                 "cluster=2x1 reduction=distributed",
                                 "cluster=1x2 reduction=distributed",
                                 "blocks=2 reduction=distributed",
                                 "reduction=distributed ping_pong=2"};
  // Terms travel by TMA.
  for (const char* types : {"tf32x3", "bf16x6"})
    for (const char* other : {"multistage", "register_staged", "straight"})
      pairs.push_back(std::string("types=") + types + " main_loop=" + other);
  for (const char* other : {"multistage", "register_staged"})
    for (const char* choice :
         {"cluster=2x1", "cluster=1x2", "blocks=2", "reduction=all_add", "reduction=distributed",
          "ping_pong=2", "swapped=on", "k_starts=3", "first_stages=by_initialiser",
          "first_stages=prefetched", "release=after_main_loop", "release=at_start"})
      pairs.push_back(std::string("main_loop=") + other + " " + choice);
  for (const char* choice : {"cluster=2x1", "cluster=1x2", "blocks=2", "split_k=3",
                             "reduction=all_add", "reduction=distributed", "ping_pong=2",
                             "swapped=on", "k_starts=3", "first_stages=by_initialiser"})
    pairs.push_back(std::string("main_loop=straight ") + choice);
  return pairs;
}

std::set<std::string> as_set(const std::vector<std::string>& pairs) {
  return {pairs.begin(), pairs.end()};
}

}  // namespace

TEST_CASE("kernels of every pair of plan values are right, whenever work lands",
          "[gemm][covering]") {
  const Covering cover = covering();
  UNSCOPED_INFO(cover.rows.size() << " kernels");
  std::vector<Context> contexts;
  contexts.push_back(context_of(Schedule::late, 0));
  contexts.push_back(context_of(Schedule::early, 0));
  contexts.push_back(context_of(Schedule::random, 5));
  contexts.push_back(context_of(Schedule::fixed, 0));
  std::string failures;
  for (size_t i = 0; i < cover.rows.size(); ++i) {
    const GemmCase one = case_of(cover.rows[i], static_cast<int>(i));
    const CaseOutcome outcome = run_case(contexts[i % contexts.size()], one, make_data(one));
    if (!outcome.failures.empty())
      failures += described(cover.rows[i]) + ": " + describe(one, outcome) + "\n";
  }
  CHECK(failures == "");
  CHECK(as_set(cover.impossible) == as_set(impossible_pairs()));
}
