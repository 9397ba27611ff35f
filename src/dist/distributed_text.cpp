// A distributed plan for people and for programs.
#include <jute/dist/distributed_plan.hpp>
#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "dist/plan_words.hpp"

namespace jute {
namespace {

Index nanoseconds(double us) { return std::llround(us * 1e3); }

Field buffer_field(const DistributedPlan& plan, const RankBuffer& buffer) {
  std::array<Index, 2> most{};
  for (const std::size_t dim : {0U, 1U})
    most[dim] = largest_part(plan.problem.mesh, buffer.held.dims[dim]);
  const std::string layout = to_string(rank_layout(buffer.held));
  std::string sums;
  for (const int axis : buffer.held.sums)
    sums += base::format(" +{}", plan.problem.mesh.axes[static_cast<std::size_t>(axis)].name);
  return {"buffer",
          Fields{{"name", buffer.name},
                 {"type", std::string(name(buffer.type))},
                 {"order", std::string(name(buffer.order))},
                 {"extents", std::vector<Index>{most[0], most[1]}},
                 {"ld_elems", buffer.ld_elems},
                 {"bytes", buffer.bytes},
                 {"callers", buffer.is_callers},
                 {"summands", sums.empty() ? sums : sums.substr(1)},
                 {"layout", layout}},
          base::format("{}: {} {} {}x{} ld {}, {}, {}{}", buffer.name, name(buffer.type),
                       name(buffer.order), most[0], most[1], buffer.ld_elems,
                       dist::bytes_text(buffer.bytes), layout, sums)};
}

/// `rows 0+4 1+4 of `: where the slice of each rank begins, and how long it is.
std::string slice_text(const ProductStep& product) {
  if (!product.slice) return {};
  std::string text = product.slice->dimension == Dimension::m ? "rows" : "columns";
  for (std::size_t rank = 0; rank < product.slice->first.size(); ++rank)
    text += base::format(" {}+{}", product.slice->first[rank], product.slice->count[rank]);
  return text + " of ";
}

/// ` as rows come, the own ones of A; `: of an operand that its kernel waits for.
std::string arriving_text(const DistributedPlan& plan, const ProductStep& product) {
  if (!product.arriving) return {};
  return base::format(
      ", as {} comes, the own rows where {} has them",
      plan.buffers[product.arriving->rows.dimension == Dimension::m ? product.a.buffer
                                                                    : product.b.buffer]
          .name,
      plan.buffers[product.arriving->own.buffer].name);
}

std::string body_text(const DistributedPlan& plan, const DistributedStep& step) {
  const auto named = [&](std::size_t buffer) { return plan.buffers[buffer].name; };
  const auto listed = [&](const std::vector<std::size_t>& buffers) {
    return buffers.size() < 3
               ? base::format("{}{}", named(buffers.front()),
                              buffers.size() == 2 ? " and " + named(buffers.back()) : "")
               : base::format("{} to {}", named(buffers.front()), named(buffers.back()));
  };
  const auto with_inputs = [&](const std::vector<StepInput>& inputs) {
    std::string text;
    for (const StepInput& input : inputs)
      if (input.buffer) text += " with " + named(*input.buffer);
    return text;
  };
  if (const auto* product = std::get_if<ProductStep>(&step.body))
    return base::format("{} times {}{}{}{} into {}{}, kernel {}", named(product->a.buffer),
                        named(product->b.buffer), arriving_text(plan, *product),
                        product->c ? base::format(" and {}", named(*product->c)) : "",
                        with_inputs(product->inputs), slice_text(*product), named(product->d),
                        product->kernel);
  constexpr std::array<std::string_view, 3> kCarried{"into", "read in place as",
                                                     "stored by its products as"};
  if (const auto* exchange = std::get_if<ExchangeStep>(&step.body))
    return base::format("{} {} {}{}", named(exchange->from),
                        kCarried[static_cast<std::size_t>(exchange->carrier)], listed(exchange->to),
                        exchange->announced_rows > 0
                            ? base::format(", a flag behind each {} rows", exchange->announced_rows)
                            : "");
  if (const auto* collective = std::get_if<CollectiveStep>(&step.body))
    return base::format("{} of {} into {}", name(collective->kind), named(collective->from),
                        named(collective->to));
  const auto& sum = std::get<SumStep>(step.body);
  return base::format("{}{}{}{} into {}, kernel {}", listed(sum.summands),
                      sum.own ? base::format(", the own of {}", named(sum.own->buffer)) : "",
                      sum.c ? base::format(" and {}", named(*sum.c)) : "", with_inputs(sum.inputs),
                      named(sum.d), sum.kernel);
}

/// The layout that an exchange is, where it is one.
std::string map_text(const DistributedPlan& plan, const ExchangeStep& exchange) {
  const Distribution& from = plan.buffers[exchange.from].held;
  const Distribution& to = plan.buffers[exchange.to.front()].held;
  if (!from.sums.empty()) return {};
  const auto map = traffic_layout(from, to);
  return map ? to_string(coalesce(*map)) : "";
}

Field step_field(const DistributedPlan& plan, std::size_t place, const StepTime& time) {
  const DistributedStep& step = plan.steps[place];
  std::vector<Index> after(step.after.begin(), step.after.end());
  Fields facts{{"name", step.name},
               {"lane", std::string(name(step.lane))},
               {"does", body_text(plan, step)},
               {"after", after},
               {"begin_ns", nanoseconds(time.begin_us)},
               {"end_ns", nanoseconds(time.end_us)}};
  const auto* exchange = std::get_if<ExchangeStep>(&step.body);
  if (exchange != nullptr || std::holds_alternative<CollectiveStep>(step.body)) {
    const std::vector<Index> pairs = bytes_by_pair(plan, place);
    const Index ranks = rank_count(plan.problem.mesh);
    Index all = 0, most = 0;
    Fields senders;
    for (Index rank = 0; rank < ranks; ++rank) {
      std::vector<Index> to;
      Index leaves = 0;
      for (Index other = 0; other < ranks; ++other) {
        to.push_back(pairs[static_cast<std::size_t>(rank + ranks * other)]);
        leaves += to.back();
      }
      all += leaves;
      most = std::max(most, leaves);
      senders.push_back({base::format("rank {}", rank), to});
    }
    facts.push_back({"bytes", all});
    facts.push_back({"most_bytes_of_a_rank", most});
    if (std::string map = exchange != nullptr ? map_text(plan, *exchange) : ""; !map.empty())
      facts.push_back({"map", std::move(map)});
    facts.push_back({"bytes_to", senders});
  }
  return {"step", std::move(facts)};
}

Field share_field(const ConsideredShare& it) {
  return {"share",
          Fields{{"share", to_string(it.share)},
                 {"expected_ns", nanoseconds(it.us)},
                 {"bytes", it.bytes},
                 {"least_bytes", it.least_bytes},
                 {"memory_bytes", it.memory}},
          base::format("{}: {:.1f} us, moves {} of at least {}, {} a rank", to_string(it.share),
                       it.us, dist::bytes_text(it.bytes), dist::bytes_text(it.least_bytes),
                       dist::bytes_text(it.memory))};
}

/// In which order and how often D is rounded.
std::string numerics_text(const DistributedPlan& plan) {
  for (const DistributedStep& step : plan.steps) {
    const auto* sum = std::get_if<SumStep>(&step.body);
    if (sum == nullptr) continue;
    const DType wire = plan.buffers[sum->summands.back()].type;
    const DType type = plan.problem.problem.accumulate.value_or(DType::f32);
    if (plan.problem.reduce == Reduction::nccl)
      return base::format(
          "the transport adds D's summands as {}, each addition rounded to it, in an "
          "order of its own; D is rounded once more",
          name(wire));
    return base::format(
        "D's summands travel as {}{} and are added in the order of their ranks, then D is rounded "
        "once: the same bits in every run",
        name(wire), width_bytes(wire) < width_bytes(type) ? ", each rounded to it," : "");
  }
  if (!plan.problem.placements.d.sums.empty())
    return "D is left as summands, each the bits of its rank's kernel";
  return "each element of D is one rank's: the bits of that rank's kernel";
}

constexpr std::size_t kSharesShown = 6;

}  // namespace

Fields fields(const DistributedPlan& plan) {
  const std::vector<StepTime> times = timeline(plan);
  const Link& link = link_of(plan.device);
  Index least = plan.considered.front().least_bytes;
  for (const ConsideredShare& it : plan.considered) least = std::min(least, it.least_bytes);
  FieldList buffers, steps, shares, kernels;
  for (const RankBuffer& buffer : plan.buffers) buffers.items.push_back(buffer_field(plan, buffer));
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    steps.items.push_back(step_field(plan, i, times[i]));
  for (std::size_t i = 0; i < std::min(kSharesShown, plan.considered.size()); ++i)
    shares.items.push_back(share_field(plan.considered[i]));
  for (const Plan& kernel : plan.kernels)
    kernels.items.push_back({"kernel", fields(kernel), to_string(kernel.problem)});
  return {
      {"problem", to_string(plan.problem)},
      {"device", line_of(plan.device)},
      {"mesh", to_string(plan.problem.mesh)},
      {"ranks", rank_count(plan.problem.mesh)},
      {"share", to_string(*plan.problem.share)},
      {"link", base::format(
                   "{}, {:g} GB/s a rank, {:g} us a call, {:g} us of the host's and {:g} a kernel; "
                   "kernels meet in {:g} us, read {:g} GB/s and store {:g}; {}",
                   link.name, link.gb_s, link.call_us, link.host_us, link.launch_us,
                   link.barrier_us, link.read_gb_s, link.store_gb_s, link.source)},
      {"moved_bytes", moved_bytes(plan)},
      {"least_bytes", plan.considered.front().least_bytes},
      {"least_bytes_of_shares", least},
      {"memory_bytes", memory_bytes(plan)},
      {"expected_ns", nanoseconds(expected_us(plan))},
      {"host_ns", nanoseconds(host_us(plan))},
      {"basis", dist::basis_text(plan)},
      {"why", dist::why_text(plan)},
      {"numerics", numerics_text(plan)},
      {"buffers", buffers},
      {"steps", steps},
      {"shares", shares},
      {"kernels", kernels}};
}

std::string to_string(const DistributedPlan& plan) { return to_string(fields(plan)); }

}  // namespace jute
