// Tables of rows from flags, from files or from a seed.
#include "options/row_options.hpp"

#include <jute/host/random_numbers.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "command/command_line.hpp"
#include "files/file_matrix.hpp"

namespace jute::command {
namespace {

bool is_file(const std::string& text) { return text.ends_with(".npy"); }

GroupList read_table(const char* flag, const std::string& path) {
  if (path.empty()) return {};
  if (!is_file(path))
    throw UsageError(
        flag, std::string("it must name a file with the table, for example ") + flag + " rows.npy");
  return read_list(path, "a table of rows");
}

/// Rows in any order, a tenth of them none; each once where there are enough.
GroupList random_table(const std::optional<RowTable>& table, Index m, RandomNumbers numbers) {
  if (!table) return {};
  GroupList list{.index = table->index};
  std::vector<Index> rows(static_cast<size_t>(table->rows));
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<Index>(i);
    std::swap(rows[i], rows[numbers.bits() % (i + 1)]);
  }
  for (Index i = 0; i < m; ++i) {
    const bool is_none = rows.empty() || numbers.bits() % 10 == 0;
    list.values.push_back(is_none ? -1 : rows[static_cast<size_t>(i % table->rows)]);
  }
  return list;
}

void check_length(const GroupList& list, Index m) {
  if (list.file.empty() || static_cast<Index>(list.values.size()) == m) return;
  refuse_data(list.file, std::to_string(list.values.size()) + " entries",
              "a table must have an entry for each row of the product, of which there are " +
                  std::to_string(m),
              std::to_string(m));
}

/// An entry is a row of memory, or -1, which is none.
void check_entries(const GroupList& list, Index rows) {
  for (size_t i = 0; i < list.values.size(); ++i)
    if (const Index row = list.values[i]; row < -1 || row >= rows)
      refuse_data(list.file, std::to_string(row),
                  "entry " + std::to_string(i) + " must be -1, which is none, or a row from 0 to " +
                      std::to_string(rows - 1),
                  std::to_string(std::clamp<Index>(row, -1, rows - 1)));
}

}  // namespace

RowLists read_row_lists(const SaidFlags& said) {
  constexpr std::string_view kAdd = ":add";
  RowLists lists{read_table("--rows-a", said["rows_a"]), {}};
  std::string d = said["rows_d"];
  if (d.ends_with(kAdd)) {
    d.resize(d.size() - kAdd.size());
    lists.store = RowStore::add;
  }
  lists.d = read_table("--rows-d", d);
  return lists;
}

void take_rows(Problem& problem, const RowLists& lists) {
  if (!lists.a.file.empty()) {
    check_entries(lists.a, problem.m);
    problem.a.rows = RowTable{lists.a.index, problem.m};
    problem.m = static_cast<Index>(lists.a.values.size());
  }
  check_length(lists.d, problem.m);
  if (lists.d.file.empty()) return;
  const auto greatest = std::ranges::max_element(lists.d.values);
  const Index last = greatest == lists.d.values.end() ? -1 : *greatest;
  problem.d.rows = RowTable{lists.d.index, std::max<Index>(last, 0) + 1, lists.store};
  check_entries(lists.d, problem.d.rows->rows);
}

RowLists random_row_lists(const Problem& problem, std::uint64_t seed) {
  return {random_table(problem.a.rows, problem.m, RandomNumbers(seed + 1)),
          random_table(problem.d.rows, problem.m, RandomNumbers(seed + 2))};
}

}  // namespace jute::command
