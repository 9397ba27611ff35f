// 2,000 random problems of groups, and 660 with tables of rows, on a real GPU: tests of a type or
// half of one, so that they run side by side.
#include "support/gemm_families.hpp"
#include "support/gpu_cases.hpp"
#include "support/grouped_cases.hpp"
#include "support/row_table_cases.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kGroupedOfType = 182;
constexpr int kTablesOfType = 60;

/// A part of them, of two or, where compiling takes long, four.
void check_groups(std::string_view family, int part, int parts = 2) {
  const CaseTypes& types = family_of(family).types;
  check_cases(part * kGroupedOfType / parts, (part + 1) * kGroupedOfType / parts,
              [&](int index) { return grouped_case(types, index); });
}

void check_tables(std::string_view family) {
  const CaseTypes& types = family_of(family).types;
  check_cases(0, kTablesOfType, [&](int index) { return row_table_case(types, index); });
}

}  // namespace

TEST_CASE("random groups of f32 come out right on the GPU: a half", "[gpu][groups]") {
  check_groups("f32", 0);
}
TEST_CASE("random groups of f32 come out right on the GPU: the other half", "[gpu][groups]") {
  check_groups("f32", 1);
}
TEST_CASE("random groups of f64 come out right on the GPU: a half", "[gpu][groups]") {
  check_groups("f64", 0);
}
TEST_CASE("random groups of f64 come out right on the GPU: the other half", "[gpu][groups]") {
  check_groups("f64", 1);
}
TEST_CASE("random groups of tf32 come out right on the GPU: a half", "[gpu][groups]") {
  check_groups("tf32", 0);
}
TEST_CASE("random groups of tf32 come out right on the GPU: the other half", "[gpu][groups]") {
  check_groups("tf32", 1);
}
TEST_CASE("random groups of bf16 come out right on the GPU: a half", "[gpu][groups]") {
  check_groups("bf16", 0);
}
TEST_CASE("random groups of bf16 come out right on the GPU: the other half", "[gpu][groups]") {
  check_groups("bf16", 1);
}
TEST_CASE("random groups of bf16 to f32 come out right on the GPU: a half", "[gpu][groups]") {
  check_groups("bf16 to f32", 0);
}
TEST_CASE("random groups of bf16 to f32 come out right on the GPU: the other half",
          "[gpu][groups]") {
  check_groups("bf16 to f32", 1);
}
TEST_CASE("random groups of f16 come out right on the GPU: a half", "[gpu][groups]") {
  check_groups("f16", 0);
}
TEST_CASE("random groups of f16 come out right on the GPU: the other half", "[gpu][groups]") {
  check_groups("f16", 1);
}
TEST_CASE("random groups of f16 in f16 come out right on the GPU: a half", "[gpu][groups]") {
  check_groups("f16 in f16", 0);
}
TEST_CASE("random groups of f16 in f16 come out right on the GPU: the other half",
          "[gpu][groups]") {
  check_groups("f16 in f16", 1);
}
TEST_CASE("random groups of e4m3 come out right on the GPU: a quarter", "[gpu][groups]") {
  check_groups("e4m3", 0, 4);
}
TEST_CASE("random groups of e4m3 come out right on the GPU: a second quarter", "[gpu][groups]") {
  check_groups("e4m3", 1, 4);
}
TEST_CASE("random groups of e4m3 come out right on the GPU: a third quarter", "[gpu][groups]") {
  check_groups("e4m3", 2, 4);
}
TEST_CASE("random groups of e4m3 come out right on the GPU: the last quarter", "[gpu][groups]") {
  check_groups("e4m3", 3, 4);
}
TEST_CASE("random groups of e5m2 by e4m3 come out right on the GPU: a quarter", "[gpu][groups]") {
  check_groups("e5m2 by e4m3", 0, 4);
}
TEST_CASE("random groups of e5m2 by e4m3 come out right on the GPU: a second quarter",
          "[gpu][groups]") {
  check_groups("e5m2 by e4m3", 1, 4);
}
TEST_CASE("random groups of e5m2 by e4m3 come out right on the GPU: a third quarter",
          "[gpu][groups]") {
  check_groups("e5m2 by e4m3", 2, 4);
}
TEST_CASE("random groups of e5m2 by e4m3 come out right on the GPU: the last quarter",
          "[gpu][groups]") {
  check_groups("e5m2 by e4m3", 3, 4);
}
TEST_CASE("random groups of s8 come out right on the GPU: a half", "[gpu][groups]") {
  check_groups("s8", 0);
}
TEST_CASE("random groups of s8 come out right on the GPU: the other half", "[gpu][groups]") {
  check_groups("s8", 1);
}
TEST_CASE("random groups of u8 by s8 come out right on the GPU: a half", "[gpu][groups]") {
  check_groups("u8 by s8", 0);
}
TEST_CASE("random groups of u8 by s8 come out right on the GPU: the other half", "[gpu][groups]") {
  check_groups("u8 by s8", 1);
}

TEST_CASE("random tables of rows of f32 come out right on the GPU", "[gpu][rows]") {
  check_tables("f32");
}
TEST_CASE("random tables of rows of f64 come out right on the GPU", "[gpu][rows]") {
  check_tables("f64");
}
TEST_CASE("random tables of rows of tf32 come out right on the GPU", "[gpu][rows]") {
  check_tables("tf32");
}
TEST_CASE("random tables of rows of bf16 come out right on the GPU", "[gpu][rows]") {
  check_tables("bf16");
}
TEST_CASE("random tables of rows of bf16 to f32 come out right on the GPU", "[gpu][rows]") {
  check_tables("bf16 to f32");
}
TEST_CASE("random tables of rows of f16 come out right on the GPU", "[gpu][rows]") {
  check_tables("f16");
}
TEST_CASE("random tables of rows of f16 in f16 come out right on the GPU", "[gpu][rows]") {
  check_tables("f16 in f16");
}
TEST_CASE("random tables of rows of e4m3 come out right on the GPU", "[gpu][rows]") {
  check_tables("e4m3");
}
TEST_CASE("random tables of rows of e5m2 by e4m3 come out right on the GPU", "[gpu][rows]") {
  check_tables("e5m2 by e4m3");
}
TEST_CASE("random tables of rows of s8 come out right on the GPU", "[gpu][rows]") {
  check_tables("s8");
}
TEST_CASE("random tables of rows of u8 by s8 come out right on the GPU", "[gpu][rows]") {
  check_tables("u8 by s8");
}
