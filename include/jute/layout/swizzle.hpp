#pragma once
// XOR swizzles, and layouts behind them.
#include <jute/layout/layout.hpp>

namespace jute {

/// Sw<bits,base,shift>: x -> x ^ ((x & yyy) >> shift), where yyy is `bits` bits from base + shift
/// (for a negative shift the target lies above the source). Counts elements like every layout.
class Swizzle {
 public:
  Swizzle() = default;  ///< the identity, Sw<0,0,0>
  Swizzle(int bits, int base, int shift);  ///< throws  out_of_range
  explicit Swizzle(std::string_view text);  ///< "Sw<3,3,3>"
  [[nodiscard]] int bits() const { return bits_; }
  [[nodiscard]] int base() const { return base_; }
  [[nodiscard]] int shift() const { return shift_; }
  [[nodiscard]] Index operator()(Index offset) const;
  bool operator==(const Swizzle&) const = default;

 private:
  int bits_ = 0;
  int base_ = 0;
  int shift_ = 0;
};
[[nodiscard]] std::string to_string(const Swizzle& swizzle);

/// swizzle ∘ offset ∘ layout: coordinate -> swizzle(offset + layout(coordinate)). The usual type of
/// shared-memory layouts; an identity swizzle makes it a plain layout.
class ComposedLayout {
 public:
  ComposedLayout() = default;
  ComposedLayout(Layout layout);  // NOLINT: a plain layout is a composed one
  ComposedLayout(Swizzle swizzle, Index offset, Layout layout);
  explicit ComposedLayout(std::string_view text);  ///< "Sw<3,3,3>o0o(8,64):(64,1)" or a plain one
  [[nodiscard]] const Swizzle& swizzle() const { return swizzle_; }
  [[nodiscard]] Index offset() const { return offset_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] bool is_plain() const { return swizzle_.bits() == 0 && offset_ == 0; }
  [[nodiscard]] IntTuple shape() const { return layout_.shape(); }
  [[nodiscard]] Index operator()(Index coordinate) const {
    return swizzle_(offset_ + layout_(coordinate));
  }
  [[nodiscard]] Index operator()(const IntTuple& coordinate) const {
    return swizzle_(offset_ + layout_(coordinate));
  }
  bool operator==(const ComposedLayout&) const = default;

 private:
  Swizzle swizzle_;
  Index offset_ = 0;
  Layout layout_;
};
[[nodiscard]] Index size(const ComposedLayout& layout);
[[nodiscard]] Index cosize(const ComposedLayout& layout);
[[nodiscard]] std::string to_string(const ComposedLayout& layout);
std::ostream& operator<<(std::ostream& out, const ComposedLayout& layout);

}  // namespace jute
