// Instructions of tensor cores by their shapes, and the widest of warpgroups.
#include "plan/choose/families/instructions.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/format.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

// clang-format off
/// Shapes of mma.sync by the bytes of its operands, those that do more at once first; what has
/// another shape comes after these.
struct InstructionRow { int operand_bytes; ShapeMnk shape; };

constexpr std::array kInstructions{
  InstructionRow{1, {16, 8, 32}}, InstructionRow{1, {8, 8, 16}},
  InstructionRow{2, {16, 8, 16}}, InstructionRow{2, {16, 8, 8}},
  InstructionRow{4, {16, 8, 8}},
  InstructionRow{8, {16, 8, 8}},  InstructionRow{8, {8, 8, 4}},
};

// clang-format on

/// Position of the atom's shape among those that are preferred.
size_t preference(const MmaAtom& atom, const KernelProblem& problem) {
  const int bytes = width_bytes(problem.a.type);
  return static_cast<size_t>(std::ranges::find_if(kInstructions,
                                                  [&](const InstructionRow& row) {
                                                    return row.operand_bytes == bytes &&
                                                           row.shape == atom.shape;
                                                  }) -
                             kInstructions.begin());
}

std::string multiply_add_name(const KernelProblem& problem) {
  const auto cute = [](DType type) { return std::string(value_type(type).cute); };
  const std::string a = cute(problem.a.type), b = cute(problem.b.type);
  const std::string c = cute(problem.accumulate);
  return a == c && b == c ? base::format("UniversalFMA<{}>", c)
                          : base::format("UniversalFMA<{},{},{},{}>", c, a, b, c);
}

/// The widest instruction of which whole ones make the tile. Where sums are multiplied by scales,
/// its own fit beside those of the tile (adds_by_instruction).
int instruction_n(const Tile& row, const KernelProblem& problem, const Config& config) {
  constexpr int kWidest = 256, kUnit = 8, kGroupRows = 64;
  constexpr int kMostSums = 192;  // hardware: of a thread's 255 registers
  const int n = (config.tile ? config.tile->n : row.n) / row.groups_n;
  const int rows = (config.tile ? config.tile->m : row.m) / row.groups_m;
  const bool is_scaled = problem.a.scales || problem.b.scales;
  const auto fits = [&](int part) {
    return !is_scaled || (rows / kGroupRows * n + part) / 2 <= kMostSums;
  };
  for (int parts = 1; parts <= n / kUnit; ++parts)
    if (n % (parts * kUnit) == 0 && n / parts <= kWidest && fits(n / parts)) return n / parts;
  return kUnit;
}

/// The types that the row's instruction multiplies, and how it finds them in shared memory.
MmaTypes types_for(const GroupRow& row, const KernelProblem& problem, const Config& config) {
  const bool is_swapped = row.tile.swapped;
  const KernelMatrix &a = is_swapped ? problem.b : problem.a,
                     &b = is_swapped ? problem.a : problem.b;
  MmaTypes types{a.type, b.type, problem.accumulate};
  if (!is_wgmma(row.form)) return types;
  types.n = instruction_n(row.tile, problem, config);
  types.a_major = a.major;
  types.b_major = b.major;
  return types;
}

}  // namespace

std::vector<MmaAtom> instructions(const KernelProblem& problem, const DeviceInfo& device,
                                  const Config& config, const Catalogue& catalogue) {
  if (config.mma_atom) return {catalogue.mma(*config.mma_atom)};
  std::vector<MmaAtom> result = catalogue.mmas(
      MmaForm::mma, device.arch, {problem.a.type, problem.b.type, problem.accumulate});
  std::ranges::stable_sort(result, {},
                           [&](const MmaAtom& atom) { return preference(atom, problem); });
  if (result.empty() || adds_as_one(problem.accumulate))
    result.push_back(catalogue.mma(multiply_add_name(problem)));
  return result;
}

std::vector<MmaAtom> instructions_of(const GroupRow& row, const KernelProblem& problem,
                                     const DeviceInfo& device, const Config& config,
                                     const Catalogue& catalogue) {
  if (!suits(row.needs, problem, device)) return {};
  if (!config.mma_atom)
    return catalogue.mmas(row.form, device.arch, types_for(row, problem, config));
  MmaAtom atom = catalogue.mma(*config.mma_atom);
  return atom.form == row.form ? std::vector{std::move(atom)} : std::vector<MmaAtom>();
}

bool has_wgmma(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
               const Catalogue& catalogue) {
  return !instructions_of(kWgmmaRow, problem, device, config, catalogue).empty();
}

}  // namespace jute::plan
