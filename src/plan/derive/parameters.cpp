// Parameters of a kernel: what threads address themselves, what TMA sees by maps, and the numbers
// between.
#include "plan/derive/parameters.hpp"

#include <jute/plan/values/group_maps.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>

#include "plan/derive/drain/regions.hpp"
#include "plan/derive/operand/conversion.hpp"

namespace jute::plan {

ParameterKind scale_kind(DType compute) {
  if (compute == DType::f64) return ParameterKind::f64;
  return compute == DType::s32 ? ParameterKind::i32 : ParameterKind::f32;
}
namespace {

/// How TMA sees a matrix whose rows, of whatever is contiguous, are `row` elements long: of stored
/// elements bytes.
MapOf map_of(const KernelMatrix& matrix, const TmaBoxes& boxes, const Count& row,
             const Count& rows) {
  constexpr int kByteBits = 8;
  const auto in_stages = [&](const Count& elements) {
    return matrix.stored ? ceil_div(elements, Index{kByteBits / width_bits(matrix.stored->type)})
                         : elements;
  };
  const bool is_generic = is_always(matrix.batch_stride, 0);
  const Count matrices =
      Count(matrix.terms) * (is_generic ? Count(1) : Count(RunValue{RunValue::Quantity::batch}));
  return {.base = matrix.base,
          .type = matrix.stored ? DType::u8 : matrix.type,
          .dims = {in_stages(row), rows, matrices},
          .strides = {in_stages(matrix.ld.count),
                      in_stages(matrix.terms > 1 ? matrix.term_stride : matrix.batch_stride.count)},
          .box = {boxes.inner, boxes.outer},
          .swizzle = boxes.swizzle};
}

/// `across` is what Major::k runs along: k of an operand, n of C and D.
MapOf map_along(const KernelMatrix& matrix, const TmaBoxes& boxes, const Count& mn,
                const Count& across) {
  return matrix.major == Major::k ? map_of(matrix, boxes, across, mn)
                                  : map_of(matrix, boxes, mn, across);
}

/// The places of a dimension in a run: as far as its rows go, where nothing else runs along it.
Count places_of(const MapDimension& dim, BoxCoordinate rows_of, const Count& rows) {
  const bool is_of_rows = dim.steps.size() == 1 && dim.steps.front().of == rows_of &&
                          dim.steps.front().extent == 0 && dim.steps.front().stride == 1;
  if (!is_of_rows || dim.first != 0) return dim.extent;
  return min(dim.extent, ceil_div(rows, dim.steps.front().unit));
}

/// How TMA sees a View of so many rows, if it has rows that a run may have fewer of.
MapOf map_of(const KernelMatrix& matrix, const ViewMap& view, TmaSwizzle swizzle,
             std::optional<BoxCoordinate> rows_of, const Count& rows) {
  MapOf map;
  map.base = matrix.base;
  map.type = matrix.type;
  map.swizzle = swizzle;
  map.offset_elems = view.offset_elems;
  for (const MapDimension& dim : view.dims) {
    if (!map.dims.empty()) map.strides.emplace_back(dim.stride);
    map.dims.push_back(rows_of ? places_of(dim, *rows_of, rows) : Count(dim.extent));
    map.box.emplace_back(dim.box);
    map.steps.push_back(dim.step);
  }
  if (std::ranges::all_of(map.steps, [](Index step) { return step == 1; })) map.steps.clear();
  return map;
}

/// Rows of A are those of the problem's M, and so are those of D.
MapOf map_of_operand(const KernelMatrix& matrix, const OperandPlan& operand, const Count& mn) {
  const bool is_a = matrix.base == Base(Argument{TensorRole::a});
  const BoxCoordinate rows =
      operand.major == Major::k ? BoxCoordinate::outer : BoxCoordinate::inner;
  return map_of(matrix, *tma_of(operand).map, tma_of(operand).boxes->swizzle,
                is_a ? std::optional(rows) : std::nullopt, mn);
}
MapOf map_of_subtiles(const KernelMatrix& matrix, const ViewMap& view, const GemmStep& step) {
  const bool is_row = (step.epilogue.d_order == Order::row) != step.transposed;
  return map_of(matrix, view, step.epilogue.drain->boxes->swizzle,
                is_row ? BoxCoordinate::outer : BoxCoordinate::inner,
                step.transposed ? step.n.count : step.m.count);
}

/// A map for the last box ahead of the edge: only rows that are left in it, in whole units.
MapOf edge_map(MapOf map, const OperandPlan& operand) {
  const Count& rows = map.dims[1];
  const Count box = map.box[1];
  map.box[1] = round_up(rows, tma_of(operand).edge_unit) - (ceil_div(rows, box) - 1) * box;
  return map;
}

/// A map for the last subtile of a tile: only columns that the launch gives it.
MapOf last_map(MapOf map) {
  const Count width(RunValue{RunValue::Quantity::width}), subtile = map.box[1];
  map.box[1] = width - (ceil_div(width, subtile) - 1) * subtile;
  return map;
}

/// The map that a producer begins with who makes its groups' own: of the largest operand, as if
/// it lay in the workspace. Where all lie in one matrix they begin at its base, a parameter too.
MapOf map_to_replace(const KernelMatrix& matrix, const OperandPlan& operand, const Count& mn,
                     const Count& k) {
  const Index unit = kMadeMapBytes / width_bytes(matrix.type);
  MapOf map = map_along(matrix, *tma_of(operand).boxes, mn, k);
  map.base = InWorkspace{std::string(kMadeMaps)};
  map.dims[2] = 1;
  map.strides = {round_up(map.dims[0], unit), unit};
  return map;
}

/// The map of an operand that TMA brings; of a gated product's, which has two halves, all lines.
MapOf map_of_side(const GemmStep& step, const KernelProblem& problem, Operand which) {
  const bool is_a = which == Operand::a;
  const KernelMatrix& matrix = is_a ? problem.a : problem.b;
  const OperandPlan& operand = is_a ? step.a : step.b;
  const Count& own = is_a ? step.m.count : step.n.count;
  if (makes_maps(step)) return map_to_replace(matrix, operand, own, step.k.count);
  const Count lines = has_halves(step, which) ? 2 * own : own;
  return tma_of(operand).map ? map_of_operand(matrix, operand, lines)
                             : map_along(matrix, *tma_of(operand).boxes, lines, step.k.count);
}

/// Is it an operand that the device's list has, where it says so of each group?
bool is_of_each(const Base& base) {
  const auto* argument = std::get_if<Argument>(&base);
  return argument != nullptr && argument->tensor <= TensorRole::d;
}

/// Inputs and outputs of the epilogue in memory, but for an input that TMA brings.
void add_epilogue_operands(std::vector<KernelParameter>& list, const GemmStep& step,
                           const KernelProblem& problem) {
  const auto& drain = step.epilogue.drain;
  const auto add_operand = [&](TensorRole role, const KernelOperand& operand) {
    list.push_back({std::string(name(role)), ParameterKind::pointer, operand.matrix.base});
  };
  for (size_t i = 0; i < step.epilogue.inputs.size(); ++i)
    if (!step.epilogue.inputs[i].by_value && !(drain && drain->input == static_cast<int>(i)))
      add_operand(input_role(static_cast<int>(i)), problem.inputs.at(i));
  for (size_t i = 0; i < step.epilogue.outputs.size(); ++i)
    if (!is_d(step.epilogue.outputs[i]))
      add_operand(output_role(static_cast<int>(i)), problem.outputs.at(i));
}

/// Adds tensors that threads address themselves, and those that TMA does.
void add_tensors(std::vector<KernelParameter>& list, const GemmStep& step,
                 const KernelProblem& problem) {
  const auto add_base = [&](const char* name, const Base& base) {
    if (lists_operands(step.groups) && is_of_each(base)) return;
    list.push_back({name, ParameterKind::pointer, base});
  };
  const auto add_map = [&](const char* name, MapOf map) {
    list.push_back({name, ParameterKind::tensor_map, std::move(map)});
  };
  const auto add_operand_maps = [&](const char* name, const char* edge, MapOf map,
                                    const OperandPlan& operand) {
    add_map(name, map);
    if (has_edge_map(operand)) add_map(edge, edge_map(std::move(map), operand));
  };
  if (makes_maps(step) && has_parts_of_k(step.groups)) {
    add_base("a", problem.a.base);
    add_base("b", problem.b.base);
  }
  if (tma_of(step.a).boxes)
    add_operand_maps("map_a", "map_a_edge", map_of_side(step, problem, Operand::a), step.a);
  else
    add_base("a", problem.a.base);
  if (tma_of(step.b).boxes) {
    MapOf map_b = map_of_side(step, problem, Operand::b);
    if (has_widths(step)) map_b.box[1] = RunValue{RunValue::Quantity::width};
    add_operand_maps("map_b", "map_b_edge", std::move(map_b), step.b);
  } else {
    add_base("b", problem.b.base);
  }
  const auto& drain = step.epilogue.drain;
  if (drain && drain->c_atom) {
    const auto input = static_cast<size_t>(drain->input.value_or(-1));
    const KernelMatrix& matrix =
        input < problem.inputs.size() ? problem.inputs[input].matrix : problem.c;
    add_map("map_c", drain->c_map ? map_of_subtiles(matrix, *drain->c_map, step)
                                  : map_along(matrix, *drain->boxes, step.m.count, step.n.count));
  } else if (c_read(step.epilogue.expression) != CRead::never)
    add_base("c", problem.c.base);
  if (drain && !leaves_by_rows(*drain)) {
    MapOf map_d = drain->map ? map_of_subtiles(problem.d, *drain->map, step)
                             : map_along(problem.d, *drain->boxes, step.m.count, step.n.count);
    add_map("map_d", map_d);
    if (has_widths(step)) add_map("map_d_last", last_map(std::move(map_d)));
  }
  if (!drain || drain->exit != SubtileExit::boxes) add_base("d", problem.d.base);
  add_epilogue_operands(list, step, problem);
  add_stored_parameters(list, "a", step.a);
  add_stored_parameters(list, "b", step.b);
  if (step.groups) add_base("ends", problem.list);
  if (step.a.rows) add_base("rows_a", Argument{TensorRole::rows_a});
  if (step.b.rows) add_base("rows_b", Argument{TensorRole::rows_a});  // of a transposed product
  if (step.epilogue.d_rows) add_base("rows_d", Argument{TensorRole::rows_d});
  for (const WorkspaceRegion& region : step_regions(step))
    list.push_back({region.name, ParameterKind::pointer, Base(InWorkspace{region.name})});
}

}  // namespace

std::vector<KernelParameter> kernel_parameters(const GemmStep& step, const KernelProblem& problem) {
  std::vector<KernelParameter> list;
  add_tensors(list, step, problem);
  for (const KernelNumber& number : numbers(step))
    if (!number.extent.baked)
      list.push_back({std::string(number.name), number.kind, number.extent.count});
  const ParameterKind kind = scale_kind(step.epilogue.compute);
  if (step.epilogue.alpha == Factor::run_time) list.push_back({"alpha", kind, ScaleFactor::alpha});
  if (step.epilogue.beta == Factor::run_time) list.push_back({"beta", kind, ScaleFactor::beta});
  for (size_t i = 0; i < step.epilogue.inputs.size(); ++i) {
    if (const EpilogueOperandPlan& input = step.epilogue.inputs[i]; input.by_value)
      list.push_back({std::string(name(input_role(static_cast<int>(i)))), scale_kind(input.type),
                      InputValue{place_of(problem.inputs[i])}});
  }
  return list;
}

}  // namespace jute::plan
