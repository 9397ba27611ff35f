#pragma once
// A GEMM step with what its pieces share.
#include <jute/emit/constants.hpp>
#include <jute/plan/fragment.hpp>

#include "codegen/operand.hpp"

namespace jute::codegen {

/// Does a producer load what others multiply?
[[nodiscard]] inline bool is_specialised(const GemmStep& step) {
  return step.schedule.main_loop == MainLoop::warp_specialised;
}

/// Are fragments of several instructions along K read together?
[[nodiscard]] inline bool reads_along_k(const GemmStep& step) {
  return step.schedule.k_steps_at_once > 1;
}

/// Do threads load their own fragments from global memory?
[[nodiscard]] inline bool is_straight(const GemmStep& step) {
  return step.schedule.main_loop == MainLoop::straight;
}

/// The constant of a yes or no.
[[nodiscard]] inline std::string flag(std::string_view name, bool value, std::string_view meaning) {
  return constant("bool", name, value ? "true" : "false", meaning);
}

struct Kernel {
  const GemmStep& step;
  const TemplateSet& templates;
  Fragment a, b, c;
  OperandSide side_a, side_b;

  Kernel(const GemmStep& gemm, const TemplateSet& set)
      : step(gemm),
        templates(set),
        a(jute::fragment(gemm.mma, Operand::a, gemm.tile)),
        b(jute::fragment(gemm.mma, Operand::b, gemm.tile)),
        c(jute::fragment(gemm.mma, Operand::c, gemm.tile)),
        side_a{Operand::a, &gemm.a, &a, "a", "A", "m", "M", gemm.tile.m, reads_along_k(gemm)},
        side_b{Operand::b, &gemm.b, &b, "b", "B", "n", "N", gemm.tile.n, reads_along_k(gemm)} {}
  Kernel(const Kernel&) = delete;
};

/// A piece without holes.
[[nodiscard]] inline std::string text(const Kernel& kernel, const char* path) {
  return Piece(kernel.templates, path).text();
}

}  // namespace jute::codegen
