// Wide pictures cut into strips.
#include <jute/draw/picture.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "draw/panel_part.hpp"

namespace jute {
namespace {

/// Columns of a picture that panels cover without a gap.
struct Block {
  int begin = 0, end = 0;
};

/// Columns [begin, end) of the picture, and where they go.
struct Segment {
  int begin = 0, end = 0;
  int strip = 0, at = 0;
};

std::vector<Block> blocks_of(const Picture& picture) {
  std::vector<Block> all;
  for (const PicturePanel& panel : picture.panels)
    all.push_back({panel.column, panel.column + panel.columns});
  std::ranges::sort(all, {}, &Block::begin);
  std::vector<Block> merged;
  for (const Block& block : all) {
    if (merged.empty() || block.begin > merged.back().end)
      merged.push_back(block);
    else
      merged.back().end = std::max(merged.back().end, block.end);
  }
  return merged;
}

/// Does one thread hold both sides of the cut in every row?
bool parts_values(const PicturePanel& panel, int column) {
  for (int row = 0; row < panel.rows; ++row) {
    const auto right = panel.cells.begin() + row * panel.columns + column, left = right - 1;
    if (left->holders.empty() || right->holders.empty() ||
        left->holders.front().thread != right->holders.front().thread)
      return false;
  }
  return true;
}

/// How good a cut is.
enum class Cut : std::uint8_t {
  parts_values,  ///< of one thread
  in_mode,
  ends_mode,  ///< or there are no modes
};

/// In front of a column, through the panels that lie there.
Cut cut_at(const Picture& picture, int column) {
  bool has_modes = false, ends_mode = false;
  for (const PicturePanel& panel : picture.panels) {
    const int at = column - panel.column;
    if (at <= 0 || at >= panel.columns || !panel.region.empty()) continue;
    if (parts_values(panel, at)) return Cut::parts_values;
    has_modes = has_modes || !panel.column_bounds.empty();
    ends_mode = ends_mode || std::ranges::count(panel.column_bounds, at, &PictureBound::at) > 0;
  }
  return ends_mode || !has_modes ? Cut::ends_mode : Cut::in_mode;
}

/// Where the next part ends: of the best cuts within `room` the one next to an even division.
int end_of_part(const Picture& picture, int begin, int end, int room) {
  if (end - begin <= room) return end;
  const int parts = (end - begin + room - 1) / room;
  const int even = begin + (end - begin + parts - 1) / parts;
  const auto rank = [&](int at) { return std::pair(cut_at(picture, at), -std::abs(at - even)); };
  int best = even;
  for (int at = begin + 1; at <= begin + room; ++at)
    if (rank(at) > rank(best)) best = at;
  return best;
}

/// Where parts of at most `room` columns end: of equal width where modes end so.
std::vector<int> ends_of_parts(const Picture& picture, const Block& block, int room) {
  const int width = block.end - block.begin, fewest = (width + room - 1) / room;
  std::vector<int> ends;
  for (int parts = fewest; 2 * width > room * parts; ++parts) {  // wider than half of the room
    if (width % parts != 0) continue;
    ends.clear();
    for (int part = 1; part <= parts; ++part) ends.push_back(block.begin + part * (width / parts));
    const auto ends_mode = [&](int end) { return cut_at(picture, end) == Cut::ends_mode; };
    if (std::all_of(ends.begin(), ends.end() - 1, ends_mode)) return ends;
  }
  ends.clear();
  for (int begin = block.begin; begin < block.end; begin = ends.back())
    ends.push_back(end_of_part(picture, begin, block.end, room));
  return ends;
}

/// Blocks one after the other, with the gaps that they had; a new strip where the next one is too
/// wide for the rest of a strip.
std::vector<Segment> segments_of(const Picture& picture, int columns) {
  std::vector<Segment> segments;
  int strip = 0, used = 0, last_end = 0;
  for (const Block& block : blocks_of(picture)) {
    int at = used == 0 ? 0 : used + block.begin - last_end;
    const int width = block.end - block.begin, rest = columns - at;
    // A narrow rest would set the width of all the block's parts.
    if (at > 0 && width > rest && (width <= columns || rest < columns / 2)) {
      ++strip;
      at = 0;
    }
    int begin = block.begin;
    for (const int end : ends_of_parts(picture, block, columns - at)) {
      if (begin > block.begin) {
        ++strip;
        at = 0;
      }
      segments.push_back({begin, end, strip, at});
      used = at + end - begin;
      begin = end;
    }
    last_end = block.end;
  }
  return segments;
}

/// The part of a panel that a segment shows.
PicturePanel part_in(const Segment& segment, const PicturePanel& panel) {
  const int first = std::max(segment.begin, panel.column) - panel.column;
  const int last = std::min(segment.end, panel.column + panel.columns) - panel.column;
  PicturePanel part = draw::part_of(panel, {0, panel.rows}, {first, last});
  part.column = segment.at + panel.column + first - segment.begin;
  if (part.column > 0) return part;
  part.left_out_before.clear();  // there is no gap at the beginning of a strip
  if (part.numbers == PanelNumbers::of_columns) part.numbers = PanelNumbers::of_both;
  if (part.numbers == PanelNumbers::none) part.numbers = PanelNumbers::of_rows;
  return part;
}

}  // namespace

Picture in_strips(const Picture& picture, int columns) {
  int rows = 0, all_columns = 0;
  for (const PicturePanel& panel : picture.panels) {
    rows = std::max(rows, panel.row + panel.rows);
    all_columns = std::max(all_columns, panel.column + panel.columns);
  }
  columns = std::max(columns, 1);
  if (all_columns <= columns) return picture;
  constexpr int kRowsBetween = 2;  // for the numbers of the columns and the panels' titles
  Picture result = picture;
  result.panels.clear();
  for (const Segment& segment : segments_of(picture, columns))
    for (const PicturePanel& panel : picture.panels) {
      if (panel.column >= segment.end || panel.column + panel.columns <= segment.begin) continue;
      result.panels.push_back(part_in(segment, panel));
      result.panels.back().row += segment.strip * (rows + kRowsBetween);
    }
  return result;
}

}  // namespace jute
