// Measures a layout and puts the measures into words.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/explain.hpp>

#include <algorithm>
#include <set>

namespace jute {
namespace {

constexpr Index kMostElements = Index{1} << 20;
constexpr int kWarp = 32;
constexpr int kWidestBytes = 16;
constexpr int kThreadsShown = 4;
constexpr int kOffsetsShown = 8;

std::string number(Index value, const std::string& what) {
  return std::to_string(value) + " " + what + (value == 1 ? "" : "s");
}

/// Who takes which element.
class Shares {
 public:
  Shares(const ComposedLayout& layout, const Reading& reading, bool is_thread_value)
      : layout_(layout), threads_(reading.threads), is_thread_value_(is_thread_value) {
    const VectorAccess widest{reading.element_bits, kWidestBytes, kWidestBytes};
    vector_ = is_thread_value_ ? vector_of_values(reading.element_bits)
                               : max_vector_elems(layout, widest);
  }
  [[nodiscard]] Index vector_elems() const { return vector_; }
  [[nodiscard]] Index elements_each() const { return std::max<Index>(1, size(layout_) / threads_); }
  /// Offset of a thread's element when it takes `run` of them at a time.
  [[nodiscard]] std::optional<Index> offset(Index thread, Index element, Index run) const {
    const Index coordinate = is_thread_value_
                                 ? thread + threads_ * element
                                 : (element / run * threads_ + thread) * run + element % run;
    if (coordinate >= size(layout_)) return std::nullopt;
    return layout_(coordinate);
  }

 private:
  /// The longest run of a thread's values that lie side by side and aligned, for every thread.
  [[nodiscard]] Index vector_of_values(int bits) const {
    Index run = 1;
    while (2 * run * bits <= 8 * kWidestBytes && elements_each() % (2 * run) == 0 &&
           are_runs(2 * run))
      run *= 2;
    return run;
  }
  [[nodiscard]] bool are_runs(Index run) const {
    for (Index thread = 0; thread < threads_; ++thread)
      for (Index element = 0; element < elements_each(); ++element) {
        const Index first = layout_(thread + threads_ * (element - element % run));
        if (first % run != 0 || layout_(thread + threads_ * element) != first + element % run)
          return false;
      }
    return true;
  }

  const ComposedLayout& layout_;
  Index threads_;
  bool is_thread_value_;
  Index vector_ = 1;
};

/// Addresses below the layout's beginning are moved up by whole lines, which changes no sector and
/// no bank.
Index lines_below(Index least, const Reading& reading) {
  constexpr Index kLine = 128;
  const Index bytes = checked_mul(least, reading.element_bits, "address in bits") / -8;
  return checked_add(bytes, 2 * kLine - 1, "address") / kLine * kLine;
}

std::optional<AccessCost> cost(const Shares& shares, const Reading& reading, Index run,
                               Index below) {
  const Index bits = run * reading.element_bits;
  if (bits % 8 != 0 || bits / 8 > kWidestBytes) return std::nullopt;
  AccessCost cost;
  cost.bytes = static_cast<int>(bits / 8);
  std::vector<Index> addresses;
  std::set<Index> sectors;
  for (Index lane = 0; lane < std::min(kWarp, reading.threads); ++lane) {
    const auto offset = shares.offset(lane, 0, run);
    if (!offset) break;
    const Index bits_from_start = checked_mul(*offset, reading.element_bits, "address in bits");
    const Index address =
        checked_add(bits_from_start, checked_mul(8, below, "address in bits"), "address in bits") /
        8;
    if (address % cost.bytes != 0) return std::nullopt;
    addresses.push_back(address);
    sectors.insert(address / 32);
    sectors.insert((address + cost.bytes - 1) / 32);
  }
  if (addresses.empty()) return std::nullopt;
  cost.lanes = static_cast<int>(addresses.size());
  cost.sectors = static_cast<int>(sectors.size());
  cost.ideal_sectors = (cost.lanes * cost.bytes + 31) / 32;
  cost.banks = bank_conflicts(addresses, cost.bytes);
  return cost;
}

std::string words_of_modes(const Layout& layout) {
  const std::vector<Index> shape = layout.flat_shape(), stride = layout.flat_stride();
  std::string text;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!text.empty()) text += "; ";
    text += std::to_string(shape[i]) + (shape[i] == 1 ? " step of " : " steps of ") +
            std::to_string(stride[i]);
  }
  if (text.empty()) return "1 element: without an extent there is the empty coordinate alone.";
  return number(size(layout), "element") + " in " +
         number(layout.shape().is_tuple() ? layout.rank() : 1, "mode") +
         ", the first coordinate fastest: " + text + ".";
}

std::string words_of_reach(const Explanation& facts) {
  const std::string range =
      "Offsets lie in " + std::to_string(facts.least) + "…" + std::to_string(facts.cosize - 1);
  if (!facts.injective) return range + "; whether two elements share one is too costly to tell.";
  if (!*facts.injective) return range + ", and several elements share one.";
  if (facts.gaps == 0) return range + ", each reached once: nothing is shared, nothing left out.";
  return range + ", each reached at most once; " + number(facts.gaps, "offset") +
         " between them stay unused.";
}

/// Who the threads are. There are two readings, and the shape alone decides which.
std::string words_of_threads(const Explanation& facts, const Reading& reading) {
  const std::string count = number(reading.threads, "thread");
  if (facts.is_thread_value)
    return "Mode 0 has as many elements as there are threads, " + std::to_string(reading.threads) +
           ": it is read as the threads, the rest as what each holds.";
  return "The " + count + " take vectors of consecutive coordinates in turn: there are not two " +
         "modes, the first with " + number(reading.threads, "element") + ".";
}

