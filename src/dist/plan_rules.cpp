// What must hold of a distributed plan, whoever made it.
#include <jute/dist/distributed_plan.hpp>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/format.hpp"

namespace jute {
namespace {

using Rules = std::vector<std::string>;

Index total(const std::vector<IndexRun>& runs) {
  Index sum = 0;
  for (const IndexRun& run : runs) sum += run.count;
  return sum;
}

/// Are all runs inside a part of that size, at the sender or at the receiver?
bool are_inside(const std::vector<IndexRun>& runs, Index IndexRun::*place, Index size) {
  return std::ranges::all_of(runs, [&](const IndexRun& run) {
    return run.count > 0 && run.*place >= 0 && run.*place + run.count <= size;
  });
}

bool meet(const std::vector<IndexRun>& left, const std::vector<IndexRun>& right) {
  // Both ascend: parcels are made so, and what does not is found by its coverage.
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    if (left[i].to + left[i].count <= right[j].to)
      ++i;
    else if (right[j].to + right[j].count <= left[i].to)
      ++j;
    else
      return true;
  }
  return false;
}

/// One exchange of a plan.
class ExchangeRules {
 public:
  ExchangeRules(const DistributedPlan& plan, const DistributedStep& step, Rules& rules)
      : plan_(plan), step_(step), exchange_(std::get<ExchangeStep>(step.body)), rules_(rules) {}

  void check() {
    if (!are_ranks_right()) return;
    for (const Parcel& parcel : exchange_.parcels) check_inside(parcel);
    check_partners();
    for (Index rank = 0; rank < rank_count(plan_.problem.mesh); ++rank)
      for (std::size_t summand = 0; summand < exchange_.to.size(); ++summand)
        check_filled(rank, static_cast<Index>(summand));
  }

 private:
  void broken(std::string rule) { rules_.push_back(base::format("step {}: {}", step_.name, rule)); }

  bool are_ranks_right() {
    const Index ranks = rank_count(plan_.problem.mesh);
    for (const Parcel& parcel : exchange_.parcels) {
      const bool is_right = parcel.sender >= 0 && parcel.sender < ranks && parcel.receiver >= 0 &&
                            parcel.receiver < ranks && parcel.summand >= 0 &&
                            parcel.summand < static_cast<Index>(exchange_.to.size());
      if (is_right) continue;
      broken(
          base::format("a parcel from {} to {} must be between ranks of the mesh, of a summand "
                       "that there is",
                       parcel.sender, parcel.receiver));
      return false;
    }
    return true;
  }

  void check_inside(const Parcel& parcel) {
    const Mesh& mesh = plan_.problem.mesh;
    const auto from = part_extents(mesh, plan_.buffers[exchange_.from].held, parcel.sender);
    const auto to = part_extents(
        mesh, plan_.buffers[exchange_.to[static_cast<std::size_t>(parcel.summand)]].held,
        parcel.receiver);
    for (const std::size_t dim : {0U, 1U}) {
      if (!are_inside(parcel.runs[dim], &IndexRun::from, from[dim]))
        broken(base::format("what rank {} sends to {} must lie in its part", parcel.sender,
                            parcel.receiver));
      if (!are_inside(parcel.runs[dim], &IndexRun::to, to[dim]))
        broken(base::format("what rank {} gets from {} must lie in its part", parcel.receiver,
                            parcel.sender));
    }
  }

  void check_partners() {
    std::set<std::tuple<Index, Index>> sends, receives;  // (round, rank)
    std::set<std::tuple<Index, Index, Index>> seen;      // (sender, receiver, summand)
    std::set<std::tuple<Index, Index>> pairs;
    Index last = 0;
    for (const Parcel& parcel : exchange_.parcels) {
      if (parcel.round < last)
        broken("parcels must stand in the order of their rounds, which is every rank's");
      last = parcel.round;
      if (!seen.emplace(parcel.sender, parcel.receiver, parcel.summand).second)
        broken(base::format("rank {} must send one parcel of a summand to {}", parcel.sender,
                            parcel.receiver));
      if (!pairs.emplace(parcel.sender, parcel.receiver).second) continue;
      const bool is_only = sends.emplace(parcel.round, parcel.sender).second &&
                           receives.emplace(parcel.round, parcel.receiver).second;
      if (!is_only)
        broken(
            base::format("in round {} rank {} must have one partner", parcel.round, parcel.sender));
    }
  }

