// Which numbers a kernel is given, and which it holds as literals.
#include "plan/run/parameters.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <jute/plan/values/tile_width.hpp>

#include "base/format.hpp"
#include "plan/derive/drain/gathers.hpp"

namespace jute {
namespace plan {

ParameterKind scale_kind(DType compute) {
  if (compute == DType::f64) return ParameterKind::f64;
  return compute == DType::s32 ? ParameterKind::i32 : ParameterKind::f32;
}

namespace {

/// The number as the kernel has it.
Count held(const Extent& extent) { return extent.baked ? Count(extent.value) : extent.count; }

}  // namespace

namespace {

/// How TMA sees a matrix whose rows, of whatever is contiguous, are `row` elements long.
MapOf map_of(const KernelMatrix& matrix, const TmaBoxes& boxes, const Count& row,
             const Count& rows) {
  const bool is_shared = is_always(matrix.batch_stride, 0);
  const Count matrices =
      Count(matrix.terms) * (is_shared ? Count(1) : Count(RunValue{RunValue::Quantity::batch}));
  return {.base = matrix.base,
          .type = matrix.type,
          .dims = {row, rows, matrices},
          .strides = {matrix.ld.count,
                      matrix.terms > 1 ? matrix.term_stride : matrix.batch_stride.count},
          .box = {boxes.inner, boxes.outer},
          .swizzle = boxes.swizzle};
}
/// `across` is what Major::k runs along: k of an operand, n of C and D.
MapOf map_along(const KernelMatrix& matrix, const TmaBoxes& boxes, const Count& mn,
                const Count& across) {
  return matrix.major == Major::k ? map_of(matrix, boxes, across, mn)
                                  : map_of(matrix, boxes, mn, across);
}

/// A map for the last box ahead of the edge: only rows that are left in it, in whole units.
MapOf edge_map(MapOf map, const OperandPlan& operand) {
  const Count& rows = map.dims[1];
  const Count box = map.box[1];
  map.box[1] = round_up(rows, operand.edge_unit) - (ceil_div(rows, box) - 1) * box;
  return map;
}

/// A map for the last slab of a tile: only columns that the launch gives it.
MapOf last_map(MapOf map) {
  const Count width(RunValue{RunValue::Quantity::width}), slab = map.box[1];
  map.box[1] = width - (ceil_div(width, slab) - 1) * slab;
  return map;
}

/// What threads address themselves, and what TMA does.
void add_tensors(std::vector<KernelParameter>& list, const GemmStep& step,
                 const KernelProblem& problem) {
  const auto add_base = [&](const char* name, const Base& base) {
    list.push_back({name, ParameterKind::pointer, base});
  };
  const auto add_map = [&](const char* name, MapOf map) {
    list.push_back({name, ParameterKind::tensor_map, std::move(map)});
  };
  const bool by_tma = step.a.boxes && step.b.boxes;
  const auto add_operand_maps = [&](const char* name, const char* edge, MapOf map,
                                    const OperandPlan& operand) {
    add_map(name, map);
    if (has_edge_map(operand)) add_map(edge, edge_map(std::move(map), operand));
  };
  if (by_tma) {
    add_operand_maps("map_a", "map_a_edge",
                     map_along(problem.a, *step.a.boxes, step.m.count, step.k.count), step.a);
    MapOf map_b = map_along(problem.b, *step.b.boxes, step.n.count, step.k.count);
    if (has_widths(step)) map_b.box[1] = RunValue{RunValue::Quantity::width};
    add_operand_maps("map_b", "map_b_edge", std::move(map_b), step.b);
  } else {
    add_base("a", problem.a.base);
    add_base("b", problem.b.base);
  }
  const auto& drain = step.epilogue.drain;
  if (drain && drain->c_atom) {
    const auto input = static_cast<size_t>(drain->input.value_or(-1));
    const KernelMatrix& matrix =
        input < problem.inputs.size() ? problem.inputs[input].matrix : problem.c;
    add_map("map_c", map_along(matrix, *drain->boxes, step.m.count, step.n.count));
  } else if (c_read(step.epilogue.expression) != CRead::never)
    add_base("c", problem.c.base);
  if (drain && !leaves_by_rows(*drain)) {
    MapOf map_d = map_along(problem.d, *drain->boxes, step.m.count, step.n.count);
    add_map("map_d", map_d);
    if (has_widths(step)) add_map("map_d_last", last_map(std::move(map_d)));
  }
  if (!drain || drain->exit != SlabExit::boxes) add_base("d", problem.d.base);
  const auto add_operand = [&](TensorRole role, const KernelOperand& operand) {
    list.push_back({std::string(name(role)), ParameterKind::pointer, operand.matrix.base});
  };
  for (size_t i = 0; i < step.epilogue.inputs.size(); ++i)
    if (!step.epilogue.inputs[i].by_value && !(drain && drain->input == static_cast<int>(i)))
      add_operand(input_role(static_cast<int>(i)), problem.inputs.at(i));
  for (size_t i = 0; i < step.epilogue.outputs.size(); ++i)
    if (!is_d(step.epilogue.outputs[i]))
      add_operand(output_role(static_cast<int>(i)), problem.outputs.at(i));
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
  if (step.epilogue.alpha == Scale::run_time) list.push_back({"alpha", kind, ScaleFactor::alpha});
  if (step.epilogue.beta == Scale::run_time) list.push_back({"beta", kind, ScaleFactor::beta});
  for (size_t i = 0; i < step.epilogue.inputs.size(); ++i) {
    if (const EpilogueOperandPlan& input = step.epilogue.inputs[i]; input.by_value)
      list.push_back({std::string(name(input_role(static_cast<int>(i)))), scale_kind(input.type),
                      InputValue{place_of(problem.inputs[i])}});
  }
  return list;
}

std::array<Count, 3> tile_grid(const GemmStep& step) {
  const ClusterShape& cluster = step.schedule.cluster;
  const Count columns = has_widths(step) ? Count(RunValue{RunValue::Quantity::width})
                                         : Count(step.tile.n * cluster.n);
  return {Count(cluster.m) * ceil_div(held(step.m), step.tile.m * cluster.m),
          Count(cluster.n) * ceil_div(held(step.n), columns), held(step.batch)};
}

Count tiles(const GemmStep& step) {
  const std::array<Count, 3> grid = tile_grid(step);
  return grid[0] * grid[1] * grid[2];
}

double tiles_of(const TileShape& tile, Index m, Index n, Index batch) {
  return static_cast<double>(ceil_div(std::max<Index>(m, 1), tile.m)) *
         static_cast<double>(ceil_div(std::max<Index>(n, 1), tile.n)) *
         static_cast<double>(std::max<Index>(batch, 1));
}

double elements_of_d(Index m, Index n, Index batch) {
  return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(batch);
}

double operand_bytes(Index m, Index n, Index k, Index batch, int width) {
  return (static_cast<double>(m) + static_cast<double>(n)) * static_cast<double>(k) *
         static_cast<double>(batch) * width;
}

double all_bytes(Index m, Index n, Index k, Index batch, int width) {
  return operand_bytes(m, n, k, batch, width) + width * elements_of_d(m, n, batch);
}

double blocks_of(const TileShape& tile, const ClusterShape& cluster, Index m, Index n,
                 Index batch) {
  const auto whole = [](Index extent, int rows, int blocks) {
    return static_cast<double>(ceil_div(ceil_div(std::max<Index>(extent, 1), rows), blocks)) *
           blocks;
  };
  return whole(m, tile.m, cluster.m) * whole(n, tile.n, cluster.n) *
         static_cast<double>(std::max<Index>(batch, 1));
}

bool has_own_tiles(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  return schedule.is_shared && schedule.teams == 1 && !gathers(step.epilogue) &&
         blocks_of({step.tile.m, step.tile.n}, schedule.cluster, step.m.value, step.n.value,
                   step.batch.value) == schedule.persistent_blocks;
}

// What one block cannot have of an SM's.
Index reserved_smem(const DeviceInfo& device) {
  return device.smem_bytes_per_sm - device.smem_bytes_per_block;
}

int blocks_beside(const GemmStep& step, const DeviceInfo& device) {
  const Index all = step.schedule.persistent_blocks;
  if (blocks(step.schedule.cluster) > 1 || step.schedule.teams > 1 || all <= device.sm_count)
    return 1;
  const Index most = device.smem_bytes_per_sm / (step.dynamic_smem_bytes + reserved_smem(device));
  return static_cast<int>(std::clamp<Index>(most, 1, ceil_div(all, device.sm_count)));
}

int doublings(const ClusterShape& cluster) {
  return std::bit_width(static_cast<unsigned>(blocks(cluster))) - 1;
}

// A cluster lies within a part of the chip; those of more than two do not fill the parts: 30 of
// four were counted on the 132 SMs of an H200.
Index blocks_at_once(const ClusterShape& cluster, const DeviceInfo& device) {
  constexpr Index kFilled = 10, kOf = 11;
  const Index each = std::max<Index>(blocks(cluster), 1);
  const Index sms = each > 2 ? device.sm_count * kFilled / kOf : device.sm_count;
  return sms / each * each;
}

double blocks_of_sm(int threads, double registers_of_thread, const DeviceInfo& device) {
  const double most =
      std::min<double>(device.threads_per_sm, device.registers_per_sm / registers_of_thread);
  return std::max(std::floor(most / threads), 1.0);
}

}  // namespace plan

std::vector<KernelNumber> numbers(const GemmStep& step) {
  using enum ParameterKind;
  std::vector<KernelNumber> list{{"m", i32, step.m},
                                 {"n", i32, step.n},
                                 {"k", i32, step.k},
                                 {"lda", i64, step.a.ld},
                                 {"ldb", i64, step.b.ld},
                                 {"ldc", i64, step.epilogue.ldc},
                                 {"ldd", i64, step.epilogue.ldd},
                                 {"batch", i32, step.batch},
                                 {"batch_stride_a", i64, step.a.batch_stride},
                                 {"batch_stride_b", i64, step.b.batch_stride},
                                 {"batch_stride_c", i64, step.epilogue.c_batch_stride},
                                 {"batch_stride_d", i64, step.epilogue.d_batch_stride}};
  // A map holds its tensor's strides, and a grid of a block for each tile has no end to look for.
  const auto leave_out = [&](bool is_unused, std::initializer_list<std::string_view> names) {
    if (is_unused)
      std::erase_if(list, [&](const KernelNumber& number) {
        return std::ranges::find(names, number.name) != names.end();
      });
  };
  leave_out(step.a.boxes.has_value(), {"lda", "batch_stride_a"});
  leave_out(step.b.boxes.has_value(), {"ldb", "batch_stride_b"});
  const auto& drain = step.epilogue.drain;
  leave_out(c_read(step.epilogue.expression) == CRead::never || (drain && drain->c_atom),
            {"ldc", "batch_stride_c"});
  leave_out(drain && drain->exit == SlabExit::boxes, {"ldd", "batch_stride_d"});
  leave_out(!walks(step.schedule), {"batch"});
  if (is_release_passed(step.schedule)) {
    const int starts_next = step.schedule.releases == Release::after_main_loop ? 0 : 1;
    list.push_back({"starts_next", i32, {starts_next, starts_next}});
  }
  if (says_cluster(step.schedule)) {
    list.push_back({"stages", i32, {step.schedule.stages, step.schedule.stages}});
    for (const auto& [name, blocks] : {std::pair{"log_cluster_m", step.schedule.cluster.m},
                                       std::pair{"log_cluster_n", step.schedule.cluster.n}}) {
      const Index log = std::bit_width(static_cast<unsigned>(blocks)) - 1;
      list.push_back({name, i32, {log, log}});
    }
  }
  if (has_widths(step)) {
    list.push_back({"width", i32, {RunValue{RunValue::Quantity::width}, step.tile.n}});
    list.push_back({"stages", i32, {RunValue{RunValue::Quantity::stages}, step.schedule.stages}});
    const Count tiles_n = ceil_div(plan::held(step.n), RunValue{RunValue::Quantity::width});
    list.push_back({"tiles_n", i32, {tiles_n, ceil_div(step.n.value, Index{step.tile.n})}});
  }
  for (const auto& [operands, first] :
       {std::pair{&step.epilogue.inputs, TensorRole::first_input},
        std::pair{&step.epilogue.outputs, TensorRole::first_output}})
    for (size_t i = 0; i < operands->size(); ++i) {
      const EpilogueOperandPlan& operand = (*operands)[i];
      const auto role = static_cast<TensorRole>(static_cast<size_t>(first) + i);
      const bool is_landed = drain && drain->input && input_role(*drain->input) == role;
      if (operand.by_value || is_d(operand) || is_landed) continue;
      if (operand.extent == EpilogueExtent::elements)
        list.push_back({name(ld_of(role)), i64, operand.ld});
      list.push_back({name(batch_stride_of(role)), i64, operand.batch_stride});
    }
  return list;
}

Signature signature(const StepHead& head) {
  Signature result;
  for (const KernelParameter& parameter : head.parameters)
    result.parameters.push_back({parameter.name, parameter.kind});
  return result;
}

const StepHead& head_of(const Step& step) {
  return std::visit([](const auto& one) -> const StepHead& { return one; }, step);
}

std::string to_string(const KernelParameter& parameter) {
  struct Text {
    std::string operator()(const Base& base) const { return std::visit(*this, base); }
    std::string operator()(const Argument& argument) const {
      return std::string(name(argument.tensor));
    }
    std::string operator()(const InWorkspace& place) const { return "workspace " + place.region; }
    std::string operator()(const Count& count) const { return to_string(count); }
    std::string operator()(ScaleFactor factor) const {
      return factor == ScaleFactor::alpha ? "alpha" : "beta";
    }
    std::string operator()(InputValue value) const {
      return base::format("value of {}", name(input_role(value.place)));
    }
    std::string operator()(const MapOf& map) const {
      constexpr std::array kSwizzles{"none", "32B", "64B", "128B"};
      return base::format("{} {} ({},{},{}):(1,{},{}) box ({},{}) swizzle {}", (*this)(map.base),
                          name(map.type), to_string(map.dims[0]), to_string(map.dims[1]),
                          to_string(map.dims[2]), to_string(map.strides[0]),
                          to_string(map.strides[1]), to_string(map.box[0]), to_string(map.box[1]),
                          kSwizzles.at(static_cast<size_t>(map.swizzle)));
    }
  };
  return std::string(name(parameter.kind)) + " " + parameter.name + " = " +
         std::visit(Text(), parameter.role);
}

}  // namespace jute
