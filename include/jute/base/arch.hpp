#pragma once
// GPU architectures as values: `sm_90a` and what its chips allow.
#include <jute/base/export.hpp>

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// A compilation target. `sm_90a` is {90, 'a'}; a plain one has suffix '\0'.
struct Arch {
  int number = 0;
  char suffix = '\0';
  bool operator==(const Arch&) const = default;
};

/// "sm_90a"
[[nodiscard]] std::string to_string(Arch arch);
std::ostream& operator<<(std::ostream& out, Arch arch);
/// Reads `sm_90a`, `90a` or `compute_90a`.
///   throws  unknown_name: not an architecture that this library generates for; lists those
[[nodiscard]] Arch parse_arch(std::string_view text);
/// Every architecture that parse_arch reads, oldest first.
[[nodiscard]] std::span<const Arch> known_arches();
/// Does code for `target` run instructions that need `required`? Plain: target.number >=
/// required.number. A suffixed requirement needs that very architecture with the suffix.
[[nodiscard]] bool provides(Arch target, Arch required);

/// Limits of one architecture. Source: CUDA C++ Programming Guide, compute capabilities.
struct ArchLimits {
  int threads_per_block = 1024;
  int registers_per_thread = 255;
  int registers_per_sm = 65536;
  int smem_bytes_per_block = 0;  ///< opt-in maximum
  int smem_bytes_per_sm = 0;
};
///   throws  unknown_name: not one of known_arches()
[[nodiscard]] ArchLimits limits(Arch arch);

}  // namespace jute
