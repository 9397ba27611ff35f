// A prediction as the library's callers have it, part by part.
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/cost/prediction.hpp>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/law.hpp"
#include "plan/cost/moves.hpp"

namespace jute {
namespace plan {

double clocks_of_moves(const MovedBytes& moved, Index m, Index batch) {
  const double bytes = static_cast<double>(m) * moved.row + moved.other;
  return bytes > 0 ? fitted::kMoves + static_cast<double>(batch) * bytes / fitted::kMoved : 0;
}

Prediction with_moves(Prediction prediction, const MovedBytes& moved, Index m, Index batch) {
  const double clocks = clocks_of_moves(moved, m, batch);
  prediction.moves += clocks;
  prediction.clocks += clocks;
  return prediction;
}

}  // namespace plan

Prediction KernelCost::at(Index m, Index batch) const {
  const Prediction alone =
      plan::clocks(block, with_rows(block, grid, m, batch), cut, law.rates, law.of);
  return plan::with_moves(alone, moved, m, batch);
}

std::vector<Term> terms(const Prediction& p) {
  const double memory = p.memory + p.past_the_edge + p.last_end;
  const bool is_work = p.work >= memory;
  const double ends = p.ends * (p.tile + p.epilogue), at_full_power = p.work / p.power;
  const double k_blocks = is_work ? at_full_power - ends : 0;
  const bool waits = std::abs(p.k_block - p.feed) < std::abs(p.k_block - p.products);
  std::vector<Term> all{{"launch", p.launch},
                        {"start", p.start},
                        {"products", waits ? 0 : k_blocks},
                        {"feed", waits ? k_blocks : 0},
                        {"ends of tiles", is_work ? ends : p.last_end},
                        {"power limit", is_work ? p.work - at_full_power : 0},
                        {"memory", is_work ? 0 : p.memory},
                        {"rows past the edge", is_work ? 0 : p.past_the_edge},
                        {"overlap", p.least},
                        {"reduction", p.reduction},
                        {"copies", p.moves}};
  std::erase_if(all, [](const Term& term) { return term.clocks == 0; });
  return all;
}

namespace {

/// Clocks and rounds as whole numbers, factors in thousandths.
Index whole(double value) { return static_cast<Index>(std::llround(value)); }

FieldList list_of(const std::vector<Term>& all) {
  FieldList list;
  for (const Term& term : all)
    list.items.push_back({"term",
                          Fields{{"name", std::string(term.name)}, {"clocks", whole(term.clocks)}},
                          base::format("{} {}", term.name, whole(term.clocks))});
  return list;
}

}  // namespace

Fields fields(const Prediction& prediction) {
  const auto factor = [](double value) { return base::format("{:.3f}", value); };
  return {{"clocks", whole(prediction.clocks)},
          {"launch", whole(prediction.launch)},
          {"start", whole(prediction.start)},
          {"waves", whole(prediction.waves)},
          {"k_blocks", whole(prediction.k_blocks)},
          {"k_block", whole(prediction.k_block)},
          {"products", whole(prediction.products)},
          {"feed", whole(prediction.feed)},
          {"tile", whole(prediction.tile)},
          {"epilogue", whole(prediction.epilogue)},
          {"ends", factor(prediction.ends)},
          {"power", factor(prediction.power)},
          {"work", whole(prediction.work)},
          {"memory", whole(prediction.memory)},
          {"past_the_edge", whole(prediction.past_the_edge)},
          {"last_end", whole(prediction.last_end)},
          {"least", whole(prediction.least)},
          {"reduction", whole(prediction.reduction)},
          {"moves", whole(prediction.moves)},
          {"terms", list_of(terms(prediction))}};
}

}  // namespace jute
