// Reads and makes Python's objects.
#include "convert.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/expr/eval.hpp>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <unordered_map>

namespace jute::python {

namespace {

std::string shown(nb::handle object) { return nb::cast<std::string>(nb::str(nb::repr(object))); }

bool is_sequence(nb::handle object) {
  return PyTuple_Check(object.ptr()) || PyList_Check(object.ptr());
}

Index integer_of(nb::handle object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0)
    refuse(ErrorCode::overflow, "integer", shown(object), "it must fit a signed 64-bit integer");
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

/// Writes the object at the end of a tuple of integers; false where it is none.
bool append(TupleBuilder& tuple, nb::handle object) {
  if (PyLong_Check(object.ptr())) {
    tuple.integer(integer_of(object));
    return true;
  }
  if (is_sequence(object)) {
    tuple.open();
    for (const nb::handle item : object)
      if (!append(tuple, item)) return false;
    tuple.close();
    return true;
  }
  if (object.is_none()) {
    tuple.wildcard();
    return true;
  }
  Basis* basis = nullptr;
  if (nb::try_cast<Basis*>(object, basis)) {
    tuple.append(basis->leaf.view());
    return true;
  }
  if (PyIndex_Check(object.ptr())) {  // numpy's integers
    tuple.integer(integer_of(nb::steal(PyNumber_Index(object.ptr()))));
    return true;
  }
  return false;
}

std::optional<IntTuple> try_tuple(nb::handle object) {
  TupleBuilder tuple;
  if (!append(tuple, object)) return std::nullopt;
  return tuple.take();
}

Value list_of(nb::handle items) {
  ValueList list;
  for (const nb::handle item : items) list.values.push_back(to_value(item));
  return list;
}

template <class Made>
nb::object tuple_of(std::size_t count, Made&& made) {
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
  for (std::size_t i = 0; i < count; ++i)
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), made(i).release().ptr());
  return tuple;
}

struct ToPython {
  nb::object operator()(const IntTuple& tuple) const { return to_python(tuple.view()); }
  nb::object operator()(bool truth) const { return nb::bool_(truth); }
  nb::object operator()(const Swizzle& swizzle) const { return nb::cast(swizzle); }
  nb::object operator()(const Word& word) const { return nb::str(word.text.c_str()); }
  nb::object operator()(const BitPattern& pattern) const { return nb::int_(pattern.bits); }
  nb::object operator()(const ValueList& list) const {
    return tuple_of(list.values.size(), [&](std::size_t i) { return to_python(list.values[i]); });
  }
  nb::object operator()(const Boxed<MmaAtom>& atom) const { return nb::cast(*atom); }
  nb::object operator()(const Boxed<CopyAtom>& atom) const { return nb::cast(*atom); }
  nb::object operator()(const Boxed<TiledMma>& tiled) const { return nb::cast(*tiled); }
  nb::object operator()(const Boxed<TiledCopy>& tiled) const { return nb::cast(*tiled); }
  nb::object operator()(const auto& layout) const { return nb::cast(AnyLayout(layout)); }
};

/// `left`, `f16`, `SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>`
bool is_word(const std::string& text) {
  const auto stands_in_words = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_<>:, ", c) != nullptr;
  };
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(), stands_in_words);
}

/// A text as an argument: a bare word may stand there, and nowhere else.
Value value_of(const std::string& text) {
  try {
    return eval(text);
  } catch (const Exception&) {
    if (!is_word(text)) throw;
    return Word{text};
  }
}

template <class Kind>
bool take(nb::handle object, std::optional<Value>& value) {
  Kind* held = nullptr;
  if (!nb::try_cast<Kind*>(object, held)) return false;
  value = Value(*held);
  return true;
}

