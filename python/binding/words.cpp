// Reads calls: every word that jute's products know, once.
#include "words.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>

namespace jute::python {

/// The value that a call says for a word. It has a name outside of this file, as KnownWord has:
/// g++ 13 does not survive a member of an unnamed namespace's type there.
struct Given {
  nb::handle object;
  const char* name;

  [[noreturn]] void refuse_kind(const char* rule, std::optional<std::string> nearest = {}) const {
    refuse(ErrorCode::wrong_type, name, nb::cast<std::string>(nb::repr(object)), rule,
           std::move(nearest));
  }
  [[nodiscard]] nb::handle array() const {
    if (object.is_none()) refuse_kind("it must be an array");
    return object;
  }
  [[nodiscard]] nb::object any() const { return nb::borrow(object); }
  [[nodiscard]] std::string text() const { return text_of(object, name); }
  template <class Choice>
  [[nodiscard]] Choice of(std::initializer_list<std::pair<const char*, Choice>> choices) const {
    return chosen(name, text(), choices);
  }
  [[nodiscard]] double number() const { return to_number(object, name); }
  [[nodiscard]] bool truth() const {
    if (!PyBool_Check(object.ptr())) refuse_kind("it must be True or False");
    return object.is(Py_True);
  }
  [[nodiscard]] int race() const {
    const Index candidates = integer();
    constexpr Index kMost = 100;
    if (candidates < 0 || candidates > kMost)
      refuse(ErrorCode::out_of_range, name, std::to_string(candidates),
             "from none to 100 candidates must race", candidates < 0 ? "0" : "100");
    return static_cast<int>(candidates);
  }
  [[nodiscard]] Index integer() const { return to_index(object, name); }
  [[nodiscard]] std::optional<DType> type() const { return dtype_or_none(object); }
  [[nodiscard]] ViewNumbers numbers() const {
    return of<ViewNumbers>(
        {{"run-time", ViewNumbers::run_time}, {"literal", ViewNumbers::literal}});
  }
  [[nodiscard]] RowStore store() const {
    return of<RowStore>({{"add", RowStore::add}, {"put", RowStore::put}});
  }
  [[nodiscard]] TensorRole operand() const {
    return of<TensorRole>({{"a", TensorRole::a}, {"b", TensorRole::b}});
  }
  [[nodiscard]] nb::dict arrays() const {
    if (object.is_none()) return {};
    if (!nb::hasattr(object, "keys")) refuse_kind("it must be a dictionary of names and arrays");
    const nb::dict all =
        PyDict_Check(object.ptr())
            ? nb::borrow<nb::dict>(object)
            : nb::cast<nb::dict>(nb::module_::import_("builtins").attr("dict")(object));
    for (const auto& [key, value] : all)
      if (!PyUnicode_Check(key.ptr())) refuse_kind("it must be a dictionary of names and arrays");
    return all;
  }
};

namespace {

Precision precision_of(const std::string& text) {
  return text == "f32" ? Precision::f32 : parse_precision(text);
}

std::optional<MRange> range_of(Given given) {
  if (given.object.is_none()) return std::nullopt;
  const auto [first, last] = to_pair(given.object, given.name);
  return MRange{first, last};
}

}  // namespace

struct KnownWord {
  std::string_view name;
  void (*read)(Call& call, Given given);
  std::string_view takers = "";          ///< see signature_of
  std::string_view kind = "Any = None";  ///< as signatures have it
};

namespace {

template <TensorRole Role>
void read_tensor(Call& call, Given given) {
  call.operands.given[Role] = given.any();
}

// clang-format off
constexpr KnownWord kWords[] = {
    {"a", [](Call& call, Given given) { call.operands.a = given.array(); }},
    {"b", [](Call& call, Given given) { call.operands.b = given.array(); }},
    {"scale_a", [](Call& call, Given given) { call.operands.side_a.scale = given.any(); }, "Ssq"},
    {"scale_b", [](Call& call, Given given) { call.operands.side_b.scale = given.any(); }, "Ssq"},
    {"zero_a", [](Call& call, Given given) { call.operands.side_a.zero = given.any(); }, "Ssq"},
    {"zero_b", [](Call& call, Given given) { call.operands.side_b.zero = given.any(); }, "Ssq"},
    {"block_a", [](Call& call, Given given) { call.operands.side_a.block = given.text(); }, "Sq", "str = ''"},
    {"block_b", [](Call& call, Given given) { call.operands.side_b.block = given.text(); }, "Sq", "str = ''"},
    {"type_a", [](Call& call, Given given) { call.operands.side_a.type = given.type(); }, "Sq"},
    {"type_b", [](Call& call, Given given) { call.operands.side_b.type = given.type(); }, "Sq"},
    {"stage_as", [](Call& call, Given given) { call.operands.stage_as = given.type(); }, "Sq"},
    {"offs", [](Call& call, Given given) { call.operands.lists.offs = given.any(); }, "GgrSsq"},
    {"counts", [](Call& call, Given given) { call.operands.lists.counts = given.any(); }, "GgrSsq"},
    {"row_groups", [](Call& call, Given given) { call.operands.lists.row_groups = given.any(); }, "GgrSsq"},
    {"expected", [](Call& call, Given given) { call.operands.expected = given.integer(); }, "GrSq", "int = 0"},
    {"stride", [](Call& call, Given given) { call.convolution.stride = given.any(); }, "vh", "int | Sequence[int] = 1"},
    {"padding", [](Call& call, Given given) { call.convolution.padding = given.any(); },
     "vh", "int | Sequence[int] = 0"},
    {"dilation", [](Call& call, Given given) { call.convolution.dilation = given.any(); },
     "vh", "int | Sequence[int] = 1"},
    {"groups", [](Call& call, Given given) { call.convolution.groups = given.integer(); }, "vh", "int = 1"},
    {"order", [](Call& call, Given given) { call.order = given.text(); }, "vh", "str = 'NHWC'"},
    {"out", [](Call& call, Given given) { call.operands.out = given.any(); }, "PpmGgrSsqvh"},
    {"c", read_tensor<TensorRole::c>, "PpmGgrSsqv"},
    {"alpha", [](Call& call, Given given) { call.operands.alpha = given.number(); }, "PpmGgrSsqv", "float = 1.0"},
    {"beta", [](Call& call, Given given) { call.operands.beta = given.number(); }, "PpmGgrSsqv", "float = 1.0"},
    {"epilogue", [](Call& call, Given given) { call.wish.epilogue = given.text(); }, "PmGrSqv", "str = ''"},
    {"gate", [](Call& call, Given given) { call.wish.gate = parse_gate_columns(given.text()); },
     "PmGr", "str = 'halves'"},
    {"inputs", [](Call& call, Given given) { call.operands.inputs = given.arrays(); },
     "PpmGgrSsqv", "Mapping[str, Any] | None = None"},
    {"outputs", [](Call& call, Given given) { call.operands.outputs = given.arrays(); },
     "PpmGgrSsqv", "Mapping[str, Any] | None = None"},
    {"precision", [](Call& call, Given given) { call.wish.precision = precision_of(given.text()); },
     "Pmvhe", "str = 'f32'"},
    {"config", [](Call& call, Given given) { call.wish.config = given.text(); }, "PmGrSqvhe", "str = ''"},
    {"dtype", [](Call& call, Given given) { call.wish.dtype = given.type(); }, "PmGrvhe"},
    {"out_dtype", [](Call& call, Given given) { call.wish.out_dtype = given.type(); }, "PmGrSqvhe"},
    {"stream", [](Call& call, Given given) { call.operands.stream = given.any(); }, "pmgrsqvhe"},
    {"rows_a", read_tensor<TensorRole::rows_a>, "mr"},
    {"rows_d", read_tensor<TensorRole::rows_d>, "mr"},
    {"store", [](Call& call, Given given) { call.operands.store = given.store(); }, "mr", "str = 'put'"},
    {"m_range", [](Call& call, Given given) { call.wish.m_range = range_of(given); },
     "PS", "tuple[int, int] | None = None"},
    {"batch_invariant", [](Call& call, Given given) { call.wish.batch_invariant = given.truth(); },
     "PS", "bool = False"},
    {"numbers", [](Call& call, Given given) { call.wish.numbers = given.numbers(); }, "P", "str = 'literal'"},
    {"race", [](Call& call, Given given) { call.wish.race = given.race(); }, "PGS", "int = 0"},
    {"fast_accum", [](Call& call, Given given) { call.wish.fast_accum = given.truth(); }, "PmGrSq", "bool = False"},
    {"x", [](Call& call, Given given) { call.x = given.array(); }},
    {"w", [](Call& call, Given given) { call.w = given.array(); }},
    {"dy", [](Call& call, Given given) { call.dy = given.array(); }},
    {"input_size", [](Call& call, Given given) { call.size = given.object; }},
    {"weight_size", [](Call& call, Given given) { call.size = given.object; }},
    {"operand", [](Call& call, Given given) { call.operand = given.operand(); }},
    {"array", [](Call& call, Given given) { call.operands.a = given.array(); }},
    {"scale", [](Call& call, Given given) { call.operands.side_a.scale = given.any(); }},
    {"zero", [](Call& call, Given given) { call.operands.side_a.zero = given.any(); }},
};
// clang-format on

std::string_view text_of(nb::handle key) {
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(key.ptr(), &size);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace

std::string signature_of(std::string_view head, char taker, std::string_view result) {
  std::string text(head);
  for (const KnownWord& word : kWords)
    if (word.takers.find(taker) != word.takers.npos &&
        head.find(" " + std::string(word.name) + ":") == head.npos)
      text += ", " + std::string(word.name) + ": " + std::string(word.kind);
  return text + ") -> " + std::string(result);
}

void Takes::add(std::string_view word) {
  const auto* const known = std::ranges::find(kWords, word, &KnownWord::name);
  if (known == std::end(kWords))
    refuse(ErrorCode::internal, std::string(word), "", "it must be in the table of words");
  words_.push_back({std::string(word), known});
}

Takes::Takes(std::string_view signature) {
  const std::size_t open = signature.find('(');
  function_ = signature.substr(4, open - 4);
  if (function_.starts_with("__")) function_ = function_.substr(2, function_.size() - 4);
  std::size_t begin = open + 1;
  std::optional<std::size_t> places;
  std::vector<std::string_view> words;
  int depth = 0;
  for (std::size_t i = begin; depth >= 0; ++i) {
    const char c = signature[i];
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (depth > 0 || (c != ',' && c != ')') || (c == ')' && depth == 0)) continue;
    const std::string_view word = signature.substr(begin, i - begin);
    begin = i + 2;
    if (word == "*") {
      places = words.size();
    } else if (word.starts_with('*')) {
      words.clear();
      places = kAnyPlaces;
    } else if (word != "self") {
      words.push_back(word);
    }
  }
  places_ = places.value_or(words.size());
  for (const std::string_view word : words) {
    if (word.find('=') == word.npos) ++needed_;
    add(word.substr(0, word.find(':')));
  }
}

std::vector<std::string> Takes::names() const {
  std::vector<std::string> names;
  for (const Taken& taken : words_) names.push_back(taken.name);
  return names;
}

void Takes::refuse_count(std::size_t given) const {
  refuse(ErrorCode::wrong_arity, function_, std::to_string(given) + " arguments",
         "it must be called with the first " + std::to_string(needed_) + " of " + joined(names()) +
             ", each once");
}

void refuse_keyword(nb::handle word, const std::vector<std::string>& takes,
                    const std::string& function) {
  const nb::object refused =
      nb::module_::import_("jute._refusals").attr("unknown_keyword")(word, takes, function);
  PyErr_SetObject(refused.type().ptr(), refused.ptr());
  throw nb::python_error();
}

std::string text_of(nb::handle given, const char* name) {
  if (PyUnicode_Check(given.ptr())) return nb::cast<std::string>(given);
  const nb::object words = nb::module_::import_("jute._refusals").attr("words_of")(given);
  refuse(ErrorCode::wrong_type, name, nb::cast<std::string>(nb::repr(given)), "it must be a text",
         nb::cast<std::optional<std::string>>(words));
}

Call Takes::read(const nb::args& places, const nb::kwargs& named) const {
  Call call;
  call.places = places;
  std::uint64_t said = 0;
  const auto set = [&](std::size_t i, nb::handle given) {
    const Taken& taken = words_[i];
    if ((said >> i & 1) != 0) refuse_count(places.size() + named.size());
    said |= std::uint64_t{1} << i;
    taken.word->read(call, {given, taken.name.c_str()});
  };
  if (places.size() > places_) refuse_count(places.size() + named.size());
  if (places_ != kAnyPlaces)
    for (std::size_t i = 0; i < places.size(); ++i) set(i, places[i]);
  for (const auto& [key, value] : named) {
    const auto found = std::ranges::find(words_, text_of(key), &Taken::name);
    if (found == words_.end()) refuse_keyword(key, names(), function_);
    set(static_cast<std::size_t>(found - words_.begin()), value);
  }
  const std::uint64_t all = (std::uint64_t{1} << needed_) - 1;
  if ((said & all) != all) refuse_count(places.size() + named.size());
  return call;
}

void add_called(nb::module_& core, const std::string& head, char taker, std::string_view result,
                Function function) {
  const std::string signature = signature_of("def " + head, taker, result);
  core.def(
      head.substr(0, head.find('(')).c_str(),
      [takes = Takes(signature), function](const nb::args& given, const nb::kwargs& named) {
        Call call = takes.read(given, named);
        return function(call);
      },
      nb::sig(signature.c_str()));
}

}  // namespace jute::python
