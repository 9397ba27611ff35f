// Typed access to the arguments of a call.
#include "expr/cute_names.hpp"
#include "expr/function.hpp"
#include "expr/on_domain.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>

#include <limits>

namespace jute::expr {

namespace {

constexpr std::string_view kLayout = "a layout";

Tiler tiler_of(const Arguments& arguments, int i, const Value& value) {
  if (const auto* shape = std::get_if<IntTuple>(&value)) return Tiler(*shape);
  if (const auto* layout = std::get_if<Layout>(&value)) return Tiler(*layout);
  const auto* list = std::get_if<ValueList>(&value);
  if (list == nullptr) arguments.refuse(i, "a tiler: integers, layouts, wildcards, nested");
  std::vector<Tiler> modes;
  for (const Value& mode : list->values) modes.push_back(tiler_of(arguments, i, mode));
  return Tiler(std::move(modes));
}

}  // namespace

const Value& Arguments::operator[](int i) const {
  if (i < count()) return values_[static_cast<std::size_t>(i)];
  Error error;
  error.code = ErrorCode::wrong_arity;
  error.operand = operand(i);
  error.value = std::to_string(count()) + (count() == 1 ? " argument" : " arguments");
  error.violated_rules.emplace_back("values of this kind need it");
  error.nearest_legal = std::to_string(i + 1);
  throw Exception(std::move(error));
}

std::string Arguments::operand(int i) const {
  return "argument " + std::to_string(i + 1) + " of " + std::string(function_);
}

void Arguments::refuse(int i, std::string_view expected) const {
  Error error;
  error.code = ErrorCode::wrong_type;
  error.operand = operand(i);
  error.value = to_string((*this)[i]);
  error.violated_rules.push_back("it must be " + std::string(expected) + ", not " +
                                 std::string(kind_name((*this)[i])));
  throw Exception(std::move(error));
}

const IntTuple& Arguments::tuple(int i) const {
  const auto* tuple = std::get_if<IntTuple>(&(*this)[i]);
  if (tuple == nullptr) refuse(i, "an integer or a tuple of integers");
  return *tuple;
}

Index Arguments::integer(int i) const {
  const auto* tuple = std::get_if<IntTuple>(&(*this)[i]);
  if (tuple == nullptr || !tuple->is_integer()) refuse(i, "an integer");
  return tuple->value();
}

int Arguments::mode(int i) const {
  const Index value = integer(i);
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    Error error;
    error.code = ErrorCode::out_of_range;
    error.operand = operand(i);
    error.value = std::to_string(value);
    error.violated_rules.emplace_back("it must fit 32 bits");
    throw Exception(std::move(error));
  }
  return static_cast<int>(value);
}

const Layout& Arguments::layout(int i) const {
  const auto* layout = std::get_if<Layout>(&(*this)[i]);
  if (layout == nullptr) refuse(i, kLayout);
  return *layout;
}

ComposedLayout Arguments::composed(int i) const {
  if (const auto* layout = std::get_if<Layout>(&(*this)[i])) return *layout;
  const auto* layout = std::get_if<ComposedLayout>(&(*this)[i]);
  if (layout == nullptr) refuse(i, "a layout, plain or behind a swizzle");
  return *layout;
}

const Swizzle& Arguments::swizzle(int i) const {
  const auto* swizzle = std::get_if<Swizzle>(&(*this)[i]);
  if (swizzle == nullptr) refuse(i, "a swizzle");
  return *swizzle;
}

const Word& Arguments::word(int i) const {
  const auto* word = std::get_if<Word>(&(*this)[i]);
  if (word == nullptr) refuse(i, "a word");
  return *word;
}

Tiler Arguments::tiler(int i) const { return tiler_of(*this, i, (*this)[i]); }

int Arguments::choice(int i, std::span<const std::string_view> words) const {
  const std::string given(enumerator(word(i).text));
  std::string listed;
  for (std::size_t n = 0; n < words.size(); ++n) {
    if (words[n] == given) return static_cast<int>(n);
    listed += (n == 0 ? "" : " or ") + std::string(words[n]);
  }
  Error error;
  error.code = ErrorCode::unknown_name;
  error.operand = operand(i);
  error.value = word(i).text;
  error.violated_rules.push_back("it must be " + listed);
  const std::vector<std::string> names(words.begin(), words.end());
  error.nearest_legal = nearest_name(given, names).value_or(names.front());
  throw Exception(std::move(error));
}

MmaAtom Arguments::mma_atom(int i) const {
  if (const auto* atom = std::get_if<Boxed<MmaAtom>>(&(*this)[i])) return **atom;
  if (!is<Word>(i)) refuse(i, "an MMA atom or its name");
  return catalogue_.mma(word(i).text);
}

CopyAtom Arguments::copy_atom(int i) const {
  // Copy_Atom<OP, half_t>: the atom is the first of the two.
  const auto* typed = std::get_if<ValueList>(&(*this)[i]);
  const Value& value =
      typed != nullptr && typed->values.size() == 2 ? typed->values.front() : (*this)[i];
  if (const auto* atom = std::get_if<Boxed<CopyAtom>>(&value)) return **atom;
  const auto* name = std::get_if<Word>(&value);
  if (name == nullptr) refuse(i, "a copy atom or its name");
  return catalogue_.copy(name->text);
}

const Layout& domain_of(const Arguments& arguments, int i) {
  const Value& value = arguments[i];
  if (const auto* layout = std::get_if<Layout>(&value)) return *layout;
  if (const auto* composed = std::get_if<ComposedLayout>(&value)) return composed->layout();
  const auto* chained = std::get_if<ChainedLayout>(&value);
  if (chained == nullptr || !std::holds_alternative<Layout>(chained->inner)) {
    arguments.refuse(i, kLayout);
  }
  return std::get<Layout>(chained->inner);
}

Value with_domain(const Arguments& arguments, int i, Layout domain) {
  const Value& value = arguments[i];
  if (const auto* composed = std::get_if<ComposedLayout>(&value)) {
    return composition(composed->swizzle(), composed->offset(), domain);
  }
  if (const auto* chained = std::get_if<ChainedLayout>(&value)) {
    return ChainedLayout{chained->outer, chained->offset, std::move(domain)};
  }
  return domain;
}

}  // namespace jute::expr
