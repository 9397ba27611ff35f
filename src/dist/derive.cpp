// Buffers and steps of a share: what is needed comes, is multiplied, added, and goes where D lies.
#include "dist/derive.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/format.hpp"
#include "dist/collective.hpp"
#include "dist/flat_spread.hpp"
#include "dist/in_place.hpp"
#include "dist/local_problems.hpp"

namespace jute {
namespace dist {
namespace {

constexpr Index kBufferAlignment = 256, kRowAlignment = 16;

class Derivation {
 public:
  Derivation(const DistributedProblem& problem, const DeviceInfo& device, Adders adders)
      : mesh_(problem.mesh), problem_(problem.problem), wire_(*problem.wire), who_adds_(adders) {
    draft_.plan.problem = problem;
    draft_.plan.device = device;
    needs_ = needs_of(problem);
  }

  Draft all() {
    const Placements& places = draft_.plan.problem.placements;
    const NamedExtent m{Dimension::m, problem_.m}, n{Dimension::n, problem_.n},
        k{Dimension::k, problem_.k};
    const Order b_order = problem_.b.order == Order::row ? Order::col : Order::row;
    const auto a = callers("A", problem_.a.type, problem_.a.order, places.a, {m, k});
    const auto b = callers("B", problem_.b.type, b_order, places.b, {n, k});
    std::optional<std::size_t> c;
    if (c_read(problem_) != CRead::never)
      c = callers("C", problem_.c.type, problem_.c.order, *places.c, {m, n});
    const auto d = callers("D", problem_.d.type, problem_.d.order, places.d, {m, n});
    if (problem_.epilogue) add_inputs(buffer(d).held);
    const BufferPart a_part = brought(a, needs_.a, "A"), b_part = brought(b, needs_.b, "B");
    finish(a_part, b_part, c, d);
    const DistributedProblem& whole = draft_.plan.problem;
    draft_.least_bytes =
        checked_add(draft_.least_bytes, least_bytes_of_d(whole, needs_.d, buffer(d).held), "bytes");
    return std::move(draft_);
  }

 private:
  [[nodiscard]] const RankBuffer& buffer(std::size_t place) const {
    return draft_.plan.buffers[place];
  }

  std::size_t add_buffer(RankBuffer buffer) {
    std::array<Index, 2> most{};
    for (const std::size_t dim : {0U, 1U}) most[dim] = largest_part(mesh_, buffer.held.dims[dim]);
    const bool is_row = buffer.order == Order::row;
    Index inner = std::max<Index>(1, most[is_row ? 1 : 0]);
    const Index outer = most[is_row ? 0 : 1];
    const Index width = width_bytes(buffer.type);
    if (!buffer.is_callers) inner = ceil_div(inner * width, kRowAlignment) * kRowAlignment / width;
    buffer.ld_elems = inner;
    const Index bytes = checked_mul(checked_mul(outer, inner, "buffer"), width, "buffer");
    buffer.bytes = buffer.is_callers ? bytes : ceil_div(bytes, kBufferAlignment) * kBufferAlignment;
    draft_.plan.buffers.push_back(std::move(buffer));
    return draft_.plan.buffers.size() - 1;
  }

  std::size_t callers(std::string_view name, DType type, Order order, const Placement& placement,
                      const std::array<NamedExtent, 2>& dims) {
    Distribution held = distribution(mesh_, placement, dims);
    if (name != "D" && !held.sums.empty())
      jute::refuse(ErrorCode::illegal_config, std::string(name), to_string(placement),
                   "only D must be left as summands");
    return add_buffer({.name = std::string(name),
                       .type = type,
                       .order = order,
                       .held = std::move(held),
                       .is_callers = true});
  }

  [[nodiscard]] const EpilogueInput& input(std::size_t place) const {
    return problem_.epilogue->expression.inputs[place];
  }
  /// Inputs in memory are the caller's, where D is.
  void add_inputs(Distribution d) {  // a copy: buffers move as they become more
    for (std::size_t i = 0; i < problem_.epilogue->inputs.size(); ++i) {
      const EpilogueOperand& operand = problem_.epilogue->inputs[i];
      inputs_.push_back({i, std::nullopt});
      if (operand.by_value) continue;
      inputs_.back().buffer = add_buffer({.name = "input " + input(i).name,
                                          .type = operand.type,
                                          .order = operand.order,
                                          .held = part_of_input(mesh_, input(i).extent, d),
                                          .is_callers = true,
                                          .input = i});
    }
  }
  /// Where D, or a part of it, is made.
  [[nodiscard]] std::vector<StepInput> brought_inputs(const Distribution& made) {
    std::vector<StepInput> there = inputs_;
    for (StepInput& one : there)
      if (one.buffer)
        one.buffer = brought_whole(*one.buffer, part_of_input(mesh_, input(one.place).extent, made),
                                   input(one.place).name);
    return there;
  }

