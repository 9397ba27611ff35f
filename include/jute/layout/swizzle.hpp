#pragma once
// XOR swizzles, and layouts behind them.
#include <jute/base/checked.hpp>
#include <jute/base/export.hpp>
#include <jute/layout/layout.hpp>

namespace JUTE_API jute {

/// Sw<bits,base,shift>: x -> x ^ ((x & yyy) >> shift), where yyy is `bits` bits from base + shift
/// (for a negative shift the target lies above the source). Counts elements like every layout.
class Swizzle {
 public:
  Swizzle() = default;  ///< the identity, Sw<0,0,0>
  /// throws  out_of_range: bits or base negative, |shift| < bits, or base + bits + |shift| > 62
  Swizzle(int bits, int base, int shift);
  explicit Swizzle(std::string_view text);  ///< "Sw<3,3,3>"
  [[nodiscard]] int bits() const { return bits_; }
  [[nodiscard]] int base() const { return base_; }
  [[nodiscard]] int shift() const { return shift_; }
  /// Masks of the bits that are read (yyy) and of those that they are XORed into (zzz).
  [[nodiscard]] Index source_mask() const {
    return ((Index{1} << bits_) - 1) << (base_ + (shift_ > 0 ? shift_ : 0));
  }
  [[nodiscard]] Index target_mask() const {
    return ((Index{1} << bits_) - 1) << (base_ - (shift_ < 0 ? shift_ : 0));
  }
  [[nodiscard]] Index operator()(Index offset) const {
    const Index source = offset & source_mask();
    return offset ^ (shift_ >= 0 ? source >> shift_ : source << -shift_);
  }
  bool operator==(const Swizzle&) const = default;

 private:
  int bits_ = 0;
  int base_ = 0;
  int shift_ = 0;
};
[[nodiscard]] std::string to_string(const Swizzle& swizzle);
std::ostream& operator<<(std::ostream& out, const Swizzle& swizzle);

/// swizzle ∘ offset ∘ layout: coordinate -> swizzle(offset + layout(coordinate)). The usual type of
/// shared-memory layouts; an identity swizzle makes it a plain layout.
class ComposedLayout {
 public:
  ComposedLayout() = default;
  ComposedLayout(Layout layout)  // NOLINT: a plain layout is a composed one
      : layout_(std::move(layout)) {}
  ComposedLayout(Swizzle swizzle, Index offset, Layout layout)
      : swizzle_(swizzle), offset_(offset), layout_(std::move(layout)) {}
  explicit ComposedLayout(std::string_view text);  ///< "Sw<3,3,3>o0o(8,64):(64,1)" or a plain one
  [[nodiscard]] const Swizzle& swizzle() const { return swizzle_; }
  [[nodiscard]] Index offset() const { return offset_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] bool is_plain() const { return swizzle_.bits() == 0 && offset_ == 0; }
  [[nodiscard]] IntTuple shape() const { return layout_.shape(); }
  [[nodiscard]] int rank() const { return layout_.rank(); }
  [[nodiscard]] Index operator()(Index coordinate) const {
    return swizzle_(checked_add(offset_, layout_(coordinate), "offset"));
  }
  [[nodiscard]] Index operator()(int coordinate) const { return (*this)(Index{coordinate}); }
  [[nodiscard]] Index operator()(const IntTuple& coordinate) const {
    return swizzle_(checked_add(offset_, layout_(coordinate), "offset"));
  }
  [[nodiscard]] Index operator()(Index i, Index j) const {
    return swizzle_(checked_add(offset_, layout_(i, j), "offset"));
  }
  bool operator==(const ComposedLayout&) const = default;

 private:
  Swizzle swizzle_;
  Index offset_ = 0;
  Layout layout_;
};
[[nodiscard]] Index size(const ComposedLayout& layout);
/// The cosize of the inner layout, as in CuTe: a swizzle permutes within its span.
[[nodiscard]] Index cosize(const ComposedLayout& layout);
/// A plain one prints as its layout; any other, also with `Sw<0,…>`, in full.
[[nodiscard]] std::string to_string(const ComposedLayout& layout);
std::ostream& operator<<(std::ostream& out, const ComposedLayout& layout);

}  // namespace jute

template <>
struct std::hash<jute::Swizzle> {
  std::size_t operator()(const jute::Swizzle& swizzle) const noexcept;
};
template <>
struct std::hash<jute::ComposedLayout> {
  std::size_t operator()(const jute::ComposedLayout& layout) const noexcept;
};
