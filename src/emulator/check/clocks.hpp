#pragma once
// Vector clocks over the actors of every block: what somebody knows of everybody's past.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace jute::emulator {

/// For each actor of each block the last of its moments that lies behind the owner of the clocks.
/// An actor's moments count from 1, so that 0 says nothing.
class Clocks {
 public:
  [[nodiscard]] std::uint32_t at(std::int32_t block, size_t actor) const {
    const auto part = parts_.size() == 1 ? parts_.begin() : find(block);
    if (part == parts_.end() || part->block != block || actor >= part->moments.size()) return 0;
    return part->moments[actor];
  }
  /// All of a block's moments, by actor; those behind the end are 0.
  [[nodiscard]] std::span<const std::uint32_t> of(std::int32_t block) const {
    const auto part = find(block);
    return part == parts_.end() || part->block != block ? std::span<const std::uint32_t>()
                                                        : part->moments;
  }
  void raise(std::int32_t block, size_t actor, std::uint32_t moment) {
    std::vector<std::uint32_t>& moments = part_of(block).moments;
    if (actor >= moments.size()) moments.resize(actor + 1, 0);
    moments[actor] = std::max(moments[actor], moment);
  }
  /// Raises the clocks of those of 32 actors from `first` on whose bits are set.
  void raise_all(std::int32_t block, size_t first, std::uint32_t actors, std::uint32_t moment) {
    std::vector<std::uint32_t>& moments = part_of(block).moments;
    const size_t end = first + static_cast<size_t>(std::bit_width(actors));
    if (end > moments.size()) moments.resize(end, 0);
    for (; actors != 0; actors &= actors - 1) {
      std::uint32_t& each = moments[first + static_cast<size_t>(std::countr_zero(actors))];
      each = std::max(each, moment);
    }
  }
  void join(const Clocks& other) {
    for (const Part& theirs : other.parts_) {
      std::vector<std::uint32_t>& mine = part_of(theirs.block).moments;
      if (mine.size() < theirs.moments.size()) mine.resize(theirs.moments.size(), 0);
      for (size_t i = 0; i < theirs.moments.size(); ++i)
        mine[i] = std::max(mine[i], theirs.moments[i]);
    }
  }
  /// Joins the clocks of the actors from `first` on.
  void join_from(const Clocks& other, size_t first) {
    for (const Part& theirs : other.parts_)
      for (size_t i = first; i < theirs.moments.size(); ++i)
        if (theirs.moments[i] != 0) raise(theirs.block, i, theirs.moments[i]);
  }
  [[nodiscard]] bool empty() const { return parts_.empty(); }
  void clear() { parts_.clear(); }

 private:
  struct Part {
    std::int32_t block = 0;
    std::vector<std::uint32_t> moments;  ///< by actor
  };
  [[nodiscard]] std::vector<Part>::const_iterator find(std::int32_t block) const {
    return std::lower_bound(
        parts_.begin(), parts_.end(), block,
        [](const Part& part, std::int32_t wanted) { return part.block < wanted; });
  }
  Part& part_of(std::int32_t block) {
    const auto found = parts_.begin() + (find(block) - parts_.cbegin());
    if (found != parts_.end() && found->block == block) return *found;
    return *parts_.insert(found, Part{block, {}});
  }
  std::vector<Part> parts_;  ///< by block, ascending
};

/// Stands for the launches before this one that may still run: actor 0 of this block, moment 1 is
/// their end.
inline constexpr std::int32_t kEarlierGrids = -1;

/// How far an ordered access or a fence reaches.
enum class Scope : std::uint8_t { cta, cluster, gpu };
inline constexpr size_t kScopes = 3;

/// Memory that a proxy fence covers: not negative, the shared memory of that block, or one of
/// these.
using ProxySpace = std::int32_t;
inline constexpr ProxySpace kEverywhere = -1;
inline constexpr ProxySpace kClusterShared = -2;
inline constexpr ProxySpace kGlobalSpace = -3;
inline constexpr ProxySpace kFreshBarriers = -4;  ///< mbarriers that have just been initialised
inline constexpr ProxySpace kReleasedMaps = -5;   ///< tensor maps, shown by whoever wrote them …
inline constexpr ProxySpace kTensorMaps = -6;     ///< … and taken up by whoever uses them

/// Whose past proxy fences have shown to the asynchronous proxy, by what they cover.
class ProxyClocks {
 public:
  [[nodiscard]] std::uint32_t at(ProxySpace space, std::int32_t block, size_t actor) const {
    std::uint32_t moment = 0;
    for (const auto& [covered, clocks] : parts_)
      if (covers(covered, space)) moment = std::max(moment, clocks.at(block, actor));
    return moment;
  }
  Clocks& of(ProxySpace space) {
    for (auto& [covered, clocks] : parts_)
      if (covered == space) return clocks;
    return parts_.emplace_back(space, Clocks()).second;
  }
  void join(const ProxyClocks& other) {
    for (const auto& [covered, clocks] : other.parts_) of(covered).join(clocks);
  }
  void clear() { parts_.clear(); }

 private:
  static bool covers(ProxySpace fence, ProxySpace wanted) {
    if (fence == wanted) return true;
    const bool is_shared = wanted >= 0;
    return (fence == kEverywhere && (is_shared || wanted == kGlobalSpace)) ||
           (fence == kClusterShared && is_shared);
  }
  std::vector<std::pair<ProxySpace, Clocks>> parts_;
};

/// Knowledge that is handed on where threads synchronise.
struct Knowledge {
  Clocks known;  ///< what happened before
  /// Accesses that are over as far as memory may be written anew: reads, and what engines wrote.
  Clocks finished;
  ProxyClocks proxied;  ///< what a proxy fence has shown to the asynchronous proxy
  std::array<Clocks, kScopes>
      flushed;  ///< of what is known, what a fence of this scope lies behind

  void join(const Knowledge& other) {
    known.join(other.known);
    finished.join(other.finished);
    proxied.join(other.proxied);
    for (size_t i = 0; i < kScopes; ++i) flushed[i].join(other.flushed[i]);
  }
  void clear() { *this = {}; }
};

}  // namespace jute::emulator
