// The promises of a layout: distinct offsets, contiguous runs, vector accesses, bank conflicts.
#include <jute/base/checked.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/properties.hpp>

#include <algorithm>
#include <array>
#include <numeric>

#include "layout/flat_modes.hpp"

namespace jute {

namespace {

using layout::FlatModes;

/// A mode's stride, taken as positive, and how far its digits can differ.
struct Mode {
  Index stride;
  Index extent;
};

/// Looks for digit differences, not all zero, that cancel: sum of delta * stride == 0 with
/// |delta| < extent. Modes go by falling stride, so that what the rest can still cancel bounds each
/// delta; divisibility by the rest's greatest common divisor bounds it further.
class CancellationSearch {
 public:
  explicit CancellationSearch(std::vector<Mode> modes) : modes_(std::move(modes)) {
    std::sort(modes_.begin(), modes_.end(),
              [](const Mode& a, const Mode& b) { return a.stride > b.stride; });
    reach_.assign(modes_.size() + 1, 0);
    divisor_.assign(modes_.size() + 1, 0);
    for (std::size_t i = modes_.size(); i-- > 0;) {
      const Index span = checked_mul(modes_[i].extent - 1, modes_[i].stride, "offset");
      reach_[i] = checked_add(reach_[i + 1], span, "offset");
      divisor_[i] = std::gcd(divisor_[i + 1], modes_[i].stride);
    }
    if (reach_[0] > kMostReach) give_up();
  }

  [[nodiscard]] bool found() { return search(0, 0, false); }

 private:
  bool search(std::size_t mode, Index sum, bool any) {
    if (mode == modes_.size()) return any && sum == 0;
    if (sum % divisor_[mode] != 0) return false;
    // Without a difference so far, a cancellation and its mirror image are the same.
    if (!any && reach_[mode + 1] < modes_[mode].stride) return search(mode + 1, 0, false);
    if (++steps_ > kMostSteps) give_up();
    const Index stride = modes_[mode].stride;
    const Index most = modes_[mode].extent - 1;
    const Index room = reach_[mode + 1];
    const Index low = any ? std::max(-most, divide_up(-sum - room, stride)) : 0;
    const Index high = std::min(most, divide_down(room - sum, stride));
    for (Index delta = low; delta <= high; ++delta) {
      if (search(mode + 1, sum + delta * stride, any || delta != 0)) return true;
    }
    return false;
  }

  static Index divide_down(Index value, Index divisor) {
    const Index quotient = value / divisor;
    return quotient - (value % divisor < 0 ? 1 : 0);
  }
  static Index divide_up(Index value, Index divisor) { return -divide_down(-value, divisor); }

  [[noreturn]] static void give_up() {
    layout::refuse(
        ErrorCode::unsupported, "layout", "",
        "whether offsets coincide must be decided below 2^60 and within 10 million steps");
  }

