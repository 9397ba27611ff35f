// Finds in an operand's plan what its way has.
#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/operand_plan.hpp>

#include <type_traits>
#include <utility>

namespace jute {
namespace {

/// Null where the way has no such part.
template <typename Part, typename Operand>
auto* part_of(Operand& operand) {
  using Found = std::conditional_t<std::is_const_v<Operand>, const Part, Part>;
  return std::visit(
      [](auto& way) -> Found* {
        if constexpr (std::is_base_of_v<Part, std::remove_cvref_t<decltype(way)>>)
          return &way;
        else
          return nullptr;
      },
      operand.way);
}

template <typename Part>
const Part& part_or_empty(const OperandPlan& operand) {
  static const Part none;
  const Part* const part = part_of<Part>(operand);
  return part != nullptr ? *part : none;
}

template <typename Part>
Part& part_there(OperandPlan& operand) {
  Part* const part = part_of<Part>(operand);
  if (part == nullptr) throw std::bad_variant_access();
  return *part;
}

template <typename Way>
void take_way(OperandPlan& operand) {
  if (std::holds_alternative<Way>(operand.way)) return;
  Way way;
  const auto take = [&]<typename Part>(std::type_identity<Part>) {
    if constexpr (std::is_base_of_v<Part, Way>)
      if (Part* const part = part_of<Part>(operand)) static_cast<Part&>(way) = std::move(*part);
  };
  if (part_of<CopiedWay>(operand) != nullptr && std::is_base_of_v<CopiedWay, Way>) {
    take(std::type_identity<CopiedWay>());
  } else {
    take(std::type_identity<ThreadCopy>());
    take(std::type_identity<StagedTile>());
  }
  operand.way = std::move(way);
}

}  // namespace

void set_transfer(OperandPlan& operand, Transfer transfer) {
  switch (transfer) {
    case Transfer::straight:
      return take_way<StraightWay>(operand);
    case Transfer::registers:
      return take_way<RegisterWay>(operand);
    case Transfer::cp_async:
      return take_way<AsyncWay>(operand);
    case Transfer::tma:
      return take_way<TmaWay>(operand);
  }
}

const StraightWay& straight_of(const OperandPlan& operand) {
  return part_or_empty<StraightWay>(operand);
}
const ThreadCopy& copy_of(const OperandPlan& operand) { return part_or_empty<ThreadCopy>(operand); }
const CopiedWay& copied_of(const OperandPlan& operand) { return part_or_empty<CopiedWay>(operand); }
const StagedTile& stage_of(const OperandPlan& operand) {
  return part_or_empty<StagedTile>(operand);
}
const TmaWay& tma_of(const OperandPlan& operand) { return part_or_empty<TmaWay>(operand); }

const FragmentRead& fragments_of(const OperandPlan& operand) {
  static const FragmentRead none;
  const auto* const fragments = std::get_if<FragmentRead>(&stage_of(operand).read);
  return fragments != nullptr ? *fragments : none;
}

const DescriptorRead* descriptor_of(const OperandPlan& operand) {
  return std::get_if<DescriptorRead>(&stage_of(operand).read);
}

ThreadCopy& its_copy(OperandPlan& operand) { return part_there<ThreadCopy>(operand); }
CopiedWay& its_copies(OperandPlan& operand) { return part_there<CopiedWay>(operand); }
StagedTile& its_stage(OperandPlan& operand) { return part_there<StagedTile>(operand); }
TmaWay& its_tma(OperandPlan& operand) { return part_there<TmaWay>(operand); }

FragmentRead& its_fragments(OperandPlan& operand) {
  auto& read = its_stage(operand).read;
  if (!std::holds_alternative<FragmentRead>(read)) read = FragmentRead();
  return std::get<FragmentRead>(read);
}

bool has_edge_map(const OperandPlan& operand) {
  const TmaWay& tma = tma_of(operand);
  return tma.edge_unit > 0 && operand.major == Major::k && tma.boxes &&
         tma.edge_unit < tma.boxes->outer;
}

std::optional<Operand> operand_of_line_ends(const GemmStep& step) {
  if (has_line_ends(step.a)) return Operand::a;
  if (has_line_ends(step.b)) return Operand::b;
  return std::nullopt;
}

}  // namespace jute
