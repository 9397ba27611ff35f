// Seeds faults and looks for their names.
#include "ranks/named_faults.hpp"

#include <chrono>

#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {

std::string rules_said(const DistributedPlan& plan) {
  std::string said;
  for (const std::string& rule : broken_rules(plan)) said += rule + "\n";
  return said;
}

void expect_named(const PlanFault& fault, const DistributedPlan& right) {
  DistributedPlan wrong = right;
  fault.seed(wrong);
  const std::string said = rules_said(wrong);
  INFO(fault.rule << "\n" << said);
  CHECK(said.find(fault.rule) != std::string::npos);
}

void expect_named(const KernelFault& fault, const DistributedPlan& plan, const WholeData& data,
                  int runs, const std::string& piece) {
  const RanksOfEmulators emulators = emulators_with(fault.from, fault.to, 2, piece);
  const Error error = refusal_of([&] {
    (void)run_on_ranks(emulators, plan, data, 1, 0, in_process_communicators(emulators.backends(2)),
                       Reach::all, runs);
  });
  INFO(fault.to << ": " << error);
  CHECK(error.code == ErrorCode::check_failed);
  CHECK(to_string(error).find(fault.code) != std::string::npos);
  CHECK(to_string(error).find("rank 0") != std::string::npos);
  CHECK(to_string(error).find("rank 1") != std::string::npos);
}

void expect_missing_rank_named(const RanksOfEmulators& emulators, const DistributedPlan& plan) {
  for (const bool throws : {false, true}) {
    const auto ends = in_process_communicators(emulators.backends(3),
                                               {.deadline = std::chrono::milliseconds(300)});
    const auto start = std::chrono::steady_clock::now();
    const auto errors = errors_of(ends, [&](Communicator& end) {
      Context& context = emulators.context(end.rank());
      const DistributedGemm gemm = prepare(context, plan, end.rank());
      const RankMemory memory = zeros_for(context, plan, gemm);
      gemm.run(end, memory.args);
      if (end.rank() != 2) {
        gemm.run(end, memory.args);
      } else if (throws) {
        throw Exception({.code = ErrorCode::out_of_memory, .operand = "rank 2"});
      }
    });
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
    for (const std::size_t rank : {0U, 1U}) {
      REQUIRE(errors[rank].has_value());
      INFO(*errors[rank]);
      CHECK(errors[rank]->code == ErrorCode::communication_failed);
      CHECK(to_string(*errors[rank]).find("rank 2") != std::string::npos);
    }
    CHECK(refusal_of([&] { ends[0]->poll(); }).code == ErrorCode::communication_failed);
  }
}

}  // namespace jute::test
