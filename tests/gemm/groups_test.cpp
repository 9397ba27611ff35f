// Problems of groups through the emulator: what is computed, what stays, and what a wrong list
// does.
#include <jute/emulator/emulator.hpp>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/grouped_cases.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("products of random groups come out right and touch nothing else", "[gemm][groups]") {
  const int cases_of_type = draws(20);
  for (const TypeFamily& family : kTypeFamilies) {
    Context context(open_emulator(), with_kept_kernels());
    UNSCOPED_INFO(family.name);
    for (int index = 0; index < cases_of_type; ++index) {
      const GemmCase one = grouped_case(family.types, index);
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      UNSCOPED_INFO(failure);
      CHECK(failure.empty());
    }
  }
}

namespace {

/// 16 by 8 of bf16, of which every run computes its groups by one list.
struct GroupedRun {
  explicit GroupedRun(const Problem& asked, const Config& config = {})
      : problem(completed(asked)),
        context(open_emulator(), with_kept_kernels()),
        gemm(prepare(context, asked, config)),
        a(buffer(operand_bytes(problem)[TensorRole::a], 0x3f)),
        b(buffer(operand_bytes(problem)[TensorRole::b], 0x3e)),
        d(buffer(operand_bytes(problem)[TensorRole::d], 0xff)),
        workspace(buffer(gemm.workspace_bytes(), 0xff)) {
    gemm.clear_workspace(workspace.pointer());
  }

  /// D's bytes behind a run that began with poison there.
  std::vector<std::byte> run(const std::vector<std::int32_t>& list) {
    Backend& backend = context.backend();
    const Buffer ends(backend, static_cast<Index>(list.size() * sizeof(std::int32_t)));
    if (!list.empty()) backend.copy_in(ends.pointer(), std::as_bytes(std::span(list)));
    backend.fill(d.pointer(), 0xff, d.size_bytes());
    gemm.run({.a = a.pointer(),
              .b = b.pointer(),
              .d = d.pointer(),
              .workspace = workspace.pointer(),
              .ends = ends.pointer()});
    backend.synchronize();
    std::vector<std::byte> bytes(static_cast<size_t>(d.size_bytes()));
    if (!bytes.empty()) backend.copy_out(bytes, d.pointer());
    return bytes;
  }
  [[nodiscard]] std::optional<Index> fault() const { return gemm.group_fault(workspace.pointer()); }

  Problem problem;
  Context context;
  Gemm gemm;
  Buffer a, b, d, workspace;

 private:
  Buffer buffer(Index bytes, std::uint8_t value) {
    Buffer result(context.backend(), bytes);
    if (bytes > 0) context.backend().fill(result.pointer(), value, bytes);
    return result;
  }
};

Problem grouped_problem(std::string_view rest) {
  return parse_problem("A=bf16:row B=bf16:col D=bf16:row alpha=1 beta=0 " + std::string(rest));
}

bool is_poison(std::byte byte) { return byte == std::byte{0xff}; }

Index untouched_rows(const std::vector<std::byte>& d, Index row_bytes) {
  Index rows = 0;
  for (auto row = d.begin(); row < d.end(); row += row_bytes)
    rows += std::all_of(row, row + row_bytes, is_poison);
  return rows;
}

}  // namespace

TEST_CASE("a list that breaks its rule computes nothing and says which entry",
          "[gemm][groups][refusal]") {
  struct WrongList {
    const char* problem;
    std::vector<std::int32_t> list;
    Index entry;
  };
  for (const auto& [problem, list, entry] :
       {WrongList{"M=100 N=64 K=64 batch=3 groups=rows", {40, 30, 100}, 1},
        WrongList{"M=100 N=64 K=64 batch=3 groups=rows", {40, 50, 101}, 2},
        WrongList{"M=100 N=64 K=64 batch=3 groups=rows", {-1, 50, 100}, 0},
        WrongList{"M=100 N=60 K=33 batch=3 groups=rows", {-1, -2, 300}, 0},
        WrongList{"M=6 N=64 K=64 batch=3 groups=rows:by_row", {1, 1, 3, 0, 0, 2}, 2},
        WrongList{"M=6 N=64 K=64 batch=3 groups=rows:by_row", {1, 1, -1, 0, 0, -2}, 5},
        WrongList{"M=6 N=64 K=64 batch=3 groups=rows:by_row", {0, 0, 2, 0, 2, 9}, 3},
        WrongList{"M=6 N=60 K=33 batch=3 groups=rows:by_row", {0, 1, 2, -1, 1, 0}, 4},
        WrongList{"M=40 N=100 K=64 batch=2 groups=cols", {64, 63}, 1},
        WrongList{"M=40 N=64 K=64 batch=3 groups=masked_rows", {40, 3, 41}, 2},
        WrongList{"M=40 N=64 K=100 batch=3 groups=k", {40, 3, 100}, 1},
        WrongList{"M=40 N=64 K=100 batch=3 groups=k", {40, 30, 101}, 1},
        WrongList{"M=40 N=64 K=100 batch=3 groups=k", {-1, -2, 300}, 0}}) {
    INFO(problem);
    GroupedRun run(grouped_problem(problem));
    const std::vector<std::byte> d = run.run(list);
    CHECK(std::ranges::all_of(d, is_poison));
    CHECK(run.fault() == entry);
    // It stays until somebody clears it, and runs in between are right.
    std::vector<std::int32_t> right(list.size(), 0);
    right.back() = run.problem.groups->entry == GroupEntry::row ? 2 : 8;
    CHECK_FALSE(std::ranges::all_of(run.run(right), is_poison));
    CHECK(run.fault() == entry);
    run.gemm.clear_workspace(run.workspace.pointer());
    CHECK_FALSE(run.fault().has_value());
  }
}

