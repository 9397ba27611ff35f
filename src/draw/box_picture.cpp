// Pictures of TMA boxes. A swizzle moves 16 bytes at a time, so these are the cells.
#include "draw/box_picture.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <utility>

#include "draw/cells.hpp"

namespace jute::draw {
namespace {

constexpr Index kUnitBits = 128;  // 16 bytes
constexpr int kLineUnits = 8;     // of 128 bytes: once through the banks
constexpr int kUnitBanks = 4;

void put(PictureCell& cell, Index unit, Index place) {
  cell.text = std::to_string(unit);
  cell.color = static_cast<int>(place % kLineUnits) * kUnitBanks;
}

/// "Sw<3,4,3>": as tensor maps and shared memory count, in bytes.
std::string in_bytes(const Swizzle& bits) {
  if (bits.bits() == 0) return "no swizzle";
  return "swizzle of " + std::to_string(16 << bits.bits()) + " bytes";
}

}  // namespace

Picture box_picture(const CopyAtom& atom, const TmaBox& box) {
  const Index row_bits = Index{box.inner} * box.type.bits;
  if (row_bits % kUnitBits != 0)
    jute::refuse(ErrorCode::not_divisible, atom.name, std::to_string(row_bits) + " bits",
                 "a row of a box must be a multiple of 16 bytes");
  const int units = static_cast<int>(row_bits / kUnitBits);
  const Index all = Index{units} * box.outer;
  check_cell_count(all, atom.name);
  PicturePanel tensor = panel("tensor", box.outer, units);
  const int lines = static_cast<int>((all + kLineUnits - 1) / kLineUnits);
  PicturePanel shared = panel("shared memory", lines, kLineUnits);
  shared.column = tensor.columns + 1;
  for (Index unit = 0; unit < all; ++unit) {
    const Index place = box.smem_swizzle(unit * kUnitBits) / kUnitBits;
    put(tensor.cells[static_cast<size_t>(unit)], unit, place);
    if (place < Index{lines} * kLineUnits)
      put(shared.cells[static_cast<size_t>(place)], unit, place);
  }
  Picture picture{
      .title = atom.name + ": a box of " + std::to_string(box.inner) + " x " +
               std::to_string(box.outer) + ", " + in_bytes(box.smem_swizzle),
      .palette = Palette::banks,
      .panels = {std::move(tensor), std::move(shared)},
      .notes = {"A number is 16 bytes of the box; a colour is the four banks that hold them",
                "Rows are those of the tensor, and 128 bytes of shared memory"}};
  for (int place = 0; place < kLineUnits; ++place)
    picture.legend.push_back(
        {place * kUnitBanks, "banks " + std::to_string(place * kUnitBanks) + "-" +
                                 std::to_string(place * kUnitBanks + kUnitBanks - 1)});
  return picture;
}

}  // namespace jute::draw
