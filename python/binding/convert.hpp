#pragma once
// Between Python's objects and the values of the expression language: integers are int, tuples are
// tuple, the wildcard is None, a text is what it says in jute's notation.
#include <jute/base/refuse.hpp>
#include <jute/expr/value.hpp>
#include <jute/host/array_types.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <initializer_list>
#include <utility>

namespace jute::python {

namespace nb = nanobind;

/// A layout of any kind, one class in Python: plain, behind a swizzle, or a chain of two.
class AnyLayout {
 public:
  AnyLayout(Layout plain) : plain_(std::move(plain)) {}  // NOLINT: a plain layout is one
  AnyLayout(ComposedLayout layout);                      // NOLINT: likewise
  AnyLayout(ChainedLayout chain);                        // NOLINT: likewise

  [[nodiscard]] bool is_plain() const { return !other_; }
  [[nodiscard]] Value value() const { return other_ ? *other_ : Value(plain_); }
  /// throws  wrong_type: a chain has no such form
  [[nodiscard]] ComposedLayout composed() const;
  /// The layout whose coordinates it takes; the whole of a plain one.
  ///   throws  wrong_type: a chain that ends in a swizzle has none
  [[nodiscard]] const Layout& domain() const;
  [[nodiscard]] const ComposedLayout* if_composed() const {
    return other_ ? std::get_if<ComposedLayout>(other_.get()) : nullptr;
  }
  [[nodiscard]] const ChainedLayout* if_chained() const {
    return other_ ? std::get_if<ChainedLayout>(other_.get()) : nullptr;
  }
  bool operator==(const AnyLayout& other) const { return value() == other.value(); }

 private:
  Layout plain_;
  std::shared_ptr<const Value> other_;  ///< what is no plain layout, which are few
};

/// A unit vector times an integer, `2@0@1`: what a stride may be besides a number.
struct Basis {
  IntTuple leaf;
  bool operator==(const Basis&) const = default;
};

/// throws  wrong_type: nothing of jute's; what eval refuses of a text
[[nodiscard]] Value to_value(nb::handle object);
[[nodiscard]] IntTuple to_tuple(nb::handle object);
[[nodiscard]] Tiler to_tiler(nb::handle object);
[[nodiscard]] AnyLayout to_layout(nb::handle object);
/// A dtype by name, or what numpy and torch call one.
[[nodiscard]] DType to_dtype(nb::handle object);
/// wrong_type: no element type has the name in arrays, with the names that do.
[[noreturn]] void refuse_unknown_elements(const char* operand, const std::string& name);

/// Is the type one of a module's, or made from it, where the module is loaded?
[[nodiscard]] bool is_of(const char* module_name, const char* name, nb::handle type);
/// One of Python's or numpy's.
[[nodiscard]] bool is_number(nb::handle object);
/// throws  wrong_type: it is none
[[nodiscard]] double to_number(nb::handle object, const char* name);
/// The first and the last number of rows.   throws  wrong_type: no two integers
[[nodiscard]] std::pair<Index, Index> to_pair(nb::handle object, const char* name);
[[nodiscard]] inline std::optional<DType> dtype_or_none(nb::handle object) {
  return object.is_none() ? std::nullopt : std::optional(to_dtype(object));
}
/// Any of Python's or numpy's integers.   throws  wrong_type: it is none, or has more than 64 bits
[[nodiscard]] Index to_index(nb::handle object, const char* name);

[[nodiscard]] nb::object to_python(const layout::TupleView& tuple);
[[nodiscard]] inline nb::object to_python(const IntTuple& tuple) { return to_python(tuple.view()); }
[[nodiscard]] nb::object to_python(const Value& value);

/// Makes a value Python's: printed, compared, hashed. `shown` is its repr.
template <class Kind, class Text, class Shown>
nb::class_<Kind>& add_value(nb::class_<Kind>& type, Text text, Shown shown) {
  return type.def("__str__", text)
      .def("__repr__", shown)
      .def("__hash__", [text](const Kind& self) { return std::hash<std::string>{}(text(self)); })
      .def(
          "__eq__", [](const Kind& a, const Kind& b) { return a == b; }, nb::is_operator());
}

/// unknown_name: the text is none of these, with the nearest.
[[noreturn]] void refuse_choice(const char* operand, const std::string& text,
                                const std::vector<std::string>& known);
/// The value that a text names.   throws  unknown_name
template <class Choice>
Choice chosen(const char* operand, const std::string& text,
              std::initializer_list<std::pair<const char*, Choice>> choices) {
  std::vector<std::string> known;
  for (const auto& [name, choice] : choices) {
    if (text == name) return choice;
    known.emplace_back(name);
  }
  refuse_choice(operand, text, known);
}
/// Inside a catch block: what was caught is Python's error, for functions that nanobind does not
/// call.
void set_python_error() noexcept;

}  // namespace jute::python
