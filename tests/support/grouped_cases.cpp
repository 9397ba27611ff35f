// Draws kinds and lists of groups; says of each element whose it is, by the list alone.
#include "support/grouped_cases.hpp"

#include <jute/plan/ask/epilogue.hpp>

#include <algorithm>
#include <random>

namespace jute::test {
namespace {

class GroupDraw {
 public:
  explicit GroupDraw(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ull + 11) {}
  Index below(Index count) {
    return static_cast<Index>(engine_() % static_cast<std::uint64_t>(std::max<Index>(count, 1)));
  }
  bool one_in(Index count) { return below(count) == 0; }
  Index extent(Index most) {
    constexpr Index kOdd[] = {0, 1, 2, 7, 17, 33, 64, 97, 128};
    if (is_even_) return std::min(most / 8 * 8, 8 * (1 + below(most / 8)));
    return one_in(2) ? std::min(most, kOdd[below(std::size(kOdd))]) : below(most + 1);
  }
  /// Extents are multiples of 8, so that TMA may bring and store tiles.
  void keep_even() { is_even_ = true; }
  [[nodiscard]] bool is_even() const { return is_even_; }
  Index padding() { return is_even_ ? 8 * below(3) : below(9); }
  /// How many each group has: `all` together at most, or each at most.
  std::vector<Index> sizes(Index groups, Index all) {
    std::vector<Index> sizes(static_cast<std::size_t>(groups));
    const Index manner = below(5);
    Index left = all;
    for (Index& size : sizes) {
      size = manner == 0   ? 0
             : manner == 1 ? std::min<Index>(left, 1)
             : manner == 2 ? all / groups
                           : below(std::min(left, 2 * all / groups + 1) + 1);
      left -= size;
    }
    if (manner == 4) std::ranges::fill(sizes, 0), sizes[static_cast<size_t>(below(groups))] = all;
    return sizes;
  }

