// The rules of a distributed plan, whoever made it.
#include <jute/dist/distributed_plan.hpp>

#include <algorithm>
#include <unordered_set>

#include "base/format.hpp"
#include "dist/arrivals.hpp"
#include "dist/collective.hpp"
#include "dist/in_place.hpp"
#include "dist/touched.hpp"

namespace jute {
namespace {

using Rules = std::vector<std::string>;

/// Are all runs inside a part of that size, at the sender or at the receiver?
bool are_inside(const std::vector<IndexRun>& runs, Index IndexRun::*place, Index size) {
  return std::ranges::all_of(runs, [&](const IndexRun& run) {
    return run.count > 0 && run.*place >= 0 && run.*place + run.count <= size;
  });
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
    if (exchange_.carrier != Carrier::transport) check_meeting();
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

  /// Readers come as kernels behind the meeting, in its lane; the next run writes elsewhere.
  void check_meeting() {
    const bool is_read = exchange_.carrier == Carrier::readers;
    std::string fault =
        is_read ? dist::fault_in_place(plan_, exchange_) : dist::fault_of_stores(plan_, exchange_);
    if (!fault.empty()) broken(std::move(fault));
    if (step_.lane != Lane::compute)
      broken("ranks must meet in the lane of the kernels that write and read");
    const auto behind = [&](const DistributedStep& step) { return &step > &step_; };
    for (const DistributedStep& step : plan_.steps)
      for (const dist::TouchedBuffer& written : dist::touched_parts(plan_, step).written)
        if (behind(step) && written.buffer == exchange_.from)
          broken(base::format("step {} must not write {}, which other ranks {}", step.name,
                              plan_.buffers[exchange_.from].name,
                              is_read ? "read in place" : "have by then"));
  }

  void check_partners() {
    const Index ranks = rank_count(plan_.problem.mesh);
    const auto summands = static_cast<Index>(exchange_.to.size());
    std::unordered_set<Index> sends, receives;  // rank and round
    std::unordered_set<Index> seen, pairs;      // sender and receiver, with the summand or without
    Index last = 0;
    for (const Parcel& parcel : exchange_.parcels) {
      if (parcel.round < last)
        broken("parcels must stand in the order of their rounds, which is every rank's");
      last = parcel.round;
      const Index pair = parcel.sender + ranks * parcel.receiver;
      if (!seen.insert(parcel.summand + summands * pair).second)
        broken(base::format("rank {} must send one parcel of a summand to {}", parcel.sender,
                            parcel.receiver));
      if (!pairs.insert(pair).second) continue;
      const bool is_only = sends.insert(parcel.sender + ranks * parcel.round).second &&
                           receives.insert(parcel.receiver + ranks * parcel.round).second;
      if (!is_only)
        broken(
            base::format("in round {} rank {} must have one partner", parcel.round, parcel.sender));
    }
  }

  const DistributedPlan& plan_;
  const DistributedStep& step_;
  const ExchangeStep& exchange_;
  Rules& rules_;
};

void add_inputs(std::vector<std::size_t>& places, const std::vector<StepInput>& inputs) {
  for (const StepInput& input : inputs)
    if (input.buffer) places.push_back(*input.buffer);
}

/// Buffers that a step names.
std::vector<std::size_t> places_of(const DistributedStep& step) {
  if (const auto* product = std::get_if<ProductStep>(&step.body)) {
    std::vector<std::size_t> places{product->a.buffer, product->b.buffer, product->d};
    if (product->c) places.push_back(*product->c);
    add_inputs(places, product->inputs);
    return places;
  }
  if (const auto* exchange = std::get_if<ExchangeStep>(&step.body)) {
    std::vector<std::size_t> places = exchange->to;
    places.push_back(exchange->from);
    return places;
  }
  if (const auto* collective = std::get_if<CollectiveStep>(&step.body))
    return {collective->from, collective->to};
  const auto& sum = std::get<SumStep>(step.body);
  std::vector<std::size_t> places = sum.summands;
  places.push_back(sum.d);
  if (sum.c) places.push_back(*sum.c);
  if (sum.own) places.push_back(sum.own->buffer);
  add_inputs(places, sum.inputs);
  return places;
}

/// The buffers that steps touch, in which order, and whether they have come.
class OrderRules {
 public:
  OrderRules(const DistributedPlan& plan, Rules& rules) : plan_(plan), rules_(rules) {
    for (const DistributedStep& step : plan.steps)
      touched_.push_back(dist::touched_parts(plan, step));
  }

  void check() {
    if (!find_waits()) return;
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      for (std::size_t other = 0; other < step; ++other) check_pair(step, other);
      for (const dist::TouchedBuffer& read : touched_[step].read)
        check_there(read, waits_[step], plan_.steps[step].name);
    }
    const std::vector<bool> all(plan_.steps.size(), true);
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
      if (plan_.buffers[i].name == "D" && plan_.buffers[i].is_callers) check_d(i, all);
    check_once();
  }

 private:
  using Writes = std::vector<const dist::TouchedBuffer*>;

