#pragma once
// A GEMM step with what its pieces share.
#include <jute/emit/constants.hpp>
#include <jute/plan/derive/operand/fragment.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include "codegen/by_width.hpp"

#include <bit>

#include "codegen/edges.hpp"
#include "codegen/operand.hpp"

namespace jute::codegen {

/// Are fragments of several instructions along K read together?
[[nodiscard]] inline bool reads_along_k(const GemmStep& step) {
  return step.schedule.k_steps_at_once > 1;
}

/// Threads that share out K: in all, and as groups of whole warps.
[[nodiscard]] inline Index parts_of_k(const GemmStep& step) {
  return size(step.mma.atom_layout()[2]);
}
[[nodiscard]] inline Index groups_of_k(const GemmStep& step) {
  return parts_of_k(step) >> std::popcount(unsigned(step.schedule.lanes_of_k));
}

/// Are whole chunks along K multiplied, from the first one on?
[[nodiscard]] inline bool begins_inside_k(const OperandPlan& operand) {
  return straight_of(operand).from_chunk && operand.major == Major::k;
}

struct Kernel {
  const GemmStep& step;
  const TemplateSet& templates;
  Fragment a, b, c;
  OperandSide side_a, side_b;
  Index accumulators;  ///< of a thread

  Kernel(const GemmStep& gemm, const TemplateSet& set)
      : step(gemm),
        templates(set),
        a(jute::fragment(gemm.mma, Operand::a, multiplied(gemm))),
        b(jute::fragment(gemm.mma, Operand::b, multiplied(gemm))),
        c(jute::fragment(gemm.mma, Operand::c, multiplied(gemm))),
        side_a(side_of(Operand::a)),
        side_b(side_of(Operand::b)),
        accumulators(Index{c.values} * c.repeats * c.steps) {}
  Kernel(const Kernel&) = delete;

 private:
  [[nodiscard]] OperandSide side_of(Operand which) const;
};

/// A piece without holes.
[[nodiscard]] inline std::string text(const Kernel& kernel, const char* path) {
  return Piece(kernel.templates, path).text();
}

/// The value of sums where a tile may have no k-tile.
[[nodiscard]] inline std::string without_k_tiles(const Kernel& kernel) {
  return may_lack_k_tiles(kernel.step) ? text(kernel, "specialised/products.cu (none)") : "";
}

/// The part of a thread's accumulators, or of its turns, that a block drains: all, or its share.
struct Drained {
  std::string first, end;
};
[[nodiscard]] inline Drained drained_range(const GemmStep& step, std::string_view of_share,
                                           std::string_view all) {
  if (!reduces_in_cluster(step.schedule)) return {"0", std::string(all)};
  const std::string elems(of_share);
  return {"share * " + elems, "(share + 1) * " + elems};
}

/// Both operands' ways from global memory to fragments.
[[nodiscard]] inline std::string ways_text(const Kernel& kernel) {
  const Arch arch = kernel.step.arch;
  return load_piece(kernel.templates, kernel.side_a, arch) +
         load_piece(kernel.templates, kernel.side_b, arch) +
         feed_piece(kernel.templates, kernel.side_a, kernel.step) +
         feed_piece(kernel.templates, kernel.side_b, kernel.step);
}

/// Waits until what the kernel before writes is there.
[[nodiscard]] inline std::string waits_for_previous(const GemmStep& step) {
  return step.order == LaunchOrder::overlap_previous ? call("wait_for_previous_kernel") : "";
}

/// Lets the next kernel begin, where the plan says so: a second time does nothing.
[[nodiscard]] inline std::string release_piece(const GemmStep& step, Release when) {
  const std::string release = call("release_next_kernel");
  if (!is_release_passed(step.schedule)) return step.schedule.releases == when ? release : "";
  if (when == early_release(step.schedule)) return "if (starts_next) " + release;
  return when == Release::after_main_loop ? release : "";
}

/// Where a k-tile's products are summed, and what it begins and ends with: on their own where its
/// sums are scaled.
struct KTileSums {
  const char* name = "acc";
  std::string begin{}, add{};
};

/// `multiply`: all k-steps of a stage, or of each product of terms.
[[nodiscard]] inline std::string multiply_piece(const Kernel& kernel, const KTileSums& sums = {}) {
  const GemmStep& step = kernel.step;
  const int unrolled = step.schedule.unrolled_k_steps;
  const int along_k = int{step.a.major == Major::k} + int{step.b.major == Major::k};
  constexpr const char* kAtOnce[]{"mma/multiply.cu (columns)", "mma/multiply.cu (steps)",
                                  "mma/multiply.cu (rows)"};
  const auto place = [](const OperandPlan& operand) {
    return has_stored_stages(operand) ? "read_place" : "stage";
  };
  return Piece(kernel.templates, !step.products.empty() ? "mma/multiply.cu (terms)"
                                 : reads_along_k(step)  ? kAtOnce[along_k]
                                                        : "mma/multiply.cu (stage)")
      .fill("unrolled", unrolled == 0 ? "" : " " + std::to_string(unrolled))
      .fill_if("sums", sums.name)
      .fill_if("begin", sums.begin)
      .fill_if("add", sums.add)
      .fill_if("of_a", place(step.a))
      .fill_if("of_b", place(step.b))
      .text();
}

}  // namespace jute::codegen
