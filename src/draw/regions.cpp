// Boxes in place of cells that say the same.
#include "draw/regions.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "draw/panel_part.hpp"

namespace jute::draw {
namespace {

constexpr size_t kFewestSharing = 32;  // a warp
constexpr int kLeastRun = 8;           // of several boxes: smaller ones are read as cells

/// Who holds a cell: how many, the first, the last.
using Sharing = std::tuple<size_t, int, int>;

Sharing sharing_of(const PictureCell& cell) {
  int first = 0, last = 0;
  for (const Holder& holder : cell.holders) {
    first = &holder == &cell.holders.front() ? holder.thread : std::min(first, holder.thread);
    last = std::max(last, holder.thread);
  }
  return {cell.holders.size(), first, last};
}

struct Run {
  int begin = 0, end = 0;
  Sharing sharing = {};
};

/// Lines (rows, or columns) whose cells are shared by the same threads, in runs; nothing where a
/// line has cells that differ. cell(line, place): of `lines` lines with `places` cells each.
template <class CellAt>
std::optional<std::vector<Run>> runs_of(int lines, int places, CellAt cell) {
  std::vector<Run> runs;
  for (int line = 0; line < lines; ++line) {
    const Sharing sharing = sharing_of(cell(line, 0));
    for (int place = 1; place < places; ++place)
      if (sharing_of(cell(line, place)) != sharing) return std::nullopt;
    if (runs.empty() || runs.back().sharing != sharing)
      runs.push_back({line, line + 1, sharing});
    else
      runs.back().end = line + 1;
  }
  const bool are_large = runs.size() == 1 || std::ranges::all_of(runs, [](const Run& run) {
                           return run.end - run.begin >= kLeastRun;
                         });
  return are_large ? std::optional(std::move(runs)) : std::nullopt;
}

const char* way_of(RegisterType passed) {
  if (passed == RegisterType::smem_descriptor) return "one descriptor";
  return passed == RegisterType::tmem_address ? "in tensor memory" : "held in full";
}

std::string text_of(const PicturePanel& part, const Sharing& sharing, RegisterType passed) {
  const auto& [count, first, last] = sharing;
  std::string threads = "T" + std::to_string(first);
  if (count > 1)
    threads = static_cast<size_t>(last - first) + 1 == count ? threads + "-T" + std::to_string(last)
                                                             : std::to_string(count) + " threads";
  return std::to_string(part.rows) + " x " + std::to_string(part.columns) + "\n" + way_of(passed) +
         (count > 1 ? "\nshared by " : "\nby ") + threads;
}

}  // namespace

std::vector<PicturePanel> as_regions(const PicturePanel& panel, RegisterType passed) {
  const bool is_passed_whole =
      passed == RegisterType::smem_descriptor || passed == RegisterType::tmem_address;
  if (!is_passed_whole && panel.cells.front().holders.size() < kFewestSharing) return {panel};
  const auto by_rows = [&](int row, int column) -> const PictureCell& {
    return panel.cells[static_cast<size_t>(row * panel.columns + column)];
  };
  const auto by_columns = [&](int column, int row) -> const PictureCell& {
    return by_rows(row, column);
  };
  const auto rows = runs_of(panel.rows, panel.columns, by_rows);
  const auto columns = rows ? std::nullopt : runs_of(panel.columns, panel.rows, by_columns);
  if (!rows && !columns) return {panel};
  std::vector<PicturePanel> parts;
  for (const Run& run : rows ? *rows : *columns) {
    const std::pair along{run.begin, run.end};
    PicturePanel part =
        rows ? part_of(panel, along, {0, panel.columns}) : part_of(panel, {0, panel.rows}, along);
    (rows ? part.row : part.column) += run.begin;
    if (run.begin > 0) part.title.clear();
    part.region = text_of(part, run.sharing, passed);
    part.numbers = PanelNumbers::none;
    part.row_bounds.clear();
    part.column_bounds.clear();
    parts.push_back(std::move(part));
  }
  return parts;
}

void shrink_regions(std::vector<PicturePanel>& panels, int most_rows, int most_columns) {
  for (PicturePanel& panel : panels)
    if (!panel.region.empty())
      panel = part_of(panel, {0, std::min(panel.rows, most_rows)},
                      {0, std::min(panel.columns, most_columns)});
}

}  // namespace jute::draw
