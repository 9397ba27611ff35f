#pragma once
// What the program that races does.
#include "mesh/mesh_run.hpp"
#include "race/worker.hpp"

namespace jute::bench {

/// Says a line for each of: a bare launch by the driver, prepare (a new kernel, a known one), run,
/// cublasLtMatmul; microseconds a call, medians over rounds of calls that nobody waits for.
void print_host_costs(Context& context, const Settings& settings, const OpenPeers& open_peers,
                      const Print& print);

}  // namespace jute::bench

namespace jute::command {

/// Adds `jute bench`, and it races in this process.
void add_race(Command& jute);

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
