// The tables that planning chooses from, and the rows of them that suit a problem.
#include "plan/candidates.hpp"

#include <algorithm>
#include <array>

#include "base/format.hpp"
#include "plan/mma_rules.hpp"

namespace jute::plan {
namespace {

/// Types of operands that rows differ for.
enum class Operands : std::uint8_t { any, f64, fp8 };

/// What a row needs of a problem and a chip.
struct Needs {
  Operands operands = Operands::any;
  int arch = 0;              ///< the first that the row is for
  int next_arch = 1000;      ///< the first that it is no more for
  int access_bytes = 1;      ///< of both operands: cp.async moves 4 at least
  int smem_kib = 0;          ///< of a block
  Index n = 0;               ///< the least literal N
  bool whole_reads = false;  ///< no operand is gathered element by element from its tile
};

struct WarpRow {
  Needs needs;
  WarpTile tile;
};
struct ThreadRow {
  Needs needs;
  ThreadTile tile;
};

// The first row that fits is preferred. Ada multiplies 8-bit floats by mma.sync as they are; Hopper
// and the chips after it, up to sm_120, convert them first: shorter k-tiles, fewer conversions in
// flight. Gathered operands need more registers than the 128 accumulators of the largest tile
// leave.
// clang-format off
constexpr std::array kWarpRows{
  //       operands      arch      access smem  N   reads   transfer             m    n    k bytes warps stages
  WarpRow{{Operands::f64, 80, 1000, 4,     0,   0,  false}, {Transfer::cp_async,  128,  64, 128,    4, 2, 4}},
  WarpRow{{Operands::fp8, 90,  120, 4,     0,   0,  false}, {Transfer::cp_async,  128, 128,  64,    2, 4, 6}},
  WarpRow{{Operands::fp8, 80, 1000, 4,     0,   0,  false}, {Transfer::cp_async,  128, 128, 128,    2, 4, 4}},
  WarpRow{{Operands::any, 80, 1000, 4,   200, 129,  true},  {Transfer::cp_async,  128, 256, 128,    2, 4, 4}},
  WarpRow{{Operands::any, 80, 1000, 4,     0,   0,  false}, {Transfer::cp_async,  128, 128, 128,    2, 4, 4}},
  WarpRow{{Operands::f64,  0, 1000, 1,     0,   0,  false}, {Transfer::registers, 128,  64, 128,    4, 2, 4}},
  WarpRow{{Operands::any,  0, 1000, 1,     0,   0,  false}, {Transfer::registers, 128, 128,  64,    2, 4, 2}},
};
constexpr std::array kThreadRows{
  //         operands                        extent vector repeats k
  ThreadRow{{.operands = Operands::f64}, {    64,    2,     2,      8}},
  ThreadRow{{.operands = Operands::any}, {   128,    4,     2,      8}},
};

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

bool are(Operands operands, const KernelProblem& problem) {
  switch (operands) {
    case Operands::f64:
      return problem.accumulate == DType::f64;
    case Operands::fp8:
      return problem.a.type == DType::e4m3 || problem.a.type == DType::e5m2;
    case Operands::any:
      break;
  }
  return true;
}

bool is_read_whole(const KernelMatrix& matrix) {
  return matrix.major == Major::k || width_bits(matrix.type) == 16;
}

bool suits(const Needs& needs, const KernelProblem& problem, const DeviceInfo& device) {
  const int arch = device.arch.number;
  return are(needs.operands, problem) && arch >= needs.arch && arch < needs.next_arch &&
         std::min(problem.a.access_bytes, problem.b.access_bytes) >= needs.access_bytes &&
         device.smem_bytes_per_block >= needs.smem_kib * 1024 &&
         (!problem.n.baked || problem.n.value >= needs.n) &&
         (!needs.whole_reads || (is_read_whole(problem.a) && is_read_whole(problem.b)));
}

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

/// The caller's atom; else those of tensor cores that multiply the types, best first, and then the
/// threads' own.
std::vector<MmaAtom> atoms(const KernelProblem& problem, const DeviceInfo& device,
                           const Config& config, const Catalogue& catalogue) {
  if (config.mma_atom) return {catalogue.mma(*config.mma_atom)};
  std::vector<MmaAtom> result = catalogue.mmas(
      MmaForm::mma, device.arch, {problem.a.type, problem.b.type, problem.accumulate});
  std::ranges::stable_sort(result, {},
                           [&](const MmaAtom& atom) { return preference(atom, problem); });
  result.push_back(catalogue.mma(multiply_add_name(problem)));
  return result;
}

template <class Rows>
void add_rows(std::vector<Candidate>& list, const Rows& rows, const MmaAtom& atom,
              const KernelProblem& problem, const DeviceInfo& device) {
  for (const auto& row : rows)
    if (suits(row.needs, problem, device)) list.push_back({atom, row.tile});
}

std::string text_of(const ThreadTile& tile) {
  return base::format("by threads of {0}x{0} elements on {1}x{1}", tile.vector * tile.repeats,
                      tile.extent);
}
std::string text_of(const WarpTile& tile) {
  return base::format(
      "by {}x{} warps on {}x{}, {}, {} stages", tile.warps_m, tile.warps_n, tile.m, tile.n,
      tile.transfer == Transfer::cp_async ? "cp.async" : "through registers", tile.stages);
}

}  // namespace

std::string to_string(const Candidate& candidate) {
  return candidate.atom.name + " " +
         std::visit([](const auto& tile) { return text_of(tile); }, candidate.tile);
}

std::vector<Candidate> candidates(const KernelProblem& problem, const DeviceInfo& device,
                                  const Config& config, const Catalogue& catalogue) {
  std::vector<Candidate> list;
  for (const MmaAtom& atom : atoms(problem, device, config, catalogue))
    if (atom.form == MmaForm::fma)
      add_rows(list, kThreadRows, atom, problem, device);
    else
      add_rows(list, kWarpRows, atom, problem, device);
  return list;
}

}  // namespace jute::plan
