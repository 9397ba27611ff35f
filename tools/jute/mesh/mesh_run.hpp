#pragma once
// A product over several ranks that are threads of the command, each with a GPU or an emulator.
#include <jute/dist/distributed_plan.hpp>
#include <jute/launch/communicator.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "options/backend_options.hpp"
#include "options/mesh_options.hpp"
#include "options/problem_options.hpp"
#include "product/gemm_data.hpp"
#include "product/gemm_report.hpp"

namespace jute::command {

/// A run, and how it came out.
struct MeshOutcome {
  DistributedPlan plan;
  std::string backend, transport;
  std::vector<std::byte> d;  ///< whole, as the problem says
  double run_ms = 0.0;       ///< all ranks, one after the other where cores are few
  std::optional<Judged> judgement;
  std::string output;
};

/// A back end for each rank, and what carries bytes between them.
class MeshRanks {
 public:
  ///   throws  no_gpu; UsageError: a transport that the back ends do not have
  MeshRanks(const ProblemOptions& options, const MeshOptions& mesh, const BackendOptions& device,
            const Session& session);
  [[nodiscard]] DeviceInfo chip() const;
  /// Runs the plan; D comes back from its parts.
  ///   throws  what prepare and run of a distributed plan throw
  [[nodiscard]] MeshOutcome run(const DistributedPlan& plan, const GemmData& data,
                                Scaling scale) const;

  /// An end for each rank, that know each other. NCCL takes so many multiprocessors at most; 0: as
  /// many as it likes.
  [[nodiscard]] std::vector<std::unique_ptr<Communicator>> ends(int most_sms = 0) const;
  [[nodiscard]] Context& context(std::size_t rank) const { return *contexts_[rank]; }
  [[nodiscard]] const std::string& transport() const { return transport_; }

 private:
  std::vector<std::unique_ptr<Context>> contexts_;
  std::string transport_;
  std::chrono::milliseconds deadline_;
};
/// Compares D with the reference; what summands lose on the wire is in the bound.
void judge(MeshOutcome& outcome, const GemmData& data, Scaling scale);

/// A line a fact.
[[nodiscard]] std::string to_string(const MeshOutcome& outcome);
[[nodiscard]] Json to_json(const MeshOutcome& outcome);

}  // namespace jute::command
