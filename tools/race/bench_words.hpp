#pragma once
// What `jute bench` takes: the command tells of it, the program that races has it.
#include <functional>
#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "options/backend_options.hpp"
#include "options/mesh_options.hpp"
#include "options/problem_options.hpp"
#include "race/results/chosen_cases.hpp"

namespace jute::command {

struct BenchOptions {
  ProblemOptions problem;
  CaseOptions cases;
  MeshOptions mesh;
  BackendOptions backend;  ///< of several ranks
  std::vector<std::string> tries, modes;
  std::string csv, svg, roofline, cublas;
  bool sustained = false, cold = false, no_peers = false, host = false, fast_accumulation = false;
  int rounds = 9, rest_ms = 20, stall_seconds = 30;
};

/// Does it race the ways of a product over several ranks?
///   throws  UsageError: a word that has no meaning there, or elsewhere
[[nodiscard]] bool is_of_ranks(const BenchOptions& options);

/// Adds the command; `race` does its work, and what it returns is the exit status.
void add_bench_words(Command& jute, std::function<int(const BenchOptions&, const Session&)> race);

}  // namespace jute::command
