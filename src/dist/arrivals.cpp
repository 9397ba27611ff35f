// One product beside an exchange: copies bring rows of an operand, its kernel waits for their
// flags.
#include "dist/arrivals.hpp"

#include <jute/plan/derive/block/arrivals.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/format.hpp"
#include "dist/derive.hpp"
#include "dist/local_problems.hpp"

namespace jute {
namespace dist {
namespace {

/// Copies of less would take longer than their flags; more pieces would keep the host busy.
constexpr Index kLeastPieceBytes = Index{1} << 23, kMostPiecesOfPart = 8, kLeastRows = 64;

const BufferPart& operand_of(const ProductStep& product, Dimension rows) {
  return rows == Dimension::m ? product.a : product.b;
}
Index rows_of(const DistributedPlan& plan, const BufferPart& part, Index rank) {
  return part_extents(plan.problem.mesh, part.part, rank)[0];
}

/// Is it rows of one part, whole?
bool is_slice(const DistributedPlan& plan, const ExchangeStep& exchange, const Parcel& parcel) {
  const auto columns_at = [&](std::size_t buffer, Index rank) {
    return part_extents(plan.problem.mesh, plan.buffers[buffer].held, rank)[1];
  };
  const Index columns = columns_at(exchange.to.front(), parcel.receiver);
  return parcel.runs[0].size() == 1 && columns == columns_at(exchange.from, parcel.sender) &&
         parcel.runs[1] == std::vector<IndexRun>{{0, 0, columns}};
}

/// A product that waits for what one exchange brings, as far as the exchange suits.
class Arrival {
 public:
  Arrival(const Draft& draft, std::size_t exchange, std::size_t product)
      : draft_(draft), exchange_(exchange), product_(product) {}

  [[nodiscard]] std::optional<Draft> draft() const {
    const DistributedPlan& plan = draft_.plan;
    const auto& exchange = std::get<ExchangeStep>(plan.steps[exchange_].body);
    const auto& product = std::get<ProductStep>(plan.steps[product_].body);
    if (exchange.to.size() != 1 || product.slice) return std::nullopt;
    const bool is_a = exchange.to.front() == product.a.buffer;
    if (!is_a && exchange.to.front() != product.b.buffer) return std::nullopt;
    const Dimension rows = is_a ? Dimension::m : Dimension::n;
    const Index unit = unit_of(exchange, operand_of(product, rows));
    if (unit % kLeastRows != 0 || unit == 0) return std::nullopt;
    return with_flags(exchange, product, rows, unit);
  }

 private:
  /// Rows of which all parts are multiples; 0: they do not come as they have to.
  [[nodiscard]] Index unit_of(const ExchangeStep& exchange, const BufferPart& part) const {
    const DistributedPlan& plan = draft_.plan;
    const RankBuffer &from = plan.buffers[exchange.from], &to = plan.buffers[exchange.to.front()];
    if (from.order != Order::row || to.order != Order::row || from.ld_elems != to.ld_elems)
      return 0;
    const Index ranks = rank_count(plan.problem.mesh), rows = rows_of(plan, part, 0);
    std::vector<Index> own(static_cast<std::size_t>(ranks), 0);
    Index unit = rows;
    for (Index rank = 0; rank < ranks; ++rank)
      if (rows_of(plan, part, rank) != rows) return 0;
    for (const Parcel& parcel : exchange.parcels) {
      if (!is_slice(plan, exchange, parcel)) return 0;
      const IndexRun& run = parcel.runs[0].front();
      unit = std::gcd(unit, std::gcd(run.to, run.count));
      if (parcel.sender == parcel.receiver) ++own[static_cast<std::size_t>(parcel.sender)];
    }
    const bool has_own = std::ranges::all_of(own, [](Index parcels) { return parcels == 1; });
    return has_own && ranks > 1 ? unit : 0;
  }

  [[nodiscard]] Draft with_flags(const ExchangeStep& exchange, const ProductStep& product,
                                 Dimension rows, Index unit) const {
    Draft result = draft_;
    auto& brings = std::get<ExchangeStep>(result.plan.steps[exchange_].body);
    auto& waits = std::get<ProductStep>(result.plan.steps[product_].body);
    const auto ranks = static_cast<std::size_t>(rank_count(result.plan.problem.mesh));
    ArrivingRows arriving{
        exchange_,
        BufferPart{exchange.from, operand_of(product, rows).part, std::vector<Index>(ranks, 0)},
        ProductSlice{rows, std::vector<Index>(ranks, 0), std::vector<Index>(ranks, 0)}};
    brings.parcels.clear();
    for (const Parcel& parcel : exchange.parcels) {
      const IndexRun& run = parcel.runs[0].front();
      const auto rank = static_cast<std::size_t>(parcel.receiver);
      if (parcel.sender != parcel.receiver) {
        brings.parcels.push_back(parcel);
        continue;
      }
      arriving.own.first[rank] = element_at(result.plan.buffers[exchange.from], run.from, 0);
      arriving.rows.first[rank] = run.to;
      arriving.rows.count[rank] = run.count;
    }
    brings.announced_rows = unit;
    waits.arriving = arriving;
    std::erase(result.plan.steps[product_].after, exchange_);
    // The kernel finds both halves at equal distances, and its A where the caller's is.
    ProductStep planned = product;
    (rows == Dimension::m ? planned.a : planned.b) = arriving.own;
    const bool makes_summands = std::ranges::any_of(
        result.plan.steps,
        [](const DistributedStep& step) { return std::holds_alternative<SumStep>(step.body); });
    result.kernels[product.kernel] = makes_summands ? summand_problem(result.plan, planned)
                                                    : product_problem(result.plan, planned);
    return result;
  }

