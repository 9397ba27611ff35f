#pragma once
// Records of `jute atom verify --all`: how many atoms of each family were proved where.
#include <jute/proof/verify.hpp>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace jute::command {

/// How many atoms had each AtomResult.
using ProofTotals = std::array<Index, 4>;
[[nodiscard]] ProofTotals totals_of(const std::vector<AtomProof>& proofs);

/// One back end's proofs. Families are named by the first atom that a list shows of them.
struct ProofRecord {
  std::string where;  ///< "NVIDIA H200"
  ProofTotals totals{};
  std::map<std::string, ProofTotals> families;
};

/// Keeps the proofs of built-in atoms.
[[nodiscard]] ProofRecord record_of(const std::vector<AtomProof>& proofs, std::string where);
/// One JSON object, a family a line.
[[nodiscard]] std::string to_text(const ProofRecord& record);
/// throws  file_not_found; bad_file
[[nodiscard]] ProofRecord read_record(const std::string& path);

}  // namespace jute::command
