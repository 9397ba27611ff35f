#pragma once
// `jute bench --ranks`: how long a product over several ranks takes, by each way of its plan.

#include "options/backend_options.hpp"
#include "options/mesh_options.hpp"
#include "options/problem_options.hpp"

namespace jute::command {

struct MeshBenchOptions {
  ProblemOptions problem;
  MeshOptions mesh;
  BackendOptions backend;
  int rounds = 9;
};

/// Without a placement A comes from all ranks, B and D lie by columns: all-gather. Prints the times
/// of its kernels alone, its exchanges alone, and of every way that there is, in turns.
///   throws  what MeshRanks, distributed_plan and runs throw
int run_mesh_bench(const MeshBenchOptions& options, const Session& session);

}  // namespace jute::command