  const Draft& draft_;
  std::size_t exchange_, product_;
};

/// As many rows as a copy is worth, all parts whole pieces of them and these whole tiles; 0: none.
Index piece_rows(Index unit, Index tile_rows, Index row_bytes) {
  for (Index pieces = kMostPiecesOfPart; pieces > 0; --pieces) {
    const Index rows = unit / pieces;
    const bool is_whole = unit % pieces == 0 && rows % tile_rows == 0;
    if (is_whole && (rows * row_bytes >= kLeastPieceBytes || pieces == 1)) return rows;
  }
  return 0;
}

/// The wishes for the kernel, at first as few as can be: then tiles of which parts are multiples.
std::vector<Config> wishes_for(const Config& wishes, const DeviceInfo& device, Dimension rows,
                               Index unit) {
  Config first = wishes;
  first.main_loop = MainLoop::warp_specialised;
  first.swapped = rows == Dimension::n;
  first.edge_rows = EdgeRows::zeros;
  first.split_k = 1;
  if (!first.blocks) first.blocks = device.sm_count;
  std::vector<Config> result{first};
  first.cluster = ClusterShape{1, 1};
  result.push_back(first);
  if (wishes.tile) return result;
  constexpr int kColumns = 128, kDepth = 64;
  for (const int tile_rows : {128, 64})
    if (unit % tile_rows == 0) {
      first.tile = TileShape{tile_rows, kColumns, kDepth};
      result.push_back(first);
    }
  return result;
}

/// The steps that a draft has of one kind.
template <class Body>
std::vector<std::size_t> steps_of(const DistributedPlan& plan) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    if (std::holds_alternative<Body>(plan.steps[i].body)) result.push_back(i);
  return result;
}

}  // namespace

std::vector<Draft> by_arrival(const Draft& draft) {
  std::vector<Draft> result;
  for (const std::size_t product : steps_of<ProductStep>(draft.plan))
    for (const std::size_t exchange : steps_of<ExchangeStep>(draft.plan))
      if (exchange < product)
        if (auto one = Arrival(draft, exchange, product).draft()) result.push_back(std::move(*one));
  return result;
}

Plan plan_of_arrival(DistributedPlan& plan, const ProductStep& product, const Problem& problem,
                     const Config& wishes, const Catalogue& catalogue) {
  const ArrivingRows& arriving = *product.arriving;
  auto& exchange = std::get<ExchangeStep>(plan.steps[arriving.exchange].body);
  const RankBuffer& buffer = plan.buffers[exchange.to.front()];
  // All parts are multiples of what was left to the kernel, the least of them that.
  const Index part_rows = exchange.announced_rows;
  const Index row_bytes = buffer.ld_elems * width_bytes(buffer.type);
  std::vector<std::string> faults;
  for (const Config& wish :
       wishes_for(wishes, plan.device, arriving.rows.dimension, exchange.announced_rows)) {
    try {
      Plan kernel = make_plan(problem, plan.device, wish, catalogue);
      const GemmStep& step = gemm_step(kernel);
      const Index rows = piece_rows(exchange.announced_rows,
                                    Index{step.tile.m} * step.schedule.cluster.m, row_bytes);
      faults = faults_of_arrivals(kernel, rows);
      if (!faults.empty()) continue;
      exchange.announced_rows = rows;
      return with_arrivals(std::move(kernel), rows, part_rows);
    } catch (const Exception& exception) {
      faults = exception.error().violated_rules;
    }
  }
  throw Exception({.code = ErrorCode::illegal_config,
                   .operand = "overlap",
                   .value = std::string(name(OverlapChoice::arrival)),
                   .violated_rules = std::move(faults),
                   .nearest_legal = "none"});
}

double share_of_piece(const DistributedPlan& plan, const ProductStep& product) {
  const ArrivingRows& arriving = *product.arriving;
  const auto& exchange = std::get<ExchangeStep>(plan.steps[arriving.exchange].body);
  const Index rows = rows_of(plan, operand_of(product, arriving.rows.dimension), 0);
  return static_cast<double>(exchange.announced_rows) /
         static_cast<double>(std::max<Index>(rows, 1));
}

Index pieces_of(const DistributedPlan& plan, const ExchangeStep& exchange) {
  std::vector<Index> rows(static_cast<std::size_t>(rank_count(plan.problem.mesh)), 0);
  for (const Parcel& parcel : exchange.parcels)
    rows[static_cast<std::size_t>(parcel.receiver)] += parcel.runs[0].front().count;
  return *std::ranges::max_element(rows) / exchange.announced_rows;
}

std::vector<std::string> faults_of_arrival(const DistributedPlan& plan,
                                           const DistributedStep& step) {
  const auto& product = std::get<ProductStep>(step.body);
  const ArrivingRows& arriving = *product.arriving;
  const auto here = static_cast<std::size_t>(&step - plan.steps.data());
  const auto* exchange = arriving.exchange < here
                             ? std::get_if<ExchangeStep>(&plan.steps[arriving.exchange].body)
                             : nullptr;
  if (exchange == nullptr)
    return {"rows that a kernel waits for must come by an exchange that is asked for ahead of it"};
  std::vector<std::string> rules;
  const auto must = [&](bool holds, std::string rule) {
    if (!holds) rules.push_back(std::move(rule));
  };
  const BufferPart& operand = operand_of(product, arriving.rows.dimension);
  const Index piece = exchange->announced_rows;
  must(plan.steps[arriving.exchange].lane == Lane::comm && step.lane == Lane::compute &&
           exchange->carrier == Carrier::transport,
       "rows that a kernel waits for must come in the lane of exchanges, beside it");
  must(exchange->to == std::vector<std::size_t>{operand.buffer} && !product.slice &&
           std::ranges::all_of(operand.first, [](Index first) { return first == 0; }),
       "all of the operand must come by the exchange that is waited for");
  must(piece > 0, "a flag must be raised behind each piece of the rows");
  must(product.kernel < plan.kernels.size() && !plan.kernels[product.kernel].steps.empty(),
       "the kernel must be one of the plan's");
  if (!rules.empty()) return rules;
  const Plan& kernel = plan.kernels[product.kernel];
  must(awaits_arrivals(gemm_step(kernel)), "the kernel must wait for flags");
  must(gemm_step(kernel).transposed == (arriving.rows.dimension == Dimension::n) &&
           gemm_step(kernel).m.value == rows_of(plan, operand, 0),
       "the rows that come must be those of the kernel's A");
  for (std::size_t rank = 0; rank < arriving.rows.first.size(); ++rank)
    must(arriving.rows.first[rank] % piece == 0 && arriving.rows.count[rank] % piece == 0,
         base::format("the own rows of rank {} must be whole pieces of {}", rank, piece));
  for (const Parcel& parcel : exchange->parcels) {
    const bool is_whole = is_slice(plan, *exchange, parcel) &&
                          parcel.runs[0].front().to % piece == 0 &&
                          parcel.runs[0].front().count % piece == 0;
    must(is_whole, base::format("what rank {} sends to {} must be whole pieces of {} rows",
                                parcel.sender, parcel.receiver, piece));
    must(parcel.sender != parcel.receiver,
         base::format("the own rows of rank {} must stay where they are", parcel.sender));
  }
  return rules;
}

}  // namespace dist