  /// Every element comes once.
  void check_filled(Index rank, Index summand) {
    std::vector<const Parcel*> mine;
    Index elements = 0;
    for (const Parcel& parcel : exchange_.parcels) {
      if (parcel.receiver != rank || parcel.summand != summand) continue;
      for (const Parcel* other : mine)
        if (meet(other->runs[0], parcel.runs[0]) && meet(other->runs[1], parcel.runs[1]))
          broken(base::format("what rank {} gets from {} and from {} must not overlap", rank,
                              other->sender, parcel.sender));
      mine.push_back(&parcel);
      elements += total(parcel.runs[0]) * total(parcel.runs[1]);
    }
    const auto part =
        part_extents(plan_.problem.mesh,
                     plan_.buffers[exchange_.to[static_cast<std::size_t>(summand)]].held, rank);
    if (elements != part[0] * part[1])
      broken(base::format(
          "rank {} must get each of the {} elements of {} once, not {}", rank, part[0] * part[1],
          plan_.buffers[exchange_.to[static_cast<std::size_t>(summand)]].name, elements));
  }

  const DistributedPlan& plan_;
  const DistributedStep& step_;
  const ExchangeStep& exchange_;
  Rules& rules_;
};

struct Touched {
  std::vector<std::size_t> read, written;
};

Touched touched(const DistributedStep& step) {
  if (const auto* product = std::get_if<ProductStep>(&step.body)) {
    Touched result{{product->a.buffer, product->b.buffer}, {product->d}};
    if (product->c) result.read.push_back(*product->c);
    return result;
  }
  if (const auto* exchange = std::get_if<ExchangeStep>(&step.body))
    return {{exchange->from}, exchange->to};
  const auto& sum = std::get<SumStep>(step.body);
  Touched result{sum.summands, {sum.d}};
  if (sum.c) result.read.push_back(*sum.c);
  return result;
}

bool share_any(const std::vector<std::size_t>& left, const std::vector<std::size_t>& right) {
  return std::ranges::any_of(
      left, [&](std::size_t place) { return std::ranges::find(right, place) != right.end(); });
}

/// Steps wait for steps ahead of them, and for whoever wrote what they read.
void check_order(const DistributedPlan& plan, Rules& rules) {
  const std::size_t count = plan.steps.size();
  std::vector<std::vector<bool>> waits(count, std::vector<bool>(count, false));
  for (std::size_t step = 0; step < count; ++step)
    for (const std::size_t other : plan.steps[step].after) {
      if (other >= step) {
        rules.push_back(base::format("step {}: it must wait for steps ahead of it alone",
                                     plan.steps[step].name));
        return;
      }
      waits[step][other] = true;
      for (std::size_t before = 0; before < other; ++before)
        if (waits[other][before]) waits[step][before] = true;
    }
  for (std::size_t step = 0; step < count; ++step)
    for (std::size_t other = 0; other < step; ++other) {
      if (waits[step][other]) continue;
      const Touched late = touched(plan.steps[step]), early = touched(plan.steps[other]);
      if (share_any(late.read, early.written) || share_any(late.written, early.written) ||
          share_any(late.written, early.read))
        rules.push_back(
            base::format("step {}: it must wait for step {}, which has the same buffer in use",
                         plan.steps[step].name, plan.steps[other].name));
    }
}

/// What is read was written, or is the caller's.
void check_written(const DistributedPlan& plan, Rules& rules) {
  std::set<std::size_t> there;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    if (plan.buffers[i].is_callers && plan.buffers[i].name != "D") there.insert(i);
  for (const DistributedStep& step : plan.steps) {
    const Touched places = touched(step);
    for (const std::size_t place : places.read)
      if (!there.contains(place))
        rules.push_back(base::format("step {}: {} must be written before it is read", step.name,
                                     plan.buffers[place].name));
    there.insert(places.written.begin(), places.written.end());
  }
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    if (plan.buffers[i].name == "D" && !there.contains(i))
      rules.emplace_back("a step must write D");
}

bool are_places_right(const DistributedPlan& plan, Rules& rules) {
  for (const DistributedStep& step : plan.steps) {
    Touched places = touched(step);
    places.read.insert(places.read.end(), places.written.begin(), places.written.end());
    if (std::ranges::all_of(places.read, [&](std::size_t it) { return it < plan.buffers.size(); }))
      continue;
    rules.push_back(base::format("step {}: it must name buffers of the plan", step.name));
    return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> broken_rules(const DistributedPlan& plan) {
  Rules rules;
  if (!are_places_right(plan, rules)) return rules;
  check_order(plan, rules);
  check_written(plan, rules);
  for (const DistributedStep& step : plan.steps)
    if (std::holds_alternative<ExchangeStep>(step.body)) ExchangeRules(plan, step, rules).check();
  if (plan.device.memory_bytes > 0 && memory_bytes(plan) > plan.device.memory_bytes)
    rules.push_back(base::format("a rank's matrices must fit its memory: {} bytes, not {}",
                                 plan.device.memory_bytes, memory_bytes(plan)));
  return rules;
}

}  // namespace jute
