#pragma once
// What a run of the benchmark is to do.
#include "cases.hpp"

#include <jute/plan/config.hpp>

#include <string>
#include <vector>

namespace jute::bench {

/// A configuration to race beside the planner's own choice.
struct Try {
  std::string text;
  Config config;
};

struct Options {
  std::string cases = "bench/cases.csv";
  std::string csv;                   ///< one line a contestant is appended here
  std::vector<std::string> filters;  ///< a case runs when its id holds one of them; none: all
  std::vector<std::string> families;
  std::vector<std::string> skipped;  ///< exact ids
  std::vector<Try> tries;            ///< the first is the planner's choice
  int rounds = 7;
  int rest_ms = 20;
  int candidates = 16;
  int stall_seconds = 30;  ///< a worker silent for longer is killed
  bool sustained = false;
  bool show_plans = false;
  bool host_costs = false;  ///< these instead of a race
  bool show_help = false;
  int report_descriptor = -1;  ///< set in the worker: where it says what it does
};

/// throws  unknown_name, syntax
[[nodiscard]] Options parse_options(const std::vector<std::string>& arguments);
[[nodiscard]] bool is_selected(const Options& options, const Case& bench_case);
[[nodiscard]] std::string_view help_text();

}  // namespace jute::bench
