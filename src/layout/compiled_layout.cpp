// Evaluates layouts in bulk.
#include <jute/layout/compiled_layout.hpp>

#include "layout/flat_modes.hpp"
#include "layout/refusal.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <limits>

namespace jute {

namespace {

/// out[i] = start + i * stride
template <class Offset>
void count_up(Offset start, Offset stride, std::span<Offset> out) {
  Offset* const __restrict data = out.data();
  const std::size_t count = out.size();
  if (stride == 1) {
    for (std::size_t i = 0; i < count; ++i)
      data[i] = static_cast<Offset>(start + static_cast<Offset>(i));
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      data[i] = static_cast<Offset>(start + static_cast<Offset>(i) * stride);
    }
  }
}

template <class Offset>
void apply(const Swizzle& swizzle, std::span<Offset> out) {
  const auto mask = static_cast<Offset>(swizzle.source_mask());
  const int shift = swizzle.shift();
  if (shift >= 0) {
    for (Offset& value : out) value = static_cast<Offset>(value ^ ((value & mask) >> shift));
  } else {
    for (Offset& value : out) value = static_cast<Offset>(value ^ ((value & mask) << -shift));
  }
}

}  // namespace

CompiledLayout::CompiledLayout(const ComposedLayout& layout)
    : swizzle_(layout.swizzle()), offset_(layout.offset()) {
  if (!layout.layout().is_plain()) {
    layout::refuse(ErrorCode::wrong_type, "layout", to_string(layout),
                   "strides are plain integers where offsets are asked for");
  }
  const layout::FlatModes modes = layout::coalesced(layout.layout().view());
  Index reach = offset_ < 0 ? checked_mul(-1, offset_, "offset") : offset_;
  for (int i = 0; i < modes.count(); ++i) {
    modes_.push_back({modes.shape[i], modes.stride[i]});
    size_ = checked_mul(size_, modes.shape[i], "size");
    const Index span = checked_mul(modes.shape[i] - 1, modes.stride[i], "offset");
    reach = checked_add(reach, span < 0 ? checked_mul(-1, span, "offset") : span, "offset");
  }
  highest_ = reach | swizzle_.source_mask() | swizzle_.target_mask();
}

template <class Offset>
void CompiledLayout::fill(Index first, std::span<Offset> out) const {
  const auto count = static_cast<Index>(out.size());
  if (first < 0 || count > size_ - first) {
    layout::refuse(ErrorCode::out_of_range, "coordinate",
                   "[" + std::to_string(first) + "," + std::to_string(first + count) + ")",
                   "coordinates lie in [0," + std::to_string(size_) + ")",
                   "[0," + std::to_string(size_) + ")");
  }
  layout::InlineVector<Index, 32> digits;
  Index start = offset_;
  for (Index rest = first; const Mode& mode : modes_) {
    digits.push_back(rest % mode.extent);
    start += digits.back() * mode.stride;
    rest /= mode.extent;
  }
  const Mode inner = modes_[0];
  for (Index done = 0; done < count;) {
    const Index run = std::min(inner.extent - digits[0], count - done);
    count_up(static_cast<Offset>(start), static_cast<Offset>(inner.stride),
             out.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(run)));
    done += run;
    if (done == count) break;
    start -= digits[0] * inner.stride;
    digits[0] = 0;
    for (int i = 1; i < digits.size(); ++i) {
      const Mode& mode = modes_[static_cast<std::size_t>(i)];
      start += mode.stride;
      if (++digits[i] < mode.extent) break;
      start -= mode.extent * mode.stride;
      digits[i] = 0;
    }
  }
  if (swizzle_.bits() > 0) apply(swizzle_, out);
}

void CompiledLayout::offsets(Index first, std::span<Index> out) const { fill(first, out); }

void CompiledLayout::offsets(Index first, std::span<std::int32_t> out) const {
  if (highest_ > std::numeric_limits<std::int32_t>::max()) {
    layout::refuse(ErrorCode::overflow, "offset", std::to_string(highest_),
                   "every offset fits 32 bits",
                   std::to_string(std::numeric_limits<std::int32_t>::max()));
  }
  fill(first, out);
}

std::vector<Index> CompiledLayout::table() const {
  std::vector<Index> all(static_cast<std::size_t>(size_));
  fill(0, std::span<Index>(all));
  return all;
}

CompiledLayout compile(const ComposedLayout& layout) { return CompiledLayout(layout); }

}  // namespace jute
