// Exchanges and products cut by rounds, so that what a rank has is multiplied while the rest comes,
// and what is made for others leaves while the own part is made, or is stored at them.
#include <algorithm>

#include "base/format.hpp"
#include "dist/derive.hpp"
#include "dist/in_place.hpp"
#include "dist/local_problems.hpp"

namespace jute::dist {
namespace {

constexpr Index kMostRounds = 8;
constexpr Index kSummandAlignment = 256;

/// Which end of a parcel is looked at.
enum class End : std::uint8_t { sender, receiver };

/// The parts that one round brings or takes, for each rank.
struct RoundOfExchange {
  ProductSlice slice;
  std::vector<Index> source_first;  ///< the parcel's first element at the sender
  std::vector<std::size_t> summand;
  std::vector<Parcel> parcels;
  [[nodiscard]] bool is_empty() const { return parcels.empty(); }
};

/// Is it all of the other dimension, in one run?
bool is_whole(const std::vector<IndexRun>& runs, Index IndexRun::*place, Index extent) {
  return runs.size() == 1 && runs.front().*place == 0 && runs.front().count == extent;
}

/// Is what a rank has in one round none of what it has in another? Copies for several ranks are
/// not.
bool are_apart(const std::vector<RoundOfExchange>& rounds) {
  for (std::size_t rank = 0; rank < rounds.front().slice.first.size(); ++rank)
    for (std::size_t i = 0; i < rounds.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const ProductSlice &one = rounds[i].slice, &other = rounds[j].slice;
        const Index begin = std::max(one.first[rank], other.first[rank]);
        const Index end =
            std::min(one.first[rank] + one.count[rank], other.first[rank] + other.count[rank]);
        if (begin < end) return false;
      }
  return true;
}

/// Do the rounds bring each rank all lines? To a part without columns none come, but its product
/// writes zeros.
bool are_all(const std::vector<RoundOfExchange>& rounds, const DistributedPlan& plan,
             std::size_t buffer, std::size_t dim) {
  for (std::size_t rank = 0; rank < rounds.front().slice.count.size(); ++rank) {
    Index lines = 0;
    for (const RoundOfExchange& round : rounds) lines += round.slice.count[rank];
    const auto extents =
        part_extents(plan.problem.mesh, plan.buffers[buffer].held, static_cast<Index>(rank));
    if (lines != extents[dim]) return false;
  }
  return true;
}

/// The rounds of an exchange whose parcels are slices along `dim`; none where they are no slices.
std::vector<RoundOfExchange> rounds_of(const DistributedPlan& plan, const ExchangeStep& exchange,
                                       End end, std::size_t dim) {
  const Index count = rank_count(plan.problem.mesh);
  if (count < 2 || count > kMostRounds) return {};
  const auto ranks = static_cast<std::size_t>(count);
  const RoundOfExchange none{
      ProductSlice{dim == 0 ? Dimension::m : Dimension::n, std::vector<Index>(ranks, 0),
                   std::vector<Index>(ranks, 0)},
      std::vector<Index>(ranks, 0),
      std::vector<std::size_t>(ranks, 0),
      {}};
  std::vector<RoundOfExchange> rounds(ranks, none);
  const bool at_sender = end == End::sender;
  const auto place = at_sender ? &IndexRun::from : &IndexRun::to;
  for (const Parcel& parcel : exchange.parcels) {
    RoundOfExchange& round = rounds[static_cast<std::size_t>(parcel.round)];
    const Index rank = at_sender ? parcel.sender : parcel.receiver;
    const auto at = static_cast<std::size_t>(rank);
    const std::size_t buffer =
        at_sender ? exchange.from : exchange.to[static_cast<std::size_t>(parcel.summand)];
    const auto extents = part_extents(plan.problem.mesh, plan.buffers[buffer].held, rank);
    const bool is_slice = parcel.runs[dim].size() == 1 && round.slice.count[at] == 0 &&
                          is_whole(parcel.runs[1 - dim], place, extents[1 - dim]);
    if (!is_slice) return {};
    round.slice.first[at] = parcel.runs[dim].front().*place;
    round.slice.count[at] = parcel.runs[dim].front().count;
    round.source_first[at] = element_at(plan.buffers[exchange.from], parcel.runs[0].front().from,
                                        parcel.runs[1].front().from);
    round.summand[at] = static_cast<std::size_t>(parcel.summand);
    round.parcels.push_back(parcel);
  }
  const bool is_moving = std::ranges::any_of(
      exchange.parcels, [](const Parcel& parcel) { return parcel.sender != parcel.receiver; });
  if (!at_sender && !are_all(rounds, plan, exchange.to.front(), dim)) return {};
  return is_moving && are_apart(rounds) ? rounds : std::vector<RoundOfExchange>();
}

/// Rewrites the steps of a draft, of which some become several.
class StepWriter {
 public:
  explicit StepWriter(const Draft& draft) : old_(draft), new_(draft) {
    new_.plan.steps.clear();
    new_.kernels.clear();
    became_.resize(draft.plan.steps.size());
  }

