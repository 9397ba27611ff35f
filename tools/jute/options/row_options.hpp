#pragma once
// The flags of tables of rows, and the tables.
#include <jute/plan/ask/problem.hpp>

#include <cstdint>
#include <string>

#include "options/group_options.hpp"
#include "tree/command_tree.hpp"

namespace jute::command {

/// As typed: a file with a table, or how many rows memory has; empty where left out.
struct RowOptions {
  std::string a, d;
};
void add_row_flags(Command& command, RowOptions& options);

/// Tables of a problem without files: so many rows.
///   throws  UsageError: a flag names a file; syntax
void put_rows(Problem& problem, const RowOptions& options);

/// The tables of a product of files, and how many rows memory has by them: A's file has as many as
/// its memory, D's as many as the table's greatest entry needs.
struct RowLists {
  GroupList a{}, d{};
  RowStore store = RowStore::put;  ///< of D
};
///   throws  UsageError: a flag names no file; unsupported: no vector of integers; what read_npy
///           throws
[[nodiscard]] RowLists read_row_lists(const RowOptions& options);
/// M is the table's length: `rows` of A become those of memory.
///   throws  illegal_problem: a table has another length than M
void take_rows(Problem& problem, const RowLists& lists);

/// Rows of a completed problem's tables, some of them none; D's differ.
[[nodiscard]] RowLists random_row_lists(const Problem& problem, std::uint64_t seed);

}  // namespace jute::command
