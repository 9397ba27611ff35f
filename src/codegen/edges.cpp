// Asks the plan what a tile is sure of, and joins the rest.
#include "codegen/edges.hpp"

#include <jute/plan/values/shares.hpp>

#include "codegen/kernel.hpp"

namespace jute::codegen {

bool has_whole_tiles(const GemmStep& step, Operand across) {
  // A cluster may reach past an edge with a whole tile.
  const bool is_a = across == Operand::a;
  const ClusterShape& cluster = step.schedule.cluster;
  const int together = says_cluster(step.schedule) ? kMostClusterBlocks
                       : is_a                      ? cluster.m
                                                   : cluster.n;
  return is_multiple(is_a ? step.m : step.n, (is_a ? step.tile.m : step.tile.n) * together);
}

bool has_whole_k_tiles(const GemmStep& step) {
  return is_multiple(step.k, step.tile.k) && !begins_inside_k(step.a) && !begins_inside_k(step.b);
}

bool may_lack_k_tiles(const GemmStep& step) {
  const bool is_of_groups = step.groups && step.groups->along == GroupedAlong::k;
  return !step.k.baked || step.k.value == 0 || takes_split_k(step) || is_of_groups ||
         lists_operands(step.groups);
}

std::string extent_of_all(const GemmStep& step, Operand across) {
  const bool is_a = across == Operand::a;
  const bool is_cut =
      deals_tiles(step.groups) && step.groups->along == (is_a ? GroupedAlong::m : GroupedAlong::n);
  return std::string(is_cut || lists_operands(step.groups) ? "most_" : "") + (is_a ? "m" : "n");
}

std::string extents_of_all(const GemmStep& step) {
  return extent_of_all(step, Operand::a) + ", " + extent_of_all(step, Operand::b);
}

std::string if_any(const GemmStep& step) {
  return may_lack_k_tiles(step) ? "if (k_tiles > 0) " : "";
}

std::string joined(std::initializer_list<Condition> conditions, const char* join) {
  std::string text;
  for (const Condition& one : conditions)
    if (!one.always) text += (text.empty() ? "" : join) + one.text;
  return text;
}

std::string where(const std::string& condition, const std::string& value,
                  const std::string& otherwise) {
  return condition.empty() ? value : condition + " ? " + value + " : " + otherwise;
}

std::string inside_tile(const GemmStep& step) {
  return joined({{has_whole_tiles(step, Operand::a), "first_m + kTileM <= m"},
                 {has_whole_tiles(step, Operand::b), "first_n + kTileN <= n"}});
}

std::string ahead_of_others(const std::string& condition) {
  return condition.empty() ? "" : condition + " && ";
}

std::string only_if(const std::string& condition) {
  return condition.empty() ? "" : "if (" + condition + ") ";
}

}  // namespace jute::codegen
