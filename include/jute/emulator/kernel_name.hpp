#pragma once
// Kernels by the names that people give them.
#include <jute/base/export.hpp>
#include <jute/emulator/ptx.hpp>

#include <span>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// The C++ name behind a symbol; the symbol itself where it is not mangled.
///   example  demangled("_Z5scalePff") == "scale(float*, float)"
[[nodiscard]] std::string demangled(std::string_view symbol);

/// The kernel of this name: its symbol, its C++ name, or what is left of that without parameters,
/// template arguments or namespaces, as long as one kernel alone has it. Blanks do not count. An
/// empty name takes the only kernel.
///   example  "_ZN3net5scaleIfEEvPT_", "void net::scale<float>(float*)", "net::scale<float>",
///            "scale<float>" and "scale" are one kernel
///   throws   unknown_name: none has it, with the nearest name, or several do
[[nodiscard]] const PtxKernel& find_kernel(std::span<const PtxKernel> kernels,
                                           std::string_view name);

}  // namespace jute
