// The families of a list, and what their models are apart.
#include "plan/choose/ranked/margins.hpp"

#include <algorithm>

#include "base/format.hpp"
#include "plan/cost/tiles/warp_tile_cost.hpp"

namespace jute::plan {
namespace {

bool is_group(const Candidate& candidate, MmaForm form) {
  return std::holds_alternative<GroupTile>(candidate.tile) && candidate.atom.form == form;
}

std::string_view word_of(MmaForm form) {
  return form == MmaForm::fma ? "fma" : form == MmaForm::mma ? "mma" : "wgmma";
}

/// How operands come, and what of the schedule is not the usual.
struct Idea {
  MmaForm form;

  std::string operator()(const GroupTile& tile) const {
    std::string text = said("by TMA", tile.slices);
    if (tile.teams > 1) text += base::format(", {} teams in turn", tile.teams);
    if (tile.beside > 1) text += base::format(", {} blocks beside each other", tile.beside);
    if (tile.cluster.m * tile.cluster.n > 1) text += ", clusters";
    return text;
  }
  std::string operator()(const WarpTile& tile) const { return copied(tile.transfer, tile.slices); }
  std::string operator()(const ThreadTile& tile) const {
    return copied(tile.transfer, tile.slices);
  }
  std::string operator()(const StraightTile&) const { return said("straight", 1); }
  std::string operator()(const LaneTile&) const { return said("straight", 1); }
  std::string operator()(const DotTile&) const { return "dot products"; }
  std::string operator()(const LineTile&) const { return said("of lines in whole chunks", 1); }

 private:
  [[nodiscard]] std::string said(std::string_view way, int slices) const {
    return base::format("{} {}{}", word_of(form), way, slices > 1 ? ", slices of K" : "");
  }
  [[nodiscard]] std::string copied(Transfer transfer, int slices) const {
    return said(transfer == Transfer::cp_async ? "by cp.async" : "through registers", slices);
  }
};

}  // namespace

Margins::Margins(const std::vector<Candidate>& candidates, const KernelProblem& problem)
    : problem_(problem) {
  const auto has = [&](const auto& is) { return std::ranges::any_of(candidates, is); };
  has_warp_groups_ = has([](const Candidate& one) { return is_group(one, MmaForm::mma); });
  has_thread_groups_ = has([](const Candidate& one) { return is_group(one, MmaForm::fma); });
  has_lines_ = has([](const Candidate& one) { return std::holds_alternative<LineTile>(one.tile); });
}

double Margins::of(const Candidate& candidate, double clocks) const {
  if (const auto* warps = std::get_if<WarpTile>(&candidate.tile))
    return others_ahead_of_warps(problem_) +
           (warps->slices > 1 && has_warp_groups_ ? (kCutBesideGroups - 1) * clocks : 0);
  if (is_group(candidate, MmaForm::mma)) return others_ahead_of_warps(problem_);
  if (const auto* threads = std::get_if<ThreadTile>(&candidate.tile))
    return threads->slices > 1 && has_thread_groups_ ? (kCutBesideProducer - 1) * clocks : 0;
  return std::holds_alternative<StraightTile>(candidate.tile) && has_lines_ ? -kStraightTooMuch : 0;
}

std::string idea_of(const Candidate& candidate) {
  return std::visit(Idea{candidate.atom.form}, candidate.tile);
}

}  // namespace jute::plan
