// Sides of the letters of a result, and how many neighbours a kernel can write together.
#include <jute/host/result_axes.hpp>

#include <string>

namespace jute {
namespace {

constexpr Index kLineBytes = 128;

/// The operands that have a letter: the first, the second, or both.
enum Side : std::size_t { kFirst, kSecond, kBoth };

Side side_of(const Subscripts& text, char letter) {
  const bool of_first = text.operands[0].find(letter) != std::string::npos;
  const bool of_second = text.operands[1].find(letter) != std::string::npos;
  return of_first && of_second ? kBoth : of_first ? kFirst : kSecond;
}

}  // namespace

std::vector<int> result_axes(const Subscripts& text, std::span<const Index> extents,
                             int width_bytes) {
  const std::size_t rank = extents.size();
  if (text.operands.size() != 2 || rank == 0 || text.result.size() != rank) return {};
  std::vector<Side> sides;
  Side inner = kBoth;  // of the last letter that one operand alone has
  Index all = 1;       // elements of one matrix of the batch
  for (std::size_t axis = 0; axis < rank; ++axis) {
    sides.push_back(side_of(text, text.result[axis]));
    if (sides.back() == kBoth) continue;
    inner = sides.back();
    all *= extents[axis];
  }
  Index run = 1;  // of neighbours, until a letter of the batch
  for (std::size_t axis = rank; axis-- > 0 && sides[axis] != kBoth;) run *= extents[axis];
  if (run * width_bytes >= kLineBytes || run == all) return {};
  std::vector<int> axes;
  for (const Side part : {kBoth, inner == kFirst ? kSecond : kFirst, inner})
    for (std::size_t axis = 0; axis < rank; ++axis)
      if (sides[axis] == part) axes.push_back(static_cast<int>(axis));
  return axes;
}

}  // namespace jute
