#pragma once
// Methods whose calls that do not fit them are refused in jute's words, not by a list of C++ types.
#include "convert.hpp"

namespace jute::python {

/// throws  what jute._refusals finds wrong with a call of a function that takes these names
[[noreturn]] void refuse_call(const std::string& name, const nb::tuple& takes,
                              const nb::args& words, const nb::kwargs& named);

/// A method, and behind it, asked where it does not fit, what says why. Its arguments are objects
/// or texts, which fit without a conversion: of others the second would be asked first.
template <class Class, class Method, class... Extra>
void def_refusing(nb::class_<Class>& type, const char* name, Method&& method,
                  const Extra&... extra) {
  type.def(name, std::forward<Method>(method), extra...);
  nb::list takes;
  const auto add = [&](const auto& one) {
    if constexpr (requires { one.name_; }) takes.append(nb::str(one.name_));
  };
  (add(extra), ...);
  type.def(name,
           [name = std::string(name), takes = nb::tuple(takes)](
               nb::handle, const nb::args& words, const nb::kwargs& named) -> nb::object {
             refuse_call(name, takes, words, named);
           });
}

}  // namespace jute::python
