#pragma once
// Named constants of a kernel, each with what it says.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// `constexpr int kStages = 4;           // k-tiles in shared memory at once`
[[nodiscard]] std::string constant(std::string_view name, Index value, std::string_view meaning);
/// The same of another type, its value as text.
[[nodiscard]] std::string constant(std::string_view type, std::string_view name,
                                   std::string_view value, std::string_view meaning);
/// `typedef bf16 ElemA;`
[[nodiscard]] std::string alias(std::string_view name, std::string_view type);
/// `sums[i]`, and `sums[i] = 0;`
[[nodiscard]] std::string element(std::string_view array, std::string_view place);
[[nodiscard]] std::string assign(std::string_view to, std::string_view value);
/// `load_a(stage);`
[[nodiscard]] std::string call(std::string_view function, std::string_view arguments = "");
/// A wgmma descriptor without an address, field by field.
///   source  PTX ISA, wgmma's matrix descriptor
[[nodiscard]] std::string matrix_constant(std::string_view letter, std::uint64_t bits);

/// Instructions along K in a stage, of which some may be fed together.
[[nodiscard]] std::string k_step_constants(Index steps, int at_once);
/// Constants of a thread's part of D: so many elements, in the registers of so many instructions.
[[nodiscard]] std::string accumulator_constants(const MmaAtom& atom, Index elements,
                                                Index instructions);

/// Numbers that a launch may say, where kernels of which all launches say the same have constants.
enum class Launched : std::uint8_t { columns, cluster };
/// Constants but for those that follow from it.
[[nodiscard]] std::string without_launched(const std::string& constants, Launched launched);

/// CUDA's unsigned type of so many bytes, up to 8: what moves bits, whatever they mean.
[[nodiscard]] std::string_view word_type(int bytes);

/// The type that to_compute makes of an element.
[[nodiscard]] DType computed_type(DType type);
/// The type that epilogues compute in, as CUDA C++ names it.
[[nodiscard]] std::string compute_type(DType compute);
/// An element of a type after to_compute, as a value of the type that is computed in.
[[nodiscard]] std::string computed(DType compute, DType type, std::string_view value);

}  // namespace jute
