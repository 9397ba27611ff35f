// Reads a file of cases and chooses among them.
#include "race/results/chosen_cases.hpp"

#include <algorithm>
#include <utility>

#include "files/files.hpp"

namespace jute::command {
void add_case_flags(Command& command, CaseOptions& options) {
  command.option("parts PART", &options.parts, "With --cases: those whose id holds one of these");
  command.option("--cases FILE.csv", &options.file, "A suite of problems, like bench/cases.csv");
  command.option("--family NAME", &options.families, "With --cases: those of a family; repeatable");
  command.option("--alpha", &options.alpha, "Factor of A·B").with_default();
  command.option("--beta", &options.beta, "Factor of C").with_default();
}

std::vector<bench::Case> chosen_cases(const CaseOptions& options, const ProblemOptions& flags) {
  if (options.file.empty()) {
    if (!options.parts.empty() || !options.families.empty())
      throw UsageError("--cases",
                       "it must name the file whose cases parts of ids and --family choose among");
    Problem problem = problem_of(flags);
    problem.m_range.reset();  // races beside the kernel for these rows
    return {bench::case_of(std::move(problem), options.alpha, options.beta)};
  }
  SaidFlags said = flags.said;
  said.words.erase("m_range");  // its kernels race beside the others
  if (!flags.text.empty() || said.any())
    throw UsageError(
        "--cases",
        "problems must come from the file, or from --m --n --k and the other flags, not both");
  std::vector<bench::Case> cases = bench::read_cases(read_text(options.file), options.file);
  const bench::Selection selection{options.parts, options.families};
  std::erase_if(cases, [&](const bench::Case& each) { return !is_selected(selection, each); });
  if (cases.empty())
    throw UsageError("--cases", "parts of ids and --family must choose a case of the file");
  return cases;
}

}  // namespace jute::command
