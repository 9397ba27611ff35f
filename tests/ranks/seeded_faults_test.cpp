// Sixty faults seeded into plans and kernels of several ranks, counted: a wait that is dropped, a
// flag before its data or of the GPU's scope, the wrong peer, a chunk that is used again too early,
// steps in another order on one rank.
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <chrono>
#include <map>

#include "dist/distributed_cases.hpp"
#include "ranks/named_faults.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

/// What was seeded, and what was said.
struct SeededFault {
  std::string kind;
  bool is_named = false;
  std::string where, said;
};

DistributedPlan planned_by(const std::string& text) {
  return make_plan(parse_distributed_problem(text), device_preset("h200"));
}

/// All-gather, reduce-scatter and a sum by rounds, summands in place and stored, SUMMA, one step
/// after the other.
const std::vector<DistributedPlan>& plans_to_break() {
  static const std::vector<DistributedPlan> kPlans = [] {
    const std::string shape = "M=64 N=128 K=96 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 ";
    std::vector<DistributedPlan> plans;
    for (const char* rest : {"mesh=tp=4 place=A=M@tp,B=N@tp,D=N@tp share=N@tp overlap=chunks",
                             "mesh=tp=3 place=A=K@tp,B=K@tp,D=M@tp share=K@tp overlap=chunks",
                             "mesh=tp=2 place=A=K@tp,B=K@tp share=K@tp overlap=one-shot",
                             "mesh=tp=4 place=A=K@tp,B=K@tp,D=M@tp share=K@tp overlap=one-shot",
                             "mesh=tp=3 place=A=K@tp,B=K@tp,D=M@tp share=K@tp overlap=store",
                             "mesh=row=2,col=2 place=A=M@row,K@col,B=K@row,N@col,D=M@row,N@col "
                             "share=M@row,N@col overlap=none",
                             "mesh=tp=3 place=A=K@tp,B=K@tp share=K@tp overlap=none"})
      plans.push_back(planned_by(shape + rest));
    return plans;
  }();
  return kPlans;
}

bool says_any(const std::string& said, std::initializer_list<const char*> parts) {
  return std::ranges::any_of(
      parts, [&](const char* part) { return said.find(part) != std::string::npos; });
}

/// Does a step wait for another by way of a third?
bool waits_by_others(const DistributedPlan& plan, std::size_t step, std::size_t other) {
  return std::ranges::any_of(plan.steps[step].after, [&](std::size_t it) {
    return it != other && (it > other) &&
           (std::ranges::find(plan.steps[it].after, other) != plan.steps[it].after.end() ||
            waits_by_others(plan, it, other));
  });
}

/// Every edge that nothing else stands for, dropped by itself.
void drop_waits(const DistributedPlan& right, std::vector<SeededFault>& all) {
  for (std::size_t step = 0; step < right.steps.size(); ++step)
    for (const std::size_t other : right.steps[step].after) {
      if (waits_by_others(right, step, other)) continue;
      DistributedPlan wrong = right;
      std::erase(wrong.steps[step].after, other);
      const std::string said = rules_said(wrong);
      const bool is_named =
          says_any(said, {"it must wait for step", "written before it is read"}) &&
          said.find("step " + right.steps[step].name) != std::string::npos;
      all.push_back({"a wait is dropped", is_named, right.steps[step].name, said});
    }
}

/// A parcel of each exchange goes to the rank behind its own.
void mistake_peers(const DistributedPlan& right, std::mt19937& random,
                   std::vector<SeededFault>& all) {
  const Index ranks = rank_count(right.problem.mesh);
  for (std::size_t step = 0; step < right.steps.size(); ++step) {
    DistributedPlan wrong = right;
    auto* exchange = std::get_if<ExchangeStep>(&wrong.steps[step].body);
    if (exchange == nullptr) continue;
    Parcel& parcel = exchange->parcels[static_cast<std::size_t>(
        drawn(random, 0, static_cast<Index>(exchange->parcels.size()) - 1))];
    parcel.receiver = (parcel.receiver + 1) % ranks;
    const std::string said = rules_said(wrong);
    const bool is_named =
        says_any(said, {"must get each of", "must send one parcel", "must have one partner",
                        "must lie in its part", "must read summand"}) &&
        said.find("rank ") != std::string::npos;
    all.push_back({"the wrong peer", is_named, right.steps[step].name, said});
  }
}

/// What comes in a round lands where that of another round is still read; in place: what others
/// read is written again.
void use_chunks_early(const DistributedPlan& right, std::vector<SeededFault>& all) {
  for (std::size_t step = 0; step < right.steps.size(); ++step) {
    DistributedPlan wrong = right;
    auto* exchange = std::get_if<ExchangeStep>(&wrong.steps[step].body);
    if (exchange == nullptr) continue;
    bool is_seeded = false;
    if (exchange->carrier == Carrier::readers) {
      for (DistributedStep& later : wrong.steps)
        if (auto* sum = std::get_if<SumStep>(&later.body)) {
          sum->d = exchange->from;
          is_seeded = true;
        }
    }
    for (std::size_t other = 0; other < step && !is_seeded; ++other) {
      const auto* before = std::get_if<ExchangeStep>(&right.steps[other].body);
      if (before == nullptr || before->to != exchange->to) continue;
      for (Parcel& parcel : exchange->parcels)
        for (const Parcel& was : before->parcels)
          if (was.receiver == parcel.receiver && was.summand == parcel.summand)
            for (const std::size_t dim : {0U, 1U}) {
              is_seeded = is_seeded || parcel.runs[dim].front().to != was.runs[dim].front().to;
              parcel.runs[dim].front().to = was.runs[dim].front().to;
            }
    }
    if (!is_seeded) continue;
    const std::string said = rules_said(wrong);
    const bool is_named = says_any(said, {"must not overlap", "must wait for step",
                                          "must get each of", "which other ranks read in place"});
    all.push_back({"a chunk is used again too early", is_named, right.steps[step].name, said});
  }
}