  static constexpr long kMostSteps = 10'000'000;
  static constexpr Index kMostReach = Index{1} << 60;
  std::vector<Mode> modes_;
  std::vector<Index> reach_;    ///< largest sum that the modes from i on can cancel
  std::vector<Index> divisor_;  ///< of all strides from i on
  long steps_ = 0;
};

void require_plain(const Layout& layout) {
  if (layout.is_plain()) return;
  layout::refuse(ErrorCode::wrong_type, "layout", to_string(layout),
                 "strides must be plain integers where offsets are asked about");
}

constexpr int kBanks = 32;
constexpr int kBankBytes = 4;
constexpr int kLanes = 32;

/// Cycles of lanes that are served together: the most distinct words in any bank.
int cycles_of(std::span<const Index> addresses, int access_bytes) {
  std::array<std::array<Index, kLanes>, kBanks> words;
  std::array<int, kBanks> counts{};
  for (const Index address : addresses) {
    const Index first = address / kBankBytes;
    const Index last = (address + access_bytes - 1) / kBankBytes;
    for (Index word = first; word <= last; ++word) {
      auto& bank = words[static_cast<std::size_t>(word % kBanks)];
      int& count = counts[static_cast<std::size_t>(word % kBanks)];
      if (std::find(bank.begin(), bank.begin() + count, word) == bank.begin() + count) {
        bank[static_cast<std::size_t>(count++)] = word;
      }
    }
  }
  return *std::max_element(counts.begin(), counts.end());
}

}  // namespace

bool is_injective(const ComposedLayout& layout) {
  require_plain(layout.layout());
  // A swizzle is a bijection, an offset a translation: neither makes two offsets coincide.
  std::vector<Mode> modes;
  const layout::LayoutView view = layout.layout().view();
  for (int i = 0; i < view.leaves; ++i) {
    if (view.shape[i] == 1) continue;
    if (view.stride[i] == 0) return false;
    const Index stride = view.stride[i];
    modes.push_back({stride < 0 ? checked_mul(-1, stride, "stride") : stride, view.shape[i]});
  }
  return !CancellationSearch(std::move(modes)).found();
}

bool is_bijective(const Layout& layout) {
  require_plain(layout);
  const layout::LayoutView view = layout.view();
  for (int i = 0; i < view.leaves; ++i) {
    if (view.stride[i] < 0) return false;
  }
  // As many coordinates as offsets: then the modes by rising stride are compact, or some coincide.
  FlatModes modes = layout::filtered(view);
  if (size(layout) != cosize(layout)) return false;
  std::vector<std::pair<Index, Index>> sorted;
  for (int i = 0; i < modes.count(); ++i) sorted.emplace_back(modes.stride[i], modes.shape[i]);
  std::sort(sorted.begin(), sorted.end());
  Index reached = 1;
  for (const auto& [stride, extent] : sorted) {
    if (extent == 1) continue;
    if (stride != reached) return false;
    reached *= extent;
  }
  return reached == size(layout);
}

Index contiguous_run(const Layout& layout) {
  require_plain(layout);
  const FlatModes modes = layout::coalesced(layout.view());
  return modes.stride[0] == 1 ? modes.shape[0] : 1;
}

Index max_vector_elems(const ComposedLayout& layout, const VectorAccess& access) {
  require_plain(layout.layout());
  if (access.element_bits < 1 || access.base_alignment_bytes < 1 || access.max_bytes < 1) {
    layout::refuse(ErrorCode::out_of_range, "access", std::to_string(access.element_bits),
                   "element bits, base alignment and widest access must be at least 1", "16");
  }
  const FlatModes modes = layout::coalesced(layout.layout().view());
  if (modes.stride[0] != 1) return 1;
  // A vector's length must divide its run, where each run starts, and the swizzle's unit.
  Index common = std::gcd(modes.shape[0], layout.offset());
  for (int i = 1; i < modes.count(); ++i) common = std::gcd(common, modes.stride[i]);
  if (layout.swizzle().bits() > 0) common = std::gcd(common, Index{1} << layout.swizzle().base());
  Index elems = 1;
  for (;;) {
    const Index wider = 2 * elems;
    const Index bits = wider * access.element_bits;
    const bool fits = common % wider == 0 && bits <= Index{8} * access.max_bytes;
    const bool aligned = bits % 8 != 0 || access.base_alignment_bytes % (bits / 8) == 0;
    if (!fits || !aligned) return elems;
    elems = wider;
  }
}

BankConflicts bank_conflicts(std::span<const Index> byte_addresses, int access_bytes) {
  constexpr std::array<int, 5> kWidths{1, 2, 4, 8, 16};
  if (std::find(kWidths.begin(), kWidths.end(), access_bytes) == kWidths.end()) {
    layout::refuse(ErrorCode::out_of_range, "access_bytes", std::to_string(access_bytes),
                   "a lane must access 1, 2, 4, 8 or 16 bytes", "4");
  }
  if (byte_addresses.empty() || byte_addresses.size() > kLanes) {
    layout::refuse(ErrorCode::out_of_range, "lanes", std::to_string(byte_addresses.size()),
                   "a warp must have 1 to 32 lanes", "32");
  }
  for (const Index address : byte_addresses) {
    if (address >= 0 && address % access_bytes == 0) continue;
    layout::refuse(ErrorCode::misaligned, "address", std::to_string(address),
                   "an address must be a multiple of the " + std::to_string(access_bytes) +
                       " bytes that are accessed",
                   std::to_string(std::max<Index>(0, address / access_bytes * access_bytes)));
  }
  const std::size_t together =
      access_bytes <= 4 ? 32 : 128 / static_cast<std::size_t>(access_bytes);
  BankConflicts result;
  for (std::size_t first = 0; first < byte_addresses.size(); first += together) {
    const std::size_t count = std::min(together, byte_addresses.size() - first);
    result.cycles += cycles_of(byte_addresses.subspan(first, count), access_bytes);
    result.ideal_cycles += 1;
  }
  return result;
}

BankConflicts bank_conflicts(const ComposedLayout& lanes, int element_bits, int access_bytes) {
  const Index count = size(lanes);
  if (count > kLanes) {
    layout::refuse(ErrorCode::out_of_range, "lanes", std::to_string(count),
                   "a warp must have 1 to 32 lanes", "32");
  }
  std::vector<Index> addresses;
  for (Index lane = 0; lane < count; ++lane) {
    const Index bits = checked_mul(lanes(lane), element_bits, "address");
    if (bits % 8 != 0) {
      layout::refuse(ErrorCode::misaligned, "address", std::to_string(bits) + " bits",
                     "an address must be whole bytes");
    }
    addresses.push_back(bits / 8);
  }
  return bank_conflicts(addresses, access_bytes);
}

}  // namespace jute
