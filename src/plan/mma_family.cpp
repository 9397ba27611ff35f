// Tile, warps, stages and swizzles of the mma.sync kernels.
#include "plan/mma_family.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "plan/gemm_step.hpp"
#include "plan/matrix_read.hpp"
#include "plan/rules.hpp"

namespace jute::plan {
namespace {

struct AtomChoice {
  DType a, b, accumulate;
  std::string_view name;
};
// The first row that fits wins: newer instructions before older ones.
// clang-format off
constexpr std::array kAtoms{
  AtomChoice{DType::f16,  DType::f16,  DType::f32, "SM80_16x8x16_F32F16F16F32_TN"},
  AtomChoice{DType::f16,  DType::f16,  DType::f32, "SM75_16x8x8_F32F16F16F32_TN"},
  AtomChoice{DType::f16,  DType::f16,  DType::f16, "SM80_16x8x16_F16F16F16F16_TN"},
  AtomChoice{DType::f16,  DType::f16,  DType::f16, "SM75_16x8x8_F16F16F16F16_TN"},
  AtomChoice{DType::bf16, DType::bf16, DType::f32, "SM80_16x8x16_F32BF16BF16F32_TN"},
  AtomChoice{DType::tf32, DType::tf32, DType::f32, "SM80_16x8x8_F32TF32TF32F32_TN"},
  AtomChoice{DType::f64,  DType::f64,  DType::f64, "SM90_16x8x8_F64F64F64F64_TN"},
  AtomChoice{DType::f64,  DType::f64,  DType::f64, "SM80_8x8x4_F64F64F64F64_TN"},
  AtomChoice{DType::s8,   DType::s8,   DType::s32, "SM80_16x8x32_S32S8S8S32_TN"},
  AtomChoice{DType::s8,   DType::u8,   DType::s32, "SM80_16x8x32_S32S8U8S32_TN"},
  AtomChoice{DType::u8,   DType::s8,   DType::s32, "SM80_16x8x32_S32U8S8S32_TN"},
  AtomChoice{DType::u8,   DType::u8,   DType::s32, "SM80_16x8x32_S32U8U8S32_TN"},
  AtomChoice{DType::s8,   DType::s8,   DType::s32, "SM75_8x8x16_S32S8S8S32_TN"},
  AtomChoice{DType::e4m3, DType::e4m3, DType::f32, "SM89_16x8x32_F32E4M3E4M3F32_TN"},
  AtomChoice{DType::e4m3, DType::e5m2, DType::f32, "SM89_16x8x32_F32E4M3E5M2F32_TN"},
  AtomChoice{DType::e5m2, DType::e4m3, DType::f32, "SM89_16x8x32_F32E5M2E4M3F32_TN"},
  AtomChoice{DType::e5m2, DType::e5m2, DType::f32, "SM89_16x8x32_F32E5M2E5M2F32_TN"},
};
// clang-format on

/// Warps along M and N and the block tile.
struct TileChoice {
  int m, n, warps_m, warps_n, stages;
  int k_bytes = 128;
};
// In order of preference where everything fits.
constexpr TileChoice kLarge{128, 256, 2, 4, 4};
constexpr TileChoice kUsual{128, 128, 2, 4, 4};
constexpr TileChoice kDouble{128, 64, 4, 2, 4};
constexpr TileChoice kStaged{128, 128, 2, 4, 2, 64};
// 8-bit floats where mma.sync converts them first: shorter k-tiles, fewer conversions in flight.
constexpr TileChoice kConverting{128, 128, 2, 4, 6, 64};

/// 128-byte rows; a granule of them is XORed with the row's number, so that the rows that one
/// instruction touches together lie in different banks.
ComposedLayout swizzled_layout(int tile_mn, int tile_k, Major major, DType type,
                               int granule_bytes) {
  const int width = width_bytes(type);
  const int row = std::min(128 / width, major == Major::k ? tile_k : tile_mn);
  const int granule = granule_bytes / width;
  const auto log2 = [](int value) { return std::countr_zero(static_cast<unsigned>(value)); };
  const bool is_power = std::has_single_bit(static_cast<unsigned>(row)) && row >= granule;
  const int bits = is_power ? log2(row) - log2(granule) : 0;
  const Swizzle swizzle =
      bits > 0 ? Swizzle(bits, log2(granule), log2(128 / width) - log2(granule)) : Swizzle();
  // A tile wider than a row of 128 bytes is several slabs, one behind the other.
  const Layout layout = major == Major::k ? Layout(IntTuple{tile_mn, IntTuple{row, tile_k / row}},
                                                   IntTuple{row, IntTuple{1, row * tile_mn}})
                                          : Layout(IntTuple{IntTuple{row, tile_mn / row}, tile_k},
                                                   IntTuple{IntTuple{1, row * tile_k}, row});
  return {swizzle, 0, layout};
}

int whole(int tile, int unit) { return (tile + unit - 1) / unit * unit; }

/// Reads matrices where the layout lets it; else gathers, behind a swizzle made for that unless the
/// layout is the caller's.
void choose_read(OperandPlan& operand, bool is_wish, int tile_mn, int tile_k,
                 const Fragment& fragment, const Catalogue& catalogue, Arch arch) {
  const std::optional<MatrixRead> read =
      widest_matrix_read(catalogue, arch, fragment, operand.smem, operand.type);
  if (read) operand.read_atom = read->atom;
  if (!read && !is_wish)
    operand.smem = swizzled_layout(tile_mn, tile_k, operand.major, operand.type, 32);
}

bool copies_asynchronously(const KernelProblem& problem, Arch arch) {
  return arch.number >= 80 && problem.a.access_bytes >= 4 && problem.b.access_bytes >= 4;
}

/// A layout of the caller's may leave too short runs in shared memory.
bool is_async_sized(const OperandPlan& operand) {
  return operand.vector_elems * width_bytes(operand.type) >= 4;
}

/// Ada multiplies 8-bit floats by mma.sync as they are; Hopper has wgmma for that, and lowers
/// mma.sync to conversions and f16.
bool converts_bytes(Arch arch) { return arch.number >= 90 && arch.number < 120; }

TileChoice tile_choice(const KernelProblem& problem, const DeviceInfo& device, bool async) {
  if (problem.accumulate == DType::f64) return kDouble;
  if (!async) return kStaged;
  if (problem.a.type == DType::e4m3 || problem.a.type == DType::e5m2)
    return converts_bytes(device.arch) ? kConverting : kUsual;
  // Gathered operands need more registers than 128 accumulators leave.
  const auto gathers = [](const KernelMatrix& matrix) {
    return matrix.major == Major::mn && width_bits(matrix.type) != 16;
  };
  const bool fits = device.smem_bytes_per_block >= 200 * 1024;
  const bool narrow = problem.n.baked && problem.n.value <= 128;
  return fits && !narrow && !gathers(problem.a) && !gathers(problem.b) ? kLarge : kUsual;
}

}  // namespace

std::optional<std::string> mma_atom_for(const KernelProblem& problem, Arch arch) {
  for (const AtomChoice& row : kAtoms)
    if (row.a == problem.a.type && row.b == problem.b.type &&
        row.accumulate == problem.accumulate) {
      const std::optional<MmaAtom> atom = Catalogue().try_mma(row.name);
      if (atom && provides(arch, atom->arch)) return std::string(row.name);
    }
  return std::nullopt;
}

GemmStep mma_step(const KernelProblem& problem, const MmaAtom& atom, const DeviceInfo& device,
                  const Config& config, const Catalogue& catalogue) {
  GemmStep step = step_for(problem, device, config);
  const bool async = copies_asynchronously(problem, device.arch);
  const TileChoice choice = tile_choice(problem, device, async);
  step.mma = TiledMma(
      atom, config.atom_layout.value_or(Layout(IntTuple{choice.warps_m, choice.warps_n, 1})),
      config.permutation.value_or(Tiler("(_,_,_)")));
  const ShapeMnk unit = tile_shape(step.mma);
  const int row_k = choice.k_bytes / width_bytes(problem.a.type);
  step.tile = config.tile.value_or(
      TileShape{whole(choice.m, unit.m), whole(choice.n, unit.n), whole(row_k, 2 * unit.k)});
  step.a.transfer = step.b.transfer = async ? Transfer::cp_async : Transfer::registers;
  step.stages = config.stages.value_or(choice.stages);
  refuse_if_any(tile_rules(step));
  step.a.smem = config.smem_a.value_or(
      swizzled_layout(step.tile.m, step.tile.k, step.a.major, step.a.type, 16));
  step.b.smem = config.smem_b.value_or(
      swizzled_layout(step.tile.n, step.tile.k, step.b.major, step.b.type, 16));
  refuse_if_any(smem_rules(step));
  choose_read(step.a, config.smem_a.has_value(), step.tile.m, step.tile.k,
              fragment(step.mma, Operand::a, step.tile), catalogue, device.arch);
  choose_read(step.b, config.smem_b.has_value(), step.tile.n, step.tile.k,
              fragment(step.mma, Operand::b, step.tile), catalogue, device.arch);
  complete_step(step, problem, device);
  if (async && !(is_async_sized(step.a) && is_async_sized(step.b))) {
    step.a.transfer = step.b.transfer = Transfer::registers;
    complete_step(step, problem, device);
  }
  const Index stages_bytes = step.smem_a_bytes + step.smem_b_bytes;
  if (!config.stages && stages_bytes > device.smem_bytes_per_block) {
    const Index stage_bytes = stages_bytes / step.stages;
    step.stages = static_cast<int>(std::max<Index>(2, device.smem_bytes_per_block / stage_bytes));
    complete_step(step, problem, device);
  }
  return step;
}

}  // namespace jute::plan
