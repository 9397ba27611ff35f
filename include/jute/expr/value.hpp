#pragma once
// What an expression evaluates to.
#include <jute/atom/tiled.hpp>
#include <jute/base/export.hpp>
#include <jute/layout/chained_layout.hpp>
#include <jute/layout/tiler.hpp>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace JUTE_API jute {

/// A bare word: an enumerator (`left`, `K`, `f16`) or an atom's name with its `<…>`.
struct Word {
  std::string text;
  bool operator==(const Word&) const = default;
};

/// A 64-bit pattern, printed in hexadecimal.
struct BitPattern {
  std::uint64_t bits = 0;
  bool operator==(const BitPattern&) const = default;
};

/// A large value behind a pointer that copies share; compares by content.
template <class T>
class Boxed {
 public:
  Boxed(T value) : value_(std::make_shared<const T>(std::move(value))) {}  // NOLINT: a T is a box
  [[nodiscard]] const T& operator*() const { return *value_; }
  bool operator==(const Boxed& other) const { return *value_ == *other.value_; }

 private:
  std::shared_ptr<const T> value_;
};

class Value;

/// Several values; as an argument a tuple of tilers, as a result several results.
struct ValueList {
  std::vector<Value> values;
  bool operator==(const ValueList&) const = default;
};

using ValueVariant =
    std::variant<IntTuple, bool, Layout, Swizzle, ComposedLayout, ChainedLayout, Word, BitPattern,
                 ValueList, Boxed<MmaAtom>, Boxed<CopyAtom>, Boxed<TiledMma>, Boxed<TiledCopy>>;

/// A regular value. An integer is an IntTuple leaf. A composed layout that is plain is a Layout.
class Value : public ValueVariant {
 public:
  using ValueVariant::ValueVariant;
  Value() = default;
  Value(Index number) : ValueVariant(IntTuple(number)) {}  // NOLINT: an integer is a value
  Value(int number) : Value(Index{number}) {}              // NOLINT: likewise
  Value(ComposedLayout layout);                            // NOLINT: likewise
  Value(InverseLayout inverse);                            // NOLINT: likewise
};

/// The canonical text; eval reads it back to an equal value (bit patterns excepted). Atoms and
/// tilings print as the call that makes them.
[[nodiscard]] std::string to_string(const Value& value);
std::ostream& operator<<(std::ostream& out, const Value& value);
/// "a layout", "an integer", …: what the value is, for messages.
[[nodiscard]] std::string_view kind_name(const Value& value);

}  // namespace jute
