// Needed through the inverse of held: the one function that all communication comes from.
#include <jute/base/refuse.hpp>
#include <jute/dist/traffic.hpp>
#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "dist/flat_spread.hpp"

namespace jute {
namespace {

constexpr std::size_t kMostRuns = 1 << 20;

/// From an index to who has it and where: the right inverse of a spread.
class Holder {
 public:
  explicit Holder(const Spread& spread)
      : axes_(spread.layout[0].flat_shape()),
        inverse_(coalesce(right_inverse(spread.layout))),
        run_(dist::flat(spread).run) {}

  [[nodiscard]] Index run() const { return run_; }
  /// The place in the part, and the rank's coordinates, of those axes that cut the dimension; the
  /// others are 0.
  [[nodiscard]] Index find(Index index, std::vector<Index>& coordinates) const {
    Index place = inverse_(index);
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      coordinates[i] = place % axes_[i];
      place /= axes_[i];
    }
    return place;
  }

 private:
  std::vector<Index> axes_;
  Layout inverse_;
  Index run_;
};

/// By the coordinates of who has them.
using RunsByHolder = std::map<std::vector<Index>, std::vector<IndexRun>>;

/// The runs that a receiver takes along one dimension.
RunsByHolder runs_of(const Holder& holder, const dist::FlatSpread& needed,
                     std::span<const Index> receiver, std::size_t& count) {
  RunsByHolder result;
  const Index part = needed.part_size(receiver), first = needed.first(receiver);
  std::vector<Index> coordinates(receiver.size());
  for (Index to = 0, length = 0; to < part; to += length) {
    const Index from = holder.find(first + needed.local(to), coordinates);
    length =
        std::min({holder.run() - from % holder.run(), needed.run - to % needed.run, part - to});
    std::vector<IndexRun>& runs = result[coordinates];
    if (!runs.empty() && runs.back().from + runs.back().count == from &&
        runs.back().to + runs.back().count == to)
      runs.back().count += length;
    else
      runs.push_back({from, to, length});
    if (runs.back().count == length && ++count > kMostRuns)
      jute::refuse(ErrorCode::unsupported, "placement", "",
                   "what ranks send each other must be at most 1048576 runs of rows or "
                   "columns: blocks must be longer");
  }
  return result;
}

/// The axes along which what is held differs from rank to rank.
std::vector<bool> cutting(const Spread& spread) {
  std::vector<bool> result;
  for (const Index stride : spread.layout[0].flat_stride()) result.push_back(stride != 0);
  return result;
}

class Sorter {
 public:
  Sorter(const Mesh& mesh, const Distribution& held, const Distribution& needed)
      : mesh_(mesh),
        held_(held),
        holders_{Holder(held.dims[0]), Holder(held.dims[1])},
        needed_{dist::flat(needed.dims[0]), dist::flat(needed.dims[1])},
        cut_{cutting(held.dims[0]), cutting(held.dims[1])} {
    for (const int axis : held.sums) summands_ *= mesh.axes[static_cast<std::size_t>(axis)].size;
  }

  std::vector<Parcel> all() {
    for (Index rank = 0; rank < rank_count(mesh_); ++rank) receive(rank);
    std::ranges::sort(parcels_, {}, [](const Parcel& parcel) {
      return std::tuple(parcel.round, parcel.sender, parcel.receiver, parcel.summand);
    });
    return std::move(parcels_);
  }

 private:
  /// Ranks with equal coordinates along the axes that cut what is needed have the same runs.
  const RunsByHolder& runs(std::size_t dim, const std::vector<Index>& receiver) {
    std::vector<Index> key = receiver;
    for (std::size_t i = 0; i < key.size(); ++i)
      if (needed_[dim].axes[i] == 0) key[i] = 0;
    const auto [found, is_new] = runs_[dim].try_emplace(key);
    if (is_new) found->second = runs_of(holders_[dim], needed_[dim], key, count_);
    return found->second;
  }

  void receive(Index receiver) {
    const std::vector<Index> own = coordinates(mesh_, receiver);
    for (const auto& [row_holder, rows] : runs(0, own))
      for (const auto& [column_holder, columns] : runs(1, own))
        for (Index summand = 0; summand < summands_; ++summand) {
          std::vector<Index> sender = own;
          for (std::size_t i = 0; i < sender.size(); ++i) {
            if (cut_[0][i]) sender[i] = row_holder[i];
            if (cut_[1][i]) sender[i] = column_holder[i];
          }
          Index rest = summand;
          for (const int axis : held_.sums) {
            const auto at = static_cast<std::size_t>(axis);
            sender[at] = rest % mesh_.axes[at].size;
            rest /= mesh_.axes[at].size;
          }
          const Index from = rank_at(mesh_, sender);
          parcels_.push_back({.sender = from,
                              .receiver = receiver,
                              .summand = summand,
                              .round = pair_round(rank_count(mesh_), from, receiver),
                              .runs = {rows, columns}});
        }
  }

  const Mesh& mesh_;
  const Distribution& held_;
  std::array<Holder, 2> holders_;
  std::array<dist::FlatSpread, 2> needed_;
  std::array<std::vector<bool>, 2> cut_;
  std::array<std::map<std::vector<Index>, RunsByHolder>, 2> runs_;
  Index summands_ = 1;
  std::size_t count_ = 0;
  std::vector<Parcel> parcels_;
};

}  // namespace

Index element_count(const Parcel& parcel) {
  std::array<Index, 2> extents{};
  for (std::size_t dim = 0; dim < 2; ++dim)
    for (const IndexRun& run : parcel.runs[dim]) extents[dim] += run.count;
  return extents[0] * extents[1];
}

Index pair_round(Index ranks, Index sender, Index receiver) {
  return std::has_single_bit(static_cast<std::uint64_t>(ranks))
             ? sender ^ receiver
             : (receiver - sender + ranks) % ranks;
}

std::vector<Parcel> traffic(const Mesh& mesh, const Distribution& held,
                            const Distribution& needed) {
  return Sorter(mesh, held, needed).all();
}

std::optional<Layout> traffic_layout(const Distribution& held, const Distribution& needed) {
  for (std::size_t dim = 0; dim < 2; ++dim)
    if (cosize(held.dims[dim].layout) != cosize(needed.dims[dim].layout)) return std::nullopt;
  const Layout inverse = right_inverse(rank_layout(held));
  return try_composition(inverse, rank_layout(needed));
}

std::vector<Index> elements_by_pair(Index ranks, const std::vector<Parcel>& parcels) {
  std::vector<Index> result(static_cast<std::size_t>(ranks * ranks), 0);
  for (const Parcel& parcel : parcels)
    if (parcel.sender != parcel.receiver)
      result[static_cast<std::size_t>(parcel.sender + ranks * parcel.receiver)] +=
          element_count(parcel);
  return result;
}

}  // namespace jute
