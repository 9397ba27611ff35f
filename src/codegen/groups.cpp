// Fills the pieces that find a block's tile.
#include "codegen/groups.hpp"

#include <jute/emit/constants.hpp>
#include <jute/plan/values/group_maps.hpp>

#include <bit>
#include <utility>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

/// The dimension that groups have parts of, and the one across.
struct Letters {
  std::string mn, MN, across, ACROSS;
};
Letters letters_of(const KernelGroups& groups) {
  return groups.along == GroupedAlong::n ? Letters{"n", "N", "m", "M"}
                                         : Letters{"m", "M", "n", "N"};
}

Piece lettered(const Kernel& kernel, const char* path) {
  const Letters letters = letters_of(*kernel.step.groups);
  return Piece(kernel.templates, path)
      .fill_if("mn", letters.mn)
      .fill_if("MN", letters.MN)
      .fill_if("across", letters.across)
      .fill_if("ACROSS", letters.ACROSS);
}

bool is_by_row(const KernelGroups& groups) { return groups.entry == GroupEntry::row; }

/// Where a group's part begins: masked ones each at the first row of their matrix.
std::string begin_in_list(const KernelGroups& groups) {
  if (is_by_row(groups)) return element("group_begin", "group");
  return groups.is_masked ? "0" : "group > 0 ? ends[group - 1] : 0";
}

/// Begins and ends of groups, where the list has an entry for each row.
std::string rows_piece(const Kernel& kernel) {
  if (!is_by_row(*kernel.step.groups)) return "";
  return lettered(kernel, "kernel/groups.cu (rows)")
      .fill("faulty", lettered(kernel, "kernel/groups.cu (faulty rows)").text())
      .text();
}

std::string table_piece(const Kernel& kernel) {
  const KernelGroups& groups = *kernel.step.groups;
  return waits_for_previous(kernel.step) + rows_piece(kernel) +
         lettered(kernel, "kernel/groups.cu (table)")
             .fill("begin", begin_in_list(groups))
             .fill("end", element(is_by_row(groups) ? "behind_group" : "ends", "group"))
             .text();
}

/// Where the part of a group begins that is not masked.
std::string begin_of_part(const KernelGroups& groups, const char* matrix) {
  return element(is_by_row(groups) ? "group_begin" : "group_end", matrix);
}

bool is_cut_along(const GemmStep& step, const OperandSide& side) {
  return deals_tiles(step.groups) && name(step.groups->along) == side.mn_lower;
}

/// The list's names for what the kernel calls a, b, m and n.
Piece& with_names_of_list(Piece& piece, const GemmStep& step) {
  const auto fill = [&](const char* hole, const char* other) {
    piece.fill_if(hole, step.transposed ? other : hole);
  };
  fill("a", "b");
  fill("b", "a");
  fill("m", "n");
  fill("n", "m");
  return piece;
}

/// A piece of kernel/each.cu.
std::string each_piece(const Kernel& kernel, const char* name) {
  Piece piece(kernel.templates, base::format("kernel/each.cu ({})", name));
  return with_names_of_list(piece, kernel.step).text();
}

/// C of a group that is a problem of its own, where the epilogue reads it.
std::string own_c(const Kernel& kernel) {
  return c_read(kernel.step.epilogue.expression) == CRead::never ? "" : each_piece(kernel, "c");
}

/// The condition that an entry of the list must hold.
std::string right_entry(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const CRead read = c_read(step.epilogue.expression);
  const auto lies = [&](const char* of_list, const char* type, size_t operand) {
    return base::format("lies(one.{}, one.ld{} * sizeof({}), {})", of_list, of_list, type,
                        step.groups->alignment.at(operand));
  };
  std::string in_memory = lies(step.transposed ? "b" : "a", "ElemA", 0) + " && " +
                          lies(step.transposed ? "a" : "b", "ElemB", 1) + " && " +
                          lies("d", "ElemD", 3);
  if (read == CRead::always) in_memory += " && " + lies("c", "ElemC", 2);
  if (read == CRead::unless_beta_is_zero)
    in_memory += " && (beta == 0 || " + lies("c", "ElemC", 2) + ")";
  if (makes_maps(step)) in_memory += " && one.lda >= 0 && one.ldb >= 0";
  Piece right(kernel.templates, "kernel/each.cu (right)");
  return with_names_of_list(right.fill("lies", in_memory), step).text();
}

/// The tile of a block whose group has extents and operands of its own.
std::string each_place(const Kernel& kernel) {
  return each_piece(kernel, "raster") + right_entry(kernel) +
         text(kernel, "kernel/each.cu (check)") + text(kernel, "kernel/raster.cu (tile)") +
         text(kernel, "kernel/raster.cu (origin)") + each_piece(kernel, "operands") + own_c(kernel);
}

