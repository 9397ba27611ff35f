// Finds the words of bits that lanes have between them.
#include "plan/derive/drain/bit_words.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/plan/derive/drain/gather_turns.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include "plan/chip/warp.hpp"

namespace jute::plan {
namespace {

constexpr int kBitsOfByte = 8, kMostBits = 32;

/// Where a thread's values lie: `along` what is contiguous in a matrix of bits, and `across`.
struct BitPlaces {
  const Address &along, &across;

  [[nodiscard]] Index values() const { return size(along.value); }
  [[nodiscard]] Index threads() const { return size(along.thread.layout()); }
  /// Bits of a word ahead of the thread's first value.
  [[nodiscard]] Index ahead(Index thread, int bits) const {
    return along.thread.layout()(thread) % bits;
  }
};

Layout layout_of(const std::vector<Layout>& modes) {
  if (modes.empty()) return Layout(1, 0);
  return modes.size() == 1 ? modes[0] : make_layout(modes);
}

/// Values that differ by less than a word along the matrix's order belong to the same.
void set_slots(BitWords& words, const BitPlaces& places) {
  const std::vector<Index> shape = places.along.value.flat_shape(),
                           along = places.along.value.flat_stride();
  std::vector<Layout> slot, value;
  Index slots = 1, first = 1;  // values from one of the mode to the next
  for (size_t i = 0; i < shape.size(); ++i) {
    Index inside = 1;
    if (along[i] > 0 && along[i] < words.bits) inside = std::gcd(shape[i], words.bits / along[i]);
    const Index outside = shape[i] / inside;
    if (inside > 1) slot.emplace_back(inside, 0);
    if (outside > 1) {
      slot.emplace_back(outside, slots);
      value.emplace_back(outside, first * inside);
    }
    slots *= outside;
    first *= shape[i];
  }
  words.slot = layout_of(slot);
  words.value = layout_of(value);
}

/// Which lanes have the rest of a word.
void set_lanes(BitWords& words, const BitPlaces& places) {
  for (Index lane = 1; lane < std::min(Index{kWarp}, places.threads()); lane *= 2)
    if (places.ahead(lane, words.bits) != places.ahead(0, words.bits))
      words.lanes |= static_cast<int>(lane);
}

/// Are values where their words say, and lanes' parts of a word all of it?
bool hold(const BitWords& words, const BitPlaces& places) {
  const Layout across = places.across.thread.layout(), along = places.along.thread.layout();
  for (Index value = 0; value < places.values(); ++value) {
    const Index first = words.value(words.slot(value));
    const Index in_word = places.along.value(value) - places.along.value(first);
    if (in_word < 0 || in_word >= words.bits || places.along.value(first) % words.bits != 0 ||
        places.across.value(value) != places.across.value(first))
      return false;
  }
  std::vector<int> found(static_cast<size_t>(words.bits));
  for (Index lane = 0; lane < std::min(Index{kWarp}, places.threads()); ++lane) {
    if ((lane & ~Index{words.lanes}) != 0) continue;  // of other words
    if (across(lane) != across(0) || along(lane) - places.ahead(lane, words.bits) != along(0))
      return false;
    for (Index value = 0; value < places.values(); ++value) {
      const Index bit = places.ahead(lane, words.bits) + places.along.value(value) % words.bits;
      if (words.slot(value) != 0) continue;
      if (bit >= words.bits) return false;
      ++found[static_cast<size_t>(bit)];
    }
  }
  for (Index thread = 0; thread < places.threads(); ++thread)
    if (places.ahead(thread, words.bits) != places.ahead(thread & Index{words.lanes}, words.bits))
      return false;
  return std::ranges::all_of(found, [](int times) { return times == 1; });
}

}  // namespace

std::optional<BitWords> bit_words(const EpiloguePlan& out, const EpilogueOperandPlan& operand,
                                  WordsEnd end) {
  const bool by_rows = operand.order == Order::row;
  const BitPlaces places{by_rows ? out.n : out.m, by_rows ? out.m : out.n};
  for (int bits = std::min(kMostBits, kBitsOfByte * operand.vector_elems); bits >= kBitsOfByte;
       bits /= 2) {
    BitWords words;
    words.bits = bits;
    set_slots(words, places);
    set_lanes(words, places);
    const bool ends = end == WordsEnd::anywhere || word_turns(out, words) == out.drain->turns;
    if (ends && hold(words, places)) return words;
  }
  return std::nullopt;
}

Errors bit_rules(const GemmStep& step) {
  Errors errors;
  for (const EpilogueOperandPlan& output : step.epilogue.outputs) {
    const int tile = output.order == Order::row ? step.tile.n : step.tile.m;
    if (!output.is_bits || (output.packed && tile % output.packed->bits == 0)) continue;
    // Orders are the kernel's, words the problem's.
    const bool by_rows = (output.order == Order::row) != step.transposed;
    errors.push_back(broken(output.name, by_rows ? "by rows" : "by columns",
                            "lanes of a warp must have eight neighbours of a matrix of bits "
                            "between them, and a tile whole bytes: it must have D's order where D "
                            "leaves in whole rows",
                            by_rows ? "by columns" : "by rows"));
  }
  return errors;
}

}  // namespace jute::plan

namespace jute {

int word_turns(const EpiloguePlan& out, const BitWords& words) {
  const int turns = out.drain ? out.drain->turns : 1;
  return end_in_turns(words.slot, size(words.value), turns) ? turns : 1;
}

}  // namespace jute
