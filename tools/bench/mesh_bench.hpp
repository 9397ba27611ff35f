#pragma once
// A race of the ways of one product over several ranks.
#include "mesh/mesh_run.hpp"

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