  std::size_t add_step(std::string name, Lane lane, std::vector<std::size_t> after, auto body) {
    std::ranges::sort(after);
    after.erase(std::unique(after.begin(), after.end()), after.end());
    draft_.plan.steps.push_back({std::move(name), lane, std::move(after), std::move(body)});
    return draft_.plan.steps.size() - 1;
  }

  /// The step that has written a buffer.
  void wait_for(std::vector<std::size_t>& after, std::size_t place) const {
    if (const auto found = written_.find(place); found != written_.end())
      after.push_back(found->second);
  }

  void wait_for(std::vector<std::size_t>& after, const std::vector<StepInput>& inputs) const {
    for (const StepInput& one : inputs)
      if (one.buffer) wait_for(after, *one.buffer);
  }

  /// A part in the memory of each rank: where it lies, or in a buffer of its own that parcels fill.
  BufferPart brought(std::size_t from, const Distribution& needed, const std::string& name) {
    const RankBuffer& source = buffer(from);
    draft_.least_bytes = checked_add(
        draft_.least_bytes,
        checked_mul(missing_elements(mesh_, source.held, needed), width_bytes(source.type)),
        "bytes");
    std::vector<Parcel> parcels = traffic(mesh_, source.held, needed);
    if (auto in_place = lies_in(from, needed, parcels)) return *in_place;
    const std::size_t to = add_buffer({.name = base::format("{} needed", name),
                                       .type = source.type,
                                       .order = source.order,
                                       .held = needed});
    exchange(base::format("bring {}", name), from, {to}, std::move(parcels));
    return whole(to);
  }

  /// Does each rank have all of it, in one piece?
  [[nodiscard]] std::optional<BufferPart> lies_in(std::size_t from, const Distribution& needed,
                                                  const std::vector<Parcel>& parcels) const {
    BufferPart result{from, needed, std::vector<Index>(ranks(), 0)};
    const RankBuffer& source = buffer(from);
    for (const std::size_t dim : {0U, 1U})
      if (largest_part(mesh_, needed.dims[dim]) > largest_part(mesh_, source.held.dims[dim]))
        return std::nullopt;
    for (const Parcel& parcel : parcels) {
      if (parcel.sender != parcel.receiver || parcel.runs[0].size() != 1 ||
          parcel.runs[1].size() != 1)
        return std::nullopt;
      const Index row = parcel.runs[0].front().from, column = parcel.runs[1].front().from;
      result.first[static_cast<std::size_t>(parcel.sender)] = element_at(source, row, column);
    }
    return result;
  }

  [[nodiscard]] BufferPart whole(std::size_t place) const {
    return {place, buffer(place).held, std::vector<Index>(ranks(), 0)};
  }
  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(rank_count(mesh_)); }

  void exchange(std::string name, std::size_t from, const std::vector<std::size_t>& to,
                std::vector<Parcel> parcels) {
    std::vector<std::size_t> after;
    wait_for(after, from);
    const std::size_t step = add_step(std::move(name), Lane::comm, std::move(after),
                                      ExchangeStep{from, to, std::move(parcels)});
    for (const std::size_t place : to) written_[place] = step;
  }

  /// The axes along which summands meet: those of the share that D does not keep.
  [[nodiscard]] std::vector<int> added_axes(const Distribution& target) const {
    std::vector<int> result;
    for (const int axis : needs_.d.sums) {
      const bool is_kept = std::ranges::find(target.sums, axis) != target.sums.end();
      if (!is_kept && mesh_.axes[static_cast<std::size_t>(axis)].size > 1) result.push_back(axis);
    }
    for (const int axis : target.sums)
      if (std::ranges::find(needs_.d.sums, axis) == needs_.d.sums.end())
        jute::refuse(ErrorCode::illegal_config, "share", to_string(*draft_.plan.problem.share),
                     base::format("it must cut K by axis {}, over which D is left as summands",
                                  mesh_.axes[static_cast<std::size_t>(axis)].name));
    if (!target.sums.empty() && (c_read(problem_) != CRead::never || problem_.epilogue))
      jute::refuse(ErrorCode::illegal_config, "D", to_string(draft_.plan.problem.placements.d),
                   "summands of D must be without C, beta 0, and without an epilogue or "
                   "scales, which are for their sum");
    return result;
  }

