// Writes a box for each tile that a block has, and a line where no deal ends sooner.
#include "pictures/deal_svg.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "files/html_text.hpp"

namespace jute::command {
namespace {

// All in SVG user units.
constexpr double kDealWidth = 900, kBlockHeight = 5, kDealLeft = 12, kDealTop = 34, kDealFoot = 34;
constexpr std::array<const char*, 8> kColorsOfGroups{"#8cbde8", "#f3cf7a", "#9ed8b8", "#f0b08c",
                                                     "#c3a8e0", "#d9d9d9", "#e79bb0", "#a9d3d8"};

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string words_at(double x, double y, const std::string& words) {
  return "<text x=\"" + decimal(x) + "\" y=\"" + decimal(y) + "\">" + escaped(words) + "</text>\n";
}

/// The tiles of a block, from left to right.
std::string tiles_of_block(const std::vector<DealtTile>& tiles, std::size_t block, double unit) {
  std::string body;
  Index begin = 0;
  for (const DealtTile& tile : tiles) {
    const auto color = static_cast<std::size_t>(tile.group) % kColorsOfGroups.size();
    body += "<rect x=\"" + decimal(kDealLeft + unit * static_cast<double>(begin)) + "\" y=\"" +
            decimal(kDealTop + kBlockHeight * static_cast<double>(block)) + "\" width=\"" +
            decimal(unit * static_cast<double>(tile.k_tiles)) + "\" height=\"" +
            decimal(kBlockHeight) + "\" fill=\"" + kColorsOfGroups[color] + "\"><title>group " +
            std::to_string(tile.group) + ", tile " + std::to_string(tile.m) + "," +
            std::to_string(tile.n) + ", block " + std::to_string(block) + "</title></rect>\n";
    begin += tile.k_tiles;
  }
  return body;
}

}  // namespace

std::string to_svg(const GroupDeal& deal) {
  const double unit = kDealWidth / static_cast<double>(std::max(deal.makespan, Index{1}));
  const double bottom = kDealTop + kBlockHeight * static_cast<double>(deal.blocks.size());
  std::string body = words_at(kDealLeft, 20, to_string(deal));
  for (std::size_t block = 0; block < deal.blocks.size(); ++block)
    body += tiles_of_block(deal.blocks[block], block, unit);
  const std::string bound = decimal(kDealLeft + unit * static_cast<double>(deal.bound));
  body += "<path stroke=\"#b00\" d=\"M" + bound + " " + decimal(kDealTop - 4) + "V" +
          decimal(bottom + 4) + "\"/>\n" +
          words_at(kDealLeft, bottom + 20,
                   "k-tiles to the right, blocks downwards; the line: no "
                   "deal ends sooner");
  const std::string size = decimal(kDealWidth + 2 * kDealLeft),
                    height = decimal(bottom + kDealFoot);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + " " + height +
         "\" width=\"" + size + "\" height=\"" + height +
         "\" role=\"img\">\n<title>tiles of groups over blocks</title>\n<style>text{font:12px "
         "system-ui,'DejaVu Sans',sans-serif;fill:#1b1f24}rect{stroke:#57606a;stroke-width:.3}"
         "</style>\n<rect width=\"" +
         size + "\" height=\"" + height + "\" fill=\"#fff\"/>\n" + body + "</svg>\n";
}

}  // namespace jute::command