PieceOrder piece_order(const DistributedPlan& plan, const ProductStep& product, Index rank) {
  const ArrivingRows& arriving = *product.arriving;
  const auto& exchange = std::get<ExchangeStep>(plan.steps[arriving.exchange].body);
  const BufferPart& operand = dist::operand_of(product, arriving.rows.dimension);
  const Index piece = exchange.announced_rows;
  PieceOrder result;
  result.senders.assign(static_cast<std::size_t>(dist::rows_of(plan, operand, rank) / piece),
                        static_cast<std::int32_t>(rank));
  const auto at = static_cast<std::size_t>(rank);
  for (Index own = 0; own < arriving.rows.count[at] / piece; ++own)
    result.order.push_back(static_cast<std::int32_t>(arriving.rows.first[at] / piece + own));
  std::vector<const Parcel*> parcels;
  Index most = 0;
  for (const Parcel& parcel : exchange.parcels)
    if (parcel.receiver == rank) {
      parcels.push_back(&parcel);
      most = std::max(most, parcel.runs[0].front().count / piece);
    }
  for (Index turn = 0; turn < most; ++turn)
    for (const Parcel* parcel : parcels) {
      const IndexRun& run = parcel->runs[0].front();
      if (turn >= run.count / piece) continue;
      result.order.push_back(static_cast<std::int32_t>(run.to / piece + turn));
      result.senders[static_cast<std::size_t>(result.order.back())] =
          static_cast<std::int32_t>(parcel->sender);
    }
  return result;
}

}  // namespace jute