  /// Multiplies, and brings what comes of it to D.
  void finish(const BufferPart& a, const BufferPart& b, std::optional<std::size_t> c,
              std::size_t d) {
    const Distribution target = buffer(d).held;
    const std::vector<int> added = added_axes(target);
    if (!added.empty()) {
      add_summands(a, b, c, d, added);
      return;
    }
    Distribution made = needs_.d;
    made.sums = target.sums;
    const bool is_there = made == target;
    const std::size_t product =
        is_there ? d : add_buffer({"D made", problem_.d.type, problem_.d.order, made});
    const auto c_there = c ? std::optional(brought_whole(*c, made, "C")) : std::nullopt;
    ProductStep step{.a = a, .b = b, .c = c_there, .d = product, .inputs = brought_inputs(made)};
    Problem problem = product_problem(draft_.plan, step);
    multiply(std::move(step), std::move(problem));
    if (!is_there) exchange("take D", product, {d}, traffic_of_made(made, target));
  }

  /// Summands that stay apart are no summands of the exchange.
  [[nodiscard]] std::vector<Parcel> traffic_of_made(Distribution made, Distribution target) const {
    made.sums.clear();
    target.sums.clear();
    return traffic(mesh_, made, target);
  }

  /// C where sums are made.
  std::size_t brought_whole(std::size_t from, Distribution needed, const std::string& name) {
    needed.sums.clear();
    if (buffer(from).held == needed) return from;
    draft_.least_bytes = checked_add(draft_.least_bytes,
                                     checked_mul(missing_elements(mesh_, buffer(from).held, needed),
                                                 width_bytes(buffer(from).type)),
                                     "bytes");
    const std::size_t to = add_buffer({.name = base::format("{} needed", name),
                                       .type = buffer(from).type,
                                       .order = buffer(from).order,
                                       .held = needed});
    exchange(base::format("bring {}", name), from, {to}, traffic(mesh_, buffer(from).held, needed));
    return to;
  }

  void multiply(ProductStep step, Problem problem) {
    std::vector<std::size_t> after;
    wait_for(after, step.a.buffer);
    wait_for(after, step.b.buffer);
    if (step.c) wait_for(after, *step.c);
    wait_for(after, step.inputs);
    step.kernel = draft_.kernels.size();
    draft_.kernels.push_back(std::move(problem));
    const std::size_t made = step.d;
    written_[made] = add_step("multiply", Lane::compute, std::move(after), std::move(step));
  }

  /// D's, but that a vector lies along itself, as inputs of an epilogue do.
  [[nodiscard]] Order order_of(const Distribution& summand) const {
    if (largest_part(mesh_, summand.dims[0]) <= 1) return Order::row;
    return largest_part(mesh_, summand.dims[1]) <= 1 ? Order::col : problem_.d.order;
  }

  void add_summands(const BufferPart& a, const BufferPart& b, std::optional<std::size_t> c,
                    std::size_t d, const std::vector<int>& added) {
    const Distribution target = buffer(d).held;
    Distribution made = needs_.d;
    made.sums = added;
    const std::size_t product = add_buffer({"summand", wire_, order_of(needs_.d), needs_.d});
    ProductStep step{.a = a, .b = b, .d = product};
    Problem problem = summand_problem(draft_.plan, step);
    multiply(std::move(step), std::move(problem));
    if (draft_.plan.problem.reduce == Reduction::nccl) {
      add_by_transport(product, made, c, d);
      return;
    }
    Distribution place =
        who_adds_ == Adders::everybody ? target : adding_ranks(draft_.plan.problem, target, added);
    place.sums = target.sums;
    Distribution place_of_parts = place;
    place_of_parts.sums.clear();
    Index count = 1;
    for (const int axis : added) count *= mesh_.axes[static_cast<std::size_t>(axis)].size;
    std::vector<std::size_t> summands;
    for (Index i = 0; i < count; ++i)
      summands.push_back(
          add_buffer({base::format("summand {}", i), wire_, order_of(place), place}));
    exchange("bring summands", product, summands, traffic(mesh_, made, place_of_parts));
    if (who_adds_ == Adders::everybody) put_in_place(draft_.plan.steps.back());
    const auto c_there = c ? std::optional(brought_whole(*c, place, "C")) : std::nullopt;
    const bool is_there = place == target;
    const std::size_t sum =
        is_there ? d : add_buffer({"D made", problem_.d.type, problem_.d.order, place});
    add_up(summands, c_there, sum, brought_inputs(place));
    if (!is_there) exchange("take D", sum, {d}, traffic_of_made(place, target));
  }

