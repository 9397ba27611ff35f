#pragma once
// Where a bulk copy's bytes lie on both sides: a box of a tensor, or a run of bytes.
#include "emulator/async/tensor_map.hpp"

#include <jute/base/types.hpp>

#include <array>
#include <cstdint>

namespace jute::emulator {

/// Bytes that stay together, and that what bulk copies take must be a multiple of.
inline constexpr Index kBulkChunk = 16;

/// At most 16 bytes of a row of a box, which stay together.
struct BoxChunk {
  std::uint64_t shared = 0;  ///< its shared address behind the swizzle
  std::uint64_t row = 0;     ///< global address of the row's element 0
  bool inside = true;        ///< are the row's outer coordinates?
  Index first = 0;           ///< its first byte in the row of the box
  Index bytes = 0;
};

struct BulkBox {
  TensorMap map;  ///< rank 1 and type u8 for a run of bytes
  MapElement type = MapElement::u8;
  Index element = 1;               ///< bytes
  std::array<Index, 5> at{};       ///< coordinates of its first element
  std::array<Index, 5> extents{};  ///< elements that it takes, innermost first
  std::uint64_t shared = 0;        ///< where it begins, an offset in shared memory

  [[nodiscard]] Index row_bytes() const { return extents[0] * element; }
  [[nodiscard]] Index rows() const;
  [[nodiscard]] Index bytes() const { return rows() * row_bytes(); }
  /// Shared bytes in which it lies: gaps between short swizzled rows count.
  [[nodiscard]] std::uint64_t shared_extent() const;
  [[nodiscard]] Index chunks() const { return rows() * chunks_of_row(); }
  /// The chunk with this number, row by row.
  [[nodiscard]] BoxChunk chunk(Index number) const;

 private:
  [[nodiscard]] Index chunks_of_row() const;
  [[nodiscard]] Index pitch() const;
};

/// `bytes` from `address` on.
[[nodiscard]] BulkBox run_of_bytes(std::uint64_t address, Index bytes, std::uint64_t shared);
/// The box of a tensor map at these coordinates.
[[nodiscard]] BulkBox box_of_tensor(const TensorMap& map, const std::array<Index, 5>& at,
                                    std::uint64_t shared);

}  // namespace jute::emulator
