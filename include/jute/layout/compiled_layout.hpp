#pragma once
// Layouts prepared for evaluation in bulk.
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

#include <span>

namespace JUTE_API jute {

/// The offsets of consecutive one-dimensional coordinates, written without a division for each:
/// runs of the first modes are filled by counting, the other modes by an odometer.
class CompiledLayout {
 public:
  /// throws  wrong_type: strides on unit vectors; overflow: an offset that does not fit
  explicit CompiledLayout(const ComposedLayout& layout);

  [[nodiscard]] Index size() const { return size_; }
  /// out[i] = layout(first + i).   throws  out_of_range: a coordinate outside [0, size)
  void offsets(Index first, std::span<Index> out) const;
  /// The same in 32 bits.   throws  overflow: some offset of the layout needs more
  void offsets(Index first, std::span<std::int32_t> out) const;
  /// All offsets, in order.
  [[nodiscard]] std::vector<Index> table() const;

 private:
  template <class Offset>
  void fill(Index first, std::span<Offset> out) const;

  struct Mode {
    Index extent;
    Index stride;
  };
  std::vector<Mode> modes_;  ///< coalesced, at least one
  Swizzle swizzle_;
  Index offset_ = 0;
  Index size_ = 1;
  Index highest_ = 0;  ///< bound on every offset's magnitude
};

[[nodiscard]] CompiledLayout compile(const ComposedLayout& layout);

}  // namespace jute
