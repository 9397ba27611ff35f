#pragma once
// A product over several ranks that are threads of the command, each with an emulator.
#include <jute/dist/distributed_plan.hpp>

#include <string>

#include "backend_options.hpp"
#include "gemm_data.hpp"
#include "gemm_report.hpp"
#include "problem_options.hpp"

namespace jute::command {

/// What was run, and how it came out.
struct MeshOutcome {
  DistributedPlan plan;
  std::string backend;
  std::vector<std::byte> d;  ///< whole, as the problem says
  double run_ms = 0.0;       ///< all ranks, one after the other where cores are few
  std::optional<Judged> judgement;
  std::string output;
};

/// Runs the plan on a back end for each rank; D comes back from its parts.
///   throws  UsageError: the back end is a GPU; what prepare and run of a distributed plan throw
[[nodiscard]] MeshOutcome run_on_mesh(const DistributedPlan& plan, const ProblemOptions& options,
                                      const BackendOptions& device, const GemmData& data,
                                      Scaling scale, const Session& session);
/// Compares D with the reference; what summands lose on the wire is in the bound.
void judge(MeshOutcome& outcome, const GemmData& data, Scaling scale);

/// A line a fact.
[[nodiscard]] std::string to_string(const MeshOutcome& outcome);
[[nodiscard]] Json to_json(const MeshOutcome& outcome);

}  // namespace jute::command
