// Problems of one rank: extents of the largest part, leading dimensions of the buffers.
#include "dist/local_problems.hpp"

#include <jute/epilogue/expression.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <algorithm>
#include <numeric>

#include "base/format.hpp"

namespace jute::dist {
namespace {

/// Bytes that every rank's part begins at a multiple of.
int alignment_of(const RankBuffer& buffer, std::span<const Index> first) {
  Index together = buffer.is_callers ? 16 : 256;
  for (const Index elements : first)
    together = std::gcd(together, elements * width_bytes(buffer.type));
  return static_cast<int>(together);
}

Matrix matrix_of(const RankBuffer& buffer, std::span<const Index> first = {}) {
  return {.type = buffer.type,
          .order = buffer.order,
          .ld_elems = buffer.ld_elems,
          .alignment_bytes = alignment_of(buffer, first)};
}

/// `acc` as a word becomes `sum`.
std::string with_sum(const std::string& text, std::string_view sum) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at) {
      result += text[at++];
      continue;
    }
    const std::string word = text.substr(at, end - at);
    result += word == "acc" ? std::string(sum) : word;
    at = end;
  }
  return result;
}

Problem operands(const DistributedPlan& plan, const BufferPart& a, const BufferPart& b) {
  const Mesh& mesh = plan.problem.mesh;
  Problem problem = plan.problem.problem;
  problem.m = largest_part(mesh, a.part.dims[0]);
  problem.n = largest_part(mesh, b.part.dims[0]);
  problem.k = largest_part(mesh, a.part.dims[1]);
  problem.a = matrix_of(plan.buffers[a.buffer], a.first);
  problem.b = matrix_of(plan.buffers[b.buffer], b.first);
  // The problem's B is (K,N), the buffer's (N,K).
  problem.b.order = problem.b.order == Order::row ? Order::col : Order::row;
  return problem;
}

/// Where a slice begins in a result, on each rank.
std::vector<Index> first_of(const RankBuffer& buffer, const std::optional<ProductSlice>& slice) {
  std::vector<Index> result;
  if (!slice) return result;
  for (std::size_t rank = 0; rank < slice->first.size(); ++rank)
    if (slice->count[rank] > 0)
      result.push_back(slice_at(buffer, *slice, static_cast<Index>(rank)));
  return result;
}

/// An input of the problem's epilogue as a kernel finds it.
EpilogueOperand input_of(const DistributedPlan& plan, const StepInput& input,
                         const std::optional<ProductSlice>& slice = {}) {
  EpilogueOperand operand = plan.problem.problem.epilogue->inputs.at(input.place);
  if (!input.buffer) return operand;
  const RankBuffer& buffer = plan.buffers[*input.buffer];
  static_cast<Matrix&>(operand) = matrix_of(buffer, first_of(buffer, slice));
  return operand;
}

/// Without C; completed() gives it the usual.
void put_results(Problem& problem, const DistributedPlan& plan, std::optional<std::size_t> c,
                 std::size_t d, const std::optional<ProductSlice>& slice = {}) {
  const auto result = [&](const RankBuffer& buffer) {
    return matrix_of(buffer, first_of(buffer, slice));
  };
  problem.d = result(plan.buffers[d]);
  problem.c = c ? result(plan.buffers[*c]) : problem.d;
  if (!slice) return;
  Index& extent = slice->dimension == Dimension::m ? problem.m : problem.n;
  extent = *std::ranges::max_element(slice->count);
}

/// The operands of sums: of no K, and of a type whose sums are what summands are added in.
Problem no_products(const DistributedPlan& plan, std::span<const std::size_t> summands) {
  const DType type = sum_type(plan.problem.problem);
  Problem problem;
  const RankBuffer& part = plan.buffers[summands.front()];
  problem.m = largest_part(plan.problem.mesh, part.held.dims[0]);
  problem.n = largest_part(plan.problem.mesh, part.held.dims[1]);
  problem.a.type = problem.b.type = type == DType::s32 ? DType::s8 : type;
  problem.accumulate = type;
  problem.alpha = Factor::one;
  problem.beta = Factor::zero;
  return problem;
}

/// `rank_sum := acc + part0[m,n] + part1[m,n]; ` before what becomes of it: `acc` there is that
/// sum. Both names get signs that nothing there has.
Epilogue adding(const DistributedPlan& plan, std::span<const std::size_t> summands,
                const std::string& then) {
  std::string mark;
  while (then.find("part" + mark) != std::string::npos ||
         then.find("rank_sum" + mark) != std::string::npos)
    mark += '_';
  std::string text = base::format("rank_sum{} := acc", mark);
  for (std::size_t i = 0; i < summands.size(); ++i)
    text += base::format(" + part{}{}[m,n]", mark, i);
  text += "; " + with_sum(then, "rank_sum" + mark);
  Epilogue epilogue{.expression = parse_epilogue(text)};
  for (const std::size_t summand : summands)
    epilogue.inputs.push_back({matrix_of(plan.buffers[summand])});
  return epilogue;
}

}  // namespace

DType sum_type(const Problem& problem) {
  const DType accumulate = problem.accumulate.value_or(DType::f32);
  return accumulate == DType::f64 || accumulate == DType::s32 ? accumulate : DType::f32;
}

Problem product_problem(const DistributedPlan& plan, const ProductStep& step) {
  Problem problem = operands(plan, step.a, step.b);
  put_results(problem, plan, step.c, step.d, step.slice);
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    problem.epilogue->inputs.at(i) = input_of(plan, step.inputs[i], step.slice);
  return completed(problem);
}

Problem summand_problem(const DistributedPlan& plan, const ProductStep& step) {
  Problem problem = operands(plan, step.a, step.b);
  put_results(problem, plan, {}, step.d, step.slice);
  problem.alpha = Factor::one;
  problem.beta = Factor::zero;
  problem.epilogue.reset();
  return completed(problem);
}

Problem sum_problem(const DistributedPlan& plan, std::span<const std::size_t> summands,
                    std::optional<std::size_t> c, std::size_t d, std::vector<StepInput>& inputs) {
  const Problem& whole = plan.problem.problem;
  Problem problem = no_products(plan, summands);
  put_results(problem, plan, c, d);
  problem.alpha = whole.alpha;
  problem.beta = whole.beta;
  const EpilogueExpression own =
      whole.epilogue ? whole.epilogue->expression : scaled_sum(whole.alpha, whole.beta);
  Epilogue epilogue = adding(plan, summands, to_string(own));
  const auto place_in_kernel = [&](const StepInput& input) {
    return find_input(epilogue.expression, own.inputs[input.place].name);
  };
  std::ranges::sort(inputs, {}, place_in_kernel);
  for (const StepInput& input : inputs) epilogue.inputs.push_back(input_of(plan, input));
  problem.epilogue = std::move(epilogue);
  return completed(problem);
}

Problem partial_sum_problem(const DistributedPlan& plan, std::span<const std::size_t> summands,
                            std::size_t d) {
  Problem problem = no_products(plan, summands);
  put_results(problem, plan, {}, d);
  problem.epilogue = adding(plan, summands, "acc");
  return completed(problem);
}

}  // namespace jute::dist
