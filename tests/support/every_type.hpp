#pragma once
// Epilogues that read, cast to and store every element type, and what compiles them.
#include <jute/base/arch.hpp>
#include <jute/plan/ask/problem.hpp>

#include <span>
#include <string>

namespace jute::test {

/// What a kernel's types differ in: operands of A and B, which say what is computed in; D; a number
/// that turns which extent each input has, and which outputs stand beside D.
struct EveryType {
  DType ab = DType::f16, d = DType::f16;
  int turn = 0;
};

/// Inputs of every type (where sums are integers that stay so, of every integer) and bits, of every
/// extent in turn; casts to every type; outputs beside D of half of the types, and bits.
[[nodiscard]] Problem problem_of(const EveryType& types);

/// What compiler and emulator find wrong with the kernels of its plan on the chip that stands for
/// an architecture; empty where these compile and every instruction is one of the architecture.
[[nodiscard]] std::string faults_of(const EveryType& types, Arch arch);

/// Those that NVRTC compiles for.
[[nodiscard]] std::span<const Arch> compiled_arches();

}  // namespace jute::test
