// Takes wgmma's operands out of shared memory and unpacks them.
#include "emulator/tensor/product_operand.hpp"

#include "base/format.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/number_fields.hpp"
#include "emulator/tensor/scaled_dot.hpp"

#include <algorithm>
#include <cstring>

namespace jute::emulator {
namespace {

constexpr int kColumns = kDotColumns;

void check_bytes(Block& block, const Actor& who, std::uint64_t address) {
  const std::byte* const state = block.shared_defined.data() + address;
  const std::byte* const wrong =
      std::find_if(state, state + kOperandChunk, [](std::byte each) { return each != kWritten; });
  if (wrong == state + kOperandChunk) return;
  const bool on_its_way = *wrong == kOnItsWay;
  block.find(on_its_way ? "R9" : "M3", who, [&] {
    return base::format(
        "a wgmma operand at shared offset {} that {}", wrong - block.shared_defined.data(),
        on_its_way ? "an asynchronous copy is still writing: wait for its mbarrier or group first"
                   : "was never written");
  });
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

void OperandSource::take(Block& block, const Actor& who, std::vector<std::byte>& bytes) const {
  const auto count = static_cast<size_t>(rows * depth * element_bytes());
  bytes.resize(count);
  std::byte* to = bytes.data();
  each_chunk([&](int, int, std::uint64_t address) {
    if (address + kOperandChunk > block.shared.size()) {
      block.find("M1", who, [&] {
        return base::format(
            "a wgmma operand at shared offset {}; the block has {} bytes of shared memory", address,
            block.shared.size());
      });
      std::memset(to, 0, kOperandChunk);
    } else {
      if (block.tracks_defined) check_bytes(block, who, address);
      std::memcpy(to, block.shared.data() + address, kOperandChunk);
    }
    to += kOperandChunk;
  });
}

void unpack_rows(const OperandSource& source, std::span<const std::byte> bytes, std::uint32_t* to) {
  unpack(source, bytes.data(),
         [&](int row, int k, std::uint32_t number) { to[row * source.depth + k] = number; });
}

std::shared_ptr<const ColumnBlocks> OperandCache::take(Block& block, const Actor& who,
                                                       const OperandSource& source) {
  source.take(block, who, bytes_);
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
