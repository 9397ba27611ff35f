#pragma once
// Words of CuTe that stand for our functions, words and layouts.
#include <optional>
#include <string>
#include <string_view>

namespace jute::expr {

/// Without `cute::`, `cutlass::` or Python's `cute.` in front.
[[nodiscard]] std::string_view unqualified(std::string_view name);

/// Our name of a function that CuTe calls otherwise; other names as they are.
///   example  function_name("group_modes") == "group"
[[nodiscard]] std::string_view function_name(std::string_view name);

/// make_shape, Shape, Stride, …: what holds its arguments as one tuple.
[[nodiscard]] bool makes_tuple(std::string_view name);

/// size, shape, …: its template arguments, or Python's `mode=[…]`, pick a mode before it is called.
///   example  size<0>(L)
[[nodiscard]] bool is_of_mode(std::string_view name);

/// MMA_Atom, Copy_Traits, …: templates that are about the atom in their first argument.
///   example  Copy_Atom<Copy_Traits<SM75_U32x4_LDSM_N>, half_t>
[[nodiscard]] bool is_of_atom(std::string_view name);

/// Our word for an enumerator.   example  enumerator("LayoutRight") == "right"
[[nodiscard]] std::string_view enumerator(std::string_view name);

/// A call that other programs have and the language has not, as it is written here.
///   example  meant_call("Swizzle", "3,3,3") == "Sw<3,3,3>"
[[nodiscard]] std::optional<std::string> meant_call(std::string_view name,
                                                    std::string_view arguments);

/// The text of a layout that CuTe names.   example  "SM70_QuadPair" -> "(4,2):(1,16)"
[[nodiscard]] std::optional<std::string_view> named_layout(std::string_view name);

}  // namespace jute::expr
