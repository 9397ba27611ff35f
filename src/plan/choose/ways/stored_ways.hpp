#pragma once
// Ways of stored operands: what each asks of a problem, and reads.
#include <string_view>
#include <vector>

#include "plan/choose/ways/ways.hpp"

namespace jute::plan {

// Few rows, which a tile covers, so that weights are read once: threads load stored elements
// straight from memory and convert them in registers.
[[nodiscard]] std::string_view must_be_of_few_rows(const Given& given);
[[nodiscard]] std::vector<Presentation> stored_in_registers(const Given& given);
[[nodiscard]] bool converts_registers(const Candidate& candidate);
[[nodiscard]] bool covers_rows(const GemmStep& step, const KernelProblem& problem);

// More rows: TMA brings weights to stages as they are stored, and from there to fragments of wgmma,
// of which it is A.
[[nodiscard]] std::string_view must_be_fragments(const Given& given);
[[nodiscard]] std::vector<Presentation> stored_in_fragments(const Given& given);
[[nodiscard]] bool converts_fragments(const Candidate& candidate);

// By way of registers to shared memory, where tensor cores find what they multiply.
[[nodiscard]] std::string_view must_be_staged(const Given& given);
[[nodiscard]] std::vector<Presentation> stored_in_stages(const Given& given);
[[nodiscard]] bool converts_stages(const Candidate& candidate);

[[nodiscard]] bool has_whole_vectors(const GemmStep& step, const KernelProblem& problem);
inline constexpr size_t kMostStored = 4;  ///< that are derived to be judged

}  // namespace jute::plan
