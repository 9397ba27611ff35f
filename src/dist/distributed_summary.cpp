// A distributed plan's three sentences, made of its steps and their times.
#include <jute/plan/derive/sum_order.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/format.hpp"
#include "dist/plan_words.hpp"

namespace jute {

std::string dist::bytes_text(Index bytes) {
  constexpr std::array<std::string_view, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return base::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, kUnits[unit]);
}

std::string dist::why_text(const DistributedPlan& plan) {
  if (plan.problem.share && plan.considered.size() < 2) return "the only share, or the caller's";
  const ConsideredShare& first = plan.considered[0];
  const ConsideredShare& next = plan.considered[1];
  return base::format(
      "share {} is expected to take {:.1f} us{} and moves {}; the next, {}, {:.1f} us and {}",
      to_string(first.share), first.us,
      first.us > next.us ? ", the least of those that can overlap as is asked," : "",
      bytes_text(first.bytes), to_string(next.share), next.us, bytes_text(next.bytes));
}

std::string dist::basis_text(const DistributedPlan& plan) {
  const Index measured = link_of(plan.device).ranks, ranks = rank_count(plan.problem.mesh);
  if (measured == 0) return "times are a prediction by an estimate of the link";
  if (measured == ranks)
    return base::format("times are by the link as {} ranks measured it", ranks);
  return base::format("times are a prediction for {} ranks by the link as {} measured it", ranks,
                      measured);
}

std::vector<std::string> sum_orders(const DistributedPlan& plan) {
  std::vector<std::string> orders;
  for (const DistributedStep& step : plan.steps) {
    const auto* product = std::get_if<ProductStep>(&step.body);
    if (product == nullptr) continue;
    std::string order = sum_order(plan.kernels[product->kernel]);
    if (std::ranges::find(orders, order) == orders.end()) orders.push_back(std::move(order));
  }
  return orders;
}

namespace {

/// The names of a lane's steps, in their order.
std::string names_of(const DistributedPlan& plan, Lane lane) {
  std::string names;
  for (const DistributedStep& step : plan.steps)
    if (step.lane == lane) names += (names.empty() ? "" : ", ") + step.name;
  return names;
}

double us_of(const DistributedPlan& plan, Lane lane) {
  double us = 0;
  for (const DistributedStep& step : plan.steps)
    if (step.lane == lane) us += step.us;
  return us;
}

/// The kernel of the first product.
const Plan* kernel_of(const DistributedPlan& plan) {
  for (const DistributedStep& step : plan.steps)
    if (const auto* product = std::get_if<ProductStep>(&step.body))
      return &plan.kernels[product->kernel];
  return nullptr;
}

std::string runs(const DistributedPlan& plan) {
  std::string text =
      base::format("Runs {} on each of {} ranks",
                   plan.steps.size() == 1 ? "1 step" : base::format("{} steps", plan.steps.size()),
                   rank_count(plan.problem.mesh));
  const std::string exchanges = names_of(plan, Lane::comm);
  text += base::format(": {}", names_of(plan, Lane::compute));
  if (!exchanges.empty()) text += base::format("; beside them {}", exchanges);
  if (const Plan* kernel = kernel_of(plan)) {
    const GemmStep& step = gemm_step(*kernel);
    text += base::format("; it multiplies {}x{}x{} by {} on tiles of {}x{}x{}", kernel->problem.m,
                         kernel->problem.n, kernel->problem.k, step.mma.atom().name, step.tile.m,
                         step.tile.n, step.tile.k);
  }
  return text + ".";
}

std::string expected(const DistributedPlan& plan) {
  return base::format(
      "Expected to take {:.1f} us: kernels {:.1f} us, exchanges {:.1f} us of {} from rank to rank "
      "(at least {}), and the thread that starts them {:.1f} us; {}.",
      expected_us(plan), us_of(plan, Lane::compute), us_of(plan, Lane::comm),
      dist::bytes_text(moved_bytes(plan)), dist::bytes_text(plan.considered.front().least_bytes),
      host_us(plan), dist::basis_text(plan));
}

/// A sentence of a fact.
std::string sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

}  // namespace

Sentences summary(const DistributedPlan& plan) {
  return {runs(plan), expected(plan), sentence(dist::why_text(plan))};
}

Fields fields(const Sentences& sentences) {
  return {{"runs", sentences.runs}, {"expected", sentences.expected}, {"why", sentences.why}};
}

std::string to_string(const Sentences& sentences) {
  return sentences.runs + "\n" + sentences.expected + "\n" + sentences.why + "\n";
}

}  // namespace jute
