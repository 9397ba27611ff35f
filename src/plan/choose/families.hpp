#pragma once
// Families of kernels: each adds to the one list what it has for a problem, with what the model
// expects of it, where the caller leaves room for it.
#include "plan/choose/asked.hpp"
#include "plan/choose/ranked/ranked_list.hpp"

namespace jute::plan {

// Straight from global memory.
void add_dot_products(Asked& asked, RankedList& list);
void add_lines(Asked& asked, RankedList& list);
void add_straight_tiles(Asked& asked, RankedList& list);
void add_lane_tiles(Asked& asked, RankedList& list);

// By tiles in shared memory.
void add_thread_groups(Asked& asked, RankedList& list);
void add_thread_tiles(Asked& asked, RankedList& list);
void add_warpgroups(Asked& asked, RankedList& list);
void add_warp_groups(Asked& asked, RankedList& list);
void add_warp_tiles(Asked& asked, RankedList& list);
/// Rows of tables, in the order of the table: there is always one, for any types and any chip.
void add_table_rows(Asked& asked, RankedList& list);

}  // namespace jute::plan