  /// A step that waited for another waits for all that it became.
  [[nodiscard]] std::vector<std::size_t> after(const std::vector<std::size_t>& old) const {
    std::vector<std::size_t> result;
    for (const std::size_t step : old)
      result.insert(result.end(), became_[step].begin(), became_[step].end());
    std::ranges::sort(result);
    return result;
  }
  std::size_t add(std::size_t from, std::string name, std::vector<std::size_t> after, auto body) {
    std::ranges::sort(after);
    new_.plan.steps.push_back(
        {std::move(name), old_.plan.steps[from].lane, std::move(after), std::move(body)});
    became_[from].push_back(new_.plan.steps.size() - 1);
    return new_.plan.steps.size() - 1;
  }
  /// A kernel for the problem, which others may have too.
  std::size_t kernel(Problem problem) {
    const auto found = std::ranges::find(new_.kernels, problem);
    const auto place = static_cast<std::size_t>(found - new_.kernels.begin());
    if (found == new_.kernels.end()) new_.kernels.push_back(std::move(problem));
    return place;
  }
  /// As it was.
  void keep(std::size_t step) {
    DistributedStep copy = old_.plan.steps[step];
    if (auto* product = std::get_if<ProductStep>(&copy.body))
      product->kernel = kernel(old_.kernels[product->kernel]);
    if (auto* sum = std::get_if<SumStep>(&copy.body))
      sum->kernel = kernel(old_.kernels[sum->kernel]);
    std::visit([&](auto& body) { add(step, copy.name, after(copy.after), std::move(body)); },
               copy.body);
  }
  [[nodiscard]] Draft done() { return std::move(new_); }

 private:
  const Draft& old_;
  Draft new_;
  std::vector<std::vector<std::size_t>> became_;
};

class Chunks {
 public:
  explicit Chunks(const Draft& draft) : draft_(draft), plan_(draft.plan) {
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      if (std::holds_alternative<ProductStep>(plan_.steps[i].body)) product_ = i;
  }

  [[nodiscard]] std::vector<Draft> all() const {
    std::vector<Draft> result;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const auto* exchange = std::get_if<ExchangeStep>(&plan_.steps[i].body);
      if (exchange == nullptr) continue;
      if (exchange->to.size() == 1 && (exchange->to.front() == product().a.buffer ||
                                       exchange->to.front() == product().b.buffer))
        if (auto draft = by_arrival(i, *exchange)) result.push_back(std::move(*draft));
      if (exchange->from != product().d) continue;
      for (const std::size_t dim : {0U, 1U})
        if (auto draft = by_departure(i, *exchange, dim)) result.push_back(std::move(*draft));
    }
    return result;
  }

  [[nodiscard]] std::vector<Draft> stored() const {
    std::vector<Draft> result;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      if (const auto* exchange = std::get_if<ExchangeStep>(&plan_.steps[i].body);
          exchange != nullptr && exchange->from == product().d)
        for (const std::size_t dim : {0U, 1U})
          if (auto draft = by_stores(i, *exchange, dim)) result.push_back(std::move(*draft));
    return result;
  }