  /// The transport's sums, and what the epilogue makes of them.
  void add_by_transport(std::size_t product, const Distribution& made, std::optional<std::size_t> c,
                        std::size_t d) {
    Distribution place = buffer(d).held;
    const bool keeps_summands = !place.sums.empty();
    place.sums.clear();
    const std::size_t sum = add_buffer({"sum", wire_, order_of(needs_.d), place});
    CollectiveChoice choice = collective_of(draft_.plan, product, sum, traffic(mesh_, made, place));
    if (keeps_summands) choice.fault = "no axis must keep summands of D";
    if (!choice.fault.empty())
      jute::refuse(ErrorCode::illegal_config, "reduce", "nccl", std::move(choice.fault), "ordered");
    std::vector<std::size_t> after;
    wait_for(after, product);
    written_[sum] = add_step("add summands", Lane::comm, std::move(after), choice.step);
    const auto c_there = c ? std::optional(brought_whole(*c, place, "C")) : std::nullopt;
    add_up({sum}, c_there, d, brought_inputs(place));
  }

  /// Summands stay where they are, if they can: kernels meet between those that multiply and add.
  void put_in_place(DistributedStep& step) const {
    auto& exchange = std::get<ExchangeStep>(step.body);
    if (!fault_in_place(draft_.plan, exchange).empty()) return;
    exchange.carrier = Carrier::readers;
    step.lane = Lane::compute;
  }

  /// As many at once as an epilogue has inputs; what they come to is the next one's first.
  void add_up(std::vector<std::size_t> summands, std::optional<std::size_t> c, std::size_t d,
              std::vector<StepInput> inputs) {
    const std::size_t most = static_cast<std::size_t>(kMostEpilogueInputs) - inputs.size();
    while (summands.size() > most) {
      const auto count = static_cast<std::ptrdiff_t>(most);
      const std::vector<std::size_t> first(summands.begin(), summands.begin() + count);
      const RankBuffer& like = buffer(first.front());
      const std::size_t so_far =
          add_buffer({"sum so far", sum_type(problem_), like.order, like.held});
      add_step_of({.summands = first, .d = so_far},
                  partial_sum_problem(draft_.plan, first, so_far));
      summands.erase(summands.begin(), summands.begin() + count);
      summands.insert(summands.begin(), so_far);
    }
    Problem problem = sum_problem(draft_.plan, summands, c, d, inputs);
    add_step_of({.summands = std::move(summands), .c = c, .d = d, .inputs = std::move(inputs)},
                std::move(problem));
  }

  void add_step_of(SumStep step, Problem problem) {
    std::vector<std::size_t> after;
    for (const std::size_t summand : step.summands) wait_for(after, summand);
    if (step.c) wait_for(after, *step.c);
    wait_for(after, step.inputs);
    step.kernel = draft_.kernels.size();
    draft_.kernels.push_back(std::move(problem));
    const std::size_t made = step.d;
    written_[made] = add_step("add", Lane::compute, std::move(after), std::move(step));
  }

  const Mesh mesh_;
  const Problem problem_;
  const DType wire_;
  const Adders who_adds_;
  ShareNeeds needs_;
  Draft draft_;
  std::vector<StepInput> inputs_;               // of the caller's
  std::map<std::size_t, std::size_t> written_;  // by buffer: the step
};

}  // namespace

Draft derive(const DistributedProblem& problem, const DeviceInfo& device, Adders adders) {
  return Derivation(problem, device, adders).all();
}

std::optional<Draft> in_one_shot(const Draft& draft) {
  Draft made = derive(draft.plan.problem, draft.plan.device, Adders::everybody);
  const bool is_in_place = std::ranges::any_of(made.plan.steps, [](const DistributedStep& step) {
    const auto* exchange = std::get_if<ExchangeStep>(&step.body);
    return exchange != nullptr && exchange->carrier == Carrier::readers;
  });
  return is_in_place ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace dist
}  // namespace jute
