// 2,000 random problems of groups, 660 with tables of rows, and 600 with scales, on a real GPU: a
// test for each type, so that they run side by side.
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/gpu.hpp"
#include "support/grouped_cases.hpp"
#include "support/row_table_cases.hpp"
#include "support/scaled_problem.hpp"

#include <algorithm>

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kGroupedOfType = 182, kGroupedSeconds = 240;

template <class MakeCase>
void check_cases(int first, int last, const MakeCase& make) {
  const std::string failures = on_gpu(
      [&] {
        Context context(open_device(), without_disk_cache());
        std::string all;
        for (int index = first; index < last; ++index) {
          const GemmCase one = make(index);
          const std::string failure = describe(one, run_case(context, one, make_data(one)));
          if (!failure.empty()) all += failure + "\n";
        }
        return all;
      },
      kGroupedSeconds);
  CHECK(failures == "");
}

void check_groups(std::string_view family_name) {
  const auto family = std::ranges::find(kTypeFamilies, family_name, &TypeFamily::name);
  REQUIRE(family != kTypeFamilies.end());
  check_cases(0, kGroupedOfType, [&](int index) { return grouped_case(family->types, index); });
}

}  // namespace

TEST_CASE("random groups of f32 come out right on the GPU", "[gpu][groups]") {
  check_groups("f32");
}
TEST_CASE("random groups of f64 come out right on the GPU", "[gpu][groups]") {
  check_groups("f64");
}
TEST_CASE("random groups of tf32 come out right on the GPU", "[gpu][groups]") {
  check_groups("tf32");
}
TEST_CASE("random groups of bf16 come out right on the GPU", "[gpu][groups]") {
  check_groups("bf16");
}
TEST_CASE("random groups of bf16 to f32 come out right on the GPU", "[gpu][groups]") {
  check_groups("bf16 to f32");
}
TEST_CASE("random groups of f16 come out right on the GPU", "[gpu][groups]") {
  check_groups("f16");
}
TEST_CASE("random groups of f16 in f16 come out right on the GPU", "[gpu][groups]") {
  check_groups("f16 in f16");
}
TEST_CASE("random groups of e4m3 come out right on the GPU", "[gpu][groups]") {
  check_groups("e4m3");
}
TEST_CASE("random groups of e5m2 by e4m3 come out right on the GPU", "[gpu][groups]") {
  check_groups("e5m2 by e4m3");
}
TEST_CASE("random groups of s8 come out right on the GPU", "[gpu][groups]") { check_groups("s8"); }
TEST_CASE("random groups of u8 by s8 come out right on the GPU", "[gpu][groups]") {
  check_groups("u8 by s8");
}
TEST_CASE("random scaled problems 0 to 299 come out right on the GPU", "[gpu][scales]") {
  check_cases(0, 300, scaled_case);
}
TEST_CASE("random scaled problems 300 to 599 come out right on the GPU", "[gpu][scales]") {
  check_cases(300, 600, scaled_case);
}

namespace {

/// Of every type as many, so that a test is one of several halves.
void check_tables(int first, int last) {
  for (const TypeFamily& family : kTypeFamilies)
    check_cases(first, last, [&](int index) { return row_table_case(family.types, index); });
}

}  // namespace

TEST_CASE("random tables of rows 0 to 29 come out right on the GPU", "[gpu][rows]") {
  check_tables(0, 30);
}
TEST_CASE("random tables of rows 30 to 59 come out right on the GPU", "[gpu][rows]") {
  check_tables(30, 60);
}
