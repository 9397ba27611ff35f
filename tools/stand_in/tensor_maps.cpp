// Tensor maps, encoded for the emulator's TMA.
#include "call.hpp"

#include <array>
#include <cstring>

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

namespace {

/// CUtensorMapDataType by number.
struct ElementRow {
  DType type;
  std::optional<TmaInteger> integer = {};
};
constexpr std::array<ElementRow, 13> kElements{{
    {DType::u8},
    {DType::u8, TmaInteger::u16},
    {DType::u8, TmaInteger::u32},
    {DType::s32},
    {DType::u8, TmaInteger::u64},
    {DType::u8, TmaInteger::s64},
    {DType::f16},
    {DType::f32},
    {DType::f64},
    {DType::bf16},
    {DType::f32},  // subnormal numbers become 0 where sums are added: moves are the same
    {DType::tf32},
    {DType::tf32},
}};
constexpr int kSwizzles = 4;
constexpr std::uint32_t kMostRank = 5;

}  // namespace

JUTE_DRIVER_CALL cuTensorMapEncodeTiled(void* map, int type, std::uint32_t rank, void* base,
                                        const std::uint64_t* dims, const std::uint64_t* strides,
                                        const std::uint32_t* box,
                                        const std::uint32_t* element_strides, int interleave,
                                        int swizzle, int /*l2_promotion*/, int out_of_bounds) {
  return after_init("cuTensorMapEncodeTiled", [&](Process& process) -> Status {
    const bool has_all = map != nullptr && dims != nullptr && box != nullptr &&
                         element_strides != nullptr && (strides != nullptr || rank == 1);
    if (!has_all || rank < 1 || rank > kMostRank) return kInvalidValue;
    if (type < 0 || type >= static_cast<int>(kElements.size()) || swizzle < 0 ||
        swizzle >= kSwizzles || interleave != 0) {
      say("cuTensorMapEncodeTiled",
          "interleaved layouts, types of 4 and 6 bits and swizzles of "
          "atoms are not emulated");
      return kNotSupported;
    }
    const ElementRow& element = kElements[static_cast<size_t>(type)];
    TensorMapSpec spec{.type = element.type,
                       .dims = {dims, dims + rank},
                       .strides_bytes = {strides, strides + (rank - 1)},
                       .box = {box, box + rank},
                       .element_strides = {element_strides, element_strides + rank},
                       .swizzle = static_cast<TmaSwizzle>(swizzle),
                       .out_of_bounds = static_cast<TmaOutOfBounds>(out_of_bounds != 0),
                       .integer = element.integer};
    const EncodedTensorMap encoded =
        process.backend().encode(spec, reinterpret_cast<std::uintptr_t>(base));
    std::memcpy(map, encoded.bytes.data(), encoded.bytes.size());
    return kSuccess;
  });
}
