// Splits (thread, value) addresses by composition, and swizzled ones by their bits.
#include <jute/layout/address.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/detail/refusal.hpp>

#include <bit>
#include <cstdlib>
#include <ostream>
#include <utility>

#include "layout/offset_bits.hpp"

namespace jute {

namespace {

int bits_of(Index value) { return 64 - std::countl_zero(static_cast<std::uint64_t>(value)); }

/// One flat mode of a layout.
struct AddressMode {
  Index extent;
  Index stride;
};

std::vector<AddressMode> modes_of(const Layout& layout) {
  const layout::LayoutView view = layout.view();
  std::vector<AddressMode> modes;
  for (int i = 0; i < view.leaves; ++i) modes.push_back({view.shape[i], view.stride[i]});
  return modes;
}

Layout layout_of(const std::vector<AddressMode>& modes) {
  LayoutBuilder builder;
  if (modes.size() != 1) builder.open();
  for (const AddressMode& mode : modes) builder.leaf(mode.extent, mode.stride);
  if (modes.size() != 1) builder.close();
  return builder.take();
}

/// The XOR of what a layout's modes give.
Index xor_of_modes(const Layout& layout, Index coordinate) {
  Index result = 0;
  for (const auto& [extent, stride] : modes_of(layout)) {
    result ^= coordinate % extent * stride;
    coordinate /= extent;
  }
  return result;
}

/// Bits below `places` that are 0 in every sum of an offset and what the threads add to it.
Index bits_left_free(const layout::AffineOffsets& threads, int places) {
  Index free = 0;
  for (int place = 0; place < places; ++place) {
    const std::optional<layout::Parity> parity = threads.parity(place);
    if (parity && parity->is_zero()) free |= Index{1} << place;
  }
  return free;
}

/// The smallest sum of an offset and all modes, and the threads' part above it: modes that count
/// down are counted from their far end.
std::optional<layout::AffineOffsets> from_below(Index offset,
                                                const std::vector<AddressMode>& threads,
                                                const std::vector<AddressMode>& values) {
  layout::AffineOffsets result{offset, {}, {}};
  for (const std::vector<AddressMode>* modes : {&threads, &values})
    for (const auto& [extent, stride] : *modes)
      if (stride < 0) result.offset += (extent - 1) * stride;
  if (result.offset < 0) return std::nullopt;
  for (const auto& [extent, stride] : threads) {
    if (extent == 1) continue;
    result.extents.push_back(extent);
    result.strides.push_back(std::abs(stride));
  }
  return result;
}

/// Values' parts while they are found, a binary digit at a time.
class Folding {
 public:
  Folding(const Swizzle& swizzle, Index free)
      : swizzle_(swizzle), target_(swizzle.target_mask()), free_(free) {}

  /// False where a digit of the mode does not fold.
  bool take(const AddressMode& mode) {
    const auto extent = static_cast<std::uint64_t>(mode.extent);
    const int digits = bits_of(mode.extent - 1);
    const bool splits = std::has_single_bit(extent);
    std::vector<std::pair<Index, Index>> parts;  // of each digit: XORed, added
    for (int digit = 0; digit < digits; ++digit) {
      const Index column = std::abs(mode.stride) << digit;
      const Index low = column & (swizzle_span(swizzle_) - 1);
      if ((low & ~free_) != 0) return false;
      free_ ^= low;
      const Index added = column - (low & target_);
      parts.emplace_back(swizzle_(low) & target_, mode.stride < 0 ? -added : added);
      if (mode.stride < 0 && !splits && parts.back().first != 0) return false;
    }
    if (splits) {
      for (const auto& [flip, step] : parts) add(2, flip, step);
      return true;
    }
    for (int digit = 0; digit < digits; ++digit)
      if (parts[digit].first != parts[0].first << digit || parts[digit].second != parts[0].second
                                                                                      << digit)
        return false;
    add(mode.extent, parts[0].first, parts[0].second);
    return true;
  }

  [[nodiscard]] Layout flip() const { return flips_.empty() ? Layout() : layout_of(flips_); }
  [[nodiscard]] Layout value() const {
    return steps_.empty() ? Layout() : coalesce(layout_of(steps_));
  }

 private:
  void add(Index extent, Index flip, Index step) {
    steps_.push_back({extent, step});
    // Modes go on in one another where their sums are their XORs too.
    if (!flips_.empty()) {
      AddressMode& last = flips_.back();
      const bool apart = flip == 0 || bits_of((last.extent - 1) * last.stride) <=
                                          std::countr_zero(static_cast<std::uint64_t>(flip));
      if (flip == last.stride * last.extent && apart) {
        last.extent *= extent;
        return;
      }
    }
    flips_.push_back({extent, flip});
  }

