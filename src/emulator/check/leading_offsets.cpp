// Where the blocks of a cluster differ in leading offsets by just their ranks.
#include "emulator/check/leading_offsets.hpp"

#include "base/format.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/tensor/warp_product.hpp"

#include <algorithm>

namespace jute::emulator {
namespace {

constexpr int kLeadingAt = 16;
constexpr std::uint64_t kField = 0x3FFF;
constexpr int kRowsOfA = 64;

/// Where an address / 16 puts the block's rank within the field.
std::uint64_t rank_in_field(int rank) { return shared_begin(rank) >> 4 >> kLeadingAt & kField; }

/// Does any element of the operand, of so many rows, lie a leading offset away?
bool uses_leading(const OperandSource& operand, int rows) {
  const int span = read_descriptor(operand.descriptor).span;
  if (span == kOperandChunk) return operand.major == Major::k || operand.depth > 8;
  return operand.major == Major::mn && rows * operand.element_bytes() > span;
}

}  // namespace

void LeadingOffsets::issue(Warp& warp, const WarpProduct& product) {
  const auto look = [&](char name, const OperandSource& operand, int rows) {
    if (uses_leading(operand, rows))
      note(warp, {product.who().origin, warp.index, name},
           {warp.block->rank, operand.descriptor >> kLeadingAt & kField, product.who()});
  };
  if (product.has_a_descriptor()) look('A', product.a_source(), kRowsOfA);
  look('B', product.b_source(), product.b_source().rows);
}

void LeadingOffsets::note(Warp& warp, const Place& place, const Given& given) {
  std::vector<Given>& all = given_[place];
  const auto has_rank = [](int rank) {
    return [rank](const Given& one) { return one.rank == rank; };
  };
  if (std::ranges::any_of(all, has_rank(given.rank))) return;
  all.push_back(given);
  const auto first = std::ranges::find_if(all, has_rank(0));
  if (first == all.end()) return;
  for (const Given& other : all) {
    const std::uint64_t rank = rank_in_field(other.rank);
    const bool carries =
        other.field != first->field &&
        (other.field == ((first->field + rank) & kField) || other.field == (first->field | rank));
    if (!carries || (other.rank != given.rank && given.rank != 0)) continue;
    warp.block->find("P16", other.who, [&, name = std::get<char>(place)] {
      return base::format(
          "the descriptor of {} holds the block's rank {} in its leading offset, {} bytes instead "
          "of "
          "{}: addresses in a cluster begin at rank << 24, and only their low 18 bits, address & "
          "0x3ffff, belong into a descriptor",
          std::string(1, name), other.rank, other.field << 4, first->field << 4);
    });
  }
}

}  // namespace jute::emulator
