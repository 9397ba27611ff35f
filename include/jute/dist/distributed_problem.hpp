#pragma once
// A product over several ranks, as its callers say it: what is multiplied, and where all of it
// lies.
#include <jute/base/export.hpp>
#include <jute/dist/placement.hpp>
#include <jute/plan/ask/words.hpp>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// Do exchanges run beside products?
enum class OverlapChoice : std::uint8_t {
  none,      ///< one step after the other
  chunks,    ///< cut by rounds: what a rank has is multiplied while the rest comes or goes
  one_shot,  ///< who needs a sum adds it up itself, from summands where their ranks made them
  arrival,   ///< one product, whose kernel waits for an operand's rows piece by piece
  store,     ///< a product for each rank that adds, whose kernel stores into that rank's memory
  fastest,   ///< by rounds where the timeline ends 3 % earlier so
};
[[nodiscard]] std::string_view name(OverlapChoice choice);
///   throws  unknown_name
[[nodiscard]] OverlapChoice parse_overlap(std::string_view text);

/// Who adds summands of D, and in which order?
enum class Reduction : std::uint8_t {
  ordered,  ///< jute's kernels, by ranks, rounded once: the same bits in every run
  nccl,  ///< the transport, in an order of its own, each addition rounded to the type on the wire
};
[[nodiscard]] std::string_view name(Reduction reduction);
///   throws  unknown_name
[[nodiscard]] Reduction parse_reduction(std::string_view text);

/// Each rank has its parts of the problem's matrices as packed ones of the same order, with the
/// leading dimension of the longest part of any rank. Inputs of the epilogue lie where D does, one
/// a row where its rows are, one a column where its columns are. Scales along all of K, one a row
/// of A, a column of B or a matrix, are inputs behind the others: scale_a and scale_b.
struct DistributedProblem {
  Problem problem{};
  Mesh mesh{};
  Placements placements{};
  std::optional<Share> share{};  ///< who computes what; none: whatever is expected to be fastest
  /// The type in which summands of D travel. None: the sums' own; D's where the transport adds.
  std::optional<DType> wire{};
  OverlapChoice overlap = OverlapChoice::fastest;
  Reduction reduce = Reduction::ordered;
  /// Multiprocessors that kernels of the transport take: products that walk over their tiles beside
  /// an exchange leave as many alone. 0: it takes none, as copy engines.
  int transport_sms = 0;
  bool operator==(const DistributedProblem&) const = default;
};

/// The problem completed, C where D lies, and the type on the wire.
///   throws  illegal_problem with every broken rule: what completed() of a problem says; it is one
///           matrix of whole bytes, without views, groups, scales of blocks along K, or outputs
///           beside D
[[nodiscard]] DistributedProblem completed(const DistributedProblem& problem);

/// `M=8192 … mesh=tp=4 place=A=M@tp,B=N@tp,D=N@tp share=N@tp wire=bf16
/// overlap=chunks transport-sms=16`
[[nodiscard]] std::string to_string(const DistributedProblem& problem);
[[nodiscard]] std::string short_text(const DistributedProblem& problem);
std::ostream& operator<<(std::ostream& out, const DistributedProblem& problem);
/// The words beside a problem's own.
[[nodiscard]] std::span<const Keyword> words_of_ranks();
/// Says one of them.   throws  as parse_distributed_problem, with the position in `value`
void choose(DistributedProblem& problem, std::string_view word, std::string_view value);
/// What a problem says by it; empty: what is usual.
[[nodiscard]] std::string said(const DistributedProblem& problem, std::string_view word);
/// Reads both.
///   throws  what parse_problem, parse_mesh, parse_placements, parse_share and parse_dtype throw,
///           with the position in `text`; syntax: it has no mesh, or a word twice
[[nodiscard]] DistributedProblem parse_distributed_problem(std::string_view text);

}  // namespace jute
