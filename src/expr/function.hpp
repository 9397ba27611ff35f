#pragma once
// Functions of the expression language as rows of tables.
#include <jute/atom/catalogue.hpp>
#include <jute/expr/value.hpp>
#include <jute/layout/explain.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jute::expr {

/// The evaluated arguments of one call, with typed access. Each accessor refuses with wrong_type
/// and names the argument.
class Arguments {
 public:
  Arguments(std::string_view function, std::vector<Value> values, const Catalogue& catalogue,
            std::vector<std::string>& remarks)
      : function_(function), values_(std::move(values)), catalogue_(catalogue), remarks_(remarks) {}

  [[nodiscard]] int count() const { return static_cast<int>(values_.size()); }
  /// throws  wrong_arity: there is no such argument
  [[nodiscard]] const Value& operator[](int i) const;
  template <class Kind>
  [[nodiscard]] bool is(int i) const {
    return i < count() && std::holds_alternative<Kind>((*this)[i]);
  }

  [[nodiscard]] const IntTuple& tuple(int i) const;
  [[nodiscard]] Index integer(int i) const;
  /// An integer that fits an int: a mode index, a rank.
  [[nodiscard]] int mode(int i) const;
  [[nodiscard]] const Layout& layout(int i) const;
  /// A plain layout, or one behind a swizzle.
  [[nodiscard]] ComposedLayout composed(int i) const;
  [[nodiscard]] const Swizzle& swizzle(int i) const;
  [[nodiscard]] const Word& word(int i) const;
  [[nodiscard]] Tiler tiler(int i) const;
  /// The word as one of a few; refuses others and lists these.
  [[nodiscard]] int choice(int i, std::span<const std::string_view> words) const;

  /// An atom, or its name in the catalogue.
  [[nodiscard]] MmaAtom mma_atom(int i) const;
  [[nodiscard]] CopyAtom copy_atom(int i) const;
  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }

  /// A remark that the result does not say itself.
  void remark(std::string text) const { remarks_.push_back(std::move(text)); }

  [[noreturn]] void refuse(int i, std::string_view expected) const;
  /// "argument 2 of slice"
  [[nodiscard]] std::string operand(int i) const;

 private:
  std::string_view function_;
  std::vector<Value> values_;
  const Catalogue& catalogue_;
  std::vector<std::string>& remarks_;
};

struct Function {
  std::string_view name;
  int least = 1;  ///< fewest arguments
  int most = 1;   ///< most arguments; kAnyNumber: no limit
  Value (*call)(const Arguments& arguments);
  std::string_view usage;
  std::string_view summary;
  OffsetMeaning offsets = OffsetMeaning::elements;  ///< of a layout that it gives
};
inline constexpr int kAnyNumber = 1 << 20;

// One table a topic; `find_function` searches them all.
[[nodiscard]] std::span<const Function> shape_functions();
[[nodiscard]] std::span<const Function> mode_functions();
[[nodiscard]] std::span<const Function> algebra_functions();
[[nodiscard]] std::span<const Function> tiling_functions();
[[nodiscard]] std::span<const Function> coordinate_functions();
[[nodiscard]] std::span<const Function> construction_functions();
[[nodiscard]] std::span<const Function> comparison_functions();
[[nodiscard]] std::span<const Function> arithmetic_functions();
[[nodiscard]] std::span<const Function> property_functions();
[[nodiscard]] std::span<const Function> atom_functions();
[[nodiscard]] std::span<const Function> tiled_functions();
[[nodiscard]] std::span<const Function> partition_functions();

/// The table row of a name; null where there is none.
[[nodiscard]] const Function* try_function(std::string_view name);
/// The table row of a name.   throws  unknown_name: offers the nearest names
[[nodiscard]] const Function& find_function(std::string_view name);
/// Checks the number of arguments and calls.   throws  wrong_arity
[[nodiscard]] Value call_function(const Function& function, std::vector<Value> arguments,
                                  const Catalogue& catalogue, std::vector<std::string>& remarks);
/// The same of a row by its name.   throws  unknown_name
[[nodiscard]] Value call_function(std::string_view name, std::vector<Value> arguments,
                                  const Catalogue& catalogue, std::vector<std::string>& remarks);

}  // namespace jute::expr
