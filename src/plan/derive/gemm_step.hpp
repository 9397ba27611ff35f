#pragma once
// The part that every family of GEMM kernels shares: a step begun from the problem, and completed
// from its tile, its TiledMma and its shared-memory layouts.
#include <jute/plan/derive/operand/fragment.hpp>

#include <variant>

#include "plan/ask/broken_rule.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// A step, or the rules that keep it from being derived.
using Derived = std::variant<GemmStep, Errors>;

/// The least tile of whole units that holds another.
[[nodiscard]] TileShape whole_units(const TileShape& tile, const ShapeMnk& unit);

/// Sets how D leaves a block, without what other ways need.
void set_way_out(EpiloguePlan& out, Store store);

/// How exact functions can be on a chip, of what a problem's outputs ask for.
[[nodiscard]] EpilogueAccuracy accuracy_on(Arch arch, EpilogueAccuracy enough);
/// The problem's inputs or outputs as a plan holds them.
[[nodiscard]] EpilogueOperandPlan operand_plan(const KernelOperand& operand);
[[nodiscard]] std::vector<EpilogueOperandPlan> operand_plans(
    const std::vector<KernelOperand>& operands);
/// How many of their elements are read or written together where `run` elements of D are stored
/// side by side.
void set_operand_accesses(EpiloguePlan& out, const KernelProblem& problem, int run);
/// The same, and of C, where a thread stores as it holds them.
void set_accesses_beside_d(EpiloguePlan& out, const KernelProblem& problem);

/// Sets how many elements one read of a fragment gives a thread, by the operand's matrix load or by
/// the widest plain one, and their order.
void set_reads(OperandPlan& operand, const Fragment& fragment, int k_steps_at_once);

/// A tile that threads copy.
struct CopiedTile {
  int mn, k;
  int halves = 1;  ///< copied one behind the other
};
/// Deals a tile out to so many threads, in accesses as wide as memory and the stage allow, for
/// cp.async each in one piece. Of a tile that may be dealt out (tile_rules).
void deal_copies(OperandPlan& operand, const KernelMatrix& matrix, const CopiedTile& tile,
                 int threads);

/// What a step takes of its problem, operands apart: numbers by `take`.
template <class Take>
void take_problem(GemmStep& step, const KernelProblem& problem, const Take& take) {
  take(step.m, problem.m);
  take(step.n, problem.n);
  take(step.k, problem.k);
  take(step.batch, problem.batch);
  step.groups = problem.groups;
  step.accumulate = problem.accumulate;
  step.products = problem.products;
  EpiloguePlan& out = step.epilogue;
  out.alpha = problem.alpha;
  out.beta = problem.beta;
  out.compute = problem.compute;
  out.accuracy = accuracy_on(step.arch, problem.accuracy);
  out.c_type = problem.c.type;
  out.d_type = problem.d.type;
  out.c_order = order_of(problem.c);
  out.d_order = order_of(problem.d);
  take(out.ldc, problem.c.ld);
  take(out.ldd, problem.d.ld);
  take(out.c_batch_stride, problem.c.batch_stride);
  take(out.d_batch_stride, problem.d.batch_stride);
  out.c_view = problem.c.view;
  out.d_view = problem.d.view;
  out.c_boxed = problem.c.boxed;
  out.d_boxed = problem.d.boxed;
  out.d_rows = problem.d.rows;
}

/// Everything that follows from the problem and the family alone.
[[nodiscard]] GemmStep step_for(const KernelProblem& problem, Family family,
                                const DeviceInfo& device, const Config& config);

/// Everything that follows from tile, mma, stages and the shared-memory layouts: copy layouts,
/// access widths, bytes, the kernel's name. Of a step that keeps tile_rules and smem_rules.
void complete_step(GemmStep& step, const KernelProblem& problem, const DeviceInfo& device);

}  // namespace jute::plan
