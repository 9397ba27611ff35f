// As many stores as hide the latency of what they take, in few registers.
#include "plan/derive/drain/stores_together.hpp"

#include <jute/epilogue/types.hpp>
#include <jute/plan/values/shares.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

#include "plan/chip/warp.hpp"

namespace jute::plan {
namespace {

/// Up to four stores of up to sixteen elements together.
Index most_of_staged_rows(const EpiloguePlan& out) {
  return std::clamp(16 / out.vector_elems, 1, 4);
}

/// Registers of a thread beside its sums and what it needs for itself.
Index spare_registers(const GemmStep& step) {
  constexpr Index kMost = 255, kOwn = 48;
  Index given = kMost;
  for (const Role& role : step.schedule.roles)
    if (role.name == "consumer" && role.registers > 0) given = role.registers;
  return given - size(step.epilogue.order) * width_bytes(step.accumulate) / kRegisterBytes - kOwn;
}

/// Bytes that are held of C and of inputs for one store.
Index bytes_of_store(const EpiloguePlan& out) {
  Index bytes = c_read(out.expression) == CRead::never ? 0 : width_bytes(out.c_type);
  for (const EpilogueOperandPlan& input : out.inputs) bytes += width_bytes(input.type);
  return bytes * out.vector_elems;
}

Index most_of_direct(const GemmStep& step) {
  constexpr Index kRegisters = 32;
  const Index bytes = bytes_of_store(step.epilogue);
  if (bytes == 0) return 1;
  const Index registers = std::clamp(spare_registers(step), Index{1}, kRegisters);
  const Index most = registers * kRegisterBytes / std::max<Index>(bytes, kRegisterBytes);
  return static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(std::max(most, Index{1}))));
}

/// Sums that a thread drains at a time: all, its block's share, or a part that it adds of all
/// slices.
Index drained_at_a_time(const GemmStep& step) {
  const Index all = size(step.epilogue.order);
  if (step.schedule.reduction == SplitK::all_add) return sums_in_an_access(step, all);
  return reduces_in_cluster(step.schedule) ? all / shares(step) : all;
}

}  // namespace

int stores_together(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  if (out.vector_elems < 1 || out.store == Store::subtiles) return 1;
  const bool is_direct = out.store == Store::direct;
  const Index stores =
      (is_direct ? drained_at_a_time(step) : size(out.row_tv[1])) / out.vector_elems;
  const Index most = is_direct ? most_of_direct(step) : most_of_staged_rows(out);
  return static_cast<int>(std::max(std::gcd(stores, most), Index{1}));
}

}  // namespace jute::plan
