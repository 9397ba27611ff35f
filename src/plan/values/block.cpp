// The table of what a block does, and how it is told.
#include <jute/plan/values/block.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.hpp"

namespace jute {
namespace {

// clang-format off
constexpr auto kMembers = std::to_array<BlockMember>({
    {"m", "rows", &Block::m},
    {"n", "columns", &Block::n},
    {"k", "elements", &Block::k},
    {"matrices", "matrices", &Block::matrices},
    {"threads", "threads", &Block::threads},
    {"warps", "warps", &Block::warps},
    {"registers", "registers", &Block::registers},
    {"on_the_way", "registers", &Block::on_the_way},
    {"smem_bytes", "bytes", &Block::smem_bytes},
    {"most_resident", "blocks", &Block::most_resident},
    {"products", "multiply-adds", &Block::products},
    {"smem_read", "bytes", &Block::smem_read},
    {"accesses", "accesses", &Block::accesses},
    {"copies", "instructions", &Block::copies},
    {"converted", "instructions", &Block::converted},
    {"boxes", "boxes", &Block::boxes},
    {"maps", "maps", &Block::maps},
    {"ahead", "k-tiles", &Block::ahead},
    {"begins_with", "instructions", &Block::begins_with},
    {"parts", "parts", &Block::parts},
    {"stores", "instructions", &Block::stores},
    {"width", "bytes", &Block::width},
    {"a_bytes", "bytes", &Block::a_bytes},
    {"b_bytes", "bytes", &Block::b_bytes},
    {"d_bytes", "bytes", &Block::d_bytes},
    {"a_begins", "bytes", &Block::a_begins},
    {"b_begins", "bytes", &Block::b_begins},
    {"a_pitch", "bytes", &Block::a_pitch},
    {"b_pitch", "bytes", &Block::b_pitch},
    {"streams", "parts", &Block::streams},
    {"a_loads", "instructions", &Block::a_loads},
    {"b_loads", "instructions", &Block::b_loads},
    {"a_rows", "rows", &Block::a_rows},
    {"b_rows", "rows", &Block::b_rows},
    {"instructions", "instructions", &Block::instructions},
    {"stored_bits", "bits", &Block::stored_bits},
    {"stored_made", "instructions", &Block::stored_made},
    {"ring", "stages", &Block::ring},
    {"teams", "teams", &Block::teams},
    {"cluster_m", "blocks", &Block::cluster_m},
    {"cluster_n", "blocks", &Block::cluster_n},
    {"terms", "elements", &Block::terms},
    {"run", "elements", &Block::run},
    {"scaled", "instructions", &Block::scaled},
    {"a_unit", "rows", &Block::a_unit},
    {"b_unit", "columns", &Block::b_unit},
    {"few_stages", "stages", &Block::few_stages},
    {"half_stages", "stages", &Block::half_stages},
    {"behind", "launches", &Block::behind},
    {"sum_bytes", "bytes", &Block::sum_bytes},
    {"d_along_m", "parts", &Block::d_along_m},
    {"d_direct", "parts", &Block::d_direct},
    {"d_rows", "parts", &Block::d_rows},
    {"d_anywhere", "parts", &Block::d_anywhere},
    {"d_cut_sectors", "parts", &Block::d_cut_sectors},
});
// clang-format on

constexpr size_t kMostMembers = 60;
static_assert(kMembers.size() <= kMostMembers);
static_assert(sizeof(Block) == sizeof(double) * kMembers.size(), "a row for each member");

/// As many digits as tell two plans apart.
std::string count_text(double count) {
  return count == std::floor(count) ? base::format("{:.0f}", count) : base::format("{:.6g}", count);
}

double at_least_one(double extent) { return std::max(extent, 1.0); }

Grid with_extents(const Block& block, Grid grid, double batch) {
  grid.batch = batch;
  grid.tiles = std::ceil(at_least_one(grid.m) / block.m) *
               std::ceil(at_least_one(grid.n) / block.n) * at_least_one(grid.batch) /
               block.matrices;
  grid.k_tiles = std::ceil(at_least_one(grid.k) / block.k);
  return grid;
}

}  // namespace

std::span<const BlockMember> block_members() { return kMembers; }

std::string to_string(const Block& block) {
  std::string text;
  for (const BlockMember& one : kMembers)
    if (const double count = block.*one.member; count != 0)
      text += base::format("{}{}={}", text.empty() ? "" : " ", one.name, count_text(count));
  return text;
}

Grid grid_of(const Block& block, Index m, Index n, Index k, Index batch) {
  Grid grid{static_cast<double>(m), static_cast<double>(n), static_cast<double>(k)};
  return with_extents(block, grid, static_cast<double>(batch));
}

Grid with_rows(const Block& block, Grid grid, Index m, Index batch) {
  (grid.rows_along_n > 0 ? grid.n : grid.m) = static_cast<double>(m);
  return with_extents(block, grid, static_cast<double>(batch));
}

}  // namespace jute
