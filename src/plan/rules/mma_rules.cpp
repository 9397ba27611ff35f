// The rules of atoms, of the threads that they are dealt to, and of permutations.
#include "plan/rules/mma_rules.hpp"

#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/properties.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "base/format.hpp"
#include "plan/chip/warp.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// No mode of a permutation is longer: more elements than a block has registers.
constexpr Index kLargestMode = 65536;

struct ModeName {
  char letter;
  int ShapeMnk::*extent;
};

constexpr std::array<ModeName, 3> kModes{
    {{'m', &ShapeMnk::m}, {'n', &ShapeMnk::n}, {'k', &ShapeMnk::k}}};

/// Are the offsets exactly 0 … size-1, with at most `most` of them?
bool is_permutation(const Layout& layout, Index most) {
  if (!layout.is_plain() || bounded_size(layout.view(), most) > most) return false;
  for (const Index stride : layout.flat_stride())
    if (stride < 0 || stride > most) return false;
  return is_bijective(layout);
}

void form_is_generated(Errors& errors, const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  const bool is_scalar = threads(atom) == 1 && atom.shape == ShapeMnk{1, 1, 1};
  const bool takes_stored = atom.form == MmaForm::wgmma_rs && has_stored_boxes(step.a);
  if ((!is_generated(atom.form) && !takes_stored) || (atom.form == MmaForm::fma && !is_scalar))
    errors.push_back(
        broken("mma_atom", atom.name,
               "the atom must be a multiply-add of one thread (fma), an mma.sync of whole "
               "warps (mma), a wgmma that reads both operands from shared memory (wgmma_ss) or, of "
               "an A of 4 or 8 bits that threads convert, one that takes A from registers "
               "(wgmma_rs): kernels are generated for these"));
  if (atom.form == MmaForm::fma && !adds_as_one(step.accumulate))
    errors.push_back(broken("mma_atom", atom.name,
                            "the sum of a thread's multiply-add must be f32, f64 or s32"));
}

void atom_runs_here(Errors& errors, const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  if (!provides(step.arch, atom.arch))
    errors.push_back(broken("mma_atom", atom.name,
                            base::format("the atom needs {}, the target is {}",
                                         to_string(atom.arch), to_string(step.arch))));
  const auto type_is = [&](const char* operand, const ValueType& of_atom, DType wanted) {
    if (of_atom.dtype != wanted)
      errors.push_back(broken("mma_atom", atom.name,
                              base::format("the atom's {} type ({}) must be the problem's ({})",
                                           operand, of_atom.name, name(wanted))));
  };
  type_is("A", atom.a_type, step.a.type);
  type_is("B", atom.b_type, step.b.type);
  type_is("accumulator", atom.c_type, step.accumulate);
  if (atom.d_type != atom.c_type) type_is("result", atom.d_type, step.accumulate);
}

/// Powers of two along M and N that fill whole warps and no more than a block.
Layout nearest_atom_layout(const Layout& wanted, int threads_of_atom, int most_threads) {
  const Index most = std::max(1, most_threads / threads_of_atom);
  const auto power = [&](int mode) {
    return std::bit_floor(static_cast<std::uint64_t>(bounded_size(wanted[mode].view(), most)));
  };
  std::uint64_t m = power(0), n = power(1);
  const auto count = [&] { return static_cast<Index>(m * n); };
  while (count() > most) (m > n ? m : n) /= 2;
  while (count() * threads_of_atom % kWarp != 0 && 2 * count() <= most) n *= 2;
  return Layout(IntTuple{static_cast<Index>(m), static_cast<Index>(n), 1});
}

