// Letters are dealt to operands; some repeat, some are summed alone, some are axes of an ellipsis.
#include "support/random_contraction.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "support/chance.hpp"

namespace jute::test {
namespace {

/// Letters and digits, which stand for an ellipsis's axes until the text is written.
struct Draft {
  std::map<char, Index> extents;
  std::vector<std::string> operands;
  std::string result;
};

/// A permutation, by chance.
template <class Sequence>
void shuffle(Sequence& sequence, Chance& chance) {
  for (std::size_t i = sequence.size(); i > 1; --i)
    std::swap(sequence[i - 1], sequence[static_cast<std::size_t>(
                                   chance.below(std::ssize(sequence)) % static_cast<Index>(i))]);
}

Draft deal_letters(Chance& chance, const ContractionLimits& limits) {
  Draft draft;
  const std::string alphabet = "abKcQdxZ";
  const Index letters = chance.below(std::min<Index>(limits.most_letters, 8) + 1);
  Index products = 1;
  for (Index i = 0; i < letters; ++i) {
    const Index extent = 1 + chance.below(limits.most_extent);
    if (products * extent > limits.most_products) break;
    products *= extent;
    draft.extents[alphabet[static_cast<std::size_t>(i)]] = extent;
  }
  draft.operands.resize(static_cast<std::size_t>(1 + chance.below(limits.most_operands)));
  if (limits.most_operands > 1 && draft.operands.size() == 1 && !chance.one_in(6))
    draft.operands.resize(2);
  for (const auto& [letter, extent] : draft.extents) {
    bool is_used = false;
    for (std::string& operand : draft.operands) {
      if (chance.one_in(3)) continue;
      is_used = true;
      operand += letter;
      if (chance.one_in(12)) operand += letter;  // a diagonal
    }
    if (!is_used) draft.operands.front() += letter;
    if (!chance.one_in(3)) draft.result += letter;
  }
  for (std::string& operand : draft.operands) shuffle(operand, chance);
  shuffle(draft.result, chance);
  return draft;
}

/// Axes of an ellipsis in front of some operands, a few of them 1 long.
std::vector<std::vector<Index>> put_ellipses(Draft& draft, Chance& chance) {
  std::vector<std::vector<Index>> hidden(draft.operands.size());
  if (!chance.one_in(4)) return hidden;
  std::vector<Index> shared(static_cast<std::size_t>(1 + chance.below(2)));
  for (Index& extent : shared) extent = 1 + chance.below(3);
  for (std::size_t i = 0; i < draft.operands.size(); ++i) {
    if (chance.one_in(4)) continue;
    const auto left_out = static_cast<std::ptrdiff_t>(chance.below(std::ssize(shared) + 1));
    hidden[i].assign(shared.begin() + left_out, shared.end());
    for (Index& extent : hidden[i])
      if (chance.one_in(4)) extent = 1;
    draft.operands[i] = "..." + draft.operands[i];
  }
  const bool is_any = std::ranges::any_of(
      draft.operands, [](const std::string& operand) { return operand.starts_with("..."); });
  if (is_any) draft.result = "..." + draft.result;
  return hidden;
}

/// Strides in any order of the axes, with gaps; a few axes repeat their elements.
std::vector<Index> random_strides(const std::vector<Index>& extents, Chance& chance) {
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::reverse(order);
  if (chance.one_in(2)) shuffle(order, chance);
  std::vector<Index> strides(extents.size(), 0);
  Index next = chance.one_in(8) ? 2 : 1;
  for (const std::size_t axis : order) {
    if (chance.one_in(16)) continue;
    strides[axis] = next;
    next = next * extents[axis] + (chance.one_in(6) ? 1 + chance.below(3) : 0);
  }
  return strides;
}

/// Where each element in C order lies.
std::vector<Index> offsets(const StridedArray& array) {
  std::vector<Index> found{0};
  for (std::size_t axis = 0; axis < array.extents.size(); ++axis) {
    std::vector<Index> next;
    for (const Index before : found)
      for (Index i = 0; i < array.extents[axis]; ++i)
        next.push_back(before + i * array.strides_elems[axis]);
    found = std::move(next);
  }
  return found;
}

void add_array(RandomContraction& made, const std::vector<Index>& extents, Chance& chance) {
  StridedArray array{extents, random_strides(extents, chance)};
  const std::vector<Index> places = offsets(array);
  std::vector<double> memory(
      static_cast<std::size_t>(places.empty() ? 0 : *std::ranges::max_element(places) + 1));
  for (double& value : memory) value = static_cast<double>(chance.below(5) - 2);
  PlainArray plain{extents, {}};
  for (const Index place : places) plain.values.push_back(memory[static_cast<std::size_t>(place)]);
  made.operands.push_back(std::move(array));
  made.memory.push_back(std::move(memory));
  made.plain.push_back(std::move(plain));
}

std::string text_of(const Draft& draft, Chance& chance) {
  std::string text;
  for (const std::string& operand : draft.operands)
    text += (&operand == &draft.operands[0] ? "" : ",") + operand;
  return text + (chance.one_in(4) ? " -> " : "->") + draft.result;
}

}  // namespace

RandomContraction random_contraction(std::uint64_t seed, const ContractionLimits& limits) {
  Chance chance(seed);
  Draft draft = deal_letters(chance, limits);
  const auto hidden = put_ellipses(draft, chance);
  RandomContraction made{.text = text_of(draft, chance), .operands = {}, .memory = {}, .plain = {}};
  for (std::size_t i = 0; i < draft.operands.size(); ++i) {
    std::vector<Index> extents = hidden[i];
    for (const char letter : draft.operands[i])
      if (letter != '.') extents.push_back(draft.extents.at(letter));
    add_array(made, extents, chance);
  }
  return made;
}

}  // namespace jute::test
