#pragma once
// Accumulators on their way to D through subtiles of shared memory.
#include <jute/plan/derive/operand/fragment.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>

namespace jute::plan {

/// Where threads store rows of D.
struct RowStores {
  Index room = 0;               ///< columns of a subtile that there is room for
  bool begin_anywhere = false;  ///< the rows; else at multiples of 16 bytes
};

/// The drain of a fragment of accumulators by matrix stores, or of 8-bit floats and elements of 32
/// bits by pairs of neighbours, and from there by TMA, or `by_rows`. Nothing where there is none:
/// D's type is of other widths, its rows are to be stored by threads but are not contiguous or not
/// of 16 bits, or what a group of threads holds is no stack of subtiles. Subtiles along M of more
/// than the usual columns have `room` at most.
[[nodiscard]] std::optional<SubtileDrain> subtile_drain(const GemmStep& step, const Fragment& c,
                                                        const Catalogue& catalogue,
                                                        std::optional<RowStores> by_rows,
                                                        Index room);

/// The matrix load that finds C in the drain's subtiles as its matrix store leaves D there.
[[nodiscard]] std::optional<CopyAtom> load_like_store(const SubtileDrain& drain,
                                                      const GemmStep& step, const Fragment& c,
                                                      const Catalogue& catalogue);

/// The subtile, the atom and the addresses that `drain` names, derived once more from its subtile.
[[nodiscard]] std::optional<SubtileDrain> derived_again(const SubtileDrain& drain,
                                                        const GemmStep& step, const Fragment& c);

}  // namespace jute::plan