void threads_fill_warps(Errors& errors, const GemmStep& step) {
  const Layout& atoms = step.mma.atom_layout();
  const int of_atom = threads(step.mma.atom());
  const int most = limits(step.arch).threads_per_block;
  const auto refuse = [&](std::string rule) {
    errors.push_back(broken("atom_layout", to_string(atoms), std::move(rule),
                            to_string(nearest_atom_layout(atoms, of_atom, most))));
  };
  const Index count = bounded_size(atoms.view(), most);
  const Index parts = bounded_size(atoms[2].view(), most);
  const Layout lanes = lanes_along_k(step);
  if (parts != 1 && row_of(step.family).transfer == Transfer::tma)
    return refuse(
        "one atom must cover K: threads that share out K would have to add up what they hold, as "
        "those of main loops without a producer do");
  if (parts != 1 && !adds_as_one(step.accumulate))
    return refuse(
        base::format("sums of threads that share out K are added as f32, f64 or s32: accumulators "
                     "must not be {}",
                     name(step.accumulate)));
  if (count * of_atom > most || count * of_atom % kWarp != 0)
    return refuse(
        base::format("the atoms must fill whole warps of {} threads, and at most {} threads; each "
                     "takes {}",
                     kWarp, most, of_atom));
  if (parts > 1 && (count / parts * size(lanes) * of_atom % kWarp != 0 ||
                    !is_permutation(make_layout({atoms[0], atoms[1], lanes}), most)))
    return refuse(
        "the atoms of a part of K must be whole warps, one part behind the other, or powers of "
        "two of lanes of the same warp: offsets must begin with those along M and N and of lanes");
  if (!is_permutation(atoms, most))
    return refuse(
        base::format("each of the {} atoms must have its own place: the offsets must be 0 to {}",
                     count, count - 1));
  if (errors.empty() && !is_permutation(thr_layout_vmnk(step.mma), most))
    refuse("the atoms' threads must be those of the block, each once");
}

/// May a tile of that shape be cut into parts of `part` elements? A boundary between parts falls
/// between two of the layout's modes, or cuts one of them evenly.
bool is_cut_by(const Layout& layout, Index part) {
  Index before = 1;
  for (const Index extent : layout.flat_shape()) {
    if (before >= part) return before == part;
    if (before * extent >= part) return part % before == 0 && before * extent % part == 0;
    before *= extent;
  }
  return before == part;
}

void permutation_covers_atoms(Errors& errors, const GemmStep& step) {
  for (size_t i = 0; i < kModes.size(); ++i) {
    const Tiler& mode = step.mma.permutation().modes()[i];
    if (mode.kind() == Tiler::Kind::wildcard) continue;
    const char letter = kModes[i].letter;
    const Index atom = step.mma.atom().shape.*kModes[i].extent;
    const Index unit = atom * size(step.mma.atom_layout()[static_cast<int>(i)]);
    const Layout layout =
        mode.kind() == Tiler::Kind::layout ? mode.layout() : Layout(IntTuple(mode.extent()));
    const Index covered = bounded_size(layout.view(), kLargestMode);
    const auto refuse = [&](std::string rule) {
      errors.push_back(broken(
          base::format("permutation.{}", letter), to_string(mode), std::move(rule),
          std::to_string(nearest_multiple(std::min(covered, kLargestMode / unit * unit), unit))));
    };
    if (covered > kLargestMode || covered % unit != 0)
      refuse(
          base::format("the permutation along {0} must cover a multiple of the {1} elements "
                       "that the atoms cover, and at most {2}",
                       letter, unit, kLargestMode));
    else if (!is_permutation(layout, kLargestMode))
      refuse(base::format("the permutation along {} must reach each of 0 to {} once", letter,
                          covered - 1));
    else if (!is_cut_by(layout, atom) || !is_cut_by(layout, unit))
      refuse(
          base::format("the modes of the permutation along {} must be cut evenly every {} and "
                       "every {} elements, where atoms begin",
                       letter, atom, unit));
  }
}

/// The same instruction for operands that lie as the step's, where its name says how they lie.
std::optional<std::string> named_by_operands(const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  if (atom.template_args.empty()) return std::nullopt;
  const std::string plain = atom.name.substr(0, atom.name.find('<'));
  if (step.a.major == Major::k && step.b.major == Major::k) return plain;
  return base::format("{}<GMMA::Major::{},GMMA::Major::{}>", plain, name(step.a.major),
                      name(step.b.major));
}