  Swizzle swizzle_;
  Index target_;
  Index free_;  ///< bits that neither threads nor earlier digits have
  std::vector<AddressMode> flips_, steps_;
};

/// The folded form of parts before a swizzle; nothing where they do not fold.
std::optional<Address> folded(const Swizzle& swizzle, Index offset, const Layout& thread,
                              const Layout& value) {
  const std::vector<AddressMode> values = modes_of(value);
  const auto threads = from_below(offset, modes_of(thread), values);
  if (!threads) return std::nullopt;
  const Index span = swizzle_span(swizzle);
  const int places = std::countr_zero(static_cast<std::uint64_t>(span));
  Folding folding(swizzle, bits_left_free(*threads, places));
  for (const AddressMode& mode : values)
    if (!folding.take(mode)) return std::nullopt;
  return Address{AddressForm::folded, ComposedLayout(swizzle, offset, thread), folding.value(),
                 folding.flip()};
}

void require_tv(const ComposedLayout& layout, const Layout& tv) {
  if (tv.rank() != 2 || tv.is_leaf()) {
    layout::refuse(ErrorCode::wrong_arity, "tv", to_string(tv),
                   "it must have a thread and a value mode");
  }
  if (!tv.is_plain() || !layout.layout().is_plain()) {
    layout::refuse(ErrorCode::wrong_type, "tv", to_string(tv),
                   "strides must be plain integers where addresses are asked for");
  }
  for (const AddressMode& mode : modes_of(tv)) {
    if (mode.stride >= 0 || mode.extent == 1) continue;
    layout::refuse(ErrorCode::out_of_range, "tv.stride", std::to_string(mode.stride),
                   "coordinates must count up from 0", std::to_string(-mode.stride));
  }
  const Index coordinates = size(layout);
  if (cosize(tv) > coordinates) {
    layout::refuse(ErrorCode::out_of_range, "tv", to_string(tv),
                   "its coordinates must lie in the " + std::to_string(coordinates) + " of " +
                       to_string(layout));
  }
}

}  // namespace

std::string_view name(AddressForm form) {
  switch (form) {
    case AddressForm::affine:
      return "affine";
    case AddressForm::folded:
      return "folded";
    case AddressForm::evaluated:
      break;
  }
  return "evaluated";
}

Index Address::base(Index thread_index) const {
  if (form != AddressForm::evaluated) return thread(thread_index);
  return thread.offset() + thread.layout()(thread_index);
}

Index Address::at(Index base, Index value_index) const {
  const Index step = value(value_index);
  switch (form) {
    case AddressForm::affine:
      return base + step;
    case AddressForm::folded:
      return (base ^ xor_of_modes(flip, value_index)) + step;
    case AddressForm::evaluated:
      break;
  }
  return thread.swizzle()(base + step);
}

Address address_of(const ComposedLayout& layout, const Layout& tv) {
  require_tv(layout, tv);
  const Layout offsets = composition(layout.layout(), tv);
  // Refuses what overflows, so that sums of the parts do not.
  const Index reach = cosize(offsets);
  static_cast<void>(checked_add(layout.offset(), reach, "offset"));
  static_cast<void>(checked_add(layout.offset(), -reach, "offset"));
  const Layout thread = coalesce(offsets[0]), value = coalesce(offsets[1]);
  if (layout.swizzle().bits() == 0)
    return {AddressForm::affine, ComposedLayout({}, layout.offset(), thread), value, Layout()};
  if (std::optional<Address> address = folded(layout.swizzle(), layout.offset(), thread, value))
    return *std::move(address);
  return {AddressForm::evaluated, ComposedLayout(layout.swizzle(), layout.offset(), thread), value,
          Layout()};
}

std::optional<Address> try_address_of(const ComposedLayout& layout, const Layout& tv) {
  try {
    return address_of(layout, tv);
  } catch (const Exception&) {
    return std::nullopt;
  }
}

Address in_bytes(const Address& address, int element_bytes) {
  const auto scaled = [&](const Layout& layout) {
    std::vector<AddressMode> modes = modes_of(layout);
    for (AddressMode& mode : modes) mode.stride = checked_mul(mode.stride, element_bytes, "stride");
    return layout_of(modes);
  };
  const ComposedLayout& thread = address.thread;
  const Swizzle& swizzle = thread.swizzle();
  return {address.form,
          ComposedLayout(swizzle.bits() == 0 ? swizzle : downcast(swizzle, element_bytes),
                         checked_mul(thread.offset(), element_bytes, "offset"),
                         scaled(thread.layout())),
          scaled(address.value), scaled(address.flip)};
}

Index swizzle_span(const Swizzle& swizzle) {
  if (swizzle.bits() == 0) return 1;
  return Index{1} << (swizzle.base() + std::abs(swizzle.shift()) + swizzle.bits());
}

std::string to_string(const Address& address) {
  const ComposedLayout& thread = address.thread;
  const std::string offset = thread.offset() == 0 ? "" : std::to_string(thread.offset()) + " + ";
  const std::string base = offset + "thread " + to_string(thread.layout());
  const std::string value = " + value " + to_string(address.value);
  const std::string swizzle = to_string(thread.swizzle());
  switch (address.form) {
    case AddressForm::affine:
      return base + value;
    case AddressForm::folded:
      return swizzle + "(" + base + ") ^ value " + to_string(address.flip) + value;
    case AddressForm::evaluated:
      break;
  }
  return swizzle + "(" + base + value + ")";
}

std::ostream& operator<<(std::ostream& out, const Address& address) {
  return out << to_string(address);
}

}  // namespace jute