 private:
  [[nodiscard]] const ProductStep& product() const {
    return std::get<ProductStep>(plan_.steps[product_].body);
  }
  /// Is what the product makes a summand, without the epilogue?
  [[nodiscard]] bool makes_summands() const {
    return std::ranges::any_of(plan_.steps, [&](const DistributedStep& step) {
      return std::holds_alternative<SumStep>(step.body);
    });
  }
  [[nodiscard]] Problem problem_of(const ProductStep& step) const {
    return makes_summands() ? summand_problem(plan_, step) : product_problem(plan_, step);
  }
  static std::string named(const std::string& name, std::size_t round) {
    return base::format("{}, round {}", name, round);
  }

  /// An operand comes by rounds; the own part is read where it lies.
  [[nodiscard]] std::optional<Draft> by_arrival(std::size_t step,
                                                const ExchangeStep& exchange) const {
    std::vector<RoundOfExchange> rounds = rounds_of(plan_, exchange, End::receiver, 0);
    if (rounds.empty()) return std::nullopt;
    const bool is_a = exchange.to.front() == product().a.buffer;
    StepWriter writer(draft_);
    std::vector<std::optional<std::size_t>> came(rounds.size());
    const auto bring = [&](std::size_t round) {
      if (round >= rounds.size() || rounds[round].is_empty()) return;
      const DistributedStep& old = plan_.steps[step];
      came[round] = writer.add(step, named(old.name, round), writer.after(old.after),
                               ExchangeStep{exchange.from, exchange.to, rounds[round].parcels});
    };
    const auto multiply = [&](std::size_t round) {
      if (rounds[round].is_empty()) return;
      const DistributedStep& old = plan_.steps[product_];
      ProductStep piece = product();
      piece.slice = rounds[round].slice;
      piece.slice->dimension = is_a ? Dimension::m : Dimension::n;
      place_operand(is_a ? piece.a : piece.b, exchange, rounds[round], round);
      piece.kernel = writer.kernel(problem_of(piece));
      std::vector<std::size_t> others = old.after;
      std::erase(others, step);
      std::vector<std::size_t> after = writer.after(others);
      if (came[round]) after.push_back(*came[round]);
      writer.add(product_, named(old.name, round), std::move(after), std::move(piece));
    };
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      if (i == step) {
        bring(1);
      } else if (i == product_) {
        // A lane waits for all that is in the other one by then: a round comes behind the product
        // of the round before.
        for (std::size_t round = 0; round < rounds.size(); ++round) {
          multiply(round);
          if (round > 0) bring(round + 1);
        }
      } else {
        writer.keep(i);
      }
    }
    return writer.done();
  }

  void place_operand(BufferPart& operand, const ExchangeStep& exchange,
                     const RoundOfExchange& rounds, std::size_t round) const {
    if (round == 0) {
      operand.buffer = exchange.from;
      operand.first = rounds.source_first;
      return;
    }
    const RankBuffer& buffer = plan_.buffers[operand.buffer];
    for (std::size_t rank = 0; rank < operand.first.size(); ++rank)
      operand.first[rank] += element_at(buffer, rounds.slice.first[rank], 0);
  }

