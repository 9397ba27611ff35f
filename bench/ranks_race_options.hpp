#pragma once
// What ranks_race is asked for: its words, and the cases as problems.
#include <jute/transport/transport.hpp>

#include <string>
#include <vector>

namespace jute::bench {

struct RaceOptions {
  std::string device = "cuda";
  Index ranks = 2;
  int rounds = 5;
  double round_ms = 6;
  FlagsBy flags = FlagsBy::words;
  std::string transports, ways;  // those named alone, where any are
  std::string config;            // choices of all kernels that multiply: "ping_pong=2"
  int transport_sms = 0;         // that products beside exchanges leave to NCCL
  bool with_stamps = false;
  bool only_prepares = false;  // compiles into the cache on disk, so that a race need not
  std::vector<std::string> problems;
};

[[nodiscard]] RaceOptions race_options_of(int count, char** words);
/// Is a name in a list with commas? All are in an empty one.
[[nodiscard]] bool is_named(const std::string& list, const std::string& name);
/// What the list of cases calls products: all-gather first, reduce-scatter or all-reduce after.
/// Empty: no such case.
[[nodiscard]] std::string problem_text(const std::string& line, Index ranks);

}  // namespace jute::bench
