// Evaluates layouts in bulk.
#include <jute/base/checked.hpp>
#include <jute/layout/compiled_layout.hpp>
#include <jute/layout/detail/refusal.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "layout/flat_modes.hpp"

namespace jute {

namespace {

constexpr Index kChunk = 1024;

/// 16 bytes of offsets, which compilers turn into whatever vector registers there are. Unsigned: a
/// logical shift of 64-bit lanes is one instruction everywhere, an arithmetic one is not.
template <class Offset>
struct Lanes {
  using Bits = std::make_unsigned_t<Offset>;
  using Vector [[gnu::vector_size(16)]] = Bits;
  static constexpr std::size_t kCount = 16 / sizeof(Offset);

  static Vector load(const Offset* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof(vector));
    return vector;
  }
  static void store(const Vector& vector, Offset* to) { std::memcpy(to, &vector, sizeof(vector)); }
};

/// out[i] = start + i * stride
template <class Offset>
void count_up(Offset start, Offset stride, std::span<Offset> out) {
  using L = Lanes<Offset>;
  using Bits = typename L::Bits;
  Offset* data = out.data();
  std::size_t left = out.size();
  typename L::Vector values{};
  for (std::size_t k = 0; k < L::kCount; ++k) {
    values[k] = static_cast<Bits>(start) + static_cast<Bits>(k) * static_cast<Bits>(stride);
  }
  const Bits step = static_cast<Bits>(stride) * L::kCount;
  for (; left >= L::kCount; left -= L::kCount, data += L::kCount) {
    L::store(values, data);
    values += step;
  }
  for (std::size_t k = 0; k < left; ++k) data[k] = static_cast<Offset>(values[k]);
}

template <class Offset>
void apply(const Swizzle& swizzle, std::span<Offset> out) {
  using L = Lanes<Offset>;
  const auto mask = static_cast<typename L::Bits>(swizzle.source_mask());
  const int right = swizzle.shift() >= 0 ? swizzle.shift() : 0;
  const int left = swizzle.shift() >= 0 ? 0 : -swizzle.shift();
  Offset* data = out.data();
  std::size_t count = out.size();
  for (; count >= L::kCount; count -= L::kCount, data += L::kCount) {
    const typename L::Vector values = L::load(data);
    L::store(values ^ ((values & mask) >> right << left), data);
  }
  for (std::size_t k = 0; k < count; ++k) data[k] = static_cast<Offset>(swizzle(data[k]));
}

}  // namespace

CompiledLayout::CompiledLayout(const ComposedLayout& layout)
    : swizzle_(layout.swizzle()), offset_(layout.offset()) {
  if (!layout.layout().is_plain()) {
    layout::refuse(ErrorCode::wrong_type, "layout", to_string(layout),
                   "strides must be plain integers where offsets are asked for");
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
                   "coordinates must lie in [0," + std::to_string(size_) + ")",
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
  Index swizzled = 0;
  for (Index done = 0; done < count;) {
    const Index run = std::min({inner.extent - digits[0], count - done, kChunk});
    count_up(static_cast<Offset>(start), static_cast<Offset>(inner.stride),
             out.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(run)));
    done += run;
    // While the last offsets are still in the nearest cache.
    if (swizzle_.bits() > 0 && (done == count || done - swizzled >= kChunk)) {
      apply(swizzle_, out.subspan(static_cast<std::size_t>(swizzled),
                                  static_cast<std::size_t>(done - swizzled)));
      swizzled = done;
    }
    if (done == count) break;
    digits[0] += run;
    start += run * inner.stride;
    if (digits[0] < inner.extent) continue;
    start -= inner.extent * inner.stride;
    digits[0] = 0;
    for (int i = 1; i < digits.size(); ++i) {
      const Mode& mode = modes_[static_cast<std::size_t>(i)];
      start += mode.stride;
      if (++digits[i] < mode.extent) break;
      start -= mode.extent * mode.stride;
      digits[i] = 0;
    }
  }
}

void CompiledLayout::offsets(Index first, std::span<Index> out) const { fill(first, out); }

void CompiledLayout::offsets(Index first, std::span<std::int32_t> out) const {
  if (highest_ > std::numeric_limits<std::int32_t>::max()) {
    layout::refuse(ErrorCode::overflow, "offset", std::to_string(highest_),
                   "every offset must fit 32 bits",
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
