#pragma once
// What a layout does, as facts and in words: for people who look at one for the first time.
#include <jute/base/export.hpp>
#include <jute/layout/properties.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The unit of a layout's offsets.
enum class OffsetMeaning : std::uint8_t {
  elements,  ///< in memory: they are addresses
  places,    ///< in a tile, as (thread,value) layouts of instructions have them: m + M*k
  bits,      ///< of what an instruction copies
};

/// How the layout is read.
struct Reading {
  int element_bits = 32;
  int threads = 32;  ///< who share out the elements
  OffsetMeaning offsets = OffsetMeaning::elements;
};

/// One kind of access: the first lanes of the threads, each `bytes` wide.
struct AccessCost {
  int bytes = 0;
  int lanes = 0;
  int sectors = 0;        ///< pieces of 32 bytes of global memory that the access touches
  int ideal_sectors = 0;  ///< the fewest that hold as many bytes
  BankConflicts banks;    ///< in shared memory
  bool operator==(const AccessCost&) const = default;
};

struct Explanation {
  std::string layout;
  Index size = 0, cosize = 0;
  Index least = 0;                ///< the smallest offset; below 0 where strides are negative
  std::optional<bool> injective;  ///< nothing where it is too costly to tell
  Index gaps = 0;  ///< offsets from `least` to cosize that nothing reaches, of injective ones
  std::optional<std::string> inverse;  ///< offset -> coordinate, where there is one
  bool is_thread_value = false;        ///< mode 0 is the threads, as many as the reading has
  Index vector_elems = 1;  ///< elements that a thread may move at once, in runs and aligned
  /// Widths from one element to the widest vector; none where offsets are no addresses.
  std::vector<AccessCost> accesses;
  std::vector<std::vector<Index>> offsets;  ///< of the first threads' first elements
  std::vector<std::string> words;           ///< sentences, the most important first
};

/// `threads` share out the elements: those of mode 0 where the layout has two modes and that has as
/// many, else vectors of consecutive coordinates in turn.
///   throws  out_of_range: more than 2^20 elements, a reading without bits or threads
[[nodiscard]] Explanation explain(const ComposedLayout& layout, const Reading& reading);

}  // namespace jute
