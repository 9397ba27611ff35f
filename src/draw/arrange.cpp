// Pictures made from pictures.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/draw/arrange.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "draw/origin_colors.hpp"

namespace jute {
namespace {

constexpr int kWarp = 32;
constexpr int kColors = 32;

bool has_threads(const Picture& picture) {
  for (const PicturePanel& panel : picture.panels)
    for (const PictureCell& cell : panel.cells)
      if (!cell.holders.empty()) return true;
  return false;
}

const PictureCell& cell_at(const PicturePanel& panel, int row, int column) {
  return panel.cells[static_cast<size_t>(row * panel.columns + column)];
}

/// The largest `of` of any holder.
template <class Of>
int most(const Picture& picture, Of of) {
  int largest = 0;
  for (const PicturePanel& panel : picture.panels)
    for (const PictureCell& cell : panel.cells)
      for (const Holder& holder : cell.holders) largest = std::max(largest, of(holder));
  return largest;
}

/// Entries for the numbers 0 … last, as many as there are colours.
std::vector<LegendEntry> numbered(const std::string& letter, int last) {
  std::vector<LegendEntry> entries;
  for (int i = 0; i <= std::min(last, kColors - 1); ++i)
    entries.push_back({i, letter + std::to_string(i)});
  return entries;
}

/// From light to deep over 0 … last.
int on_ramp(Index number, Index last) {
  return static_cast<int>(number * (kColors - 1) / std::max<Index>(last, 1));
}

constexpr std::array<std::pair<std::string_view, ColorBy>, 4> kColorings{{
    {"thread", ColorBy::thread},
    {"value", ColorBy::value},
    {"warp", ColorBy::warp},
    {"order", ColorBy::order},
}};

std::string_view name_of(ColorBy by) {
  return std::ranges::find(kColorings, by, &std::pair<std::string_view, ColorBy>::second)->first;
}

Picture by_order(const Picture& picture) {
  const bool threads = has_threads(picture);
  int last = threads ? most(picture, [](const Holder& holder) { return holder.value; }) : 0;
  for (const PicturePanel& panel : picture.panels)
    if (!threads) last = std::max(last, panel.rows * panel.columns - 1);
  Picture result =
      colored(picture, Palette::sequence, [&](const PicturePanel& panel, int row, int column) {
        const PictureCell& cell = cell_at(panel, row, column);
        if (!threads) return on_ramp(row + Index{column} * panel.rows, last);
        return cell.holders.empty() ? -1 : on_ramp(cell.holders.front().value, last);
      });
  result.legend = {{0, threads ? "V0" : "first"},
                   {kColors - 1, threads ? "V" + std::to_string(last) : "last"}};
  return result;
}

}  // namespace

Picture colored(Picture picture, Palette palette, const CellColor& color) {
  picture.palette = palette;
  picture.legend.clear();
  picture.legend_place = LegendPlace::corner_or_below;
  for (PicturePanel& panel : picture.panels)
    for (int row = 0; row < panel.rows; ++row)
      for (int column = 0; column < panel.columns; ++column)
        panel.cells[static_cast<size_t>(row * panel.columns + column)].color =
            color(panel, row, column);
  return picture;
}

/// Colours the cells of a layout by what it gives there, which the cells say.
Picture by_offset(const Picture& picture) {
  return colored(picture, Palette::threads, [](const PicturePanel& panel, int row, int column) {
    const auto& offset = cell_at(panel, row, column).offset;
    return offset ? static_cast<int>((*offset % kColors + kColors) % kColors) : -1;
  });
}

ColorBy parse_color_by(std::string_view text) {
  std::vector<std::string> names;
  for (const auto& [name, by] : kColorings) {
    if (name == text) return by;
    names.emplace_back(name);
  }
  jute::refuse(ErrorCode::unknown_name, "color", std::string(text),
               "it must be " + joined(names) + " or a layout", nearest_name(text, names));
}

Picture colored(const Picture& picture, ColorBy by) {
  if (by == ColorBy::order) return by_order(picture);
  if (by == ColorBy::value && !has_threads(picture)) return by_offset(picture);
  if (!has_threads(picture))
    jute::refuse(ErrorCode::wrong_type, "color", std::string(name_of(by)),
                 "threads must hold the cells: a layout's have none unless "
                 "it is read as (thread,value), with --tv",
                 "order");
  const auto number = [by](const Holder& holder) {
    return by == ColorBy::value  ? holder.value
           : by == ColorBy::warp ? holder.thread / kWarp
                                 : holder.thread;
  };
  Picture result =
      colored(picture, Palette::threads, [&](const PicturePanel& panel, int row, int column) {
        const auto& holders = cell_at(panel, row, column).holders;
        return holders.empty() ? -1 : number(holders.front());
      });
  result.legend = numbered(by == ColorBy::value  ? "V"
                           : by == ColorBy::warp ? "warp "
                                                 : "T",
                           most(picture, number));
  return result;
}

Picture colored(const Picture& picture, const Layout& colors) {
  const bool threads = has_threads(picture);
  const Index count = 1 + most(picture, [](const Holder& holder) { return holder.thread; });
  const auto at = [&](Index first, Index second) {
    const bool one = threads && (colors.rank() < 2 || size(colors) == count);
    const Index rows = one || colors.rank() < 2 ? size(colors) : size(colors[0]);
    if (first >= rows || (!one && second >= size(colors) / rows))
      refuse(ErrorCode::out_of_range, "color", to_string(colors),
             std::string("it must give a colour for each ") +
                 (threads ? "(thread,value)" : "(row,column)") + "; it gives none for (" +
                 std::to_string(first) + "," + std::to_string(second) + ")");
    const Index color = colors(one ? first : first + second * rows) % kColors;
    return static_cast<int>((color + kColors) % kColors);
  };
  std::set<int> used;
  Picture result =
      colored(picture, Palette::threads, [&](const PicturePanel& panel, int row, int column) {
        const auto& holders = cell_at(panel, row, column).holders;
        if (threads && holders.empty()) return -1;
        const int color =
            threads ? at(holders.front().thread, holders.front().value) : at(row, column);
        used.insert(color);
        return color;
      });
  for (const int color : used) result.legend.push_back({color, std::to_string(color)});
  result.notes.push_back("colours: " + to_string(colors));
  return result;
}

Picture of_thread(Picture picture, int thread) {
  if (!has_threads(picture))
    refuse(ErrorCode::wrong_type, "thread", std::to_string(thread),
           "threads must hold the cells of the picture");
  const int last = most(picture, [](const Holder& holder) { return holder.thread; });
  bool holds = false;
  for (PicturePanel& panel : picture.panels)
    for (PictureCell& cell : panel.cells) {
      const auto held = std::ranges::find(cell.holders, thread, &Holder::thread);
      if (held == cell.holders.end()) {
        cell = {};
        continue;
      }
      holds = true;
      cell.color = thread;
      // A cell that several threads hold names the first of them.
      if (cell.text.starts_with('T'))
        cell.text = "T" + std::to_string(thread) + "\nV" + std::to_string(held->value);
      cell.holders = {*held};
    }
  std::erase_if(picture.legend, [thread](const LegendEntry& entry) {
    return entry.color != thread % kColors || entry.text.front() != 'T';
  });
  if (holds) return picture;
  jute::refuse(ErrorCode::out_of_range, "thread", std::to_string(thread),
               "it must be a thread that holds an element", std::to_string(last));
}

Picture with_coordinates(Picture picture) {
  for (PicturePanel& panel : picture.panels) {
    const auto name = [](const std::vector<std::string>& names, int first, int at) {
      return names.empty() ? std::to_string(first + at) : names[static_cast<size_t>(at)];
    };
    for (int row = 0; row < panel.rows; ++row)
      for (int column = 0; column < panel.columns; ++column) {
        std::string& text = panel.cells[static_cast<size_t>(row * panel.columns + column)].text;
        if (!text.empty())
          text += "\n(" + name(panel.row_names, panel.first_row, row) + "," +
                  name(panel.column_names, panel.first_column, column) + ")";
      }
  }
  return picture;
}

Picture beside(const Picture& left, const Picture& right_picture) {
  Picture both = left, right = right_picture;
  draw::color_by_origin(both, right);
  int columns = 0;
  for (const PicturePanel& panel : left.panels)
    columns = std::max(columns, panel.column + panel.columns);
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  both.title = first_line(left.title) + "   |   " + first_line(right.title);
  for (PicturePanel& panel : right.panels) {
    panel.column += columns + 2;
    both.panels.push_back(std::move(panel));
  }
  for (const std::string& note : right.notes)
    if (std::ranges::find(both.notes, note) == both.notes.end()) both.notes.push_back(note);
  return both;
}

}  // namespace jute
