// Candidates of cuBLASLt, told apart and named.
#include "bench/peers/lt_candidates.hpp"

#include <algorithm>

namespace jute::bench {

std::vector<LtChoice> distinct(std::span<const LtChoice> choices) {
  std::vector<LtChoice> result;
  for (const LtChoice& choice : choices)
    if (std::ranges::find(result, choice.algorithm, &LtChoice::algorithm) == result.end())
      result.push_back(choice);
  return result;
}

std::vector<LtWorkspace> forms(const LtChoice& choice) {
  if (choice.workspace_bytes > 0) return {LtWorkspace::given};
  return {LtWorkspace::given, LtWorkspace::none};
}

std::string lt_name(size_t number, const LtNumbers& numbers, LtWorkspace workspace) {
  return "cublasLt " + std::to_string(number) + ": " + std::to_string(numbers.id) + "/" +
         std::to_string(numbers.tile) + "/" + std::to_string(numbers.stages) + " x" +
         std::to_string(numbers.splits) + (workspace == LtWorkspace::none ? ", no workspace" : "");
}

}  // namespace jute::bench
