// From a shared-memory layout to the 64 bits that wgmma takes for it.
#include <jute/atom/gmma_descriptor.hpp>

#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/coordinates.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace jute {
namespace {

using Rules = std::vector<std::string>;

constexpr int kRowBits = 128;  // the unit of descriptors: 16 bytes
constexpr Index kFieldLimit = Index{1} << 14;

/// 16-byte columns of one pattern row: 1, 2, 4, 8.
int pattern_width(GmmaSwizzle swizzle) { return 1 << static_cast<int>(swizzle); }

/// log2 of the elements in 16 bytes.
int row_exponent(const ValueType& type) { return std::countr_zero(unsigned(kRowBits / type.bits)); }

bool is_descriptor_type(const ValueType& type) {
  return type.bits > 0 && type.bits <= kRowBits && kRowBits % type.bits == 0 &&
         type.values_per_element == 1;
}

/// The swizzle that permutes 16-byte columns by 8 rows; nothing for any other.
std::optional<GmmaSwizzle> find_swizzle(const Swizzle& swizzle, const ValueType& type) {
  if (swizzle.bits() == 0) return GmmaSwizzle::none;
  if (swizzle.bits() > 3 || swizzle.shift() != 3 || swizzle.base() != row_exponent(type))
    return std::nullopt;
  return static_cast<GmmaSwizzle>(swizzle.bits());
}

/// ((pattern, repeats), (pattern, repeats)) in 16-byte units, if the layout has that form.
struct Canonical {
  Index extent_mn = 0;
  Index extent_k = 0;
  std::array<Index, 4> stride{};  ///< mode 0: within, between; mode 1: within, between
};

std::optional<Canonical> canonical(const Layout& rows, Index tile_mn, Index tile_k, Rules& broken) {
  try {
    const Layout divided = logical_divide(
        rows, Tiler(std::vector<Tiler>{Tiler(Layout(IntTuple(tile_mn), IntTuple(1))),
                                       Tiler(Layout(IntTuple(tile_k), IntTuple(1)))}));
    if (!congruent(divided.shape(), IntTuple{IntTuple{1, 1}, IntTuple{1, 1}})) {
      broken.push_back(
          "each mode repeats one pattern with one stride; divided into patterns it is " +
          to_string(divided));
      return std::nullopt;
    }
    const std::vector<Index> stride = divided.flat_stride();
    return Canonical{size(rows[0]), size(rows[1]), {stride[0], stride[1], stride[2], stride[3]}};
  } catch (const Exception& refusal) {
    broken.push_back(refusal.error().violated_rules.empty()
                         ? std::string(refusal.what())
                         : refusal.error().violated_rules.front());
    return std::nullopt;
  }
}

/// throws  overflow
std::string in_bytes(Index rows) { return std::to_string(checked_mul(16, rows, "byte offset")); }

/// Leading and stride offsets, in 16-byte units.
struct Offsets {
  Index leading = 0;
  Index stride = 0;
};

void expect_stride(Rules& broken, const std::string& what, Index found, Index wanted) {
  if (found == wanted) return;
  broken.push_back(what + " lie " + in_bytes(wanted) + " bytes apart, not " + in_bytes(found));
}

Offsets k_major_offsets(const Layout& rows, GmmaSwizzle swizzle, Rules& broken) {
  if (size(rows[0]) % 8 != 0)
    broken.push_back("the MN extent is a multiple of 8, not " + std::to_string(size(rows[0])));
  if (size(rows[1]) != 2 && size(rows[1]) != 4)
    broken.push_back("the K extent is 32 bytes (64 for the dense operand of a sparse wgmma), not " +
                     in_bytes(size(rows[1])));
  if (!broken.empty()) return {};
  const auto form = canonical(rows, 8, 2, broken);
  if (!form) return {};
  expect_stride(broken, "rows of a K-major pattern", form->stride[0], pattern_width(swizzle));
  if (swizzle != GmmaSwizzle::none)
    expect_stride(broken, "the 16-byte columns of a K-major pattern", form->stride[2], 1);
  return {form->stride[2], form->stride[1]};
}

Offsets mn_major_offsets(const Layout& rows, GmmaSwizzle swizzle, const ValueType& type,
                         Rules& broken) {
  const Index dense = 256 / type.bits;
  if (const Index k = size(rows[1]); k != dense && k != dense / 2 && k != dense * 2)
    broken.push_back("the K extent is " + std::to_string(dense) + " elements (" +
                     std::to_string(dense / 2) + " or " + std::to_string(2 * dense) +
                     " for a sparse wgmma), not " + std::to_string(k));
  if (!broken.empty()) return {};
  const auto form = canonical(rows, pattern_width(swizzle), 8, broken);
  if (!form) return {};
  if (swizzle != GmmaSwizzle::none)
    expect_stride(broken, "the 16-byte columns of an MN-major pattern", form->stride[0], 1);
  expect_stride(broken, "rows of an MN-major pattern", form->stride[2], pattern_width(swizzle));
  if (swizzle == GmmaSwizzle::none) return {form->stride[3], form->stride[1]};
  return {form->stride[1], form->stride[3]};
}

/// The layout in units of 16 bytes.
std::optional<Layout> in_rows(const Layout& layout, const ValueType& type, Rules& broken) {
  try {
    return upcast(layout, kRowBits / type.bits);
  } catch (const Exception&) {
    broken.push_back("16-byte rows of " + std::to_string(kRowBits / type.bits) + " " +
                     std::string(type.name) + " stay whole: strides are multiples of it, or 1");
    return std::nullopt;
  }
}

void check_field(Rules& broken, const std::string& what, Index value) {
  if (value < 0 || value >= kFieldLimit)
    broken.push_back(what + " must lie in 0..262128 bytes, not " + in_bytes(value));
}

/// Everything about the layout; the descriptor's fields if no rule is broken.
Offsets examine(const ComposedLayout& smem, Major major, const ValueType& type, Rules& broken) {
  const auto swizzle = find_swizzle(smem.swizzle(), type);
  if (!swizzle)
    broken.push_back("the swizzle must be one of none, Sw<1," + std::to_string(row_exponent(type)) +
                     ",3>, Sw<2,…> and Sw<3,…> for " + std::string(type.name) + ", not " +
                     to_string(smem.swizzle()));
  const bool rank_two = smem.shape().is_tuple() && smem.rank() == 2;
  if (!rank_two) broken.emplace_back("the layout must have two modes, (MN,K)");
  if (!swizzle || !rank_two) return {};
  const auto rows = in_rows(smem.layout(), type, broken);
  if (!rows) return {};
  const Offsets offsets = major == Major::k ? k_major_offsets(*rows, *swizzle, broken)
                                            : mn_major_offsets(*rows, *swizzle, type, broken);
  if (!broken.empty()) return {};
  check_field(broken, "the leading byte offset", offsets.leading);
  check_field(broken, "the stride byte offset", offsets.stride);
  return offsets;
}

/// A legal layout like the refused one: its swizzle where that is legal, its MN extent rounded up.
std::optional<std::string> nearest_layout(const ComposedLayout& smem, Major major,
                                          const ValueType& type) {
  if (!smem.shape().is_tuple()) return std::nullopt;
  const GmmaSwizzle swizzle = find_swizzle(smem.swizzle(), type).value_or(GmmaSwizzle::bytes128);
  const ComposedLayout pattern = gmma_layout_atom(major, type, swizzle);
  const std::vector<Index> tile = pattern.layout().flat_shape();
  const auto rounded = [](Index extent, Index step) { return (extent + step - 1) / step * step; };
  const Index k = 256 / type.bits;
  const Index mn = rounded(std::min<Index>(size(smem.layout()[0]), 256), tile[0]);
  const ComposedLayout whole = tile_to_shape(pattern, IntTuple{mn, rounded(k, tile[1])});
  const ComposedLayout block = composition(whole, Tiler(IntTuple{mn, k}));
  Rules broken;
  examine(block, major, type, broken);
  return broken.empty() ? std::optional(to_string(block)) : std::nullopt;
}

int layout_type(GmmaSwizzle swizzle) {
  return swizzle == GmmaSwizzle::none ? 0 : 4 - static_cast<int>(swizzle);
}

/// Nothing where a rule is broken.
std::optional<GmmaDescriptor> described(const ComposedLayout& smem, Major major,
                                        const ValueType& type, Index start_address, Rules& broken) {
  const Offsets offsets = examine(smem, major, type, broken);
  const Index offset = checked_mul(smem.offset(), type.bits, "offset in bits") / 8;
  const Index address = checked_add(start_address, offset, "start address");
  if (address < 0 || address % 16 != 0 || start_address < 0)
    broken.push_back("the start address must be a multiple of 16, not " + std::to_string(address));
  if (!broken.empty()) return std::nullopt;
  GmmaDescriptor result;
  result.swizzle = *find_swizzle(smem.swizzle(), type);
  result.layout_type = layout_type(result.swizzle);
  result.start_field = static_cast<int>(address % (16 * kFieldLimit) / 16);
  result.leading_field = static_cast<int>(offsets.leading);
  result.stride_field = static_cast<int>(offsets.stride);
  result.leading_byte_offset = 16 * offsets.leading;
  result.stride_byte_offset = 16 * offsets.stride;
  const auto field = [](int value, int shift) { return std::uint64_t(value) << shift; };
  result.bits = field(result.start_field, 0) | field(result.leading_field, 16) |
                field(result.stride_field, 32) | field(result.layout_type, 62);
  return result;
}

}  // namespace

