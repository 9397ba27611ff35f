// The cheapest order of pairs, by the least cost of every subset of the operands.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/notation/contraction_order.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include "base/format.hpp"
#include "plan/notation/letters.hpp"

namespace jute {
namespace {

/// Multiply-adds that tensor cores make while memory moves one element: 16 bits of them, on chips
/// from 150 (A100) to 400 (L4).
constexpr double kMultiplyAddsAnElement = 200;

/// Sets of letters and sets of operands, a bit each.
using Set = std::uint64_t;

/// Cost of every set of operands, multiplied by its cheapest pairs.
class Orders {
 public:
  Orders(const Subscripts& subscripts, std::span<const StridedArray> operands)
      : subscripts_(subscripts),
        operands_(operands),
        extents_(plan::letter_extents(subscripts, operands)) {
    for (const std::string& letters : subscripts.operands) letters_.push_back(set_of(letters));
    result_ = set_of(subscripts.result);
    const Set all = (Set{1} << letters_.size()) - 1;
    kept_.resize(all + 1);
    for (Set set = 0; set <= all; ++set) kept_[set] = kept(set, all);
    best_.assign(all + 1, {});
    for (Set set = 1; set <= all; ++set) best_[set] = cheapest(set);
  }

  /// Steps of a set, behind those that are there; gives the operand that holds its result.
  std::size_t append(std::vector<ContractionStep>& steps, Set set) const {
    const bool is_whole = set + 1 == kept_.size();
    if (std::has_single_bit(set) && !(is_whole && letters_.size() == 1))
      return static_cast<std::size_t>(std::countr_zero(set));
    ContractionStep step;
    const auto add = [&](Set part, bool is_operand) {
      step.operands.push_back(is_operand ? 0 : append(steps, part));
      step.subscripts.operands.push_back(letters_of(part));
    };
    add(best_[set].left, letters_.size() == 1);
    if (best_[set].right != 0) add(best_[set].right, false);
    step.subscripts.result =
        is_whole ? subscripts_.result : kept_letters(step.subscripts.operands, kept_[set]);
    std::vector<StridedArray> arrays;
    for (const std::size_t operand : step.operands)
      arrays.push_back(operand < letters_.size()
                           ? operands_[operand]
                           : StridedArray{steps[operand - letters_.size()].extents, {}});
    step.extents = result_extents(step.subscripts, arrays);
    steps.push_back(std::move(step));
    return letters_.size() + steps.size() - 1;
  }

 private:
  struct Pair {
    Set left = 0, right = 0;
    double cost = 0;
  };

  Set set_of(const std::string& letters) const {
    Set set = 0;
    for (std::size_t i = 0; i < extents_.size(); ++i)
      if (letters.find(extents_[i].letter) != std::string::npos) set |= Set{1} << i;
    return set;
  }

  /// Letters that a product of these operands still has: what the result or another operand needs;
  /// of one operand all, which its first product sums.
  Set kept(Set set, Set all) const {
    Set inside = 0, outside = result_;
    for (std::size_t i = 0; i < letters_.size(); ++i)
      ((set >> i & 1) != 0 ? inside : outside) |= letters_[i];
    return std::has_single_bit(set) && set != all ? inside : inside & outside;
  }

  double size(Set letters) const {
    double product = 1;
    for (; letters != 0; letters &= letters - 1)
      product *=
          static_cast<double>(extents_[static_cast<std::size_t>(std::countr_zero(letters))].extent);
    return product;
  }

  Pair cheapest(Set set) const {
    if (std::has_single_bit(set)) return {set, 0, 0};
    Pair best{0, 0, std::numeric_limits<double>::infinity()};
    // Each pair once: the left one holds the set's first operand.
    const Set first = set & ~(set - 1);
    for (Set rest = (set ^ first); rest != 0; rest = (rest - 1) & (set ^ first)) {
      const Set right = rest, left = set ^ rest;
      const double moved = size(kept_[left]) + size(kept_[right]) + size(kept_[set]);
      const double cost = best_[left].cost + best_[right].cost + size(kept_[left] | kept_[right]) +
                          kMultiplyAddsAnElement * moved;
      if (cost < best.cost) best = {left, right, cost};
    }
    return best;
  }

  /// An operand as the text says it, or what is kept of a product in the order of its step.
  std::string letters_of(Set set) const {
    if (std::has_single_bit(set))
      return subscripts_.operands[static_cast<std::size_t>(std::countr_zero(set))];
    return kept_letters({letters_of(best_[set].left), letters_of(best_[set].right)}, kept_[set]);
  }

  /// Letters of two operands: those of both, then of the first, then of the second.
  std::string kept_letters(const std::vector<std::string>& pair, Set kept) const {
    std::string both, first, second;
    for (const char letter : pair[0])
      if (has(kept, letter)) (pair[1].find(letter) != std::string::npos ? both : first) += letter;
    for (const char letter : pair[1])
      if (has(kept, letter)) second += letter;
    std::string letters;
    for (const char letter : both + first + second)
      if (letters.find(letter) == std::string::npos) letters += letter;
    return letters;
  }

  bool has(Set set, char letter) const { return (set & set_of(std::string(1, letter))) != 0; }

  const Subscripts& subscripts_;
  std::span<const StridedArray> operands_;
  std::vector<plan::LetterExtent> extents_;
  std::vector<Set> letters_;
  Set result_ = 0;
  std::vector<Set> kept_;
  std::vector<Pair> best_;
};

}  // namespace

std::vector<ContractionStep> contraction_order(const Subscripts& subscripts,
                                               std::span<const StridedArray> operands) {
  const Subscripts named = plan::with_ranks_of(subscripts, operands);
  const Orders orders(named, operands);
  std::vector<ContractionStep> steps;
  (void)orders.append(steps, (Set{1} << operands.size()) - 1);
  return steps;
}

DType type_between(const Problem& product) {
  const DType sums = *completed(product).accumulate;
  if (!is_integer(sums)) return sums;
  refuse(ErrorCode::unsupported, "operands", std::string(name(product.a.type)),
         base::format("products that follow each other must have sums that products take: those of "
                      "{} are {}; multiply two operands at a time, and convert what comes of them",
                      name(product.a.type), name(sums)),
         "f16");
}

}  // namespace jute
