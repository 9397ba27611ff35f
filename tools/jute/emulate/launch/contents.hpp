#pragma once
// What memory holds before a launch, or must hold after it.
#include <jute/base/types.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "emulate/launch/element_type.hpp"

namespace jute::command {

/// Never written: reading it is a finding.
struct Unset {
  bool operator==(const Unset&) const = default;
};
struct FillNumber {
  Number value;
  bool operator==(const FillNumber&) const = default;
};
/// start, start + step, start + 2 step, …; integers wrap.
struct Iota {
  Number start, step;
  bool operator==(const Iota&) const = default;
};
/// Without bounds: normal numbers of mean 0 and deviation 1, integers of all values.
struct Random {
  std::uint64_t seed = 0;
  std::optional<Number> low, high;  ///< both or none; `high` itself for integers only
  bool operator==(const Random&) const = default;
};
struct Listed {
  std::vector<Number> values;
  bool operator==(const Listed&) const = default;
};
struct FromFile {
  std::string path;
  bool is_npy = true;  ///< else its bytes are the memory's
  bool operator==(const FromFile&) const = default;
};
using Contents = std::variant<Unset, FillNumber, Iota, Random, Listed, FromFile>;

/// Elements in memory.
struct Elements {
  const ElementType* type = nullptr;
  std::vector<Index> shape;
  bool fortran_order = false;  ///< the first index is contiguous
  std::vector<std::byte> bytes;
};

/// How many elements a shape has.   throws  overflow: more than 63 bits count
[[nodiscard]] Index element_count(const std::vector<Index>& shape);
/// "it must list a value for each of the 8 elements, not 1"
[[nodiscard]] std::string listed_rule(Index elements, const Listed& listed);
/// The bytes of `count` elements; nothing of files and unset memory.
///   throws  out_of_range: the type cannot hold a number that is given
[[nodiscard]] std::vector<std::byte> made_bytes(const Contents& contents, const ElementType& type,
                                                Index count);

}  // namespace jute::command