GmmaDescriptor gmma_descriptor(const ComposedLayout& smem, Major major, const ValueType& type,
                               Index start_address) {
  Rules broken;
  if (!is_descriptor_type(type))
    jute::refuse(ErrorCode::wrong_type, "type", std::string(type.name),
                 "the bits of a value must divide 128");
  if (const auto result = described(smem, major, type, start_address, broken)) return *result;
  throw Exception(
      {.code = ErrorCode::illegal_config,
       .operand = "gmma_desc",
       .value = to_string(smem) + " " + std::string(name(major)) + " " + std::string(type.name),
       .violated_rules = std::move(broken),
       .nearest_legal = nearest_layout(smem, major, type)});
}

std::optional<GmmaDescriptor> try_gmma_descriptor(const ComposedLayout& smem, Major major,
                                                  const ValueType& type) {
  Rules broken;
  if (!is_descriptor_type(type)) return std::nullopt;
  return described(smem, major, type, 0, broken);
}

ComposedLayout gmma_layout_atom(Major major, const ValueType& type, GmmaSwizzle swizzle) {
  if (!is_descriptor_type(type))
    jute::refuse(ErrorCode::wrong_type, "type", std::string(type.name),
                 "the bits of a value must divide 128");
  const Index row = Index{kRowBits / type.bits} * pattern_width(swizzle);
  const Layout layout = major == Major::k ? Layout(IntTuple{8, row}, IntTuple{row, 1})
                                          : Layout(IntTuple{row, 8}, IntTuple{1, row});
  const int bits = static_cast<int>(swizzle);
  if (bits == 0) return layout;
  return ComposedLayout(Swizzle(bits, row_exponent(type), 3), 0, layout);
}

std::string to_string(const GmmaDescriptor& descriptor) {
  std::array<char, 19> text{};
  std::snprintf(text.data(), text.size(), "0x%016llx",
                static_cast<unsigned long long>(descriptor.bits));
  return text.data();
}

}  // namespace jute
