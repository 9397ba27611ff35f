#pragma once
// The flags that spread a problem over several ranks.
#include <jute/dist/distributed_plan.hpp>

#include <string>

#include "command/command_line.hpp"
#include "options/problem_options.hpp"

namespace jute::command {

/// As typed; empty where a flag is left out.
struct MeshOptions {
  SaidFlags said;         ///< words of ranks
  int ranks = 0;          ///< 0: as many as the mesh has
  std::string transport;  ///< host, copies or nccl; empty: copies between GPUs, else host
  double timeout_s = 30;  ///< of each wait for another rank
};

void add_mesh_flags(Command& command, MeshOptions& options);
/// The flags that a problem's text says where it has a mesh.
[[nodiscard]] Words said_of_ranks(const std::string& text);
/// Where the text of --problem says a mesh, as that of a distributed plan does: what it says of
/// ranks becomes what is typed of them, and the rest of it the problem.
///   throws  what parse_distributed_problem throws
void take_mesh_of_text(ProblemOptions& problem, MeshOptions& mesh);
/// How ranks meet when they run.
void add_rank_flags(Command& command, MeshOptions& options);
/// The mesh that is given, or one axis of so many ranks: tp.
///   throws  what parse_mesh throws; UsageError: it has another number of ranks
[[nodiscard]] Mesh mesh_of(const MeshOptions& options);
/// Is a mesh given?
///   throws  UsageError: without one the other flags mean nothing
[[nodiscard]] bool is_distributed(const MeshOptions& options);
///   throws  what the flags' texts refuse, with the flag as operand
[[nodiscard]] DistributedProblem distributed_problem_of(const Problem& problem,
                                                        const MeshOptions& options);
/// The plan of all ranks for the chip that the flags name.
[[nodiscard]] DistributedPlan distributed_plan(const ProblemOptions& options,
                                               const MeshOptions& mesh, const Session& session);
/// The same of a problem whose operands are known, for a chip that is there.
[[nodiscard]] DistributedPlan distributed_plan(const Problem& problem,
                                               const ProblemOptions& options,
                                               const MeshOptions& mesh, const Session& session,
                                               const DeviceInfo& chip);

}  // namespace jute::command
