// Takes wgmma's operands out of shared memory and unpacks them.
#include "emulator/tensor/product_operand.hpp"

#include "base/format.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/number_fields.hpp"
#include "emulator/tensor/scaled_dot.hpp"

#include <algorithm>
#include <cstring>

namespace jute::emulator {
namespace {

constexpr int kColumns = kDotColumns;

/// Reports bytes that are on their way, and adds the rows of those that were never written: `row`
/// is the chunk's first, of `row_bytes` in it.
void check_bytes(Block& block, const Actor& who, std::uint64_t address, int row, int row_bytes,
                 UnknownRows& unknown) {
  const std::byte* const state = block.shared_defined.data() + address;
  for (int i = 0; i < kOperandChunk; ++i) {
    if (state[i] == kWritten) continue;
    const std::uint64_t at = address + static_cast<std::uint64_t>(i);
    if (state[i] == kOnItsWay)
      return block.find("R9", who, [&] {
        return base::format(
            "a wgmma operand at shared offset {} that an asynchronous copy is "
            "still writing: wait for its mbarrier or group first",
            at);
      });
    if (unknown.rows.none()) unknown.first = at;
    unknown.rows.set(static_cast<size_t>(row + i / row_bytes));
  }
}

std::uint32_t sign_of(MmaType type) {
  return type == MmaType::tf32 ? 1U << 18 : 1U << (element_bits(type) - 1);
}

/// Calls `place(row, k, bits)` for every number.
template <class Element, class Place>
void unpack_as(const OperandSource& source, const std::byte* chunk, int drops, Place place) {
  constexpr int kEach = kOperandChunk / static_cast<int>(sizeof(Element));
  const bool along_k = source.major == Major::k;
  const std::uint32_t flip = source.negates ? sign_of(source.type) : 0;
  for (int row = 0; row < source.rows; row += along_k ? 1 : kEach) {
    for (int k = 0; k < source.depth; k += along_k ? kEach : 1) {
      std::array<Element, kEach> elements;
      std::memcpy(elements.data(), chunk, sizeof(elements));
      chunk += kOperandChunk;
      for (int i = 0; i < kEach; ++i)
        place(along_k ? row : row + i, along_k ? k + i : k,
              (std::uint32_t{elements[static_cast<size_t>(i)]} >> drops) ^ flip);
    }
  }
}
template <class Place>
void unpack(const OperandSource& source, const std::byte* bytes, Place place) {
  const int size = source.element_bytes();
  if (size == 4) return unpack_as<std::uint32_t>(source, bytes, 13, place);  // tf32 ignores these
  if (size == 2) return unpack_as<std::uint16_t>(source, bytes, 0, place);
  unpack_as<std::uint8_t>(source, bytes, 0, place);
}

bool is_unpacked_alike(const OperandSource& a, const OperandSource& b) {
  return a.type == b.type && a.major == b.major && a.negates == b.negates && a.rows == b.rows &&
         a.depth == b.depth;
}

void fill(ColumnBlocks& to) {
  const int depth = to.source.depth;
  const auto count = static_cast<size_t>(to.source.rows * depth);
  to.bits.resize(count);
  std::uint32_t* const bits = to.bits.data();
  unpack(to.source, to.bytes.data(), [&](int column, int k, std::uint32_t number) {
    bits[(column / kColumns * depth + k) * kColumns + column % kColumns] = number;
  });
  const bool is_integer = to.source.type == MmaType::s8 || to.source.type == MmaType::u8;
  to.is_scaled.assign(static_cast<size_t>(to.source.rows / kColumns), false);
  if (is_integer) {
    to.integer.resize(count);
    std::ranges::transform(to.bits, to.integer.begin(), [&](std::uint32_t number) {
      return integer_of(number, to.source.type);
    });
    return;
  }
  to.value.resize(count);
  to.exponent.resize(count);
  const ScaledRange range = scaled_range(to.source.type);
  for (size_t block = 0; block < to.is_scaled.size(); ++block) {
    const size_t at = block * static_cast<size_t>(depth * kColumns);
    to.is_scaled[block] = best_scaled_dot().split(range, bits + at, depth * kColumns, &to.value[at],
                                                  &to.exponent[at]);
  }
}

}  // namespace

int OperandSource::element_bytes() const { return std::max(1, element_bits(type) / 8); }

UnknownRows OperandSource::take(Block& block, const Actor& who,
                                std::vector<std::byte>& bytes) const {
  UnknownRows unknown;
  const int row_bytes = major == Major::k ? kOperandChunk : element_bytes();
  const auto count = static_cast<size_t>(rows * depth * element_bytes());
  bytes.resize(count);
  std::byte* to = bytes.data();
  each_chunk([&](int row, int, std::uint64_t address) {
    if (address + kOperandChunk > block.shared.size()) {
      block.find("M1", who, [&] {
        return base::format(
            "a wgmma operand at shared offset {}; the block has {} bytes of shared memory", address,
            block.shared.size());
      });
      std::memset(to, 0, kOperandChunk);
    } else {
      if (block.tracks_defined) check_bytes(block, who, address, row, row_bytes, unknown);
      std::memcpy(to, block.shared.data() + address, kOperandChunk);
    }
    to += kOperandChunk;
  });
  return unknown;
}

void unpack_rows(const OperandSource& source, std::span<const std::byte> bytes, std::uint32_t* to) {
  unpack(source, bytes.data(),
         [&](int row, int k, std::uint32_t number) { to[row * source.depth + k] = number; });
}

std::shared_ptr<const ColumnBlocks> OperandCache::take(Block& block, const Actor& who,
                                                       const OperandSource& source,
                                                       UnknownRows& unknown) {
  unknown = source.take(block, who, bytes_);
  for (const auto& kept : kept_)
    if (kept && is_unpacked_alike(kept->source, source) &&
        std::memcmp(kept->bytes.data(), bytes_.data(), bytes_.size()) == 0)
      return kept;
  std::shared_ptr<ColumnBlocks>& slot = kept_[next_++ % kKept];
  if (!slot || slot.use_count() > 1) slot = std::make_shared<ColumnBlocks>();
  slot->source = source;
  slot->bytes.swap(bytes_);
  fill(*slot);
  return slot;
}

}  // namespace jute::emulator