  /// throws nothing; false: a step waits for what is not ahead of it
  bool find_waits() {
    const std::size_t count = plan_.steps.size();
    waits_.assign(count, std::vector<bool>(count, false));
    for (std::size_t step = 0; step < count; ++step) {
      for (const std::size_t other : plan_.steps[step].after) {
        if (other >= step) {
          rules_.push_back(base::format("step {}: it must wait for steps ahead of it alone",
                                        plan_.steps[step].name));
          return false;
        }
        wait(step, other);
      }
      // Its kernel waits, for each piece.
      const auto* product = std::get_if<ProductStep>(&plan_.steps[step].body);
      if (product != nullptr && product->arriving && product->arriving->exchange < step)
        wait(step, product->arriving->exchange);
    }
    return true;
  }

  void wait(std::size_t step, std::size_t other) {
    waits_[step][other] = true;
    for (std::size_t before = 0; before < other; ++before)
      if (waits_[other][before]) waits_[step][before] = true;
  }

  void check_pair(std::size_t step, std::size_t other) {
    if (waits_[step][other]) return;
    const dist::TouchedParts &late = touched_[step], &early = touched_[other];
    if (dist::share_elements(late.read, early.written) ||
        dist::share_elements(late.written, early.written) ||
        dist::share_elements(late.written, early.read))
      rules_.push_back(
          base::format("step {}: it must wait for step {}, which has the same buffer "
                       "in use",
                       plan_.steps[step].name, plan_.steps[other].name));
  }

  [[nodiscard]] Writes writes_of(std::size_t buffer, const std::vector<bool>& steps) const {
    Writes result;
    for (std::size_t step = 0; step < steps.size(); ++step) {
      if (!steps[step]) continue;
      for (const dist::TouchedBuffer& written : touched_[step].written)
        if (written.buffer == buffer) result.push_back(&written);
    }
    return result;
  }

  /// Is all that is read the caller's, or written by steps that are waited for?
  void check_there(const dist::TouchedBuffer& read, const std::vector<bool>& waits,
                   const std::string& step) {
    const RankBuffer& buffer = plan_.buffers[read.buffer];
    if (buffer.is_callers && buffer.name != "D") return;
    const Writes writes = writes_of(read.buffer, waits);
    if (writes.empty()) {
      rules_.push_back(
          base::format("step {}: {} must be written before it is read", step, buffer.name));
      return;
    }
    for (std::size_t rank = 0; rank < read.patches.size(); ++rank) {
      Index wanted = 0, there = 0;
      for (const dist::Patch& patch : read.patches[rank]) {
        wanted += dist::elements_of(patch);
        for (const dist::TouchedBuffer* write : writes)
          for (const dist::Patch& it : write->patches[rank])
            there += dist::shared_elements(patch, it);
      }
      if (wanted != there)
        rules_.push_back(
            base::format("step {}: rank {} must get each of the {} elements of {} once, not {}",
                         step, rank, wanted, buffer.name, there));
    }
  }

  void check_d(std::size_t buffer, const std::vector<bool>& all) {
    if (writes_of(buffer, all).empty())
      rules_.emplace_back("a step must write D");
    else
      check_there(dist::all_of(plan_, buffer), all, "end");
  }

  /// No element of a buffer comes twice.
  void check_once() {
    const std::vector<bool> all(plan_.steps.size(), true);
    for (std::size_t buffer = 0; buffer < plan_.buffers.size(); ++buffer) {
      const Writes writes = writes_of(buffer, all);
      for (std::size_t rank = 0; rank < static_cast<std::size_t>(rank_count(plan_.problem.mesh));
           ++rank) {
        std::vector<const dist::Patch*> patches;
        for (const dist::TouchedBuffer* write : writes)
          for (const dist::Patch& patch : write->patches[rank]) patches.push_back(&patch);
        if (dist::overlap(patches))
          rules_.push_back(base::format("what rank {} gets of {} must not overlap", rank,
                                        plan_.buffers[buffer].name));
      }
    }
  }

  const DistributedPlan& plan_;
  Rules& rules_;
  std::vector<dist::TouchedParts> touched_;
  std::vector<std::vector<bool>> waits_;
};

bool are_places_right(const DistributedPlan& plan, Rules& rules) {
  for (const DistributedStep& step : plan.steps) {
    if (std::ranges::all_of(places_of(step),
                            [&](std::size_t it) { return it < plan.buffers.size(); }))
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
  OrderRules(plan, rules).check();
  for (const DistributedStep& step : plan.steps) {
    if (std::holds_alternative<ExchangeStep>(step.body)) ExchangeRules(plan, step, rules).check();
    if (const auto* product = std::get_if<ProductStep>(&step.body); product && product->arriving)
      for (const std::string& fault : dist::faults_of_arrival(plan, step))
        rules.push_back(base::format("step {}: {}", step.name, fault));
    if (const auto* collective = std::get_if<CollectiveStep>(&step.body))
      if (const std::string fault = dist::fault_of(plan, *collective); !fault.empty())
        rules.push_back(base::format("step {}: {}", step.name, fault));
  }
  if (plan.device.memory_bytes > 0 && memory_bytes(plan) > plan.device.memory_bytes)
    rules.push_back(base::format("a rank's matrices must fit its memory: {} bytes, not {}",
                                 plan.device.memory_bytes, memory_bytes(plan)));
  return rules;
}

}  // namespace jute