TEST_CASE("groups of no rows, of one, and all in one of many are what the list says",
          "[gemm][groups]") {
  constexpr Index kRowBytes = 64 * 2;
  GroupedRun run(grouped_problem("M=200 N=64 K=64 batch=1024 groups=rows"));
  std::vector<std::int32_t> list(1024, 0);
  CHECK(untouched_rows(run.run(list), kRowBytes) == 200);
  std::ranges::fill(list, 200);
  const std::vector<std::byte> all_in_first = run.run(list);
  CHECK(untouched_rows(all_in_first, kRowBytes) == 0);
  for (size_t i = 0; i < list.size(); ++i)
    list[i] = static_cast<std::int32_t>(std::min<size_t>(i, 200));
  CHECK(run.run(list) == all_in_first);  // all matrices of B are the same
  std::ranges::fill(list, 0);
  list.back() = 77;
  CHECK(untouched_rows(run.run(list), kRowBytes) == 200 - 77);
  CHECK_FALSE(run.fault().has_value());
}

TEST_CASE("rows say their groups, in any order and with rows of none between them",
          "[gemm][groups]") {
  constexpr Index kRowBytes = 64 * 2;
  GroupedRun by_row(grouped_problem("M=200 N=64 K=64 batch=1024 groups=rows:by_row"));
  GroupedRun by_ends(grouped_problem("M=200 N=64 K=64 batch=1024 groups=rows"));
  std::vector<std::int32_t> list(200, -1), ends(1024, 0);
  CHECK(untouched_rows(by_row.run(list), kRowBytes) == 200);
  std::ranges::fill(list, 1023);
  ends.back() = 200;
  const std::vector<std::byte> all = by_ends.run(ends);
  CHECK(by_row.run(list) == all);
  for (size_t row = 0; row < 200; ++row) list[row] = static_cast<std::int32_t>(1023 - row);
  CHECK(by_row.run(list) == all);  // one row a group; all matrices of B are the same
  for (size_t row = 0; row < 200; row += 3) list[row] = -1;
  const std::vector<std::byte> some = by_row.run(list);
  CHECK(untouched_rows(some, kRowBytes) == 67);
  CHECK(
      std::equal(some.begin() + kRowBytes, some.begin() + 3 * kRowBytes, all.begin() + kRowBytes));
  CHECK_FALSE(by_row.fault().has_value());
  GroupedRun no_rows(grouped_problem("M=0 N=64 K=64 batch=4 groups=rows:by_row:i64"));
  CHECK(no_rows.run({}).empty());
}

TEST_CASE("without rows, columns or k groups are what products of them are", "[gemm][groups]") {
  GroupedRun no_rows(grouped_problem("M=0 N=64 K=64 batch=4 groups=rows"));
  CHECK(no_rows.run({0, 0, 0, 0}).empty());
  // A sum of nothing is 0, in rows that are a group's.
  GroupedRun no_k(grouped_problem("M=10 N=64 K=0 batch=2 groups=rows"));
  const std::vector<std::byte> d = no_k.run({3, 8});
  const auto is_zero = [](std::byte byte) { return byte == std::byte{}; };
  CHECK(std::all_of(d.begin(), d.begin() + 8 * 128, is_zero));
  CHECK(std::all_of(d.begin() + 8 * 128, d.end(), is_poison));
  // Likewise of a group that has no k.
  GroupedRun empty_group(grouped_problem("M=8 N=64 K=32 batch=3 groups=k"));
  const std::vector<std::byte> three = empty_group.run({16, 16, 32});
  CHECK(std::all_of(three.begin() + 8 * 128, three.begin() + 16 * 128, is_zero));
  CHECK_FALSE(std::all_of(three.begin(), three.begin() + 8 * 128, is_zero));
}

TEST_CASE("groups of no columns have kernels that compile, whatever brings their operands",
          "[gemm][groups]") {
  for (const char* const operands : {"A=bf16 B=bf16:col", "A=f32 B=f32:col staged=tf32"})
    for (const char* const groups : {"rows", "rows:by_row", "masked_rows"})
      for (const char* const specialize : {"usual", "all"}) {
        INFO(operands << ", " << groups << ", " << specialize);
        const Problem problem = parse_problem("M=2 N=0 K=64 batch=8 " + std::string(operands) +
                                              " D=bf16 alpha=1 beta=0 groups=" + groups);
        GroupedRun run(problem, parse_config("specialize=" + std::string(specialize)));
        CHECK(run.run(std::vector<std::int32_t>(8)).empty());
      }
}

TEST_CASE("a row's bits do not depend on the other groups", "[gemm][groups][promise]") {
  for (const char* const problem :
       {"M=300 N=128 K=192 batch=4 groups=rows", "M=300 N=61 K=77 batch=4 groups=rows"}) {
    INFO(problem);
    GroupedRun run(grouped_problem(problem));
    const auto row_bytes = static_cast<std::ptrdiff_t>(run.problem.n * 2);
    const std::vector<std::byte> one = run.run({100, 180, 250, 300});
    CHECK(run.run({100, 180, 250, 300}) == one);
    const std::vector<std::byte> other = run.run({0, 3, 300, 300});
    // B is one matrix a hundred times over: rows 180 to 250 are group 2's in both.
    CHECK(std::equal(one.begin() + 180 * row_bytes, one.begin() + 250 * row_bytes,
                     other.begin() + 180 * row_bytes));
  }
}
