// Choices drawn one by one, each from what is usual, what is odd and what is absurd.
#include "support/random_config.hpp"

#include <random>
#include <span>
#include <vector>

#include "base/format.hpp"
#include "support/gemm_families.hpp"

namespace jute::test {
namespace {

class ConfigDraw {
 public:
  explicit ConfigDraw(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ull + 7) {}
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
  bool one_in(int count) { return below(count) == 0; }
  template <class Value>
  Value from(std::initializer_list<Value> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }

 private:
  std::mt19937_64 engine_;
};

constexpr Index kHuge = Index{1} << 62;

/// A chip, and one of the kinds of operands that GEMMs are tested with.
struct Target {
  std::string_view preset;
  TypeFamily family;
};
Target draw_target(ConfigDraw& draw) {
  const TypeFamily& family = kTypeFamilies[static_cast<size_t>(draw.below(kTypeFamilies.size()))];
  const bool is_fp8 = width_bits(family.types.a) == 8 && !is_integer(family.types.a);
  if (is_fp8 && !draw.one_in(16))
    return {draw.from<std::string_view>({"h200", "l40s", "rtx5090"}), family};
  return {draw.from<std::string_view>({"h200", "h200", "a100", "t4", "l40s", "rtx5090"}), family};
}

Matrix draw_matrix(ConfigDraw& draw, DType type, Index rows, Index cols) {
  Matrix matrix;
  matrix.type = type;
  matrix.order = draw.from({Order::row, Order::col});
  const Index inner = matrix.order == Order::row ? cols : rows;
  if (draw.one_in(4)) matrix.ld_elems = inner + draw.below(9);
  if (draw.one_in(4)) matrix.alignment_bytes = width_bytes(type);
  return matrix;
}

Problem draw_problem(ConfigDraw& draw, const CaseTypes& types) {
  Problem problem;
  problem.m = draw.one_in(3) ? draw.below(140) : draw.from<Index>({16, 33, 64, 96});
  problem.n = draw.one_in(3) ? draw.below(140) : draw.from<Index>({8, 40, 64, 80});
  problem.k = draw.one_in(3) ? draw.below(100) : draw.from<Index>({16, 32, 48, 64});
  if (draw.one_in(8)) problem.batch = 2;
  problem.accumulate = types.accumulate;
  problem.a = draw_matrix(draw, types.a, problem.m, problem.k);
  problem.b = draw_matrix(draw, types.b, problem.k, problem.n);
  problem.c = draw_matrix(draw, types.c, problem.m, problem.n);
  problem.d = draw_matrix(draw, types.d, problem.m, problem.n);
  if (draw.one_in(4)) problem.alpha = Factor::one;
  if (draw.one_in(2)) problem.beta = draw.from({Factor::zero, Factor::zero, Factor::one});
  return problem;
}

int draw_extent(ConfigDraw& draw, std::initializer_list<int> usual) {
  if (!draw.one_in(40)) return draw.from(usual);
  return draw.from({0, -1, 1, 7, 20, 100, 1024, 65536, 1 << 20, 2147483647, -2147483647});
}

TileShape draw_tile(ConfigDraw& draw) {
  return {draw_extent(draw, {16, 32, 32, 64, 64, 64, 96, 128}),
          draw_extent(draw, {16, 32, 32, 64, 64, 64, 96, 128}),
          draw_extent(draw, {8, 16, 32, 32, 32, 64, 64, 96})};
}

Index draw_stride(ConfigDraw& draw) {
  return draw.from<Index>({0, 1, 2, 3, 4, 8, 16, 64, -1, -8, 4294967296, kHuge, -kHuge});
}

Layout draw_atom_layout(ConfigDraw& draw, bool is_scalar) {
  const auto extent = [&] {
    if (draw.one_in(40)) return draw.from<Index>({3, 5, 64, 1024, 4294967296, kHuge});
    return is_scalar ? draw.from<Index>({4, 8, 8, 16}) : draw.from<Index>({1, 1, 2, 2, 4});
  };
  const Index m = extent(), n = extent(), k = draw.one_in(24) ? draw.from<Index>({2, 4, kHuge}) : 1;
  const bool is_huge = m > 4096 || n > 4096 || k > 4096;
  const IntTuple shape{m, n, k};
  if (draw.one_in(16)) return Layout(shape, {draw_stride(draw), draw_stride(draw), 0});
  if (draw.one_in(4) || is_huge) return Layout(shape, {is_huge ? 1 : n, 1, draw_stride(draw)});
  if (n % 2 == 0 && draw.one_in(4)) return Layout({m, {2, n / 2}, 1}, {2, {1, 2 * m}, 0});
  return Layout(shape);
}

Tiler draw_permutation_mode(ConfigDraw& draw, int unit) {
  if (draw.one_in(2)) return Tiler::wildcard();
  if (draw.one_in(3)) return draw.from<Index>({16, 32, 32, 64, 64, 128, 24, 7, 4294967296});
  if (draw.one_in(10)) return Layout(draw.from<Index>({8, 16, 32}), draw_stride(draw));
  const Index parts = draw.from<Index>({2, 2, 4, 3}), of_part = Index{unit} * draw.from({1, 2});
  // Neighbouring parts of `of_part` elements, dealt in turn.
  if (draw.one_in(2)) return Layout({of_part, parts}, {parts, 1});
  return Layout({of_part / 2, parts, 2}, {1, of_part, of_part / 2});
}

ComposedLayout draw_smem(ConfigDraw& draw, Index mn, Index k) {
  if (draw.one_in(16)) std::swap(mn, k);
  if (draw.one_in(16)) return Layout({mn, k}, {draw_stride(draw), draw_stride(draw)});
  const bool is_k = draw.one_in(2);
  const Index inner = is_k ? k : mn;
  const Index row = inner + (draw.one_in(2) ? draw.from<Index>({1, 2, 4, 8, 16, 33}) : 0);
  Layout layout = is_k ? Layout({mn, k}, {row, 1}) : Layout({mn, k}, {1, row});
  if (inner % 2 == 0 && draw.one_in(5))
    layout = is_k ? Layout({mn, {2, k / 2}}, {2, {1, 2 * mn}})
                  : Layout({{2, mn / 2}, k}, {{1, 2 * k}, 2});
  if (mn % 3 == 0 && draw.one_in(3)) layout = Layout({{3, mn / 3}, k}, {{k, 3 * k}, 1});
  if (draw.one_in(2)) return layout;
  if (draw.one_in(12))
    return {Swizzle(3, draw.from({4, 20, 55}), 3), draw.from<Index>({0, -8, kHuge}), layout};
  const int bits = draw.from({1, 2, 3});
  return {Swizzle(bits, draw.from({0, 2, 3, 4}), draw.from({bits, 3, 4, -3})),
          draw.one_in(4) ? draw.from<Index>({1, 8, 64}) : 0, layout};
}

/// Atoms that some chip multiplies the family's types by, and some of other forms and types.
std::vector<std::string> atom_names(DType type) {
  switch (type) {
    case DType::f16:
      return {"SM80_16x8x16_F32F16F16F32_TN",
              "SM80_16x8x8_F32F16F16F32_TN",
              "SM75_16x8x8_F32F16F16F32_TN",
              "SM70_8x8x4_F32F16F16F32_TN",
              "SM70_8x8x4_F32F16F16F32_NT",
              "SM80_16x8x16_F16F16F16F16_TN",
              "SM80_16x8x8_F16F16F16F16_TN",
              "SM70_8x8x4_F16F16F16F16_TT",
              "UniversalFMA<float,half_t,half_t,float>",
              "SM90_64x16x16_F32F16F16_RS"};
    case DType::bf16:
      return {"SM80_16x8x16_F32BF16BF16F32_TN", "SM80_16x8x8_F32BF16BF16F32_TN",
              "SM90_64x64x16_F32BF16BF16_SS"};
    case DType::tf32:
      return {"SM80_16x8x8_F32TF32TF32F32_TN", "SM80_16x8x4_F32TF32TF32F32_TN"};
    case DType::f64:
      return {"SM80_8x8x4_F64F64F64F64_TN", "SM90_16x8x4_F64F64F64F64_TN",
              "SM90_16x8x8_F64F64F64F64_TN", "SM90_16x8x16_F64F64F64F64_TN",
              "UniversalFMA<double>"};
    case DType::s8:
      return {"SM80_16x8x32_S32S8S8S32_TN", "SM80_16x8x16_S32S8S8S32_TN",
              "SM80_8x8x16_S32S8S8S32_TN", "SM61_DP4A"};
    case DType::u8:
      return {"SM80_16x8x32_S32U8S8S32_TN", "SM80_16x8x16_S32U8S8S32_TN"};
    case DType::e4m3:
      return {"SM89_16x8x32_F32E4M3E4M3F32_TN", "SM89_16x8x32_F32E5M2E4M3F32_TN"};
    default:
      return {"UniversalFMA<float>",           "UniversalFMA<float>",
              "UniversalFMA<float>",           "UniversalFMA<float,float,float,float>",
              "SM80_16x8x8_F32TF32TF32F32_TN", "SM80_NOT_THERE"};
  }
}

Config draw_config(ConfigDraw& draw, const CaseTypes& types) {
  Config config;
  config.specialize =
      draw.from({Specialize::usual, Specialize::none, Specialize::all, Specialize::generic});
  const bool is_scalar = types.a == DType::f32;
  if (!draw.one_in(6)) config.tile = draw_tile(draw);
  if (draw.one_in(3))
    config.stages =
        draw.one_in(8) ? draw.from({-1, 0, 1, 17, 1 << 30}) : draw.from({2, 2, 3, 4, 5});
  if (draw.one_in(3)) {
    const std::vector<std::string> names = atom_names(types.a);
    config.mma_atom = names[static_cast<size_t>(draw.below(static_cast<int>(names.size())))];
  }
  if (draw.one_in(2)) config.atom_layout = draw_atom_layout(draw, is_scalar);
  if (draw.one_in(5))
    config.permutation =
        Tiler(std::vector<Tiler>{draw_permutation_mode(draw, is_scalar ? 8 : 16),
                                 draw_permutation_mode(draw, 8), draw_permutation_mode(draw, 16)});
  if (draw.one_in(4))
    config.raster_width = draw.one_in(6) ? draw.from({0, -7, 1025}) : draw.below(9) + 1;
  if (draw.one_in(4)) config.pad = draw.one_in(2);
  const auto is_small = [](int extent) { return extent > 0 && extent <= 1024; };
  if (!config.tile || !is_small(config.tile->m) || !is_small(config.tile->n) ||
      !is_small(config.tile->k))
    return config;
  if (draw.one_in(3)) config.smem_a = draw_smem(draw, config.tile->m, config.tile->k);
  if (draw.one_in(3)) config.smem_b = draw_smem(draw, config.tile->n, config.tile->k);
  return config;
}

/// What only warp-specialised kernels choose from, legal and not; K of several k-tiles now and
/// then.
void draw_schedule(ConfigDraw& draw, ConfigCase& given) {
  Config& config = given.config;
  if (draw.one_in(3)) return;
  if (draw.one_in(3) && given.problem.a.ld_elems == 0 && given.problem.b.ld_elems == 0)
    given.problem.k = 8 * draw.below(60);
  const bool errs = draw.one_in(8);
  if (draw.one_in(6))
    config.main_loop =
        errs ? draw.from({MainLoop::register_staged, MainLoop::multistage, MainLoop::straight})
             : MainLoop::warp_specialised;
  if (draw.one_in(5))
    config.cluster = errs ? draw.from<ClusterShape>({{0, 1}, {9, 1}, {3, 3}})
                          : draw.from<ClusterShape>({{1, 1}, {2, 1}, {1, 2}, {2, 2}});
  if (draw.one_in(5)) config.blocks = errs ? -1 : draw.from({0, 4, 132});
  if (draw.one_in(5)) config.split_k = errs ? draw.from({0, 300}) : draw.from({2, 3, 7});
  if (config.split_k && draw.one_in(2))
    config.reduction = draw.from({SplitK::all_add, SplitK::distributed});
  if (draw.one_in(5)) config.ping_pong = errs ? draw.from({0, 3}) : draw.from({1, 2});
  if (draw.one_in(6)) config.promote = errs ? draw.from({100, -64}) : draw.from({0, 128});
  if (draw.one_in(5)) config.swapped = draw.one_in(2);
  if (draw.one_in(6))
    config.first_stages = draw.from(
        {FirstStages::after_barrier, FirstStages::by_initialiser, FirstStages::prefetched});
  if (draw.one_in(6))
    config.release = draw.from(
        {Release::never, Release::after_main_loop, Release::at_start, Release::after_previous});
}

/// A kernel without shared tiles: now and then with what it refuses, mostly with parts of K.
void draw_straight(ConfigDraw& draw, Config& config) {
  config.main_loop = MainLoop::straight;
  if (draw.one_in(8)) return;
  config.stages.reset();
  config.smem_a.reset();
  config.smem_b.reset();
  if (draw.one_in(2)) config.permutation.reset();
  if (draw.one_in(2)) config.tile.reset();
  if (!config.atom_layout || draw.one_in(2)) return;
  const Index m = draw.from<Index>({1, 1, 2}), n = draw.from<Index>({1, 1, 2});
  const Index parts = draw.from<Index>({1, 2, 3, 4, 7});
  config.atom_layout = draw.one_in(8) ? Layout(IntTuple{m, n, parts}, IntTuple{parts, m * parts, 1})
                                      : Layout(IntTuple{m, n, parts});
}

/// Few rows or columns of D, over K of any length: what lanes add up.
void draw_dots(ConfigDraw& draw, ConfigCase& result) {
  (draw.one_in(2) ? result.problem.m : result.problem.n) = draw.from<Index>({1, 2, 3, 4});
  result.problem.k = draw.from<Index>({0, 1, 7, 63, 64, 65, 250, 511, 1024});
  for (Matrix* matrix :
       {&result.problem.a, &result.problem.b, &result.problem.c, &result.problem.d})
    matrix->ld_elems = matrix->batch_stride_elems = 0;
  result.config = Config();
  result.config.main_loop = MainLoop::straight;
}

/// How a grid is dealt: a last wave in slices, several matrices a block; and what runs beside it.
void draw_dealing(ConfigDraw& draw, Config& config) {
  if (config.split_k && draw.one_in(2)) config.whole_tiles = draw.from({0, 1, 2, 5, 1000, -1});
  if (config.main_loop == MainLoop::straight && draw.one_in(3))
    config.matrices_per_block = draw.from({0, 1, 2, 4, 8, 32, 33, -1});
  if (draw.one_in(8)) config.launches = Launches::alone;
}

/// What fills stages that wgmma reads.
void draw_carriers(ConfigDraw& draw, Config& config) {
  if (draw.one_in(8)) config.carry_a = draw.from({Transfer::cp_async, Transfer::tma});
  if (draw.one_in(8)) config.carry_b = draw.from({Transfer::cp_async, Transfer::tma});
}

}  // namespace

ConfigCase random_config(int index) {
  ConfigDraw draw(static_cast<std::uint64_t>(index));
  const Target target = draw_target(draw);
  ConfigCase result;
  result.preset = target.preset;
  result.problem = draw_problem(draw, target.family.types);
  result.config = draw_config(draw, target.family.types);
  result.alpha = result.problem.alpha == Factor::one ? 1.0 : draw.from({1.0, 2.0, -1.0});
  result.beta = result.problem.beta == Factor::zero  ? 0.0
                : result.problem.beta == Factor::one ? 1.0
                                                     : draw.from({0.0, 1.0, -2.0});
  result.seed = static_cast<std::uint64_t>(index);
  result.guard_bytes = draw.one_in(2) ? 256 : 0;
  if (target.preset == "h200" ? draw.one_in(2) : draw.one_in(20)) draw_schedule(draw, result);
  if (draw.one_in(8)) draw_straight(draw, result.config);
  if (draw.one_in(4)) result.config.transpose = draw.one_in(2);
  if (result.problem.a.type == DType::f32 && target.preset == "h200" && draw.one_in(4))
    result.problem.precision = draw.from({Precision::tf32x3, Precision::bf16x6});
  else if (result.config.main_loop == MainLoop::straight && draw.one_in(2))
    draw_dots(draw, result);
  if (result.config.main_loop == MainLoop::warp_specialised && draw.one_in(4))
    result.config.producer_warps = draw.from({0, 1, 1, 4});
  draw_dealing(draw, result.config);
  if (target.preset == "h200") draw_carriers(draw, result.config);
  return result;
}

std::string to_string(const ConfigCase& config_case) {
  return base::format("{} | {} alpha {} beta {} seed {} | {}", config_case.preset,
                      jute::to_string(config_case.problem), config_case.alpha, config_case.beta,
                      config_case.seed, jute::to_string(config_case.config));
}

}  // namespace jute::test
