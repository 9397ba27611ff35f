// Faults seeded into right plans: a rule names each.
#include <functional>
#include <map>

#include "dist/distributed_cases.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

struct Fault {
  std::string name;
  /// False: the plan has no place for it.
  std::function<bool(DistributedPlan&, std::mt19937&)> seed;
  std::string rule;  ///< a part of what must be said
};

ExchangeStep* exchange_of(DistributedPlan& plan, std::mt19937& random) {
  std::vector<ExchangeStep*> all;
  for (DistributedStep& step : plan.steps)
    if (auto* exchange = std::get_if<ExchangeStep>(&step.body);
        exchange != nullptr && !exchange->parcels.empty())
      all.push_back(exchange);
  if (all.empty()) return nullptr;
  return all[static_cast<std::size_t>(drawn(random, 0, static_cast<Index>(all.size()) - 1))];
}

Parcel* parcel_of(DistributedPlan& plan, std::mt19937& random) {
  ExchangeStep* exchange = exchange_of(plan, random);
  if (exchange == nullptr) return nullptr;
  return &exchange->parcels[static_cast<std::size_t>(
      drawn(random, 0, static_cast<Index>(exchange->parcels.size()) - 1))];
}

const std::vector<Fault>& faults() {
  static const std::vector<Fault> kFaults{
      {"a parcel is lost",
       [](DistributedPlan& plan, std::mt19937& random) {
         ExchangeStep* exchange = exchange_of(plan, random);
         if (exchange == nullptr) return false;
         exchange->parcels.erase(
             exchange->parcels.begin() +
             drawn(random, 0, static_cast<Index>(exchange->parcels.size()) - 1));
         return true;
       },
       "must get each of the"},
      {"a parcel comes twice",
       [](DistributedPlan& plan, std::mt19937& random) {
         ExchangeStep* exchange = exchange_of(plan, random);
         if (exchange == nullptr) return false;
         exchange->parcels.push_back(exchange->parcels.back());
         return true;
       },
       "must send one parcel"},
      {"the sender is no rank",
       [](DistributedPlan& plan, std::mt19937& random) {
         Parcel* parcel = parcel_of(plan, random);
         if (parcel == nullptr) return false;
         parcel->sender = rank_count(plan.problem.mesh);
         return true;
       },
       "must be between ranks"},
      {"the wrong peer gets it",
       [](DistributedPlan& plan, std::mt19937& random) {
         Parcel* parcel = parcel_of(plan, random);
         if (parcel == nullptr || rank_count(plan.problem.mesh) < 2) return false;
         parcel->receiver = (parcel->receiver + 1) % rank_count(plan.problem.mesh);
         return true;
       },
       "must"},
      {"a run is cut short",
       [](DistributedPlan& plan, std::mt19937& random) {
         Parcel* parcel = parcel_of(plan, random);
         if (parcel == nullptr) return false;
         parcel->runs[0].front().count -= 1;
         return true;
       },
       "must"},
      {"a run lands past its part",
       [](DistributedPlan& plan, std::mt19937& random) {
         Parcel* parcel = parcel_of(plan, random);
         if (parcel == nullptr) return false;
         parcel->runs[1].back().to += 1000;
         return true;
       },
       "must lie in its part"},
      {"a run begins past what is held",
       [](DistributedPlan& plan, std::mt19937& random) {
         Parcel* parcel = parcel_of(plan, random);
         if (parcel == nullptr) return false;
         parcel->runs[1].back().from += 1000;
         return true;
       },
       "must lie in its part"},
      {"a step does not wait",
       [](DistributedPlan& plan, std::mt19937&) {
         for (DistributedStep& step : plan.steps)
           if (!step.after.empty()) {
             step.after.clear();
             return true;
           }
         return false;
       },
       "it must wait for step"},
      {"a step waits for itself",
       [](DistributedPlan& plan, std::mt19937&) {
         plan.steps.back().after.push_back(plan.steps.size() - 1);
         return true;
       },
       "steps ahead of it alone"},
      {"what is read was never written",
       [](DistributedPlan& plan, std::mt19937&) {
         for (std::size_t i = 0; i < plan.steps.size(); ++i)
           if (std::holds_alternative<ExchangeStep>(plan.steps[i].body)) {
             const std::vector<std::size_t> to = std::get<ExchangeStep>(plan.steps[i].body).to;
             for (const std::size_t place : to) plan.buffers[place].is_callers = false;
             std::get<ExchangeStep>(plan.steps[i].body).to = std::vector<std::size_t>(
                 to.size(), std::get<ExchangeStep>(plan.steps[i].body).from);
             return true;
           }
         return false;
       },
       "must"},
      {"a round has two partners",
       [](DistributedPlan& plan, std::mt19937&) {
         for (DistributedStep& step : plan.steps) {
           auto* exchange = std::get_if<ExchangeStep>(&step.body);
           if (exchange == nullptr) continue;
           for (Parcel& parcel : exchange->parcels) {
             for (const Parcel& other : exchange->parcels)
               if (other.sender == parcel.sender && other.receiver != parcel.receiver) {
                 for (Parcel& any : exchange->parcels) any.round = 0;
                 return true;
               }
           }
         }
         return false;
       },
       "must have one partner"},
      {"rounds are out of order",
       [](DistributedPlan& plan, std::mt19937&) {
         for (DistributedStep& step : plan.steps) {
           auto* exchange = std::get_if<ExchangeStep>(&step.body);
           if (exchange == nullptr) continue;
           if (exchange->parcels.front().round == exchange->parcels.back().round) continue;
           std::swap(exchange->parcels.front(), exchange->parcels.back());
           return true;
         }
         return false;
       },
       "order of their rounds"},
      {"a buffer is none of the plan's",
       [](DistributedPlan& plan, std::mt19937& random) {
         ExchangeStep* exchange = exchange_of(plan, random);
         if (exchange == nullptr) return false;
         exchange->to.front() = plan.buffers.size();
         return true;
       },
       "must name buffers of the plan"},
      {"D is never written",
       [](DistributedPlan& plan, std::mt19937&) {
         plan.steps.pop_back();
         return true;
       },
       "must write D"},
      {"memory is too small",
       [](DistributedPlan& plan, std::mt19937&) {
         plan.device.memory_bytes = 1;
         return true;
       },
       "must fit its memory"},
  };
  return kFaults;
}

}  // namespace

TEST_CASE("every fault that is seeded into a plan is named", "[dist][plan][faults]") {
  std::mt19937 random(21);
  std::map<std::string, int> seeded;
  for (int i = 0; i < 40; ++i) {
    const DistributedPlan right = make_plan(random_distributed(random), device_preset("h200"));
    REQUIRE(broken_rules(right).empty());
    for (const Fault& fault : faults()) {
      DistributedPlan wrong = right;
      if (!fault.seed(wrong, random)) continue;
      ++seeded[fault.name];
      std::string said;
      for (const std::string& rule : broken_rules(wrong)) said += rule + "\n";
      INFO(fault.name << " in " << right.problem << "\n" << said);
      CHECK(said.find(fault.rule) != std::string::npos);
    }
  }
  for (const Fault& fault : faults()) {
    INFO(fault.name);
    CHECK(seeded[fault.name] > 3);
  }
}

}  // namespace jute::test
