#pragma once
// The problems of a race: of a file, or the one that flags describe.
#include <string>
#include <vector>

#include "options/problem_options.hpp"
#include "race/results/cases.hpp"

namespace jute::command {

/// As typed.
struct CaseOptions {
  std::string file;                          ///< of --cases; empty: the problem of the flags
  std::vector<std::string> parts, families;  ///< that a case of the file has one of
  double alpha = 1.0, beta = 0.0;            ///< of the problem of the flags
};

void add_case_flags(Command& command, CaseOptions& options);

///   throws  UsageError: both name problems, or parts and families choose none
[[nodiscard]] std::vector<bench::Case> chosen_cases(const CaseOptions& options,
                                                    const ProblemOptions& problem);

}  // namespace jute::command