/// Which part of K the group of a tile has.
std::string part_piece(const Kernel& kernel, const char* place, const char* matrix) {
  return Piece(kernel.templates, "kernel/groups.cu (part of a tile)")
      .fill("place", place)
      .fill("matrix", matrix)
      .text();
}

/// The base of a group's operand, its lines and their distance, as its map has them.
std::string map_fields(const GemmStep& step, const OperandSide& side) {
  if (has_parts_of_k(step.groups))
    return base::format("{0} + first_k * ld{0}, {1}, k - first_k, ld{0} * {2}", side.lower,
                        side.mn_lower, width_bytes(side.plan->type));
  const char* const of_list = step.transposed == (side.operand == Operand::a) ? "b" : "a";
  const char* const mn = step.transposed == (side.operand == Operand::a) ? "n" : "m";
  const bool by_k = side.plan->major == Major::k;
  return base::format("own.{0}, own.{1}, own.{2}, own.ld{0} * {3}", of_list, by_k ? "k" : mn,
                      by_k ? mn : "k", width_bytes(side.plan->type));
}

/// The tiles of a group along M and along N.
void fill_tiles(Piece& piece, const KernelGroups& groups, const std::string& of_group) {
  const bool along_n = groups.along == GroupedAlong::n;
  piece.fill("rows", along_n ? "tiles_across" : of_group)
      .fill("columns", along_n ? of_group : "tiles_across");
}

/// Which tile of which matrix of the batch a block has, where some are not cut into slices.
std::string whole_tiles_piece(const Kernel& kernel, const char* matrix) {
  return Piece(kernel.templates, "kernel/raster.cu (whole tiles)").fill("matrix", matrix).text();
}

}  // namespace

std::string group_types(const Kernel& kernel) {
  const std::optional<KernelGroups>& groups = kernel.step.groups;
  if (!groups) return "";
  if (lists_operands(groups))
    return text(kernel, "kernel/each.cu") + alias("GroupEnd", "EachGroup");
  return alias("GroupEnd", groups->index == GroupIndex::i64 ? "long long" : "int");
}

std::string group_constants(const GemmStep& step) {
  if (!step.groups) return "";
  const auto count = static_cast<unsigned>(step.groups->count);
  std::string text = constant("kProblemGroups", count, "problems, by the list `ends`");
  const bool is_own = makes_maps(step);
  if (!deals_tiles(step.groups) && !is_own) return text;
  const Index offset = smem_region(step, "groups").offset,
              of_maps = is_own ? kMapsOfGroup * kMadeMapBytes : 0;
  constexpr unsigned kLanes = 32;
  if (!has_parts_of_k(step.groups))
    text +=
        constant("kGroupSearch", std::bit_floor(count), "first step of the search for a tile's") +
        constant("kGroupsOfLane", (count + kLanes - 1) / kLanes, "that a lane reads of the list") +
        constant("kGroupsOffset", offset + of_maps, "their tables");
  return text + (is_own ? constant("kMapsOffset", offset, "maps of a group's operands") +
                              constant("kMapTurns", map_turns(*step.groups), "pairs of them in use")
                        : "");
}

std::string group_functions(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const bool are_listed = lists_operands(step.groups) && makes_maps(step);
  return deals_tiles(step.groups) || are_listed ? text(kernel, "kernel/groups.cu (search)") : "";
}

std::string staged_place(const Kernel& kernel) {
  const std::optional<KernelGroups>& groups = kernel.step.groups;
  std::string place;
  if (lists_operands(groups)) return each_place(kernel);
  if (deals_tiles(groups)) {
    Piece raster = lettered(kernel, "kernel/raster.cu (groups)");
    fill_tiles(raster, *groups, "tiles_before[matrix + 1] - first_tile");
    place = table_piece(kernel) + raster.text();
  } else {
    place = kernel.step.schedule.whole_tiles > 0 ? whole_tiles_piece(kernel, "matrix")
                                                 : text(kernel, "kernel/raster.cu");
  }
  place += text(kernel, "kernel/raster.cu (tile)") + origin_piece(kernel);
  return has_parts_of_k(groups) ? place + text(kernel, "kernel/groups.cu (part of k)") : place;
}

std::string dealt_place(const Kernel& kernel) {
  const std::string maps =
      makes_maps(kernel.step) ? text(kernel, "kernel/each.cu (maps)") : std::string();
  if (lists_operands(kernel.step.groups))
    return waits_for_previous(kernel.step) + right_entry(kernel) + each_piece(kernel, "table") +
           each_piece(kernel, "place") + maps;
  if (has_parts_of_k(kernel.step.groups))
    return waits_for_previous(kernel.step) + text(kernel, "kernel/groups.cu (parts of k)") + maps;
  Piece place = lettered(kernel, "specialised/place.cu (problem groups)");
  fill_tiles(place, *kernel.step.groups, "of_group");
  return table_piece(kernel) + place.text();
}

