#pragma once
// A product's operands in shared memory: where their bytes lie, and as matrices of numbers.
#include "emulator/check/diagnostics.hpp"
#include "emulator/decode/program.hpp"
#include "emulator/tensor/wgmma_operands.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace jute::emulator {

struct Block;

/// Bytes of an operand that stay together, whatever the layout.
inline constexpr int kOperandChunk = 16;

/// Rows of an operand, columns of B, with bytes that were never written.
struct UnknownRows {
  std::bitset<256> rows;
  std::uint64_t first = 0;  ///< the first such byte, from the block's shared memory on
};

struct OperandSource {
  std::uint64_t descriptor = 0;
  MmaType type = MmaType::f16;
  Major major = Major::k;
  bool negates = false;
  int first = 0;  ///< row of the matrix
  int rows = 0;   ///< of A, columns of B
  int depth = 0;

  [[nodiscard]] int element_bytes() const;
  /// Calls `visit(row, k, address)` for the first element of every chunk.
  template <class Visit>
  void each_chunk(Visit visit) const {
    const MatrixDescriptor matrix = read_descriptor(descriptor);
    const int bytes = element_bytes();
    const int each = kOperandChunk / bytes;
    const bool along_k = major == Major::k;
    for (int row = 0; row < rows; row += along_k ? 1 : each)
      for (int k = 0; k < depth; k += along_k ? each : 1)
        visit(row, k, element_address(matrix, first + row, k, bytes, major));
  }
  /// Its bytes, chunk by chunk; `who` is told of what may not be read. Returned is what was read
  /// without a value: whoever uses what comes of it is told.
  [[nodiscard]] UnknownRows take(Block& block, const Actor& who,
                                 std::vector<std::byte>& bytes) const;
};
/// A's numbers out of such bytes: (row, k).
void unpack_rows(const OperandSource& source, std::span<const std::byte> bytes, std::uint32_t* to);

/// B in blocks of 8 columns, each (k, column).
struct ColumnBlocks {
  OperandSource source;
  std::vector<std::byte> bytes;
  std::vector<std::uint32_t> bits;
  std::vector<std::int32_t> integer;  ///< the same of integers
  /// As the sum by f32 takes them, in blocks for which it is said that it may.
  std::vector<float> value;
  std::vector<std::int32_t> exponent;
  std::vector<bool> is_scaled;
};
/// The warps of a warpgroup, and warpgroups side by side, take the same B: what has been unpacked
/// is kept as long as memory holds the same bytes.
class OperandCache {
 public:
  [[nodiscard]] std::shared_ptr<const ColumnBlocks> take(Block& block, const Actor& who,
                                                         const OperandSource& source,
                                                         UnknownRows& unknown);

 private:
  static constexpr size_t kKept = 8;
  std::array<std::shared_ptr<ColumnBlocks>, kKept> kept_;
  size_t next_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace jute::emulator
