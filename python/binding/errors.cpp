// Refusals as Python exceptions: jute.Error with every field of a C++ Error.
#include <jute/base/error.hpp>

#include "convert.hpp"
#include "module.hpp"

namespace jute::python {

namespace {

void raise(const Error& error) {
  nb::object position = nb::none();
  if (error.position) position = nb::make_tuple(error.position->line, error.position->column);
  nb::object nearest = nb::none();
  if (error.nearest_legal) nearest = nb::cast(*error.nearest_legal);
  const nb::object type = nb::module_::import_("jute.error").attr("Error");
  const nb::object raised =
      type(std::string(code_name(error.code)), error.operand, error.value,
           nb::tuple(nb::cast(error.violated_rules)), nearest, position, error.detail);
  PyErr_SetObject(raised.type().ptr(), raised.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Exception& exception) {
    raise(exception.error());
  } catch (const nb::cast_error&) {
    PyErr_SetString(PyExc_TypeError, "an argument must be of the type that its function says");
  }
}

}  // namespace

void set_python_error() noexcept {
  try {
    throw;
  } catch (const Exception& exception) {
    raise(exception.error());
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& exception) {
    PyErr_SetString(PyExc_RuntimeError, exception.what());
  }
}

void add_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace jute::python
