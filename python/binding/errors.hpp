#pragma once
// What is being thrown, as Python's exception: for functions that nanobind does not call.

namespace jute::python {

/// Inside a catch block: sets Python's error to what was caught.
void set_python_error() noexcept;

}  // namespace jute::python
