// Every function of the expression language, under its name.
#include <jute/expr/operation.hpp>

#include <deque>
#include <span>

#include "convert.hpp"
#include "errors.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

/// A function as Python calls it: the arguments lie side by side, no tuple is made of them.
struct Callable {
  explicit Callable(const FunctionSummary& summary)
      : operation(summary.name),
        name(summary.name),
        doc(std::string(summary.usage) + "\n\n" + std::string(summary.summary)) {}
  Operation operation;
  std::string name, doc;
  PyMethodDef definition{};
};

PyObject* call(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  try {
    const auto* callable = static_cast<const Callable*>(PyCapsule_GetPointer(self, nullptr));
    std::vector<Value> values;
    values.reserve(static_cast<std::size_t>(count));
    for (PyObject* argument : std::span(arguments, static_cast<std::size_t>(count)))
      values.push_back(to_value(argument));
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
