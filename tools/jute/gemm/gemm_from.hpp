#pragma once
// `jute gemm --from`: a product of an exported bundle.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "options/backend_options.hpp"
#include "options/problem_options.hpp"
#include "product/gemm_data.hpp"
#include "product/gemm_report.hpp"

namespace jute::command {

struct FromOptions {
  std::string folder;
  int product = 0;         ///< of the bundle's problems
  std::optional<Index> m;  ///< else those that were planned for
  std::uint64_t seed = 0;
  RandomKind fill = RandomKind::normal;
  std::vector<std::string> inputs;  ///< of the epilogue, as --input takes them
  Scaling scale;
  bool verify = false;
  BackendOptions backend;
  ProblemOptions chip;  ///< what the emulator stands for
};

/// Loads, runs on random operands and judges; plans and compiles nothing.
///   throws  what read_bundle and BundledProduct throw; out_of_range: no such product
[[nodiscard]] int run_gemm_from(const FromOptions& options, const Session& session);

}  // namespace jute::command
