// Draws tables of rows over products of every order that they may have.
#include "support/row_table_cases.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "support/grouped_cases.hpp"

namespace jute::test {
namespace {

class TableDraw {
 public:
  explicit TableDraw(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ull + 77) {}
  Index below(Index count) {
    return static_cast<Index>(engine_() % static_cast<std::uint64_t>(std::max<Index>(count, 1)));
  }
  bool one_in(Index count) { return below(count) == 0; }
  /// An entry that names no row of memory, but for one that is -1.
  Index no_row(const RowTable& table) {
    if (one_in(2)) return -1;
    const Index beyond = table.index == GroupIndex::i64 && one_in(2) ? Index{1} << 33 : 0;
    return one_in(2) ? -2 - beyond : table.rows + below(3) + beyond;
  }
  RowTable table(Index m) {
    return {one_in(2) ? GroupIndex::i32 : GroupIndex::i64,
            one_in(3) ? std::max<Index>(m, 1) : 1 + below(2 * m + 2)};
  }
  std::vector<Index> permutation(Index count) {
    std::vector<Index> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), Index{0});
    std::shuffle(rows.begin(), rows.end(), engine_);
    return rows;
  }

 private:
  std::mt19937_64 engine_;
};

void lie_by_rows(Matrix& matrix, TableDraw& draw, Index columns) {
  matrix.order = Order::row;
  matrix.ld_elems = draw.one_in(3) ? std::max<Index>(columns, 1) + draw.below(9) : 0;
  matrix.batch_stride_elems = 0;
}

}  // namespace

GemmCase row_table_case(const CaseTypes& types, int index) {
  TableDraw draw(static_cast<std::uint64_t>(index) * 64 + static_cast<std::uint64_t>(types.a));
  // The first two of five grouped cases are cut by rows.
  GemmCase one = index % 3 == 0 ? grouped_case(types, index / 3 * 5 + index % 2)
                                : random_case(types, index * kCasesPerClass);
  Problem& problem = one.problem;
  problem.m_range.reset();
  one.config = {};
  const bool has_a = !draw.one_in(3), has_d = !has_a || draw.one_in(2);
  if (has_a) {
    lie_by_rows(problem.a, draw, problem.k);
    problem.a.rows = draw.table(problem.m);
    for (Index row = 0; row < problem.m; ++row)
      one.rows_a.push_back(draw.one_in(8) ? draw.no_row(*problem.a.rows)
                                          : draw.below(problem.a.rows->rows));
  }
  if (has_d) {
    lie_by_rows(problem.d, draw, problem.n);
    problem.d.rows = draw.table(problem.m);
    const bool can_add = problem.d.type == DType::f32 || problem.d.type == DType::f64 ||
                         problem.d.type == DType::s32;
    if (can_add && draw.one_in(2)) problem.d.rows->store = RowStore::add;
    const std::vector<Index> rows = draw.permutation(problem.d.rows->rows);
    for (Index row = 0; row < problem.m; ++row) {
      const auto at = static_cast<std::size_t>(row);
      const bool is_added = problem.d.rows->store == RowStore::add;
      if (is_added && !draw.one_in(8)) {
        one.rows_d.push_back(draw.below(problem.d.rows->rows));
        continue;
      }
      one.rows_d.push_back(at >= rows.size() || draw.one_in(8) ? draw.no_row(*problem.d.rows)
                                                               : rows[at]);
    }
  }
  return one;
}

}  // namespace jute::test