/// Steps that follow each other, changed about: by all ranks where one needs the other, else by
/// one.
void swap_orders(const RanksOfEmulators& emulators, const DistributedPlan& right,
                 std::vector<SeededFault>& all) {
  for (std::size_t step = 0; step + 1 < right.steps.size(); ++step) {
    DistributedPlan wrong = right;
    std::swap(wrong.steps[step], wrong.steps[step + 1]);
    const auto& after = right.steps[step + 1].after;
    if (std::ranges::find(after, step) != after.end()) {
      const std::string said = rules_said(wrong);
      const bool is_named = says_any(said, {"steps ahead of it alone", "must wait for step"});
      all.push_back({"the order is swapped", is_named, right.steps[step].name, said});
      continue;
    }
    const auto ends = in_process_communicators(emulators.backends(rank_count(right.problem.mesh)));
    const auto errors = errors_of(
        ends, [&](Communicator& end) { require_same_plan(end, end.rank() == 1 ? wrong : right); });
    const bool is_named = std::ranges::all_of(errors, [](const std::optional<Error>& it) {
      return it && it->operand == "plan" && it->value.find("of rank 1") != std::string::npos;
    });
    all.push_back({"the order is swapped on one rank", is_named, right.steps[step].name,
                   errors.front() ? to_string(*errors.front()) : ""});
  }
}

/// A text of the kernel that meets, and what finds it. Flags of the turn to come are not found: a
/// peer that is as far by then has released what is read, so that the schedule decides.
struct WrongKernel {
  std::string kind, from, to, named_by;
};
const std::vector<WrongKernel>& wrong_kernels() {
  static const std::vector<WrongKernel> kKernels{
      {"gpu for sys scope", "st.release.sys", "st.release.gpu", "R12"},
      {"gpu for sys scope", "ld.acquire.sys", "ld.acquire.gpu", "R12"},
      {"a flag before its data", "st.release.sys.global.u32 [%0]", "st.global.u32 [%0]", "R11"},
      {"a flag before its data", "st.release.sys", "st.relaxed.sys", "R11"},
      {"a flag before its data", "ld.acquire.sys", "ld.relaxed.sys", "R11"},
      {"a wait is dropped", "for (unsigned look", "if (rank == 0) return;\n  for (unsigned look",
       "R11"},
      {"a wait is dropped", "- turn) < 0", "- turn) < -1", "R11"},
      {"a chunk is used again too early", "+ rank, turn);", "+ rank, turn + 1);", "R11"},
      {"the wrong peer", "windows.flags[rank] + peer", "windows.flags[rank] + rank", "R11"},
      {"the wrong peer", "windows.flags[peer] + rank, turn", "windows.flags[peer] + peer, turn",
       "waited"},
      {"the wrong peer", "windows.flags[peer] + rank, turn", "windows.flags[rank] + rank, turn",
       "waited"}};
  return kKernels;
}

/// Two runs by each wrong kernel, of two ranks and of three.
void break_kernels(std::mt19937& random, std::vector<SeededFault>& all) {
  const std::string shape = "M=12 N=128 K=40 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 mesh=tp=";
  for (const Index ranks : {2, 3}) {
    const DistributedPlan plan = planned_by(shape + std::to_string(ranks) +
                                            " place=A=K@tp,B=K@tp share=K@tp overlap=one-shot");
    const WholeData data = whole_data(plan.problem.problem, random, Numbers::integers);
    for (const WrongKernel& kernel : wrong_kernels()) {
      const RanksOfEmulators emulators = emulators_with(kernel.from, kernel.to, ranks);
      std::string said;
      try {
        (void)run_on_ranks(emulators, plan, data, 1, 0,
                           in_process_communicators(emulators.backends(ranks),
                                                    {.deadline = std::chrono::milliseconds(400)}),
                           Reach::all, 3);
      } catch (const Exception& exception) {
        said = to_string(exception.error());
      }
      const bool is_named =
          said.find(kernel.named_by) != std::string::npos && says_any(said, {"rank "});
      all.push_back({kernel.kind, is_named, kernel.to, said});
    }
  }
}

}  // namespace

TEST_CASE("of sixty faults seeded into plans and kernels of several ranks 95 % and more are named",
          "[ranks][faults][seeded]") {
  std::mt19937 random(171);
  const RanksOfEmulators emulators(4);
  std::vector<SeededFault> all;
  for (const DistributedPlan& right : plans_to_break()) {
    REQUIRE(broken_rules(right).empty());
    drop_waits(right, all);
    mistake_peers(right, random, all);
    use_chunks_early(right, all);
    swap_orders(emulators, right, all);
  }
  break_kernels(random, all);
  std::map<std::string, int> kinds;
  std::string missed;
  std::size_t named = 0;
  for (const SeededFault& fault : all) {
    ++kinds[fault.kind];
    named += fault.is_named ? 1 : 0;
    if (!fault.is_named) missed += fault.kind + ": " + fault.where + ": " + fault.said + "\n";
  }
  INFO(named << " of " << all.size() << "; not named:\n" << missed);
  CHECK(all.size() >= 60);
  CHECK(100 * named >= 95 * all.size());
  for (const char* kind : {"a wait is dropped", "a flag before its data", "gpu for sys scope",
                           "the wrong peer", "a chunk is used again too early",
                           "the order is swapped", "the order is swapped on one rank"}) {
    INFO(kind);
    CHECK(kinds[kind] >= 3);
  }
}

}  // namespace jute::test
