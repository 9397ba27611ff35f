// Values of expressions: normalisation, printing, kinds.
#include <jute/expr/value.hpp>

#include <array>
#include <cstdio>
#include <ostream>

namespace jute {

Value::Value(ComposedLayout layout) {
  if (layout.swizzle() == Swizzle() && layout.offset() == 0) {
    emplace<Layout>(layout.layout());
  } else {
    emplace<ComposedLayout>(std::move(layout));
  }
}

Value::Value(InverseLayout inverse) {
  if (auto* composed = std::get_if<ComposedLayout>(&inverse)) {
    *this = Value(std::move(*composed));
  } else {
    emplace<ChainedLayout>(std::get<ChainedLayout>(std::move(inverse)));
  }
}

namespace {

struct Printer {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const Word& word) const { return word.text; }
  std::string operator()(const BitPattern& pattern) const {
    std::array<char, 24> digits{};
    std::snprintf(digits.data(), digits.size(), "0x%016llx",
                  static_cast<unsigned long long>(pattern.bits));
    return digits.data();
  }
  std::string operator()(const ValueList& list) const {
    std::string text = "(";
    for (const Value& value : list.values) {
      if (text.size() > 1) text += ',';
      text += to_string(value);
    }
    return text += ')';
  }
  std::string operator()(const Boxed<MmaAtom>& atom) const {
    return "mma_atom(" + full_name(*atom) + ')';
  }
  std::string operator()(const Boxed<CopyAtom>& atom) const {
    return "copy_atom(" + (*atom).name + ')';
  }
  std::string operator()(const Boxed<TiledMma>& boxed) const {
    const TiledMma& tiled = *boxed;
    return "tiled_mma(" + full_name(tiled.atom()) + ',' + to_string(tiled.atom_layout()) + ',' +
           to_string(tiled.permutation()) + ')';
  }
  std::string operator()(const Boxed<TiledCopy>& boxed) const {
    const TiledCopy& tiled = *boxed;
    return "tiled_copy(" + tiled.atom().name + ',' + std::string(tiled.type().name) + ',' +
           to_string(tiled.layout_tv()) + ',' + to_string(tiled.tiler_mn()) + ')';
  }
  static std::string full_name(const MmaAtom& atom) {
    return atom.template_args.empty() ? atom.name : atom.name + '<' + atom.template_args + '>';
  }
  std::string operator()(const auto& value) const { return to_string(value); }
};

}  // namespace

std::string to_string(const Value& value) {
  return std::visit(Printer{}, static_cast<const ValueVariant&>(value));
}

std::ostream& operator<<(std::ostream& out, const Value& value) { return out << to_string(value); }

std::string_view kind_name(const Value& value) {
  if (const auto* tuple = std::get_if<IntTuple>(&value)) {
    if (tuple->is_tuple()) return "a tuple";
    if (tuple->is_wildcard()) return "a wildcard";
    return tuple->is_basis() ? "a unit vector" : "an integer";
  }
  static constexpr std::array<std::string_view, std::variant_size_v<ValueVariant>> kNames{
      "a tuple",           "a truth value",    "a layout",    "a swizzle",
      "a composed layout", "a chained layout", "a word",      "a bit pattern",
      "a tuple of values", "an MMA atom",      "a copy atom", "a tiled MMA",
      "a tiled copy"};
  return kNames[value.index()];
}

}  // namespace jute
