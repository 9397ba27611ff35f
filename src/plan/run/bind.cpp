// Evaluates a step's counts for one run and packs its parameters.
#include <jute/base/refuse.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <limits>
#include <string>

#include "plan/chip/grid_limits.hpp"

namespace jute {
namespace {

constexpr DevicePointer kNowhere = 256;
constexpr Index kAnyStride = 16;  // bytes; the least that a map may have

[[noreturn]] void refuse_kind(const KernelParameter& parameter) {
  refuse(ErrorCode::signature_mismatch, parameter.name, std::string(name(parameter.kind)),
         "addresses must be pointers, counts integers, scale factors f32, f64 or i32");
}

template <class Narrow>
Narrow narrowed(const Count& count, Index value) {
  if (value >= 0 && value <= Index{std::numeric_limits<Narrow>::max()})
    return static_cast<Narrow>(value);
  refuse(ErrorCode::out_of_range, to_string(count), std::to_string(value),
         to_string(count) + " must fit the kernel's 32-bit parameter",
         std::to_string(std::numeric_limits<Narrow>::max()));
}

/// Puts the parameters of one launch into its argument block, role by role.
class Packer {
 public:
  Packer(const Plan& plan, const RunValues& run, TensorMapEncoder& encoder, ArgumentBlock& block)
      : plan_(plan), run_(run), encoder_(encoder), block_(block) {}

  void add(const KernelParameter& parameter) {
    std::visit([&](const auto& role) { pack(parameter, role); }, parameter.role);
  }

 private:
  void pack(const KernelParameter& parameter, const Base& base) {
    if (parameter.kind != ParameterKind::pointer) refuse_kind(parameter);
    block_.pointer(address_of_base(base));
  }

  void pack(const KernelParameter& parameter, const Count& count) {
    const Index value = count.evaluate(run_);
    switch (parameter.kind) {
      case ParameterKind::i32:
        block_.i32(narrowed<std::int32_t>(count, value));
        return;
      case ParameterKind::u32:
        block_.u32(narrowed<std::uint32_t>(count, value));
        return;
      case ParameterKind::i64:
        block_.i64(value);
        return;
      case ParameterKind::u64:
        block_.u64(static_cast<std::uint64_t>(value));
        return;
      default:
        refuse_kind(parameter);
    }
  }

  void pack(const KernelParameter& parameter, ScaleFactor factor) {
    pack(parameter, factor == ScaleFactor::alpha ? run_.alpha : run_.beta);
  }
  void pack(const KernelParameter& parameter, InputValue input) {
    pack(parameter, run_.input_values.at(static_cast<size_t>(input.place)));
  }
  void pack(const KernelParameter& parameter, double value) {
    if (parameter.kind == ParameterKind::f32)
      block_.f32(static_cast<float>(value));
    else if (parameter.kind == ParameterKind::f64)
      block_.f64(value);
    else if (parameter.kind == ParameterKind::i32)
      block_.i32(static_cast<std::int32_t>(decode(DType::s32, encode(DType::s32, value))));
    else
      refuse_kind(parameter);
  }

  void pack(const KernelParameter& parameter, const MapOf& map) {
    if (parameter.kind != ParameterKind::tensor_map) refuse_kind(parameter);
    // An operand that a run leaves out, C where beta is 0 or A where there is no k, has no address
    // and no use.
    const DevicePointer base = address_of_base(map.base);
    const auto offset = static_cast<DevicePointer>(map.offset_elems * width_bytes(map.type));
    block_.tensor_map(encoder_.encode(spec_of(map), base == 0 ? kNowhere : base + offset));
  }

