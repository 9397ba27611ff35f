// A prediction as the library's callers have it, part by part.
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/cost/prediction.hpp>

#include <cmath>

#include "base/format.hpp"
#include "plan/cost/cost_model.hpp"

namespace jute {

Prediction KernelCost::at(Index m, Index batch) const {
  const plan::Outcome outcome = plan::outcome(*this, m, batch);
  Prediction result = parts;
  result.start = outcome.start;
  result.waves = outcome.waves;
  result.feed = outcome.feed;
  result.k_block = outcome.k_block;
  result.tile = outcome.tile;
  result.ends = outcome.ends;
  result.power = outcome.power;
  result.work = outcome.work;
  result.memory = outcome.memory;
  result.past_the_edge = outcome.past_the_edge;
  result.last_end = outcome.last_end;
  result.least = outcome.least;
  result.meet = outcome.meet;
  result.moves = outcome.moves;
  result.clocks = outcome.clocks;
  return result;
}

Fields fields(const Prediction& prediction) {
  // Clocks and rounds as whole numbers, factors in hundredths.
  const auto whole = [](double value) { return static_cast<Index>(std::llround(value)); };
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
          {"meet", whole(prediction.meet)},
          {"moves", whole(prediction.moves)}};
}

}  // namespace jute
