// Letters are dealt to roles, then to places in the arrays.
#include "support/aligned_notation.hpp"

#include <algorithm>
#include <map>

#include "support/chance.hpp"

namespace jute::test {
namespace {

/// The letters in another order.
std::string in_any_order(std::string letters, Chance& chance) {
  for (std::size_t i = letters.size(); i > 1; --i)
    std::swap(letters[i - 1],
              letters[static_cast<std::size_t>(chance.below(static_cast<Index>(i)))]);
  return letters;
}

/// Some of the letters, one at least.
std::string some_of(const std::string& letters, Chance& chance) {
  return letters.substr(0, static_cast<std::size_t>(1 + chance.below(std::ssize(letters))));
}

void add_packed(RandomContraction& made, const std::string& letters,
                const std::map<char, Index>& extents, Chance& chance) {
  StridedArray array;
  std::size_t elements = 1;
  for (const char letter : letters) {
    array.extents.push_back(extents.at(letter));
    elements *= static_cast<std::size_t>(extents.at(letter));
  }
  array.strides_elems.resize(letters.size());
  Index next = 1;
  for (std::size_t axis = letters.size(); axis-- > 0; next *= array.extents[axis])
    array.strides_elems[axis] = next;
  std::vector<double> memory(elements);
  for (double& value : memory) value = static_cast<double>(chance.below(5) - 2);
  made.plain.push_back({array.extents, memory});
  made.memory.push_back(std::move(memory));
  made.operands.push_back(std::move(array));
}

}  // namespace

RandomContraction aligned_contraction(std::uint64_t seed) {
  Chance chance(seed);
  const std::string m = some_of("ab", chance), n = some_of("cd", chance), k = some_of("xy", chance),
                    batch = chance.one_in(3) ? "h" : "";
  std::map<char, Index> extents;
  for (const std::string* side : {&m, &n, &k})
    for (const char letter : *side)
      extents[letter] = side->size() == 1 ? 8 * (1 + chance.below(16)) : 8 * (1 + chance.below(2));
  if (!batch.empty()) extents['h'] = 1 + chance.below(3);
  const std::string left = in_any_order(m + k + batch, chance),
                    right = in_any_order(n + k + batch, chance),
                    result = in_any_order(m + n + batch, chance);
  RandomContraction made{
      .text = left + "," + right + "->" + result, .operands = {}, .memory = {}, .plain = {}};
  add_packed(made, left, extents, chance);
  add_packed(made, right, extents, chance);
  return made;
}

Convolution aligned_convolution(std::uint64_t seed) {
  Chance chance(seed);
  Convolution made;
  made.images = 1 + chance.below(3);
  made.channel_groups = chance.one_in(5) ? 2 : 1;
  made.channels = made.channel_groups * chance.from(std::vector<Index>{8, 16, 32, 64, 72});
  made.features = made.channel_groups * chance.from(std::vector<Index>{8, 16, 64, 96});
  made.axes.resize(static_cast<std::size_t>(1 + chance.below(2)));
  made.order = chance.one_in(6) ? ImageOrder::channels_first : ImageOrder::channels_last;
  for (ConvolutionAxis& axis : made.axes) {
    axis.filter = 1 + chance.below(3);
    axis.stride = 1 + chance.below(2);
    axis.dilation = 1 + chance.below(2);
    axis.padding = chance.below(2);
    axis.input = axis.window() + chance.below(12);
  }
  return made;
}

}  // namespace jute::test