  /// The map's numbers in this run. A dimension of one element may have any stride, and a map has
  /// at least one of each.
  const TensorMapSpec& spec_of(const MapOf& map) const {
    thread_local TensorMapSpec spec;  // keeps its memory from run to run
    const Index width = width_bytes(map.type);
    spec.type = map.type;
    spec.swizzle = map.swizzle;
    spec.dims.assign(map.dims.size(), 1);
    spec.strides_bytes.assign(map.strides.size(), 0);
    spec.element_strides.assign(map.dims.size(), 1);
    spec.box.assign(map.dims.size(), 1);
    for (size_t i = 0; i < map.dims.size(); ++i)
      spec.dims[i] = std::max<Index>(map.dims[i].evaluate(run_), 1);
    for (size_t i = 0; i < map.box.size(); ++i) spec.box[i] = map.box[i].evaluate(run_);
    for (size_t i = 0; i < map.steps.size(); ++i) spec.element_strides[i] = map.steps[i];
    for (size_t i = 0; i < map.strides.size(); ++i) {
      const bool is_walked = spec.dims[i + 1] > 1;
      spec.strides_bytes[i] = is_walked ? map.strides[i].evaluate(run_) * width : kAnyStride;
    }
    return spec;
  }

  [[nodiscard]] DevicePointer address_of_base(const Base& base) const {
    return std::visit([&](const auto& one) { return address(one); }, base);
  }
  [[nodiscard]] DevicePointer address(const Argument& argument) const {
    return run_[argument.tensor].base;
  }

  /// Where the caller has the copy for which the region would be; 0 where nowhere.
  [[nodiscard]] DevicePointer copy_elsewhere(std::string_view region) const {
    for (const Step& step : plan_.steps)
      if (const auto* moves = std::get_if<MoveStep>(&step))
        for (const Move& move : moves->moves)
          if (move.region == region && move.tensor <= TensorRole::b)
            return run_.copies.at(static_cast<size_t>(move.tensor)).base;
    return 0;
  }

  /// Regions lie one behind the other. What is zero between runs is never another region's.
  [[nodiscard]] DevicePointer address(const InWorkspace& place) const {
    if (const DevicePointer copy = copy_elsewhere(place.region); copy != 0) return copy;
    DevicePointer start = run_.workspace;
    for (const WorkspaceRegion& region : plan_.workspace) {
      if (region.name == place.region) return start;
      const Index bytes = region.zeroed ? region.bytes.evaluate(run_values(plan_.problem))
                                        : region.bytes.evaluate(run_);
      start += static_cast<DevicePointer>(bytes);
    }
    refuse(ErrorCode::unknown_name, "workspace", place.region,
           "a parameter must name a region of the plan's workspace");
  }

  const Plan& plan_;
  const RunValues& run_;
  TensorMapEncoder& encoder_;
  ArgumentBlock& block_;
};

}  // namespace

LaunchSpec bind(const Plan& plan, size_t step, const RunValues& run, TensorMapEncoder& encoder) {
  if (const GemmStep* gemm = step_of_widths(plan); run.width == 0 && gemm != nullptr) {
    RunValues widest = run;
    set_width(widest, *gemm, {.width = gemm->tile.n});
    return bind(plan, step, widest, encoder);
  }
  const StepHead& head = head_of(plan.steps.at(step));
  LaunchSpec spec;
  spec.grid = {head.grid[0].evaluate(run), head.grid[1].evaluate(run), head.grid[2].evaluate(run)};
  if (spec.grid.x > plan::kMostBlocksAlong)
    refuse(ErrorCode::illegal_problem, "blocks", std::to_string(spec.grid.x),
           "a grid must have at most 2147483647 blocks", std::to_string(plan::kMostBlocksAlong));
  for (const Index along : {spec.grid.y, spec.grid.z})
    if (along > plan::kMostBlocksAcross)
      refuse(ErrorCode::illegal_problem, "blocks", std::to_string(along),
             "a grid of one block a tile must have at most 65535 of them along N and matrices in a "
             "batch: prepare for such sizes",
             std::to_string(plan::kMostBlocksAcross));
  spec.block.x = head.threads;
  spec.cluster = head.cluster;
  spec.dynamic_smem_bytes = head.dynamic_smem_bytes;
  spec.order = head.order;
  spec.residency = head.residency;
  if (spec.grid.x == 0 || spec.grid.y == 0 || spec.grid.z == 0) return spec;
  Packer packer(plan, run, encoder, spec.arguments);
  for (const KernelParameter& parameter : head.parameters) packer.add(parameter);
  return spec;
}

}  // namespace jute
