#pragma once
// Proving atoms: an instruction is executed on known values and every (thread,value) is compared
// with what the atom's layouts say.
#include <jute/atom/catalogue.hpp>
#include <jute/base/export.hpp>
#include <jute/gemm/context.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace JUTE_API jute {

enum class AtomResult : std::uint8_t {
  proved,          ///< every pair holds what the layouts say
  refuted,         ///< some pair holds something else
  not_executable,  ///< this chip, its assembler or the emulator does not have the instruction
  faulted,         ///< the device stopped while it executed; its context is of no more use
};
/// "proved", "refuted", "not executable", "faulted"
[[nodiscard]] std::string_view name(AtomResult result);

/// The first (thread,value) that differs.
struct AtomDifference {
  std::string operand = {};   ///< "C", "D", "dst", …
  int thread = 0;             ///< logical thread of the atom
  Index value = 0;            ///< value of its fragment; a bit for copies
  std::string expected = {};  ///< "A(3,5)*B(0,5) at (3,0)"; for copies a bit of the source
  std::string got = {};       ///< the same, as executed
  bool operator==(const AtomDifference&) const = default;
};
/// `C thread 3 value 1: expected …, got …`
[[nodiscard]] std::string to_string(const AtomDifference& difference);

/// The evidence of executing one atom.
struct AtomProof {
  std::string name = {};
  std::string form = {};
  Arch arch = {};
  AtomResult result = AtomResult::not_executable;
  Index pairs = 0;   ///< (thread,value) pairs of all operands that were compared
  Index passes = 0;  ///< executions
  std::optional<AtomDifference> first = {};
  std::string reason = {};  ///< why it was refuted without a run, or is not executable
  bool operator==(const AtomProof&) const = default;
};

/// Executes the atom on the Context's back end until each pair of A, B, C and D, of metadata of
/// sparse forms, or each bit that a copy moves, is pinned to one place.
///
/// How an MMA is proved: in one execution every row of A has a single non-zero value, row m in
/// column m + s modulo K. D is then B seen through A, D(m,n) = B(n, m + s), and B holds the digits
/// of its own index; further executions put the digits of m into A. After all K shifts every value
/// of A has met every value of B that it should meet and no other, so the layouts are those of the
/// instruction, up to a renaming of rows, columns or depth that A, B and C share.
///   throws  no_nvrtc; what a broken device throws
[[nodiscard]] AtomProof verify(Context& context, const MmaAtom& atom);
[[nodiscard]] AtomProof verify(Context& context, const CopyAtom& atom);
/// How many atoms are proved at a time, and who hears of it; calls come from one thread at a time.
struct VerifyOptions {
  int workers = 0;  ///< threads that compile and judge; 0: as many as the machine has
  std::function<void(const std::string& name)> executing = {};  ///< before the device is asked
  std::function<void(const AtomProof&)> done = {};
};
/// Atoms of the Context's catalogue by name, in the order of the names. After a fault those that
/// were not done stay `not executable`, without a word to `done`.
///   throws  unknown_name
[[nodiscard]] std::vector<AtomProof> verify(Context& context, std::span<const std::string> names,
                                            const VerifyOptions& options = {});

}  // namespace jute
