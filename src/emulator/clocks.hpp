#pragma once
// Vector clocks over the actors of every block: what somebody knows of everybody's past.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jute::emulator {

/// For each actor of each block the last of its moments that lies behind the owner of the clocks.
/// An actor's moments count from 1, so that 0 says nothing.
class Clocks {
 public:
  [[nodiscard]] std::uint32_t at(std::int32_t block, size_t actor) const {
    const auto part = find(block);
    if (part == parts_.end() || part->block != block || actor >= part->moments.size()) return 0;
    return part->moments[actor];
  }
  void raise(std::int32_t block, size_t actor, std::uint32_t moment) {
    std::vector<std::uint32_t>& moments = part_of(block).moments;
    if (actor >= moments.size()) moments.resize(actor + 1, 0);
    moments[actor] = std::max(moments[actor], moment);
  }
  void join(const Clocks& other) {
    for (const Part& theirs : other.parts_) {
      std::vector<std::uint32_t>& mine = part_of(theirs.block).moments;
      if (mine.size() < theirs.moments.size()) mine.resize(theirs.moments.size(), 0);
      for (size_t i = 0; i < theirs.moments.size(); ++i)
        mine[i] = std::max(mine[i], theirs.moments[i]);
    }
  }
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

/// How far an ordered access or a fence reaches.
enum class Scope : std::uint8_t { cta, cluster, gpu };
inline constexpr size_t kScopes = 3;

/// What is handed on where threads synchronise.
struct Knowledge {
  Clocks known;    ///< what happened before
  Clocks proxied;  ///< of that, what a proxy fence has shown to the asynchronous proxy
  std::array<Clocks, kScopes> flushed;  ///< of that, what a fence of this scope lies behind

  void join(const Knowledge& other) {
    known.join(other.known);
    proxied.join(other.proxied);
    for (size_t i = 0; i < kScopes; ++i) flushed[i].join(other.flushed[i]);
  }
  void clear() { *this = {}; }
};

}  // namespace jute::emulator
