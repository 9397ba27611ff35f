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
std::vector<Index> first_of(const RankBuffer& buffer, const ProductSlice* slice) {
  std::vector<Index> result;
  if (slice == nullptr) return result;
  const bool is_rows = slice->dimension == Dimension::m;
  for (std::size_t rank = 0; rank < slice->first.size(); ++rank)
    if (slice->count[rank] > 0)
      result.push_back(is_rows ? element_at(buffer, slice->first[rank], 0)
                               : element_at(buffer, 0, slice->first[rank]));
  return result;
}

/// Without C; completed() gives it the usual.
void put_results(Problem& problem, const DistributedPlan& plan, std::optional<std::size_t> c,
                 std::size_t d, const ProductSlice* slice = nullptr) {
  const auto result = [&](const RankBuffer& buffer) {
    return matrix_of(buffer, first_of(buffer, slice));
  };
  problem.d = result(plan.buffers[d]);
  problem.c = c ? result(plan.buffers[*c]) : problem.d;
  if (slice == nullptr) return;
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

/// `rank_sum := acc + part0[m,n] + part1[m,n]; ` before what becomes of it.
Epilogue adding(const DistributedPlan& plan, std::span<const std::size_t> summands,
                const std::string& then) {
  std::string text = "rank_sum := acc";
  for (std::size_t i = 0; i < summands.size(); ++i) text += base::format(" + part{}[m,n]", i);
  Epilogue epilogue{.expression = parse_epilogue(text + "; " + then)};
  for (const std::size_t summand : summands)
    epilogue.inputs.push_back({matrix_of(plan.buffers[summand])});
  return epilogue;
}

}  // namespace

DType sum_type(const Problem& problem) {
  const DType accumulate = problem.accumulate.value_or(DType::f32);
  return accumulate == DType::f64 || accumulate == DType::s32 ? accumulate : DType::f32;
}

Problem product_problem(const DistributedPlan& plan, const BufferPart& a, const BufferPart& b,
                        std::optional<std::size_t> c, std::size_t d, const ProductSlice* slice) {
  Problem problem = operands(plan, a, b);
  put_results(problem, plan, c, d, slice);
  return completed(problem);
}

Problem summand_problem(const DistributedPlan& plan, const BufferPart& a, const BufferPart& b,
                        std::size_t d, const ProductSlice* slice) {
  Problem problem = operands(plan, a, b);
  put_results(problem, plan, {}, d, slice);
  problem.alpha = Factor::one;
  problem.beta = Factor::zero;
  problem.epilogue.reset();
  return completed(problem);
}

Problem sum_problem(const DistributedPlan& plan, std::span<const std::size_t> summands,
                    std::optional<std::size_t> c, std::size_t d) {
  const Problem& whole = plan.problem.problem;
  Problem problem = no_products(plan, summands);
  put_results(problem, plan, c, d);
  problem.alpha = whole.alpha;
  problem.beta = whole.beta;
  const EpilogueExpression expression =
      whole.epilogue ? whole.epilogue->expression : scaled_sum(whole.alpha, whole.beta);
  problem.epilogue = adding(plan, summands, with_sum(to_string(expression), "rank_sum"));
  return completed(problem);
}

Problem partial_sum_problem(const DistributedPlan& plan, std::span<const std::size_t> summands,
                            std::size_t d) {
  Problem problem = no_products(plan, summands);
  put_results(problem, plan, {}, d);
  problem.epilogue = adding(plan, summands, "rank_sum");
  return completed(problem);
}

}  // namespace jute::dist
