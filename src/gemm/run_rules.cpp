// Pointers, extents, strides and scale factors of a run against what its kernels rest on.
#include "gemm/run_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/format.hpp"
#include "gemm/operands.hpp"

namespace jute::gemm {
namespace {

constexpr int kWorkspaceAlignment = 256;

[[noreturn]] void refuse(ErrorCode code, std::string_view operand, std::string value,
                         std::string rule, std::optional<std::string> nearest = std::nullopt) {
  throw Exception({.code = code,
                   .operand = std::string(operand),
                   .value = std::move(value),
                   .violated_rules = {std::move(rule)},
                   .nearest_legal = std::move(nearest)});
}

std::string hexadecimal(std::int64_t address) {
  return base::format("{:#x}", static_cast<std::uint64_t>(address));
}

void check_address(std::string_view operand, std::int64_t address, int alignment) {
  if (address == 0)
    refuse(ErrorCode::illegal_problem, operand, "0",
           base::format("{} is read or written, so it has an address", operand));
  const auto bits = static_cast<std::uint64_t>(address);
  if (bits % static_cast<std::uint64_t>(alignment) == 0) return;
  refuse(ErrorCode::misaligned, operand, hexadecimal(address),
         base::format("{0} is a multiple of {1} bytes, as the problem promises; this one needs a "
                      "problem whose {0} is aligned to {2}",
                      operand, alignment, 1 << std::countr_zero(bits)),
         hexadecimal(address / alignment * alignment));
}

void check_scale(std::string_view operand, Scale scale, double value) {
  if (scale == Scale::run_time) return;
  const double fixed = scale == Scale::one ? 1.0 : 0.0;
  if (value == fixed) return;
  refuse(ErrorCode::illegal_problem, operand, base::format("{}", value),
         base::format("{} is {} in the problem that was prepared", operand, fixed),
         base::format("{}", fixed));
}

/// Kernels scale in the accumulator's type, f16 sums in f32: a factor that would become another
/// number there, but for the last digits of a float, is refused.
void check_held(std::string_view operand, DType accumulate, double value) {
  const double held = rounded_scale(accumulate, value);
  const bool is_held = is_integer(accumulate)
                           ? held == value
                           : std::isinf(held) == std::isinf(value) && (held == 0) == (value == 0);
  if (is_held) return;
  const double nearest =
      std::isinf(held) ? std::copysign(std::numeric_limits<float>::max(), held) : held;
  refuse(ErrorCode::illegal_problem, operand, base::format("{}", value),
         base::format("{} must be a number of type {}: that is what {} accumulators are scaled in",
                      operand, name(scale_type(accumulate)), name(accumulate)),
         base::format("{}", nearest));
}

}  // namespace

RunRules::RunRules(const Plan& plan)
    : problem_(plan.problem), workspace_bytes_(plan.workspace_bytes) {
  for (const Step& step : plan.steps)
    if (const auto* pad = std::get_if<PadStep>(&step)) pads_.push_back(*pad);
  add_step(gemm_step(plan));
}

/// The GEMM of a padded operand reads the copy, whose strides follow from the extents.
bool RunRules::is_padded(Field field) const {
  return std::ranges::any_of(pads_, [&](const PadStep& pad) {
    return pad.operand == Operand::a ? field == Field::lda || field == Field::batch_stride_a
                                     : field == Field::ldb || field == Field::batch_stride_b;
  });
}

void RunRules::add_step(const GemmStep& step) {
  const auto own = [&](Field field) { return step.transposed ? swapped(field) : field; };
  const auto add = [&](Field field, const Extent& extent, int vector = 1, bool is_batch = false) {
    if (is_padded(own(field))) return;
    if (extent.baked)
      baked_.push_back({own(field), extent.value});
    else if (vector > 1)
      strides_.push_back({own(field), vector, is_batch});
  };
  const EpiloguePlan& epilogue = step.epilogue;
  add(Field::m, step.m);
  add(Field::n, step.n);
  add(Field::k, step.k);
  add(Field::batch, step.batch);
  add(Field::lda, step.a.ld, step.a.vector_elems);
  add(Field::ldb, step.b.ld, step.b.vector_elems);
  add(Field::ldd, epilogue.ldd, epilogue.vector_elems);
  add(Field::batch_stride_a, step.a.batch_stride, step.a.vector_elems, true);
  add(Field::batch_stride_b, step.b.batch_stride, step.b.vector_elems, true);
  add(Field::batch_stride_d, epilogue.d_batch_stride, epilogue.vector_elems, true);
  if (epilogue.beta == Scale::zero) return;
  add(Field::ldc, epilogue.ldc, epilogue.c_vector_elems);
  add(Field::batch_stride_c, epilogue.c_batch_stride, epilogue.c_vector_elems, true);
}

void RunRules::check(const RunValues& values, const GemmArgs& args) const {
  check_numbers(values);
  check_scales(values);
  check_addresses(values);
  if (workspace_bytes_ == 0) return;
  check_address("workspace", static_cast<std::int64_t>(args.workspace), kWorkspaceAlignment);
  Index needed = 0;
  for (const PadStep& pad : pads_) needed += rows_of(pad, values).bytes;
  if (needed > workspace_bytes_)
    refuse(ErrorCode::out_of_range, "workspace", std::to_string(needed),
           base::format("a run needs no more than the {} bytes of workspace that were prepared; "
                        "prepare for the largest sizes",
                        workspace_bytes_),
           std::to_string(workspace_bytes_));
}

void RunRules::check_numbers(const RunValues& values) const {
  for (const BakedNumber& number : baked_)
    if (values[number.field] != number.value)
      refuse(
          ErrorCode::illegal_problem, name(number.field), std::to_string(values[number.field]),
          base::format("the kernel holds {} as a literal; prepare with specialize none to change "
                       "it from run to run",
                       name(number.field)),
          std::to_string(number.value));
  for (const StrideRule& rule : strides_) {
    const Index value = values[rule.field];
    if (value % rule.multiple_of == 0 || (rule.batch_only && values[Field::batch] <= 1)) continue;
    refuse(ErrorCode::illegal_problem, name(rule.field), std::to_string(value),
           base::format("the kernel was planned for a {} that is a multiple of {}",
                        name(rule.field), rule.multiple_of),
           std::to_string((value / rule.multiple_of + 1) * rule.multiple_of));
  }
}

void RunRules::check_scales(const RunValues& values) const {
  check_scale("alpha", problem_.alpha, values.alpha);
  check_scale("beta", problem_.beta, values.beta);
  check_held("alpha", *problem_.accumulate, values.alpha);
  check_held("beta", *problem_.accumulate, values.beta);
}

void RunRules::check_addresses(const RunValues& values) const {
  const bool is_empty = values[Field::m] == 0 || values[Field::n] == 0 || values[Field::batch] == 0;
  if (is_empty) return;
  if (values[Field::k] > 0) {
    check_address("a", values[Field::a], problem_.a.alignment_bytes);
    check_address("b", values[Field::b], problem_.b.alignment_bytes);
  }
  if (values.beta != 0) check_address("c", values[Field::c], problem_.c.alignment_bytes);
  check_address("d", values[Field::d], problem_.d.alignment_bytes);
}

}  // namespace jute::gemm