std::string words_of_meaning(OffsetMeaning meaning) {
  return meaning == OffsetMeaning::places
             ? "Offsets are places in a tile, m + M*k, not addresses: what an access costs follows "
               "from the tile's own layout, composed with this one."
             : "Offsets count bits of what the instruction copies, they are no addresses.";
}

std::string words_of_vector(const Explanation& facts, const Reading& reading) {
  if (facts.vector_elems == 1)
    return "A thread moves one element at a time: neighbours do not lie side by side.";
  return "A thread may move " + std::to_string(facts.vector_elems) + " elements at once, " +
         std::to_string(facts.vector_elems * reading.element_bits / 8) + " bytes.";
}

std::string words_of_access(const AccessCost& access) {
  std::string text = number(access.lanes, "lane") + " of " + number(access.bytes, "byte") + ": ";
  text += std::to_string(access.sectors) + " of at least " +
          number(access.ideal_sectors, "sector") + " of global memory" +
          (access.sectors == access.ideal_sectors ? " (coalesced)" : "");
  text += "; " + number(access.banks.cycles, "cycle") + " of shared memory";
  if (access.banks.cycles == access.banks.ideal_cycles) return text + ", no bank conflict.";
  return text + " for " + std::to_string(access.banks.ideal_cycles) + ": banks conflict.";
}

void check(const ComposedLayout& layout, const Reading& reading) {
  if (size(layout) > kMostElements)
    layout::refuse(ErrorCode::out_of_range, "size", std::to_string(size(layout)),
                   "a layout must have at most 1048576 elements to be explained",
                   std::to_string(kMostElements));
  if (reading.element_bits < 1)
    layout::refuse(ErrorCode::out_of_range, "element_bits", std::to_string(reading.element_bits),
                   "an element must have at least one bit", "1");
  if (reading.threads < 1 || reading.threads > 1024)
    layout::refuse(ErrorCode::out_of_range, "threads", std::to_string(reading.threads),
                   "there must be 1 to 1024 threads", reading.threads < 1 ? "1" : "1024");
}

void measure(const ComposedLayout& layout, Explanation& facts) {
  try {
    facts.injective = is_injective(layout);
  } catch (const Exception&) {  // too entangled
  }
  if (facts.injective.value_or(false)) facts.gaps = facts.cosize - facts.least - facts.size;
  if (!layout.is_plain() || facts.least < 0 || !facts.injective.value_or(false)) return;
  try {
    facts.inverse =
        to_string(facts.gaps == 0 ? right_inverse(layout.layout()) : left_inverse(layout.layout()));
  } catch (const Exception&) {  // none that is a layout
  }
}

void put_into_words(const ComposedLayout& layout, const Reading& reading, Explanation& facts) {
  facts.words.push_back(words_of_modes(layout.layout()));
  if (!layout.is_plain())
    facts.words.push_back(
        "The swizzle " + to_string(layout.swizzle()) +
        " then XORs bits of each offset with higher ones: a permutation within " +
        "aligned spans of " +
        std::to_string(Index{1} << (layout.swizzle().base() + layout.swizzle().bits() +
                                    std::abs(layout.swizzle().shift()))) +
        " elements.");
  facts.words.push_back(words_of_reach(facts));
  if (facts.inverse)
    facts.words.push_back("Its inverse, offset to coordinate: " + *facts.inverse + ".");
  facts.words.push_back(words_of_threads(facts, reading));
  if (reading.offsets != OffsetMeaning::elements) {
    facts.words.push_back(words_of_meaning(reading.offsets));
    return;
  }
  facts.words.push_back(words_of_vector(facts, reading));
  for (const AccessCost& access : facts.accesses) facts.words.push_back(words_of_access(access));
}

}  // namespace

Explanation explain(const ComposedLayout& layout, const Reading& reading) {
  check(layout, reading);
  Explanation facts;
  facts.layout = to_string(layout);
  facts.size = size(layout);
  for (Index i = 0; i < facts.size; ++i) {
    const Index offset = layout(i), end = checked_add(offset, 1, "cosize");
    facts.cosize = i == 0 ? end : std::max(facts.cosize, end);
    facts.least = std::min(facts.least, offset);
  }
  (void)checked_add(facts.cosize, checked_mul(-1, facts.least, "span"), "span");
  measure(layout, facts);
  const Layout& domain = layout.layout();
  facts.is_thread_value =
      domain.shape().is_tuple() && domain.rank() == 2 && size(domain[0]) == reading.threads;
  const Shares shares(layout, reading, facts.is_thread_value);
  facts.vector_elems = shares.vector_elems();
  const Index below = facts.least < 0 ? lines_below(facts.least, reading) : 0;
  const bool are_addresses = reading.offsets == OffsetMeaning::elements;
  for (Index run = 1; are_addresses && run <= facts.vector_elems; run *= 2)
    if (const auto access = cost(shares, reading, run, below)) facts.accesses.push_back(*access);
  for (Index thread = 0; thread < std::min(kThreadsShown, reading.threads); ++thread) {
    std::vector<Index> own;
    for (Index i = 0; i < std::min<Index>(kOffsetsShown, shares.elements_each()); ++i)
      if (const auto offset = shares.offset(thread, i, facts.vector_elems)) own.push_back(*offset);
    if (!own.empty()) facts.offsets.push_back(std::move(own));
  }
  put_into_words(layout, reading, facts);
  return facts;
}

}  // namespace jute
