#pragma once
// Runs every mutant of a kernel and says how its fault came to light.
#include <string>
#include <vector>

#include "kernels/case_run.hpp"
#include "kernels/mutation.hpp"

namespace jute::test {

enum class Outcome : std::uint8_t {
  named,       ///< by a finding that the sound kernel does not have
  wrong,       ///< no finding, but a wrong result
  silent,      ///< neither, in any schedule
  equivalent,  ///< silent, and said to be no fault
};

struct Judgement {
  std::string kernel;
  Mutant mutant;  ///< without its text
  Outcome outcome = Outcome::silent;
  std::string evidence;  ///< the schedule, and the finding or the first difference
};

/// One mutant in `every` of the first case of each file, counted over all files.
[[nodiscard]] std::vector<Judgement> judge_mutants(const Compiler& compiler,
                                                   const std::vector<KernelCase>& cases,
                                                   int random_seeds, size_t every = 1);

/// As tests/kernels/equivalent_mutants.txt names a mutant.
[[nodiscard]] std::string key_of(const Judgement& judgement);

/// How many of each kind came to light how, and the share of those that should.
[[nodiscard]] std::string table(const std::vector<Judgement>& judgements);
/// Named and wrong over all but the equivalent, in per cent.
[[nodiscard]] double percent_caught(const std::vector<Judgement>& judgements);
/// The silent ones, one a line.
[[nodiscard]] std::string list_silent(const std::vector<Judgement>& judgements);

/// Entries of equivalent_mutants.txt that no mutant needs; of all mutants only.
[[nodiscard]] std::string list_stale(const std::vector<Judgement>& judgements);

}  // namespace jute::test
