#pragma once
// What the emulator found while a kernel ran.
#include <jute/base/export.hpp>
#include <jute/base/json.hpp>
#include <jute/base/types.hpp>

#include <string>
#include <vector>

namespace JUTE_API jute {

/// One access or event that a finding names.
struct Party {
  std::string kernel;
  std::int64_t block[3] = {0, 0, 0};
  int thread = 0;      ///< linear thread in its block
  int ptx_line = 0;    ///< line of the PTX text, from 1; 0 unknown
  std::string source;  ///< "file:line" of the CUDA text from .loc; may be empty
  std::string text;    ///< the instruction
  bool operator==(const Party&) const = default;
};

/// A broken rule. `code` is stable: "M1" out of bounds, "M2" misaligned, "M3" uninitialised read, …
struct Finding {
  std::string code;
  std::string message;
  std::vector<Party> parties;
  Index count = 1;  ///< how often it happened; only the first is described
  bool operator==(const Finding&) const = default;
};

/// Costs, not errors.
struct Counters {
  Index warp_instructions = 0;
  Index smem_accesses = 0;        ///< warp-wide shared-memory accesses
  Index smem_bank_conflicts = 0;  ///< extra shared-memory cycles over the conflict-free count
  Index global_bytes_read = 0;
  Index global_bytes_written = 0;
  bool operator==(const Counters&) const = default;
};

struct Report {
  std::vector<Finding> findings;
  Counters counters;
  std::string printed;  ///< by printf, block by block
  [[nodiscard]] bool clean() const { return findings.empty(); }
  bool operator==(const Report&) const = default;
};

/// One paragraph a finding, for people.
[[nodiscard]] std::string to_string(const Report& report);
/// {"clean", "findings": [{"code", "message", "count", "parties": […]}], "printed", "counters":
/// {…}}
[[nodiscard]] Json to_json(const Report& report);

}  // namespace jute
