// Every function of the expression language, under its name.
#include <jute/expr/operation.hpp>
#include <jute/layout/algebra.hpp>

#include <deque>
#include <span>
#include <string_view>
#include <utility>

#include "convert.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

using Arguments = std::span<PyObject* const>;
/// A call without the language's values in between; no object where it does not apply.
using Quick = nb::object (*)(Arguments);

/// The plain layout that an object is; null for anything else, also for classes derived from it.
const Layout* plain(PyObject* object) {
  static PyTypeObject* const kLayout = reinterpret_cast<PyTypeObject*>(nb::type<AnyLayout>().ptr());
  if (Py_TYPE(object) != kLayout) return nullptr;
  const AnyLayout* layout = nb::inst_ptr<AnyLayout>(object);
  return layout->is_plain() ? &layout->domain() : nullptr;
}

nb::object made(Layout layout) { return nb::cast(AnyLayout(std::move(layout))); }
nb::object made(Index number) { return nb::steal(PyLong_FromLongLong(number)); }

template <auto function>
nb::object of_one(Arguments arguments) {
  const Layout* layout = arguments.size() == 1 ? plain(arguments[0]) : nullptr;
  return layout == nullptr ? nb::object() : made(function(*layout));
}

template <auto function>
nb::object of_two(Arguments arguments) {
  const Layout* left = arguments.size() == 2 ? plain(arguments[0]) : nullptr;
  const Layout* right = left == nullptr ? nullptr : plain(arguments[1]);
  return right == nullptr ? nb::object() : made(function(*left, *right));
}

/// A layout and a layout as its tiler.
template <Layout (*function)(const Layout&, const Tiler&)>
Layout tiled(const Layout& layout, const Layout& tiler) {
  return function(layout, Tiler(tiler));
}

Layout least_complement(const Layout& layout) { return complement(layout); }

nb::object complement_within(Arguments arguments) {
  const Layout* layout = arguments.size() == 2 ? plain(arguments[0]) : nullptr;
  if (layout == nullptr || !PyLong_CheckExact(arguments[1]))
    return of_one<least_complement>(arguments);
  return made(complement(*layout, IntTuple(nb::cast<Index>(nb::handle(arguments[1])))));
}

// clang-format off
/// The calls that loops over layouts are made of: the language's own take twice their time.
constexpr std::pair<std::string_view, Quick> kQuick[] = {
    {"size",            of_one<static_cast<Index (*)(const Layout&)>(size)>},
    {"cosize",          of_one<static_cast<Index (*)(const Layout&)>(cosize)>},
    {"coalesce",        of_one<static_cast<Layout (*)(const Layout&)>(coalesce)>},
    {"filter",          of_one<static_cast<Layout (*)(const Layout&)>(filter)>},
    {"right_inverse",   of_one<static_cast<Layout (*)(const Layout&)>(right_inverse)>},
    {"left_inverse",    of_one<static_cast<Layout (*)(const Layout&)>(left_inverse)>},
    {"complement",      complement_within},
    {"composition",     of_two<static_cast<Layout (*)(const Layout&, const Layout&)>(composition)>},
    {"logical_divide",  of_two<tiled<logical_divide>>},
    {"zipped_divide",   of_two<tiled<zipped_divide>>},
    {"tiled_divide",    of_two<tiled<tiled_divide>>},
    {"flat_divide",     of_two<tiled<flat_divide>>},
    {"logical_product", of_two<static_cast<Layout (*)(const Layout&, const Layout&)>(logical_product)>},
    {"zipped_product",  of_two<tiled<zipped_product>>},
    {"tiled_product",   of_two<tiled<tiled_product>>},
};
// clang-format on

Quick quick_of(std::string_view name) {
  for (const auto& [quick, call] : kQuick)
    if (quick == name) return call;
  return [](Arguments) { return nb::object(); };
}

/// A function as Python calls it: the arguments lie side by side, no tuple is made of them.
struct Callable {
  explicit Callable(const FunctionSummary& summary)
      : operation(summary.name),
        quick(quick_of(summary.name)),
        name(summary.name),
        doc(std::string(summary.usage) + "\n\n" + std::string(summary.summary)) {}
  Operation operation;
  Quick quick;
  std::string name, doc;
  PyMethodDef definition{};
};

PyObject* call(PyObject* self, PyObject* const* first, Py_ssize_t count) {
  try {
    const auto* callable = static_cast<const Callable*>(PyCapsule_GetPointer(self, nullptr));
    const Arguments arguments(first, static_cast<std::size_t>(count));
    if (nb::object result = callable->quick(arguments)) return result.release().ptr();
    std::vector<Value> values;
    values.reserve(arguments.size());
    for (PyObject* argument : arguments) values.push_back(to_value(argument));
    return to_python(callable->operation(std::move(values))).release().ptr();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

nb::object function_of(Callable& callable) {
  callable.definition = {callable.name.c_str(),
                         reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(call)),
                         METH_FASTCALL, callable.doc.c_str()};
  const nb::object self = nb::steal(PyCapsule_New(&callable, nullptr, nullptr));
  return nb::steal(PyCFunction_NewEx(&callable.definition, self.ptr(), nullptr));
}

}  // namespace

void add_operations(nb::module_& core) {
  static auto* callables = new std::deque<Callable>;  // as long as the interpreter
  nb::list names;
  for (const FunctionSummary& summary : functions()) {
    Callable& callable = callables->emplace_back(summary);
    core.attr(callable.name.c_str()) = function_of(callable);
    names.append(callable.name);
  }
  core.attr("operations") = nb::tuple(names);
  core.def(
      "eval", [](const std::string& text) { return to_python(eval(text)); }, "expression"_a,
      "The value of an expression of `jute eval`: \"composition((4,8):(8,1),(2,4):(4,1))\"");
  core.def(
      "text", [](nb::handle value) { return to_string(to_value(value)); }, nb::arg("value").none(),
      "A value in jute's notation: \"(4,(2,8))\" of (4, (2, 8)); `eval` reads it back");
}

}  // namespace jute::python