Tiler tiler_of(const Value& value) {
  if (const auto* shape = std::get_if<IntTuple>(&value)) return Tiler(*shape);
  if (const auto* layout = std::get_if<Layout>(&value)) return Tiler(*layout);
  const auto* list = std::get_if<ValueList>(&value);
  if (list == nullptr)
    refuse(ErrorCode::wrong_type, "tiler", to_string(value),
           "it must be integers, layouts and None, nested");
  std::vector<Tiler> modes;
  for (const Value& mode : list->values) modes.push_back(tiler_of(mode));
  return Tiler(std::move(modes));
}

}  // namespace

void refuse_choice(const char* operand, const std::string& text,
                   const std::vector<std::string>& known) {
  refuse(ErrorCode::unknown_name, operand, text,
         (known.size() == 2 ? "it must be " : "it must be one of ") +
             joined(known, known.size() == 2 ? " or " : ", "),
         nearest_name(text, known).value_or(known.front()));
}

AnyLayout::AnyLayout(ComposedLayout layout)
    : other_(std::make_shared<const Value>(std::in_place_type<ComposedLayout>, std::move(layout))) {
}
AnyLayout::AnyLayout(ChainedLayout chain)
    : other_(std::make_shared<const Value>(std::move(chain))) {}

ComposedLayout AnyLayout::composed() const {
  if (is_plain()) return plain_;
  if (const ComposedLayout* composed = if_composed()) return *composed;
  refuse(ErrorCode::wrong_type, "layout", to_string(*other_),
         "it must be a layout, plain or behind a swizzle, no chain of two");
}

const Layout& AnyLayout::domain() const {
  if (is_plain()) return plain_;
  if (const ComposedLayout* composed = if_composed()) return composed->layout();
  return jute::domain(*if_chained());
}

Value to_value(nb::handle object) {
  if (object.is_none()) return IntTuple::wildcard();
  if (PyBool_Check(object.ptr())) return object.is(Py_True);
  AnyLayout* layout = nullptr;
  if (!PyLong_Check(object.ptr()) && nb::try_cast<AnyLayout*>(object, layout))
    return layout->value();
  if (PyUnicode_Check(object.ptr())) return value_of(nb::cast<std::string>(object));
  if (std::optional<IntTuple> tuple = try_tuple(object)) return std::move(*tuple);
  if (is_sequence(object)) return list_of(object);
  std::optional<Value> value;
  if (take<Swizzle>(object, value) || take<MmaAtom>(object, value) ||
      take<CopyAtom>(object, value) || take<TiledMma>(object, value) ||
      take<TiledCopy>(object, value))
    return std::move(*value);
  refuse(ErrorCode::wrong_type, "argument", shown(object),
         "it must be an integer, a tuple, None for a wildcard, a text in jute's notation, or one "
         "of jute's own objects");
}

IntTuple to_tuple(nb::handle object) {
  const Value value = to_value(object);
  if (const auto* tuple = std::get_if<IntTuple>(&value)) return *tuple;
  refuse(ErrorCode::wrong_type, "argument", to_string(value),
         "it must be an integer or a tuple of integers");
}

AnyLayout to_layout(nb::handle object) {
  Value value = to_value(object);
  if (const auto* shape = std::get_if<IntTuple>(&value)) return Layout(*shape);
  if (auto* plain = std::get_if<Layout>(&value)) return std::move(*plain);
  if (auto* composed = std::get_if<ComposedLayout>(&value)) return std::move(*composed);
  if (auto* chain = std::get_if<ChainedLayout>(&value)) return std::move(*chain);
  refuse(ErrorCode::wrong_type, "layout", to_string(value), "it must be a layout or a shape");
}

Tiler to_tiler(nb::handle object) { return tiler_of(to_value(object)); }

bool is_of(const char* module_name, const char* name, nb::handle type) {
  const nb::dict modules = nb::module_::import_("sys").attr("modules");
  if (!modules.contains(module_name)) return false;
  const nb::object module = modules[module_name];
  return nb::hasattr(module, name) && PyObject_IsSubclass(type.ptr(), module.attr(name).ptr()) == 1;
}

