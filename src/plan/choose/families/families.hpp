#pragma once
// Candidates that families of kernels offer for a problem, each candidate with what the law expects
// of it.
#include "plan/choose/families/asked.hpp"
#include "plan/choose/families/ranked_list.hpp"

namespace jute::plan {

/// Adds what they have, those first that are short by nature: what these take bounds what others
/// look for.
void add_families(Asked& asked, RankedList& list, Readers readers);

/// Tiles of warpgroups, which have clusters, teams and several ways to add slices: of the short
/// list that problems share, or of all; what the caller chose, where it chose a tile.
void look_at_warpgroups(Asked& asked, bool are_shared, Fastest<RankedTile>& best);
/// One for each instruction that the chip has for the tile.
[[nodiscard]] std::vector<Candidate> candidates_of_warpgroups(const Asked& asked, Tile tile);
/// Rows of tables, in the order of the table: there is always one, for any types and any chip.
void add_table_rows(Asked& asked, RankedList& list, Readers readers);

}  // namespace jute::plan
