#pragma once
// Kernels whose launches say how many columns their tiles have: an instruction for each width,
// subtiles for what of D they have.
#include <jute/atom/atom.hpp>
#include <jute/emit/template_set.hpp>
#include <jute/plan/values/plan.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace jute::codegen {

/// `mma_64`, …: the functions of the atoms, by their N; `mma` of one alone.
[[nodiscard]] std::string instructions_by_width(std::span<const MmaAtom> atoms,
                                                const TemplateSet& templates);

/// The text around the products of a tile: the question where there may be no k-tile, the sums
/// then, and the work that is done while products run.
struct AroundProducts {
  std::string if_any, none, meanwhile;
};
/// All k-tiles of a tile, by the atom of its width.
[[nodiscard]] std::string products_by_width(std::span<const MmaAtom> atoms,
                                            const AroundProducts& around,
                                            const TemplateSet& templates);

/// Which columns of a tile slices leave sums of: all, or those that a launch gives.
enum class Columns : std::uint8_t { all, launched };
/// Who says how many slices there are.
enum class Slices : std::uint8_t { planned, launched };
/// How slices of a tile meet in the workspace: each leaves its sums, the last adds them.
[[nodiscard]] std::string reduction_of_slices(Slices split_k, Columns columns,
                                              const TemplateSet& templates);
/// The same meeting of slices in a kernel that all of its warps drain.
[[nodiscard]] std::string reduction_of_block(const GemmStep& step, const TemplateSet& templates);

/// At the start of a turn: no subtile behind the columns of a launch, and one only when it is free.
[[nodiscard]] std::string subtile_of_width(const TemplateSet& templates);
/// Where the subtile of a turn lies: of widths, in a block's last tile, where its stages were.
[[nodiscard]] std::string subtile_place(std::span<const int> widths);
/// A subtile leaves, its boxes along `col` or `row`, of which D has neighbours: whole ones of
/// widths by one map, what is left by another. Parts of groups are all of one matrix.
[[nodiscard]] std::string subtile_store(const GemmStep& step, std::string_view along,
                                        const TemplateSet& templates);

}  // namespace jute::codegen
