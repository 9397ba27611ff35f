#pragma once
// Compiling a probe and executing it on a back end.
#include <jute/proof/probe.hpp>

#include <string>
#include <vector>

#include "proof/verify_atom.hpp"

namespace jute::proof {

/// The bytes of a probe's buffers for `passes` executions, in its order; the last one is the
/// result.
struct ProbeData {
  Index passes = 0;
  std::vector<std::vector<std::byte>> buffers;

  ProbeData(const Probe& probe, Index pass_count);
  /// The part of one pass.
  [[nodiscard]] std::span<std::byte> pass(size_t buffer, Index index);
  [[nodiscard]] std::span<const std::byte> pass(size_t buffer, Index index) const;
};

/// Bytes of one thread, or of the block where threads share them.
[[nodiscard]] Index unit_bytes(const ProbeBuffer& buffer);
/// The place of a named buffer.
[[nodiscard]] size_t index_of(const Probe& probe, std::string_view buffer);

/// Why a probe did not run; empty: it did.
struct ProbeRun {
  AtomResult result = AtomResult::proved;
  std::string reason = {};
};
/// Fills the last buffer. Many threads may compile; one executes.
///   throws  no_nvrtc, out_of_memory
[[nodiscard]] ProbeRun run_probe(Context& context, SharedDevice& device, const std::string& atom,
                                 const Probe& probe, ProbeData& data);

/// Whether code for this chip may use an atom of that architecture; the reason if not.
[[nodiscard]] std::string missing_arch(const Context& context, Arch needed);

}  // namespace jute::proof
