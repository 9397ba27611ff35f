#pragma once
// Where an atom's layouts put each value of a tile in a probe's buffers.
#include <jute/proof/probe.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace jute::proof {

/// One (thread,value) pair: its bit in a pass's part of the buffer and its coordinate in the tile.
struct MmaPlace {
  int thread = 0;
  Index value = 0;
  Index bit = 0;
  int row = 0;     ///< m of A and C, n of B
  int column = 0;  ///< k of A and B, n of C
};

/// All pairs of a dense operand, thread by thread. Of an operand in shared memory, which all
/// threads see alike, the pairs of thread 0.
[[nodiscard]] std::vector<MmaPlace> places(const MmaAtom& atom, Operand operand,
                                           const Probe& probe);

/// One logical value of 2:4 sparse A: its position in a group of which few values are stored.
struct SparsePlace {
  int position = 0;
  std::array<Index, 4> bits{};  ///< of the group's stored values
};

/// How one position of a group is stored, and all others are not.
struct SparseChoice {
  unsigned nibble = 0;  ///< metadata of the group
  int stored = 0;       ///< which of its stored values it becomes
};

/// A and its metadata.
struct SparsePlaces {
  int group = 4;                            ///< logical values that one nibble describes
  std::vector<SparsePlace> values;          ///< by m + M*k
  std::vector<std::vector<Index>> nibbles;  ///< bits of the nibbles, by m + M*(k / group)
  Index metadata_pairs = 0;

  [[nodiscard]] SparseChoice choose(int position) const;
  static constexpr unsigned kFirst = 0x4;  ///< a group that stores its first values
};
[[nodiscard]] SparsePlaces sparse_places(const MmaAtom& atom, const Probe& probe);

/// A claim of the layouts that no instruction of the form could meet, found without running one.
[[nodiscard]] std::optional<std::string> broken_form(const MmaAtom& atom);

}  // namespace jute::proof
