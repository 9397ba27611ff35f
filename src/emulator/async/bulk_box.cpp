// Boxes of tensors, chunk by chunk: coordinates, strides, swizzle.
#include "emulator/async/bulk_box.hpp"

#include <jute/launch/tensor_map_spec.hpp>

#include <algorithm>

namespace jute::emulator {
namespace {

/// The absolute shared address after the XOR of a swizzle mode (PTX ISA, tensor swizzling modes).
std::uint64_t swizzled(std::uint64_t address, TmaSwizzle mode) {
  return address ^
         ((address >> 3) & static_cast<std::uint64_t>(swizzle_span_bytes(mode) - kBulkChunk));
}

}  // namespace

Index BulkBox::rows() const {
  Index rows = 1;
  for (size_t i = 1; i < map.rank; ++i) rows *= extents[i];
  return rows;
}
Index BulkBox::chunks_of_row() const { return (row_bytes() + kBulkChunk - 1) / kBulkChunk; }
// From one row to the next in shared memory. Swizzled rows that are shorter than the span begin a
// span apart all the same (seen on an H200).
Index BulkBox::pitch() const {
  const auto swizzle = static_cast<TmaSwizzle>(map.swizzle);
  return swizzle == TmaSwizzle::none ? row_bytes()
                                     : std::max(row_bytes(), swizzle_span_bytes(swizzle));
}
std::uint64_t BulkBox::shared_extent() const {
  return static_cast<std::uint64_t>(rows() * pitch());
}

BoxChunk BulkBox::chunk(Index number) const {
  const Index row = number / chunks_of_row();
  BoxChunk result;
  result.first = number % chunks_of_row() * kBulkChunk;
  result.bytes = std::min(kBulkChunk, row_bytes() - result.first);
  const std::uint64_t dense = shared + static_cast<std::uint64_t>(row * pitch() + result.first);
  result.shared = swizzled(dense, static_cast<TmaSwizzle>(map.swizzle));
  result.row = map.base;
  Index rest = row;
  for (size_t i = 1; i < map.rank; ++i) {
    const Index coordinate = at[i] + rest % extents[i] * Index{map.steps[i]};
    rest /= extents[i];
    result.inside &= coordinate >= 0 && coordinate <= Index{map.last[i]};
    result.row += static_cast<std::uint64_t>(coordinate) * map.strides[i - 1];
  }
  return result;
}

BulkBox run_of_bytes(std::uint64_t address, Index bytes, std::uint64_t shared) {
  BulkBox box;
  box.map.base = address;
  box.map.rank = 1;
  box.map.steps[0] = 1;
  box.map.last[0] = static_cast<std::uint32_t>(bytes - 1);
  box.extents[0] = bytes;
  box.shared = shared;
  return box;
}

BulkBox box_of_tensor(const TensorMap& map, const std::array<Index, 5>& at, std::uint64_t shared) {
  BulkBox box;
  box.map = map;
  box.type = static_cast<MapElement>(map.type);
  box.element = width_bytes(box.type);
  box.at = at;
  box.shared = shared;
  for (size_t i = 0; i < map.rank; ++i) {
    box.map.steps[i] = std::max<std::uint32_t>(1, map.steps[i]);
    box.extents[i] = (Index{map.box[i]} + box.map.steps[i] - 1) / Index{box.map.steps[i]};
  }
  return box;
}

}  // namespace jute::emulator
