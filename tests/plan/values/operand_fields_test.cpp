// The text of an operand's plan: what its way to the tensor cores has, and nothing else.
#include <jute/plan/values/fields.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "plan/named_plans.hpp"
#include "support/catch.hpp"

using namespace jute;

namespace {

/// The names of the fields of one operand of a plan's last step.
std::set<std::string> names_of_operand(const Plan& plan, const std::string& operand) {
  const Fields all = fields(plan);
  const auto steps = std::ranges::find(all, std::string("steps"), &Field::name);
  const auto& step = std::get<Fields>(std::get<FieldList>(steps->value).items.back().value);
  const auto found = std::ranges::find(step, operand, &Field::name);
  std::set<std::string> names;
  for (const Field& field : std::get<Fields>(found->value)) names.insert(field.name);
  return names;
}

}  // namespace

TEST_CASE("an operand's text has the fields of its way and no others", "[plan][text]") {
  std::set<Transfer> ways;
  for (const test::NamedPlan& named : test::named_plans()) {
    const Plan plan = test::plan_of(named);
    if (!std::holds_alternative<GemmStep>(plan.steps.back())) continue;
    const auto& step = std::get<GemmStep>(plan.steps.back());
    for (const auto& [name, operand] : {std::pair("a", &step.a), std::pair("b", &step.b)}) {
      INFO(named.name << " " << name);
      ways.insert(transfer_of(*operand));
      const std::set<std::string> names = names_of_operand(plan, name);
      const bool by_tma = transfer_of(*operand) == Transfer::tma,
                 is_staged = transfer_of(*operand) != Transfer::straight;
      for (const char* of_tma : {"boxes", "edge_unit", "hint"})
        CHECK(names.contains(of_tma) == by_tma);
      for (const char* of_threads : {"copy_tv", "copy_mn", "copy_k"})
        CHECK(names.contains(of_threads) == !by_tma);
      for (const char* of_straight : {"shifted", "from_chunk"})
        CHECK(names.contains(of_straight) == !is_staged);
      for (const char* of_stages : {"smem", "stage_stride_elems"})
        CHECK(names.contains(of_stages) == is_staged);
      CHECK(names.contains("store_address") == (is_staged && !by_tma));
      CHECK(names.contains("descriptor") == (descriptor_of(*operand) != nullptr));
      CHECK(names.contains("read_atom") == (is_staged && !descriptor_of(*operand)));
    }
  }
  CHECK(ways.size() == 4);
}

TEST_CASE("groups of their own are told with the alignment of each operand", "[plan][text]") {
  const KernelGroups groups{.along = GroupedAlong::all, .count = 3, .alignment = {2, 4, 8, 16}};
  CHECK(to_string(groups) == "3 of their own, aligned to 2,4,8,16 bytes");
}
