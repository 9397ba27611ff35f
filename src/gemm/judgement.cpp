// The right value of an element of D, and how far a kernel's may lie from it.
#include <jute/epilogue/fold.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gemm/operands.hpp"

namespace jute::gemm {

namespace {

/// The expression in wide arithmetic: each node's value, how far a kernel's may lie from it, and
/// the largest magnitude that a partial sum may have reached in the accumulator's type.
struct Judged {
  struct Value {
    long double value = 0;
    double error = 0, reached = 0;
  };
  const ReferenceInputs& inputs;
  const ResultElement& element;
  const Sum& sum;

  /// The bound of the sum has room for the rounding of a product and of a sum after it.
  Value acc() const {
    const double terms = static_cast<double>(products_of(inputs, element.batch) + 2);
    return {sum.value, terms * inputs.u_acc * sum.magnitude + sum.below, sum.magnitude};
  }
  Value alpha() const { return {inputs.alpha, 0, 0}; }
  Value multiply(const Value& x, const Value& y) const {
    const auto size = [](const Value& of) { return static_cast<double>(std::abs(of.value)); };
    return {x.value * y.value, size(x) * y.error + size(y) * x.error + x.error * y.error,
            std::max({x.reached, y.reached, x.reached * size(y), y.reached * size(x)})};
  }
  Value add_beta_c(const Value& x) const {
    if (inputs.beta == 0) return x;
    const double added = inputs.beta * inputs.at(TensorRole::c, element);
    // Promoted sums may be more exact than the step that adds C.
    const bool is_exact = inputs.u_acc == 0;
    const double least = std::ldexp(1.0, -precision_bits(*inputs.problem.accumulate));
    const double u = is_exact ? 0 : std::max(inputs.u_acc, least);
    return {x.value + added, x.error + 4 * u * std::abs(added), x.reached};
  }
};

}  // namespace

Judgement judgement(const ReferenceInputs& inputs, const ResultElement& element, const Sum& sum) {
  if (inputs.problem.epilogue) {
    const std::vector<EpilogueOutput>& outputs = inputs.epilogue.outputs;
    const auto d =
        std::ranges::find_if(outputs, [](const auto& one) { return is_d(one); }) - outputs.begin();
    return stored(judgements(inputs, element, sum)[static_cast<size_t>(d)], inputs.problem.d.type);
  }
  const Sum whole = of_terms(inputs, element, sum);
  Judged arithmetic{inputs, element, whole};
  const Judged::Value judged = evaluate(inputs.epilogue, arithmetic);
  Judgement result{static_cast<double>(judged.value), 0};
  result.bound = judged.error +
                 rounding_error(inputs.problem.d.type, *inputs.problem.accumulate, result.value);
  if (judged.error > 0) result.bound += least_of_sums(inputs);  // of what is scaled or added
  const bool may_overflow = !(judged.reached <= largest(*inputs.problem.accumulate));
  // A sum that no double holds has overflowed, and is no infinity that a kernel must meet.
  if (may_overflow && std::isfinite(judged.value))
    result.value = std::clamp(result.value, std::numeric_limits<double>::lowest(),
                              std::numeric_limits<double>::max());
  if (may_overflow || !std::isfinite(result.value)) result.bound = kInfinity;
  return result;
}

}  // namespace jute::gemm
