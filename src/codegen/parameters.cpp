// The parameters and literals of a kernel as its text declares them.
#include "codegen/parameters.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/parameter.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/launch/c_type.hpp>
#include <jute/plan/derive/operand/gated_accumulators.hpp>
#include <jute/plan/values/shares.hpp>

#include "base/format.hpp"
#include "codegen/frame_shares.hpp"
#include "codegen/gathers.hpp"
#include "codegen/kernel.hpp"
#include "codegen/row_tables.hpp"

namespace jute::codegen {
namespace {

std::string declaration(const KernelParameter& parameter, LaunchOrder order) {
  const std::string& name = parameter.name;
  if (parameter.kind == ParameterKind::tensor_map)
    return "const __grid_constant__ TensorMap " + name;
  if (parameter.kind != ParameterKind::pointer)
    return base::format("{} {}", c_type(parameter.kind), name);
  // Memory that the kernel before may still be writing while this one runs is not constant: its
  // loads stay behind the wait.
  const bool is_constant = (name == "a" || name == "b") && order != LaunchOrder::overlap_previous;
  return pointer_parameter(name, is_constant ? Pointee::constant : Pointee::may_change);
}

}  // namespace

std::string parameter_text(const StepHead& step) {
  std::string text;
  for (const KernelParameter& parameter : step.parameters)
    text += (text.empty() ? "    " : ",\n    ") + declaration(parameter, step.order);
  return text + "\n";
}

std::string literal_text(const GemmStep& step) {
  std::string text;
  for (const KernelNumber& number : numbers(step))
    if (number.extent.baked)
      text += base::format("constexpr {} {} = {};\n", c_type(number.kind), number.name,
                           number.extent.value);
  if (step.epilogue.beta == Factor::one && names(step.epilogue.expression, EpilogueOp::beta))
    text += base::format("constexpr {} beta = 1;\n", compute_type(step.epilogue.compute));
  return text;
}

/// The constants of threads that share out K, and of what they hold of the tile.
std::string parts_of_k_constants(const GemmStep& step) {
  const TileShape all = multiplied(step);
  const Index of_tile = step.threads / tiles_beside(step.schedule);
  const Index groups = groups_of_k(step), threads = of_tile / groups;
  const Index sums = Index{all.m} * all.n * parts_of_k(step) / of_tile;
  return constant("kPartsOfK", groups, "that groups of threads take") +
         constant("kLanesOfK", step.schedule.lanes_of_k, "bits of lanes that share out K") +
         constant("kDrainThreads", threads, "of the first group, which drains") +
         constant("kSumElems", sums_in_an_access(step, sums),
                  "sums that a thread leaves at a time");
}

/// The constants of sums that blocks with slices of K leave for each other.
std::string slice_constants(const GemmStep& step) {
  const Index all = size(step.epilogue.order), elems = sums_in_an_access(step, all);
  return constant("kSplitK", step.schedule.split_k, "of K, each a block's") +
         (step.schedule.whole_tiles > 0
              ? constant("kWholeTiles", step.schedule.whole_tiles, "of the grid, ahead of cut ones")
              : std::string()) +
         constant("kPartElems", elems, "sums that a thread stores at a time") +
         constant("kParts", all / elems, "times that it does") +
         constant("kConsumerThreads", size(step.mma) / groups_of_k(step), "who hold its sums");
}

std::string epilogue_constants(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  std::string text = "// The way out.\n" + gather_constants(step) +
                     constant("kOutElems", out.vector_elems, "elements of one store to D") +
                     row_constant("a", step.a.rows) + row_constant("b", step.b.rows) +
                     row_constant("d", out.d_rows);
  if (step.gate)
    text += constant("kGatedAccumulator", gated_accumulators(step).other,
                     "from a gate's accumulator to the one that it gates") +
            constant("kDrained", size(out.order), "elements of D of a thread");
  if (shares_of(step).drainers == Drainers::block) text += parts_of_k_constants(step);
  if (c_read(out.expression) != CRead::never)
    text += constant("kInElems", out.c_vector_elems, "elements of one load from C");
  if (out.store != Store::subtiles)
    text += constant("kInFlight", out.stores_together, "of its stores that ask together");
  if (out.store == Store::staged_rows)
    text += constant("kRowElems", size(out.row_tv[1]), "elements of D that a thread stores") +
            constant("kStageElems", out.stage_write_elems,
                     "accumulators of one write into the staging buffer") +
            constant("kStageReadElems", out.stage_read_elems, "accumulators of one read from it");
  return takes_split_k(step) ? text + slice_constants(step) : text;
}

}  // namespace jute::codegen
