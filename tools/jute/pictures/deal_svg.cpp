// Writes a box for each tile that a block has, and a line where no deal ends sooner.
#include "pictures/charts.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "pictures/svg.hpp"

namespace jute::command {
namespace {

using bench::Anchor;
using bench::Point;

// All in pixels.
constexpr double kDealWidth = 800, kDealLeft = 90, kDealTop = 44, kLegendWidth = 130,
                 kNameHeight = 18;
constexpr double kMostHeight = 24, kLeastHeight = 5, kUsualHeight = 640;
constexpr int kTicks = 8, kMostNamed = 32;
constexpr std::array<const char*, 8> kColorsOfGroups{"#8cbde8", "#f3cf7a", "#9ed8b8", "#f0b08c",
                                                     "#c3a8e0", "#d9d9d9", "#e79bb0", "#a9d3d8"};

const char* color_of(Index group) {
  return kColorsOfGroups[static_cast<std::size_t>(group) % kColorsOfGroups.size()];
}

/// The numbers of blocks that have a tile: others would be empty rows.
std::vector<std::size_t> busy_blocks(const GroupDeal& deal) {
  std::vector<std::size_t> busy;
  for (std::size_t block = 0; block < deal.blocks.size(); ++block)
    if (!deal.blocks[block].empty()) busy.push_back(block);
  return busy;
}

/// Where a number of k-tiles and a row of blocks lie.
struct DealScale {
  double unit = 1, height = kMostHeight;

  [[nodiscard]] double x(Index k_tiles) const {
    return kDealLeft + unit * static_cast<double>(k_tiles);
  }
  [[nodiscard]] double y(std::size_t row) const {
    return kDealTop + height * static_cast<double>(row);
  }
};

/// The tiles of a block, from left to right.
void add_tiles(bench::Svg& svg, const std::vector<DealtTile>& tiles, std::size_t block, double y,
               const DealScale& scale) {
  Index begin = 0;
  for (const DealtTile& tile : tiles) {
    svg.box({scale.x(begin), y}, scale.unit * static_cast<double>(tile.k_tiles), scale.height,
            color_of(tile.group),
            "group " + std::to_string(tile.group) + ", tile " + std::to_string(tile.m) + "," +
                std::to_string(tile.n) + ", block " + std::to_string(block));
    begin += tile.k_tiles;
  }
}

/// k-tiles below the rows, and where no deal ends sooner.
void add_axis(bench::Svg& svg, const GroupDeal& deal, double bottom, const DealScale& scale) {
  const Index step = std::max<Index>(1, (deal.makespan + kTicks - 1) / kTicks);
  svg.line({kDealLeft, bottom}, {scale.x(deal.makespan), bottom}, "#222222");
  for (Index at = 0; at <= deal.makespan; at += step) {
    svg.line({scale.x(at), bottom}, {scale.x(at), bottom + 4}, "#222222");
    svg.text({scale.x(at), bottom + 18}, std::to_string(at), Anchor::middle);
  }
  svg.text({kDealLeft, bottom + 36}, "k-tiles, of which each block has one after the other");
  svg.line({scale.x(deal.bound), kDealTop - 6}, {scale.x(deal.bound), bottom}, "#b00000");
  svg.text({scale.x(deal.bound), kDealTop - 10}, "no deal ends sooner", Anchor::end, "#b00000", 11);
}

/// Which colour is which group; of many the first.
void add_groups(bench::Svg& svg, const std::set<Index>& groups) {
  int row = 0;
  for (const Index group : groups) {
    if (row == kMostNamed) break;
    const double y = kDealTop + kNameHeight * row++;
    svg.rectangle({kDealLeft + kDealWidth + 20, y}, 12, 12, color_of(group));
    svg.text({kDealLeft + kDealWidth + 38, y + 11}, "group " + std::to_string(group));
  }
}

}  // namespace

std::string to_svg(const GroupDeal& deal) {
  const std::vector<std::size_t> busy = busy_blocks(deal);
  std::set<Index> groups;
  for (const std::size_t block : busy)
    for (const DealtTile& tile : deal.blocks[block]) groups.insert(tile.group);
  const DealScale scale{
      kDealWidth / static_cast<double>(std::max(deal.makespan, Index{1})),
      std::clamp(kUsualHeight / static_cast<double>(busy.size() + 1), kLeastHeight, kMostHeight)};
  const double bottom = scale.y(busy.size());
  const double names = kDealTop + kNameHeight * std::min(static_cast<double>(kMostNamed),
                                                         static_cast<double>(groups.size()));
  bench::Svg svg(kDealLeft + kDealWidth + kLegendWidth, std::max(bottom + 48, names) + 16);
  const std::size_t idle = deal.blocks.size() - busy.size();
  svg.text({12, 18},
           to_string(deal) + (idle > 0 ? "; " + std::to_string(idle) + " blocks have none" : ""));
  const auto every = static_cast<std::size_t>(std::max(1.0, 16.0 / scale.height));
  for (std::size_t row = 0; row < busy.size(); ++row) {
    add_tiles(svg, deal.blocks[busy[row]], busy[row], scale.y(row), scale);
    if (row % every == 0)
      svg.text({kDealLeft - 8, scale.y(row) + std::max(scale.height / 2 + 4, 9.0)},
               "block " + std::to_string(busy[row]), Anchor::end, "#222222", 11);
  }
  add_axis(svg, deal, bottom, scale);
  add_groups(svg, groups);
  return svg.document();
}

}  // namespace jute::command