/// An operand that an instruction reads from shared memory lies there as in global memory.
void majors_are_operands(Errors& errors, const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  const auto one = [&](const char* letter, Operand operand, Major of_atom, Major wanted) {
    if (in_registers(register_of(atom, operand)) || of_atom == wanted) return;
    errors.push_back(
        broken("mma_atom", atom.name,
               base::format(
                   "the atom reads {} with {} contiguous, in memory {} is: an atom that takes its "
                   "majors as template arguments, or the other order of {}, is needed",
                   letter, name(of_atom), name(wanted), letter),
               named_by_operands(step)));
  };
  one("A", Operand::a, atom.a_major, step.a.major);
  one("B", Operand::b, atom.b_major, step.b.major);
}

}  // namespace

bool is_generated(MmaForm form) {
  return form == MmaForm::fma || form == MmaForm::mma || form == MmaForm::wgmma_ss;
}

Errors mma_rules(const GemmStep& step) {
  Errors errors;
  form_is_generated(errors, step);
  atom_runs_here(errors, step);
  majors_are_operands(errors, step);
  if (!errors.empty()) return errors;
  threads_fill_warps(errors, step);
  if (errors.empty()) permutation_covers_atoms(errors, step);
  return errors;
}

namespace {

/// Sums that are multiplied by scales are of one block each.
void sums_keep_blocks(Errors& errors, const GemmStep& step) {
  const int every = step.promote_every_k;
  for (const OperandPlan* const operand : {&step.a, &step.b}) {
    if (!operand->scales) continue;
    const Index block = operand->scales->numbers.block_inner;
    if (every <= 0 || block % every != 0)
      errors.push_back(broken(
          "promote", std::to_string(every),
          base::format("sums that are multiplied by scales must be of k in one block: a part of "
                       "the block's {}",
                       block == 0 ? std::string("K") : std::to_string(block)),
          std::to_string(step.tile.k)));
  }
  if ((step.a.scales || step.b.scales) && step.schedule.k_starts != 1)
    errors.push_back(broken("k_starts", std::to_string(step.schedule.k_starts),
                            "blocks whose sums are multiplied by scales must begin at the first k",
                            "1"));
  constexpr Index kMostHeld = 200;  // of 232 registers, which addresses share
  const auto count = [](const OperandPlan& operand) {
    return operand.scales ? operand.scales->count : 0;
  };
  const Index held = Index{step.tile.m} * step.tile.n / std::max<Index>(size(step.mma), 1) +
                     promoted_registers(step, step.tile) + count(step.a) + count(step.b);
  if ((step.a.scales || step.b.scales) && held > kMostHeld)
    errors.push_back(
        broken("tile", base::format("{}x{}x{}", step.tile.m, step.tile.n, step.tile.k),
               base::format(
                   "sums and the scales of a run of k must leave registers for the rest: a thread "
                   "holds {}, and must at most {}",
                   held, kMostHeld)));
  const auto covers = [](const OperandPlan& operand) {
    return !operand.scales || operand.scales->place != Address();
  };
  if (!covers(step.a) || !covers(step.b))
    errors.push_back(broken("mma_atom", step.mma.atom().name,
                            "each accumulator must be of one row and one column of the tile"));
}

}  // namespace

Errors promotion_rules(const GemmStep& step) {
  const int every = step.promote_every_k;
  Errors errors;
  sums_keep_blocks(errors, step);
  if (every == 0) return errors;
  const auto refuse = [&](std::string rule, int nearest) {
    errors.push_back(
        broken("promote", std::to_string(every), std::move(rule), std::to_string(nearest)));
  };
  const bool is_scaled_tile = step.mma.atom().form == MmaForm::mma &&
                              is_copied_by_threads(step.schedule.main_loop) &&
                              (step.a.scales || step.b.scales);
  if (!(is_wgmma(step.mma.atom().form) || is_scaled_tile) || step.accumulate != DType::f32)
    refuse(
        "only sums that wgmma accumulates in f32 are promoted, or that scales multiply: it must "
        "be 0",
        0);
  else if (is_scaled_tile && every != step.tile.k)
    refuse(base::format("sums that threads copy stages for are of a k-tile each: it must be "
                        "tile.k ({})",
                        step.tile.k),
           step.tile.k);
  else if (every < 0 || every % step.tile.k != 0)
    refuse(base::format("it must be 0 or a multiple of tile.k ({})", step.tile.k),
           static_cast<int>(nearest_multiple(every, step.tile.k)));
  return errors;
}

}  // namespace jute::plan
