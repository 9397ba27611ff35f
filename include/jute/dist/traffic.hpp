#pragma once
// Who sends what to whom, by one function: what is needed, through the inverse of what is held.
#include <jute/base/export.hpp>
#include <jute/dist/distribution.hpp>

#include <array>
#include <optional>
#include <vector>

namespace JUTE_API jute {

/// Neighbours in both parts.
struct IndexRun {
  Index from = 0;  ///< place in the sender's part
  Index to = 0;    ///< place in the receiver's
  Index count = 0;
  bool operator==(const IndexRun&) const = default;
};

/// One rank's elements for another: all rows of these runs, of them all columns.
struct Parcel {
  Index sender = 0, receiver = 0;
  Index summand = 0;  ///< of what is to be added: the sender's place along the axes of summands
  Index round = 0;    ///< ranks meet in pairs: 0 is each by itself
  std::array<std::vector<IndexRun>, 2> runs{};  ///< rows, columns
  bool operator==(const Parcel&) const = default;
};
[[nodiscard]] Index element_count(const Parcel& parcel);

/// Every element that a rank needs comes to it once, of summands each once; one that it holds comes
/// from itself, others from the holder that differs from it along the fewest axes. Sorted by round,
/// then sender.
///   throws  unsupported: more than a million runs
[[nodiscard]] std::vector<Parcel> traffic(const Mesh& mesh, const Distribution& held,
                                          const Distribution& needed);

/// The same as a layout, where it is one: a place of what is needed, (rank, local), to one of what
/// is held. The identity: nothing moves.
[[nodiscard]] std::optional<Layout> traffic_layout(const Distribution& held,
                                                   const Distribution& needed);

/// The round in which two ranks meet: XOR of a power of two of them, else how far it is from one to
/// the other. In each, every rank sends to one and receives from one.
[[nodiscard]] Index pair_round(Index ranks, Index sender, Index receiver);

/// Elements that leave one rank for another: sender + ranks * receiver. What stays is not counted.
[[nodiscard]] std::vector<Index> elements_by_pair(Index ranks, const std::vector<Parcel>& parcels);

}  // namespace jute