 private:
  bool is_even_ = false;
  std::mt19937_64 engine_;
};

void draw_matrix(GroupDraw& draw, Matrix& matrix, Index rows, Index cols) {
  matrix.order = draw.one_in(2) ? Order::row : Order::col;
  const Index inner = matrix.order == Order::row ? cols : rows;
  if (draw.one_in(3)) matrix.ld_elems = std::max<Index>(inner, 1) + draw.padding();
  if (!draw.is_even() && draw.one_in(4)) matrix.alignment_bytes = width_bytes(matrix.type);
}

/// Matrices that groups do not share lie further apart than they are long.
void draw_batch_stride(GroupDraw& draw, Matrix& matrix, Index rows, Index cols) {
  if (!draw.one_in(4)) return;
  const bool is_row = matrix.order == Order::row;
  const Index inner = std::max<Index>(is_row ? cols : rows, 1);
  if (matrix.ld_elems == 0) matrix.ld_elems = inner;
  matrix.batch_stride_elems =
      matrix.ld_elems * std::max<Index>(is_row ? rows : cols, 1) + draw.padding();
}

void draw_batch_strides(GroupDraw& draw, Problem& problem) {
  const GroupKind kind = problem.groups->kind;
  const bool is_masked = kind == GroupKind::masked_rows;
  if (is_masked || kind == GroupKind::cols)
    draw_batch_stride(draw, problem.a, problem.m, problem.k);
  if (is_masked || kind == GroupKind::rows)
    draw_batch_stride(draw, problem.b, problem.k, problem.n);
  if (!is_masked && kind != GroupKind::k) return;
  draw_batch_stride(draw, problem.c, problem.m, problem.n);
  draw_batch_stride(draw, problem.d, problem.m, problem.n);
}

/// The same parts in another order, here and there rows of none behind one.
std::vector<Index> draw_row_groups(GroupDraw& draw, const std::vector<Index>& ends, Index rows) {
  std::vector<Index> list(static_cast<std::size_t>(rows), -1);
  const Index count = std::ssize(ends), turn = draw.below(count);
  Index row = 0;
  for (Index i = 0; i < count; ++i) {
    const auto group = static_cast<std::size_t>((i + turn) % count);
    const Index size = ends[group] - (group == 0 ? 0 : ends[group - 1]);
    const Index left = draw.one_in(3) ? std::min(size, draw.below(9)) : 0;
    std::fill_n(list.begin() + row, size - left, static_cast<Index>(group));
    row += size;
  }
  return list;
}

/// Factors, and a row of values, of each group.
void draw_values_of_groups(GroupDraw& draw, GemmCase& grouped) {
  Problem& problem = grouped.problem;
  const bool has_reals = problem.accumulate == DType::f32 || problem.accumulate == DType::f64;
  if (problem.epilogue || !has_reals || !draw.one_in(3)) return;
  const bool has_c = draw.one_in(2);
  problem.epilogue =
      Epilogue{.expression = parse_epilogue(has_c ? "alpha*(s[batch]*acc) + t[batch]*(beta*c)"
                                                  : "alpha*(s[batch]*acc)*w[m] + bias[batch,n]")};
  if (!has_c) grouped.beta = 0;
}

/// Where the element's coordinate along what groups cut lies in the group of that number.
bool is_in(const GemmCase& grouped, std::size_t group, Index at) {
  const std::vector<Index>& ends = grouped.ends;
  if (grouped.problem.groups->entry == GroupEntry::row)
    return ends[static_cast<std::size_t>(at)] == static_cast<Index>(group);
  const bool begins_at_0 = group == 0 || grouped.problem.groups->kind == GroupKind::masked_rows;
  return (begins_at_0 ? 0 : ends[group - 1]) <= at && at < ends[group];
}

bool is_in_any(const GemmCase& grouped, Index at) {
  for (std::size_t group = 0; group < static_cast<std::size_t>(grouped.problem.batch); ++group)
    if (is_in(grouped, group, at)) return true;
  return false;
}

}  // namespace

bool is_computed(const GemmCase& grouped, Index matrix, Index row, Index col) {
  switch (grouped.problem.groups->kind) {
    case GroupKind::rows:
      return is_in_any(grouped, row);
    case GroupKind::cols:
      return is_in_any(grouped, col);
    case GroupKind::masked_rows:
      return is_in(grouped, static_cast<std::size_t>(matrix), row);
    case GroupKind::k:
    case GroupKind::each:
      break;
  }
  return true;
}

bool is_read(const GemmCase& grouped, bool is_a, Index matrix, Index line, Index k) {
  const GroupKind kind = grouped.problem.groups->kind;
  if (kind == GroupKind::k) return is_in_any(grouped, k);
  if (kind == GroupKind::masked_rows)
    return !is_a || is_in(grouped, static_cast<std::size_t>(matrix), line);
  return is_a != (kind == GroupKind::rows) || is_in_any(grouped, line);
}

GemmCase grouped_case(const CaseTypes& types, int index) {
  GroupDraw draw(static_cast<std::uint64_t>(index) * 64 + static_cast<std::uint64_t>(types.a));
  GemmCase grouped;
  grouped.seed = static_cast<std::uint64_t>(index);
  constexpr GroupKind kKinds[] = {GroupKind::rows, GroupKind::rows, GroupKind::cols,
                                  GroupKind::masked_rows, GroupKind::k};
  Problem& problem = grouped.problem;
  const GroupKind kind = kKinds[index % 5];
  if (index % 2 == 0) draw.keep_even();
  problem.batch = draw.one_in(8) ? 1 + draw.below(70) : 1 + draw.below(9);
  problem.m = draw.extent(kind == GroupKind::rows ? 400 : 150);
  problem.n = draw.extent(kind == GroupKind::cols ? 400 : 150);
  problem.k = draw.extent(kind == GroupKind::k ? 400 : 150);
  problem.a.type = types.a;
  problem.b.type = types.b;
  problem.c.type = types.c;
  problem.d.type = types.d;
  problem.accumulate = types.accumulate;
  draw_matrix(draw, problem.a, problem.m, problem.k);
  draw_matrix(draw, problem.b, problem.k, problem.n);
  draw_matrix(draw, problem.c, problem.m, problem.n);
  draw_matrix(draw, problem.d, problem.m, problem.n);
  problem.groups = Groups{.kind = kind,
                          .index = draw.one_in(2) ? GroupIndex::i32 : GroupIndex::i64,
                          .expected = draw.one_in(3) ? 1 + draw.below(200) : 0};
  const Index cut = kind == GroupKind::cols ? problem.n
                    : kind == GroupKind::k  ? problem.k
                                            : problem.m;
  if (kind == GroupKind::masked_rows)
    for (Index group = 0; group < problem.batch; ++group)
      grouped.ends.push_back(draw.below(cut + 1));
  else
    for (const Index size : draw.sizes(problem.batch, cut))
      grouped.ends.push_back((grouped.ends.empty() ? 0 : grouped.ends.back()) + size);
  problem.alpha = draw.one_in(2) ? Factor::one : Factor::run_time;
  if (problem.alpha == Factor::run_time) grouped.alpha = 2;
  grouped.beta = draw.one_in(3) ? 1 : 0;
  if (draw.one_in(4) && problem.accumulate == DType::f32) {
    const bool has_c = draw.one_in(2);
    problem.epilogue =
        Epilogue{.expression = parse_epilogue(has_c ? "relu(alpha*acc + bias[n]) + beta*c"
                                                    : "alpha*w[m]*acc + residual[m,n]")};
    if (!has_c) grouped.beta = 0;
  }
  grouped.fill = draw.one_in(3) ? Fill::normal : Fill::integers;
  draw_batch_strides(draw, problem);
  draw_values_of_groups(draw, grouped);
  if (kind == GroupKind::rows && draw.one_in(2)) {
    problem.groups->entry = GroupEntry::row;
    grouped.ends = draw_row_groups(draw, grouped.ends, problem.m);
  }
  return grouped;
}

}  // namespace jute::test
