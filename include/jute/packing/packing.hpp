#pragma once
// A packing: a layout that says at which place of packed memory each element of a matrix lies.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/layout/layout.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace JUTE_API jute {

/// Which tiles of a packed matrix are neighbours in memory.
enum class TileOrder : std::uint8_t {
  along_n,  ///< those of one k
  along_k   ///< those of one n
};

/// How a matrix of elements (n,k) lies packed, tile by tile. A regular value; it depends on neither
/// the matrix's extents nor on what multiplies it.
struct Packing {
  Layout tile{};  ///< (n,k) of a tile -> its element's place there; reaches 0 to size-1, each once
  TileOrder order = TileOrder::along_k;
  DType type = DType::u4;  ///< of what is stored
  int unit_bits = 32;      ///< of a number of the array; its lowest bits hold its first element
  int taken = 0;           ///< what was taken from each number before it was stored
  bool operator==(const Packing&) const = default;
};

/// The extents of a matrix of weights, outputs by inputs; of scales, outputs by groups.
struct PackedExtents {
  Index n = 0, k = 0;
  bool operator==(const PackedExtents&) const = default;
};
/// The shape of the array that holds one, in C order, in numbers of unit_bits.
struct PackedArray {
  Index rows = 0, columns = 0;
  bool operator==(const PackedArray&) const = default;
};

/// (n,k) -> the place of its element, counted in elements from the array's first bits.
///   shapes   ((modes of n in a tile, N / its n), (modes of k in a tile, K / its k))
///   example  GPTQ's weights of N = 64, K = 128: ((1,64),(8,16)):((0,8),(1,512))
///   throws   out_of_range: an extent below 1; not_divisible: tiles do not fill the matrix, or
///            numbers a row of the array
[[nodiscard]] Layout packed_layout(const Packing& packing, const PackedExtents& extents);
/// From places of one packing to places of another: composition(its layout, inverse(the first's)).
///   throws   as packed_layout does
[[nodiscard]] Layout repacking(const Packing& from, const Packing& to,
                               const PackedExtents& extents);

/// The array that holds a matrix of these extents.   throws  as packed_layout does
[[nodiscard]] PackedArray packed_array(const Packing& packing, const PackedExtents& extents);
/// The extents that an array of this shape holds.   throws  not_divisible: it holds no whole tiles
[[nodiscard]] PackedExtents packed_extents(const Packing& packing, const PackedArray& array);
/// Bytes of that array.   throws  as packed_layout does; overflow
[[nodiscard]] Index packed_bytes(const Packing& packing, const PackedExtents& extents);

/// The same numbers in another order: each element goes where `repacking` leads it. Elements of
/// equal types keep their bits; whole numbers may change their width and what is taken from them.
///   throws   as packed_layout does; out_of_range: other bytes than packed_bytes says, or a number
///            that the other type does not hold, whose element it names; wrong_type: types of which
///            one is no whole number
[[nodiscard]] std::vector<std::byte> repacked(std::span<const std::byte> elements,
                                              const Packing& from, const Packing& to,
                                              const PackedExtents& extents);

}  // namespace jute
