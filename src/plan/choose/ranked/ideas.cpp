// The words of families and schedules.
#include "plan/choose/ranked/ideas.hpp"

#include "base/format.hpp"

namespace jute::plan {
namespace {

std::string_view word_of(MmaForm form) {
  return form == MmaForm::fma ? "fma" : form == MmaForm::mma ? "mma" : "wgmma";
}

/// How operands come, and what of the schedule is not the usual.
struct Idea {
  MmaForm form;

  std::string operator()(const WarpgroupTile& tile) const {
    std::string text = said("by TMA", tile.split_k);
    if (tile.ping_pong > 1) text += base::format(", ping-pong of {}", tile.ping_pong);
    if (tile.co_resident > 1) text += base::format(", {} co-resident blocks", tile.co_resident);
    if (tile.cluster.m * tile.cluster.n > 1) text += ", clusters";
    return text;
  }
  std::string operator()(const WarpTile& tile) const { return copied(tile.transfer, tile.split_k); }
  std::string operator()(const ThreadTile& tile) const {
    return copied(tile.transfer, tile.split_k);
  }
  std::string operator()(const StraightTile&) const { return said("straight", 1); }
  std::string operator()(const LaneTile&) const { return said("straight", 1); }
  std::string operator()(const DotTile&) const { return "dot products"; }
  std::string operator()(const LineTile&) const { return said("of lines in whole chunks", 1); }

 private:
  [[nodiscard]] std::string said(std::string_view way, int split_k) const {
    return base::format("{} {}{}", word_of(form), way, split_k > 1 ? ", slices of K" : "");
  }
  [[nodiscard]] std::string copied(Transfer transfer, int split_k) const {
    return said(transfer == Transfer::cp_async ? "by cp.async" : "through registers", split_k);
  }
};

}  // namespace

std::string idea_of(const Candidate& candidate) {
  return std::visit(Idea{candidate.atom.form}, candidate.tile);
}

}  // namespace jute::plan