  /// Made parts leave by rounds, the own part is made last.
  [[nodiscard]] std::optional<Draft> by_departure(std::size_t step, const ExchangeStep& exchange,
                                                  std::size_t dim) const {
    std::vector<RoundOfExchange> rounds = rounds_of(plan_, exchange, End::sender, dim);
    if (rounds.empty()) return std::nullopt;
    const std::optional<OwnSummand> own = own_summand(exchange, rounds.front());
    StepWriter writer(draft_);
    std::optional<std::size_t> own_product;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const DistributedStep& old = plan_.steps[i];
      if (i == product_) {
        for (std::size_t turn = 1; turn <= rounds.size(); ++turn) {
          const std::size_t round = turn % rounds.size();
          if (rounds[round].is_empty()) continue;
          ProductStep piece = piece_of(rounds[round], dim);
          piece.kernel = writer.kernel(problem_of(piece));
          const std::size_t made =
              writer.add(i, named(old.name, round), writer.after(old.after), std::move(piece));
          if (round == 0) own_product = made;
          if (round == 0 && own) continue;
          writer.add(step, named(plan_.steps[step].name, round), {made},
                     ExchangeStep{exchange.from, exchange.to, rounds[round].parcels});
        }
      } else if (i != step) {
        keep_with_own(writer, i, exchange, own, own_product);
      }
    }
    return writer.done();
  }

  [[nodiscard]] ProductStep piece_of(const RoundOfExchange& round, std::size_t dim) const {
    ProductStep piece = product();
    piece.slice = round.slice;
    BufferPart& operand = dim == 0 ? piece.a : piece.b;
    for (std::size_t rank = 0; rank < operand.first.size(); ++rank)
      operand.first[rank] += element_at(plan_.buffers[operand.buffer], round.slice.first[rank], 0);
    return piece;
  }

  /// Made parts are stored where they go, a product for each receiver, that for the own rank last;
  /// then ranks meet.
  [[nodiscard]] std::optional<Draft> by_stores(std::size_t step, const ExchangeStep& exchange,
                                               std::size_t dim) const {
    const std::vector<RoundOfExchange> rounds = rounds_of(plan_, exchange, End::sender, dim);
    if (rounds.empty()) return std::nullopt;
    StepWriter writer(draft_);
    std::size_t meeting = 0;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const DistributedStep& old = plan_.steps[i];
      if (i != product_ && i != step) {
        writer.keep(i);
        continue;
      }
      if (i == step) {
        meeting = writer.add(
            i, old.name, writer.after(old.after),
            ExchangeStep{exchange.from, exchange.to, exchange.parcels, Carrier::writers});
        continue;
      }
      for (std::size_t turn = 1; turn <= rounds.size(); ++turn) {
        const std::size_t round = turn % rounds.size();
        if (rounds[round].is_empty()) continue;
        ProductStep piece = piece_of(rounds[round], dim);
        piece.kernel = writer.kernel(problem_of(piece));
        writer.add(i, named(old.name, round), writer.after(old.after), std::move(piece));
      }
    }
    Draft result = writer.done();
    result.plan.steps[meeting].lane = Lane::compute;
    const auto& stored = std::get<ExchangeStep>(result.plan.steps[meeting].body);
    if (!fault_of_stores(result.plan, stored).empty()) return std::nullopt;
    return result;
  }

  void keep_with_own(StepWriter& writer, std::size_t step, const ExchangeStep& exchange,
                     const std::optional<OwnSummand>& own,
                     const std::optional<std::size_t>& own_product) const {
    const auto* sum = std::get_if<SumStep>(&plan_.steps[step].body);
    if (sum == nullptr || !own || sum->summands != exchange.to) {
      writer.keep(step);
      return;
    }
    SumStep with_own = *sum;
    with_own.own = own;
    with_own.kernel = writer.kernel(draft_.kernels[sum->kernel]);
    std::vector<std::size_t> after = writer.after(plan_.steps[step].after);
    if (own_product) after.push_back(*own_product);
    writer.add(step, plan_.steps[step].name, std::move(after), std::move(with_own));
  }

  /// The own summand can stay where it is made if kernels that add read it as they read those that
  /// came, and one step adds them all.
  [[nodiscard]] std::optional<OwnSummand> own_summand(const ExchangeStep& exchange,
                                                      const RoundOfExchange& round) const {
    const bool is_one_sum = std::ranges::any_of(plan_.steps, [&](const DistributedStep& step) {
      const auto* sum = std::get_if<SumStep>(&step.body);
      return sum != nullptr && sum->summands == exchange.to;
    });
    const RankBuffer& made = plan_.buffers[exchange.from];
    const RankBuffer& came = plan_.buffers[exchange.to.front()];
    const Index width = width_bytes(made.type);
    const bool is_alike = made.ld_elems == came.ld_elems && made.order == came.order;
    const bool is_aligned = std::ranges::all_of(
        round.source_first, [&](Index first) { return first * width % kSummandAlignment == 0; });
    if (!is_one_sum || !is_alike || !is_aligned) return std::nullopt;
    return OwnSummand{exchange.from, round.source_first, round.summand};
  }

  const Draft& draft_;
  const DistributedPlan& plan_;
  std::size_t product_ = 0;
};

}  // namespace

std::vector<Draft> in_chunks(const Draft& draft) { return Chunks(draft).all(); }

std::vector<Draft> by_stores(const Draft& draft) { return Chunks(draft).stored(); }

}  // namespace jute::dist