bool is_number(nb::handle object) {
  if (PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr())) return true;
  static auto* known = new std::unordered_map<PyObject*, bool>;  // by type, which then lives on
  const nb::handle type = object.type();
  const auto found = known->find(type.ptr());
  if (found != known->end()) return found->second;
  type.inc_ref();
  return known->emplace(type.ptr(), is_of("numpy", "generic", type)).first->second;
}

double to_number(nb::handle object, const char* name) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (value != -1 || PyErr_Occurred() == nullptr) return value;
  PyErr_Clear();
  refuse(ErrorCode::wrong_type, name, shown(object), "it must be a number");
}

std::pair<Index, Index> to_pair(nb::handle object, const char* name) {
  PyObject* const given = object.ptr();
  if (!PySequence_Check(given) || PyUnicode_Check(given) || PySequence_Size(given) != 2)
    refuse(ErrorCode::wrong_type, name, nb::cast<std::string>(nb::str(object)),
           "it must be the first and the last number of rows", "(1, 16)");
  return {to_index(nb::object(object[0]), name), to_index(nb::object(object[1]), name)};
}

Index to_index(nb::handle object, const char* name) {
  const Index value = PyIndex_Check(object.ptr())
                          ? PyNumber_AsSsize_t(object.ptr(), PyExc_OverflowError)
                          : (PyErr_SetNone(PyExc_TypeError), -1);
  if (value != -1 || PyErr_Occurred() == nullptr) return value;
  PyErr_Clear();
  refuse(ErrorCode::wrong_type, name, nb::cast<std::string>(nb::str(object)),
         "it must be an integer of 64 bits");
}

void refuse_unknown_elements(const char* operand, const std::string& name) {
  if (names_complex_type(name)) (void)parse_dtype(name);
  std::vector<std::string> known;
  std::string listed;
  for (const ArrayType& row : array_types()) {
    if (row.type == DType::tf32) continue;  // float32's
    known.emplace_back(row.name);
    if (width_bits(row.type) >= 8) listed += (listed.empty() ? "" : ", ") + known.back();
  }
  refuse(ErrorCode::wrong_type, operand, name, "its elements must be one of " + listed,
         nearest_name(name, known));
}

DType to_dtype(nb::handle object) {
  if (PyUnicode_Check(object.ptr())) {
    const auto text = nb::cast<std::string>(object);
    const auto meant = meant_dtype(text);
    return meant ? *meant : parse_dtype(text);
  }
  // A scalar class, as ml_dtypes.bfloat16; an object of numpy's or torch's; what has one.
  nb::object named = nb::borrow(object);
  if (!nb::hasattr(object, "__name__") && nb::hasattr(object, "dtype"))
    named = object.attr("dtype");
  if (nb::hasattr(named, "isnative") && named.attr("isnative").is(Py_False))
    refuse(ErrorCode::wrong_type, "dtype", nb::cast<std::string>(nb::str(named)),
           "its bytes must be in this machine's order");
  for (const char* attribute : {"__name__", "name"})
    if (nb::hasattr(named, attribute)) named = named.attr(attribute);
  auto name = nb::cast<std::string>(nb::str(named));
  if (const std::size_t dot = name.rfind('.'); dot != std::string::npos) name.erase(0, dot + 1);
  const auto type = type_of_array(name);
  if (!type) refuse_unknown_elements("dtype", name);
  return *type;
}

nb::object to_python(const layout::TupleView& tuple) {
  if (tuple.is_integer()) return nb::steal(PyLong_FromLongLong(tuple.value()));
  if (tuple.is_wildcard()) return nb::none();
  if (tuple.is_basis()) return nb::cast(Basis{IntTuple(tuple)});
  layout::Modes modes(tuple);
  return tuple_of(static_cast<std::size_t>(layout::rank(tuple)),
                  [&](std::size_t) { return to_python(modes.next()); });
}

nb::object to_python(const Value& value) {
  return std::visit(ToPython{}, static_cast<const ValueVariant&>(value));
}

}  // namespace jute::python
