// Plans, writes and prices a held problem, and says in words which way was chosen for it.
#include "support/held_plans.hpp"

#include <jute/codegen/generate.hpp>
#include <jute/dist/distributed_plan.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/cover.hpp>
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/values/fields.hpp>

#include <array>
#include <functional>
#include <variant>

namespace jute::test {
namespace {

/// FNV-1a of 32 bits, of which 28 are kept.
class ShortHash {
 public:
  void add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x01000193U;
  }
  [[nodiscard]] std::uint32_t value() const { return value_ & 0x0fffffffU; }

 private:
  std::uint32_t value_ = 0x811c9dc5U;
};

// Short, as a file of a thousand ways has them: in the order of their enumerations.
constexpr std::array<std::string_view, 4> kFrames{"straight", "staged", "multistage", "producer"};
constexpr std::array<std::string_view, 4> kCarriers{"straight", "registers", "async", "tma"};
constexpr std::array<std::string_view, 3> kStores{"direct", "staged", "subtiles"};

/// Who carries an operand of the kernel, and what it is on its way.
std::string way_of(const OperandPlan& operand) {
  std::string way(kCarriers.at(static_cast<std::size_t>(transfer_of(operand))));
  if (straight_of(operand).shifted) way += "+shifted";
  if (straight_of(operand).from_chunk) way += "+chunks";
  if (operand.view) way += "+walked";
  if (tma_of(operand).boxed) way += "+boxed";
  if (operand.stored) way += "+stored";
  if (operand.scales) way += "+scaled";
  if (operand.rows) way += "+gathered";
  return way;
}

std::string way_of_d(const EpiloguePlan& epilogue) {
  std::string way(kStores.at(static_cast<std::size_t>(epilogue.store)));
  if (epilogue.drain && leaves_by_rows(*epilogue.drain)) way += "+rows";
  if (epilogue.d_view) way += "+walked";
  if (epilogue.d_boxed) way += "+boxed";
  if (epilogue.d_rows) way += "+scattered";
  return way;
}

std::string way_of(const GemmStep& step) {
  std::string way(kFrames.at(static_cast<std::size_t>(step.schedule.main_loop)));
  way += " " + std::string(name(step.mma.atom().form));
  if (step.schedule.lanes_of_k != 0) way += " lanes";
  if (step.transposed) way += " transposed";
  const std::string a = way_of(step.a), b = way_of(step.b);
  way += a == b ? " ab=" + a : " a=" + a + " b=" + b;
  way += " d=" + way_of_d(step.epilogue);
  if (!step.products.empty()) way += " terms=" + std::to_string(step.products.size());
  if (step.groups) way += " groups=" + std::string(name(step.groups->along));
  if (step.gate) way += step.gate->is_beside ? " halves" : " pairs";
  if (takes_split_k(step)) way += " split-k";
  return way;
}

/// Operands that a step ahead of the product or behind it moves.
std::string way_of(const MoveStep& step) {
  std::string way;
  for (const Move& move : step.moves) {
    way += " copy=" + std::string(name(move.tensor));
    if (move.view) way += "+view";
    if (move.transposed) way += "+transposed";
    if (move.conversion) way += "+converted";
    if (move.scaling) way += "+scaling";
    if (move.terms > 1) way += "+" + std::to_string(move.terms);
    if (move.own_alignment > 0) way += "+listed";
  }
  for (const OperandSum& sum : step.sums) way += " sums=" + std::string(name(sum.tensor));
  return way;
}

std::string way_of(const Plan& plan) {
  std::string way = way_of(gemm_step(plan));
  for (const Step& step : plan.steps)
    if (const auto* moves = std::get_if<MoveStep>(&step)) way += way_of(*moves);
  return way;
}

/// Plan text without the counts that its price is made of: those may be told otherwise while the
/// kernel stays what it is.
Fields without_counts(const Fields& all) {
  Fields kept;
  for (const Field& field : all) {
    if (field.name == "block") continue;
    kept.push_back(field);
    if (auto* group = std::get_if<Fields>(&kept.back().value))
      *group = without_counts(*group);
    else if (auto* list = std::get_if<FieldList>(&kept.back().value))
      list->items = without_counts(list->items);
  }
  return kept;
}

class Holding {
 public:
  void add(const Plan& plan) {
    for (const Plan& part : parts_of(plan)) {
      fields_.add(jute::to_string(without_counts(jute::fields(part))));
      for (const Source& source : generate(part)) source_.add(source.text);
      if (const auto prediction = prediction_of(part)) price_ += prediction->clocks;
      const std::string way = way_of(part);
      if (way_.find(way) == std::string::npos) way_ += (way_.empty() ? "" : "; ") + way;
    }
  }
  void say(std::string_view text) { fields_.add(text); }
  /// By what, not in which words: those are kept where they are told.
  void refuse(const Exception& refused) {
    const Error& error = refused.error();
    fields_.add(std::string(code_name(error.code)) + " " + error.value);
    way_ = "refused: " + error.operand;
  }
  void set_price(double price) { price_ = price; }
  [[nodiscard]] HeldPlan take() && {
    return {fields_.value(), source_.value(), price_, std::move(way_)};
  }

 private:
  ShortHash fields_, source_;
  double price_ = 0;
  std::string way_;
};

void add_ranks(Holding& holding, const HeldProblem& held, const DeviceInfo& device) {
  const DistributedPlan plan =
      make_plan(parse_distributed_problem(jute::to_string(held.parts.front()) + " " + held.ranks),
                device, held.config);
  for (const Plan& kernel : plan.kernels) holding.add(kernel);
  holding.say(jute::to_string(plan));
  holding.set_price(expected_us(plan));
}

void add_range(Holding& holding, const HeldProblem& held, const DeviceInfo& device) {
  const Cover all = cover(held.parts, device, {.config = held.config});
  for (const CoveredProblem& one : all.problems)
    for (const Plan& plan : one.plans) holding.add(plan);
  holding.say(jute::to_string(all));
}

}  // namespace

HeldPlan held_plan(const HeldProblem& held) {
  Holding holding;
  try {
    const DeviceInfo& device = device_preset(held.chip);
    if (!held.ranks.empty())
      add_ranks(holding, held, device);
    else if (held.parts.front().m_range)
      add_range(holding, held, device);
    else
      holding.add(make_plan_of_parts(held.parts, device, held.config));
  } catch (const Exception& refused) {
    holding.refuse(refused);
  }
  return std::move(holding).take();
}

}  // namespace jute::test
