// Makes room for rows that come while a kernel runs, and writes down in which order they do.
#include "plan/derive/block/arrivals.hpp"

#include <jute/base/refuse.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/format.hpp"
#include "plan/values/workspace.hpp"

namespace jute {
namespace {

constexpr std::string_view kArrivals = "arrivals", kMapOfComing = "map_came";
constexpr Index kWordBytes = 4, kWordsAhead = 8;  // of 4 bytes: what kernel text calls Arrivals

bool multiplies(const Step& step) { return std::holds_alternative<GemmStep>(step); }

GemmStep& gemm_of(Plan& plan) {
  return std::get<GemmStep>(*std::ranges::find_if(plan.steps, multiplies));
}

const KernelParameter* parameter_of(const StepHead& step, std::string_view name) {
  const auto found = std::ranges::find(step.parameters, name, &KernelParameter::name);
  return found == step.parameters.end() ? nullptr : &*found;
}

/// Words ahead of a piece's own: order, sender and flag of each, and one that stays 0.
Index words_bytes(Index pieces) { return (kWordsAhead + 3 * pieces + 1) * kWordBytes; }
Index rows_behind(Index pieces) {
  return (words_bytes(pieces) + plan::kRegionUnit - 1) / plan::kRegionUnit * plan::kRegionUnit;
}

std::vector<std::string> faults_of_step(const GemmStep& step) {
  std::vector<std::string> rules;
  const auto must = [&](bool holds, const char* rule) {
    if (!holds) rules.emplace_back(rule);
  };
  const KernelSchedule& schedule = step.schedule;
  must(schedule.main_loop == MainLoop::warp_specialised && walks(schedule),
       "a producer must walk over tiles: warp_specialised, of a persistent grid");
  must(!schedule.is_generic && !has_widths(step) && !takes_split_k(step) &&
           schedule.k_starts == 1 && schedule.whole_tiles == 0,
       "tiles must be whole, of one width, and begin at the first of K");
  const KernelParameter* map = parameter_of(step, "map_a");
  const auto* seen = map == nullptr ? nullptr : std::get_if<MapOf>(&map->role);
  must(seen != nullptr && std::holds_alternative<Argument>(seen->base) && !tma_of(step.a).map,
       "TMA must bring A from where it lies");
  must(tma_of(step.a).edge_unit == 0, "tiles must be of rows that there are");
  must(step.products.empty() && !step.groups && !step.gate,
       "operands must be multiplied as they are, of one matrix");
  must(is_always(step.batch, 1) || step.batch.value == 1, "there must be one matrix, no batch");
  return rules;
}

}  // namespace

namespace plan {

void add_arrivals(GemmStep& step, Index rows_at) {
  const Base base = InWorkspace{std::string(kArrivals)};
  MapOf map = std::get<MapOf>(parameter_of(step, "map_a")->role);
  map.base = base;
  map.offset_elems = rows_at / width_bytes(map.type);
  step.parameters.push_back({std::string(kArrivals), ParameterKind::pointer, base});
  step.parameters.push_back({std::string(kMapOfComing), ParameterKind::tensor_map, std::move(map)});
}

Index rows_at(const GemmStep& step) {
  const auto& map = std::get<MapOf>(parameter_of(step, kMapOfComing)->role);
  return map.offset_elems * width_bytes(map.type);
}

}  // namespace plan

bool awaits_arrivals(const StepHead& step) { return parameter_of(step, kArrivals) != nullptr; }

std::vector<std::string> faults_of_arrivals(const Plan& plan, Index piece_rows) {
  if (plan.steps.size() != 1 || !multiplies(plan.steps.front()) || !plan.behind.empty() ||
      !plan.workspace.empty())
    return {"the product must be one kernel that needs no workspace"};
  const GemmStep& step = gemm_step(plan);
  std::vector<std::string> rules = faults_of_step(step);
  const Index cluster_rows = Index{step.tile.m} * step.schedule.cluster.m;
  if (piece_rows < 1 || piece_rows % cluster_rows != 0)
    rules.push_back(base::format("a piece's rows must be a multiple of the {} of a cluster's tiles",
                                 cluster_rows));
  if (piece_rows > 0 && step.m.value % piece_rows != 0)
    rules.push_back(
        base::format("the {} rows must be whole pieces of {}", step.m.value, piece_rows));
  return rules;
}

Plan with_arrivals(Plan plan, Index piece_rows, Index part_rows) {
  if (std::vector<std::string> rules = faults_of_arrivals(plan, piece_rows); !rules.empty())
    throw Exception({.code = ErrorCode::unsupported,
                     .operand = "arrivals",
                     .value = std::to_string(piece_rows),
                     .violated_rules = std::move(rules)});
  GemmStep& step = gemm_of(plan);
  // Nobody asks ahead for what has not come.
  if (step.schedule.first_stages == FirstStages::prefetched)
    step.schedule.first_stages = FirstStages::by_initialiser;
  const Index cluster_rows = Index{step.tile.m} * step.schedule.cluster.m;
  if (part_rows > 0)
    step.schedule.raster_width = static_cast<int>(
        std::clamp<Index>(part_rows / cluster_rows, 1, step.schedule.raster_width));
  const Index rows_at = rows_behind(step.m.value / piece_rows);
  const bool by_k = step.a.major == Major::k;
  const Index lines = by_k ? step.m.value : step.k.value;
  const Index bytes = rows_at + lines * step.a.ld.value * width_bytes(step.a.type);
  plan.workspace.push_back({std::string(kArrivals), round_up(Count(bytes), plan::kRegionUnit)});
  plan::add_arrivals(step, rows_at);
  return plan;
}

ArrivalPlaces arrival_places(const Plan& plan, Index pieces) {
  const Index flags = (kWordsAhead + 2 * pieces) * kWordBytes;
  return {words_bytes(pieces), flags, plan::rows_at(gemm_step(plan))};
}

std::vector<std::byte> arrival_words(const Plan& plan, const ArrivalOrder& order,
                                     DevicePointer workspace) {
  const GemmStep& step = gemm_step(plan);
  const auto pieces = static_cast<Index>(order.order.size());
  const bool is_right = awaits_arrivals(step) &&
                        pieces == static_cast<Index>(order.senders.size()) &&
                        pieces * order.piece_rows == step.m.value;
  if (!is_right)
    refuse(awaits_arrivals(step) ? ErrorCode::out_of_range : ErrorCode::unsupported, "arrivals",
           base::format("{} pieces of {} rows", pieces, order.piece_rows),
           "they must be the rows of the plan's A");
  std::vector<std::byte> words;
  const auto put = [&](const auto& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    words.insert(words.end(), bytes.begin(), bytes.end());
  };
  const auto number = [&](Index value) { put(static_cast<std::int32_t>(value)); };
  const Index nobody = words_bytes(pieces) - kWordBytes;  // the word that stays 0
  put(std::uint64_t{order.fault != 0 ? order.fault
                                     : workspace + static_cast<DevicePointer>(nobody)});
  put(order.limit_ns);
  number(pieces);
  number(order.piece_rows / (Index{step.tile.m} * step.schedule.cluster.m));
  number(order.own_first / step.tile.m);
  number(order.own_rows / step.tile.m);
  for (const std::int32_t piece : order.order) put(piece);
  for (const std::int32_t sender : order.senders) put(sender);
  for (Index piece = 0; piece < pieces; ++piece) put(order.flag);
  put(std::uint32_t{0});
  return words;
}

}  // namespace jute
