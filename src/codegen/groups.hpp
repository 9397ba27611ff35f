#pragma once
// Where a block's tile lies: by its number alone, or by the device's list of groups.
#include <string>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// Numbers of the list and of its tables in shared memory; none without groups.
[[nodiscard]] std::string group_types(const Kernel& kernel);
[[nodiscard]] std::string group_constants(const GemmStep& step);
/// `group_of`, where tiles are dealt.
[[nodiscard]] std::string group_functions(const Kernel& kernel);
/// The block's tile in kernels without a producer, where it begins, and its part of K.
[[nodiscard]] std::string staged_place(const Kernel& kernel);
/// How many tiles kernels with a producer have, and `place_of`.
[[nodiscard]] std::string dealt_place(const Kernel& kernel);
/// The same where blocks lie in a row: whole tiles first, then slices.
[[nodiscard]] std::string cut_place(const Kernel& kernel);
/// Where the producer makes maps of the tile's group: that, and how many k-tiles it has.
[[nodiscard]] std::string maps_of_tile(const Kernel& kernel);
/// Where the tile begins, and where what it is a part of ends.
[[nodiscard]] std::string origin_piece(const Kernel& kernel);
/// The first row or column of a box of a producer's tile, `at`.
[[nodiscard]] std::string first_of_box(const GemmStep& step, const OperandSide& side);
/// Where what a producer's tile is a part of ends, and how long it is: the extent, or its group's
/// part.
[[nodiscard]] std::string end_of_part(const GemmStep& step, const OperandSide& side);
[[nodiscard]] std::string length_of_part(const GemmStep& step, const OperandSide& side);
/// The work of a group of consumers with a tile, left out where the tile has none of its rows.
[[nodiscard]] std::string work_of_rows(const Kernel& kernel, std::string work);
/// A subtile that threads store where D, or what its tile is a part of, ends inside; none where
/// boxes do.
[[nodiscard]] std::string subtile_edge(const TemplateSet& templates, const GemmStep& step);
/// The part of K that a tile's group has, in a kernel that walks over tiles.
[[nodiscard]] std::string part_of_tile(const Kernel& kernel);
/// Both operands from the first k of the block's group on.
[[nodiscard]] std::string part_of_k_sources(const Kernel& kernel);

}  // namespace jute::codegen
