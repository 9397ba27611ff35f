#pragma once
// Tables of rows, from files or from a seed.
#include <jute/plan/ask/problem.hpp>

#include <cstdint>
#include "options/group_options.hpp"

namespace jute::command {

/// The tables of a product of files, and how many rows memory has by them: A's file has as many as
/// its memory, D's as many as the table's greatest entry needs.
struct RowLists {
  GroupList a{}, d{};
  RowStore store = RowStore::put;  ///< of D
};
///   throws  UsageError: a flag names no file; unsupported: no vector of integers; what read_npy
///           throws
[[nodiscard]] RowLists read_row_lists(const SaidFlags& said);
/// M is the table's length: `rows` of A become those of memory.
///   throws  illegal_problem: a table has another length than M
void take_rows(Problem& problem, const RowLists& lists);

/// Rows of a completed problem's tables, some of them none; D's differ.
[[nodiscard]] RowLists random_row_lists(const Problem& problem, std::uint64_t seed);

}  // namespace jute::command