std::string cut_place(const Kernel& kernel) {
  return whole_tiles_piece(kernel, "of_batch") +
         text(kernel, "specialised/place.cu (behind whole tiles)");
}

std::string maps_of_tile(const Kernel& kernel) {
  if (!makes_maps(kernel.step)) return "";
  const std::string of_tile = has_parts_of_k(kernel.step.groups)
                                  ? part_piece(kernel, "Place at", "at.matrix")
                                  : text(kernel, "kernel/each.cu (group of a tile)");
  Piece maps(kernel.templates, "kernel/each.cu (maps of a tile)");
  return of_tile + maps.fill("end", map_turns(*kernel.step.groups) == 1 ? "issued" : "maps_left")
                       .fill("replace_a", map_fields(kernel.step, kernel.side_a))
                       .fill("replace_b", map_fields(kernel.step, kernel.side_b))
                       .text();
}

std::string origin_piece(const Kernel& kernel) {
  const std::optional<KernelGroups>& groups = kernel.step.groups;
  if (lists_operands(groups))
    return each_piece(kernel, "tile") + own_c(kernel) + text(kernel, "kernel/raster.cu (origin)");
  if (!deals_tiles(groups)) return text(kernel, "kernel/raster.cu (origin)");
  const auto first = [&](GroupedAlong along, const char* in_part) {
    const bool is_part = groups->along == along && !groups->is_masked;
    return (is_part ? begin_of_part(*groups, "matrix") + " + " : "") + std::string(in_part);
  };
  return lettered(kernel, "kernel/groups.cu (origin)")
      .fill("first_m", first(GroupedAlong::m, "tile_m * kTileM"))
      .fill("first_n", first(GroupedAlong::n, "tile_n * kTileN"))
      .fill("end", "group_end[matrix + 1]")
      .text();
}

std::string first_of_box(const GemmStep& step, const OperandSide& side) {
  const std::string in_part = base::format("at.tile_{} * kTile{}", side.mn_lower, side.mn_upper);
  const bool is_part = is_cut_along(step, side) && !step.groups->is_masked;
  return is_part ? begin_of_part(*step.groups, "at.matrix") + " + " + in_part : in_part;
}

std::string end_of_part(const GemmStep& step, const OperandSide& side) {
  return is_cut_along(step, side) ? "group_end[at.matrix + 1]" : side.mn_lower;
}

std::string length_of_part(const GemmStep& step, const OperandSide& side) {
  const bool begins_anywhere = is_cut_along(step, side) && !step.groups->is_masked;
  return end_of_part(step, side) +
         (begins_anywhere ? " - " + begin_of_part(*step.groups, "at.matrix") : "");
}

std::string work_of_rows(const Kernel& kernel, std::string work) {
  const GemmStep& step = kernel.step;
  const TiledMma& mma = step.mma;
  const bool is_alone = step.schedule.ping_pong == 1 && size(mma.atom_layout()[1]) == 1;
  if (!deals_tiles(step.groups) || step.groups->along != GroupedAlong::m || !is_alone ||
      !descriptor_of(step.a) || size(mma.atom_layout()[0]) == 1)
    return work;
  return Piece(kernel.templates, "specialised/products.cu (pass)")
      .fill("rows", mma.atom().shape.m)
      .fill("work", std::move(work))
      .text();
}

std::string subtile_edge(const TemplateSet& templates, const GemmStep& step) {
  if (step.epilogue.drain->exit != SubtileExit::rows_at_edge) return "";
  const bool is_row = step.epilogue.d_order == Order::row;
  if (step.epilogue.d_boxed)
    return Piece(templates, "specialised/subtiles.cu (edge of a view)")
        .fill("chunks", is_row ? "kSubtileColumns / kOutElems" : "kSubtileRows / kOutElems")
        .fill("line", is_row ? "i / kChunks" : "i % kChunks * kOutElems")
        .fill("first", is_row ? "i % kChunks * kOutElems" : "i / kChunks")
        .fill("place", step.transposed ? "col + first, row + line" : "row + line, col + first")
        .fill("left", is_row ? "n - col - first" : "m - row - line")
        .text();
  return Piece(templates, deals_tiles(step.groups) ? "specialised/subtiles.cu (edge of a group)"
                                                   : "specialised/subtiles.cu (edge)")
      .text();
}

std::string part_of_tile(const Kernel& kernel) {
  return has_parts_of_k(kernel.step.groups) ? part_piece(kernel, "int matrix", "matrix") : "";
}

std::string part_of_k_sources(const Kernel& kernel) {
  if (!has_parts_of_k(kernel.step.groups)) return "";
  std::string sources;
  for (const OperandSide* side : {&kernel.side_a, &kernel.side_b})
    sources +=
        lettered(kernel.templates, "copy/operand.cu (group)", *side)
            .fill("at", side->plan->major == Major::k ? "first_k" : "first_k * ld" + side->lower)
            .text();
  return sources;
}

}  // namespace jute::codegen
