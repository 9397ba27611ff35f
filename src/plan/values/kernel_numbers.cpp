// Which numbers a kernel is given, and which it holds as literals; steps of a plan, and parameters
// as text.
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "base/format.hpp"
#include "plan/values/step_grid.hpp"

namespace jute {
namespace {

/// Do threads find C, and D, by strides?
bool walks_c(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  if (lists_operands(step.groups)) return false;
  const bool has_landed = out.drain && out.drain->c_atom;
  return c_read(out.expression) != CRead::never && !has_landed && !out.c_view;
}
bool walks_d(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  if (lists_operands(step.groups)) return false;
  return !out.d_view && !out.d_boxed && !(out.drain && out.drain->exit == SubtileExit::boxes);
}

/// The name of what all groups have together: where a group's part ends has the dimension's own
/// name.
std::string_view name_of(const GemmStep& step, GroupedAlong along, std::string_view bound) {
  const bool is_bound = step.groups && (step.groups->along == along || lists_operands(step.groups));
  return is_bound ? bound : name(along);
}

}  // namespace

std::string_view name(GroupedAlong along) {
  constexpr std::array<std::string_view, 4> kNames{"m", "n", "k", "all"};
  return kNames.at(static_cast<std::size_t>(along));
}

std::string to_string(const KernelGroups& groups) {
  if (groups.along == GroupedAlong::all)
    return base::format("{} of their own, aligned to {},{},{},{} bytes", groups.count,
                        groups.alignment[0], groups.alignment[1], groups.alignment[2],
                        groups.alignment[3]);
  return base::format("{} along {}, {} {}", groups.count, name(groups.along),
                      groups.entry == GroupEntry::row ? "rows' groups"
                      : groups.is_masked              ? "counts"
                                                      : "ends",
                      name(groups.index));
}

std::string to_string(const GatedHalves& gate) {
  return base::format("{}, {} apart{}", gate.operand == Operand::a ? "a" : "b",
                      to_string(gate.stride.count), gate.is_beside ? "" : ", in pairs");
}

namespace {

/// Does a map, a View or a list say where the operand lies?
bool lies_elsewhere(const GemmStep& step, const OperandPlan& operand) {
  return tma_of(operand).boxes || operand.view || lists_operands(step.groups);
}
/// Or how far its rows are apart? Of a part of K a map is made by that.
bool has_rows_elsewhere(const GemmStep& step, const OperandPlan& operand) {
  const bool is_cut = tma_of(operand).boxes && has_parts_of_k(step.groups);
  return lies_elsewhere(step, operand) && !is_cut;
}

/// Adds, of a gated product whose operand threads copy, how far its halves are apart.
void add_gate_stride(std::vector<KernelNumber>& list, const GemmStep& step) {
  if (step.gate && !tma_of(has_halves(step, Operand::a) ? step.a : step.b).boxes)
    list.push_back({"gate_stride", ParameterKind::i64, step.gate->stride});
}

/// A map holds its tensor's strides, and a grid of a block for each tile has no end to look for.
void leave_out(std::vector<KernelNumber>& list, bool is_unused,
               std::initializer_list<std::string_view> names) {
  if (is_unused)
    std::erase_if(list, [&](const KernelNumber& number) {
      return std::ranges::find(names, number.name) != names.end();
    });
}

}  // namespace

std::vector<KernelNumber> numbers(const GemmStep& step) {
  using enum ParameterKind;
  std::vector<KernelNumber> list{{name_of(step, GroupedAlong::m, "most_m"), i32, step.m},
                                 {name_of(step, GroupedAlong::n, "most_n"), i32, step.n},
                                 {name_of(step, GroupedAlong::k, "most_k"), i32, step.k},
                                 {"lda", i64, step.a.ld},
                                 {"ldb", i64, step.b.ld},
                                 {"ldc", i64, step.epilogue.ldc},
                                 {"ldd", i64, step.epilogue.ldd},
                                 {"batch", i32, step.batch},
                                 {"batch_stride_a", i64, step.a.batch_stride},
                                 {"batch_stride_b", i64, step.b.batch_stride},
                                 {"batch_stride_c", i64, step.epilogue.c_batch_stride},
                                 {"batch_stride_d", i64, step.epilogue.d_batch_stride}};
  leave_out(list, has_rows_elsewhere(step, step.a), {"lda"});
  leave_out(list, has_rows_elsewhere(step, step.b), {"ldb"});
  leave_out(list, lies_elsewhere(step, step.a), {"batch_stride_a"});
  leave_out(list, lies_elsewhere(step, step.b), {"batch_stride_b"});
  const auto& drain = step.epilogue.drain;
  leave_out(list, !walks_c(step), {"ldc", "batch_stride_c"});
  leave_out(list, !walks_d(step), {"ldd", "batch_stride_d"});
  leave_out(list, !walks(step.schedule) && tiles_beside(step.schedule) == 1, {"batch"});
  add_gate_stride(list, step);
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
      if (operand.extent >= EpilogueExtent::elements)
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
      std::string steps;
      for (const Index step : map.steps) steps += (steps.empty() ? "" : ",") + std::to_string(step);
      return base::format("{}{} {} ({}):(1,{}) box ({}){} swizzle {}", (*this)(map.base),
                          map.offset_elems > 0 ? base::format("+{}", map.offset_elems) : "",
                          name(map.type), list_of(map.dims), list_of(map.strides), list_of(map.box),
                          steps.empty() ? "" : " steps (" + steps + ")",
                          kSwizzles.at(static_cast<size_t>(map.swizzle)));
    }
    static std::string list_of(const std::vector<Count>& counts) {
      std::string text;
      for (const Count& count : counts) text += (text.empty() ? "" : ",") + to_string(count);
      return text;
    }
  };
  return std::string(name(parameter.kind)) + " " + parameter.name + " = " +
         std::visit(Text(), parameter.role);
}

const GemmStep& gemm_step(const Plan& plan) {
  const auto is_gemm = [](const Step& step) { return std::holds_alternative<GemmStep>(step); };
  return std::get<GemmStep>(*std::ranges::find_if(plan.steps, is_gemm));
}

}  // namespace jute
