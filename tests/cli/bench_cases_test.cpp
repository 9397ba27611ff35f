// The suites of `jute bench`: what a file may say, and what is made of it.
#include "race/results/cases.hpp"

#include <jute/host/operands.hpp>

#include <algorithm>

#include "bench/peers/blas_problem.hpp"
#include "files/files.hpp"
#include "race/operands/operand_sets.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::bench;
using jute::test::refusal_of;

namespace {

std::vector<Case> read(const std::string& text) { return read_cases(text, "suite.csv"); }

const std::string kHeader = "id,family,m,n,k,batch,dtype,order_a,order_b,note\n";

}  // namespace

TEST_CASE("the open suite is read whole, each id as its problem would be called", "[cli][bench]") {
  const std::string path = std::string(JUTE_SOURCE_DIR) + "/bench/cases.csv";
  const std::vector<Case> cases = read_cases(command::read_text(path), path);
  CHECK(cases.size() == 69);
  for (const Case& each : cases) {
    INFO(each.id);
    const std::string usual = id_of(each.problem);
    CHECK((each.id == usual || each.id == "f8" + usual));
    CHECK(each.problem.alpha == Factor::one);
    CHECK(each.problem.beta == Factor::zero);
    CHECK_FALSE(each.family.empty());
  }
}

TEST_CASE("the suite of epilogues has each of them, at both sizes and in slices of K",
          "[cli][bench][epilogue]") {
  const std::string path = std::string(JUTE_SOURCE_DIR) + "/bench/epilogues.csv";
  const std::vector<Case> cases = read_cases(command::read_text(path), path);
  for (const Case& each : cases) {
    INFO(each.id);
    CHECK(each.problem.epilogue.has_value());
  }
  for (const char* what :
       {"bias", "residual", "amax", "gelu", "gelu_tanh", "bias_gelu_tanh", "silu"})
    for (const char* where : {"bf16_4096_", "bf16_2048_", "e4m3_4096_"})
      CHECK(std::ranges::count(cases, std::string(where) + what, &Case::id) == 1);
}

TEST_CASE("the suite of groups has layers of experts", "[cli][bench][groups]") {
  const std::string path = std::string(JUTE_SOURCE_DIR) + "/bench/groups.csv";
  const std::vector<Case> cases = read_cases(command::read_text(path), path);
  CHECK(cases.size() == 9);
  for (const Case& each : cases) {
    INFO(each.id);
    REQUIRE(each.problem.groups.has_value());
    CHECK(usual_groups(each.problem).size() == static_cast<size_t>(each.problem.batch));
  }
}

TEST_CASE("the Hopper kernel's suite has every order, C, and a batch", "[cli][bench]") {
  const std::string path = std::string(JUTE_SOURCE_DIR) + "/bench/hopper.csv";
  const std::vector<Case> cases = read_cases(command::read_text(path), path);
  const auto count = [&](auto is_counted) { return std::ranges::count_if(cases, is_counted); };
  CHECK(cases.size() == 11);
  CHECK(count([](const Case& each) { return each.beta != 0; }) == 1);
  CHECK(count([](const Case& each) { return each.problem.batch == 8; }) == 1);
  CHECK(count([](const Case& each) { return each.problem.a.order == Order::col; }) == 2);
}

TEST_CASE("a line of a suite becomes a problem", "[cli][bench]") {
  const Case each =
      read(kHeader + "mine,llm,64,128,256,3,f8e4m3,col,row,a note\r\n# no line\n\n").at(0);
  CHECK(each.id == "mine");
  CHECK(each.family == "llm");
  CHECK(each.note == "a note");
  CHECK(each.problem.m == 64);
  CHECK(each.problem.n == 128);
  CHECK(each.problem.k == 256);
  CHECK(each.problem.batch == 3);
  CHECK(each.problem.a.type == DType::e4m3);
  CHECK(each.problem.d.type == DType::bf16);
  CHECK(each.problem.a.order == Order::col);
  CHECK(each.problem.b.order == Order::row);
  CHECK(flop(each.problem) == 2.0 * 64 * 128 * 256 * 3);
  CHECK(least_bytes(each) == 3.0 * (64 * 256 + 256 * 128 + 2 * 64 * 128));
}

TEST_CASE("a case may be of groups", "[cli][bench][groups]") {
  const auto read_groups = [](const std::string& groups) {
    return read("id,m,n,k,batch,dtype,groups\nmine,100,64,32,3,bf16," + groups + "\n").at(0);
  };
  const Case rows = read_groups("rows:i64:expected8");
  CHECK(rows.problem.groups == parse_groups("rows:i64:expected8"));
  CHECK(flop(rows.problem) == 2.0 * 100 * 64 * 32);
  CHECK(usual_groups(rows.problem) == std::vector<Index>{8, 16, 24});
  CHECK(id_of(rows.problem) == "bf16_nn_100x64x32_b3_rows");
  CHECK(!blas_problem(rows.problem, 1, 0).has_value());
  const Case masked = read_groups("masked_rows");
  CHECK(flop(masked.problem) == 2.0 * 100 * 64 * 32 * 3);
  CHECK(usual_groups(masked.problem) == std::vector<Index>{100, 100, 100});
  CHECK(usual_groups(read_groups("k").problem) == std::vector<Index>{10, 21, 32});
  CHECK(usual_groups(read_groups("").problem).empty());
}

TEST_CASE("a case may have an epilogue of its own", "[cli][bench][epilogue]") {
  const Case each = read(
                        "id,m,n,k,dtype,dtype_d,epilogue\n"
                        "x,64,32,16,bf16,f32,\"acc + bias[n] + x[m,n]\"\n")
                        .at(0);
  REQUIRE(each.problem.epilogue.has_value());
  CHECK(to_string(each.problem.epilogue->expression) == "acc + bias[n] + x[m,n]");
  CHECK(each.problem.d.type == DType::f32);
  CHECK(id_of(each.problem) == "bf16_nn_64x32x16 acc + bias[n] + x[m,n]");
  CHECK(least_bytes(each) == 2.0 * (64 * 16 + 16 * 32) + 4.0 * (2 * 64 * 32 + 32));
  CHECK_FALSE(reads_c(each));
  const Case plain = plain_case(each);
  CHECK(plain.id == each.id);
  CHECK_FALSE(plain.problem.epilogue.has_value());
  CHECK(plain.problem.beta == Factor::zero);
  CHECK(reads_c(case_of(each.problem, 1, 1)) == false);  // an epilogue says itself what it reads
}

TEST_CASE("Views are held against the product of packed matrices", "[cli][bench][view]") {
  const Case each =
      case_of(completed(parse_problem("M=8 N=6 K=5 A=f32:view[((2,4),5):((5,70),1)]")), 1, 0);
  CHECK(has_views(each));
  const Case plain = plain_case(each);
  CHECK_FALSE(has_views(plain));
  CHECK(plain.problem.a.ld_elems == 5);
  CHECK(plain.problem.d == each.problem.d);
}

TEST_CASE("what only an epilogue stores is held against the sum itself", "[cli][bench][epilogue]") {
  const Case each = read(
                        "id,m,n,k,dtype,dtype_d,epilogue\n"
                        "x,64,32,16,e4m3,e4m3,\"d = acc*s; a = amax(acc)\"\n")
                        .at(0);
  const Case plain = plain_case(each);
  REQUIRE(plain.problem.epilogue.has_value());
  CHECK(to_string(plain.problem.epilogue->expression) == "acc");
  CHECK(plain.problem.d.type == DType::e4m3);
}

TEST_CASE("columns may come in any order, and those that tell nothing may be missing",
          "[cli][bench]") {
  const Case each = read("beta,k,dtype,n,m,id\n0.5,32,s8,16,8,x\n").at(0);
  CHECK(each.problem.m == 8);
  CHECK(each.problem.n == 16);
  CHECK(each.problem.k == 32);
  CHECK(each.problem.batch == 1);
  CHECK(each.problem.d.type == DType::s32);
  CHECK(each.beta == 0.5);
  CHECK(each.problem.beta == Factor::run_time);
  CHECK(least_bytes(each) == 8.0 * 32 + 32 * 16 + 2 * 4 * 8 * 16);
}

TEST_CASE("a suite is refused with the line, the column and the rule", "[cli][bench][refusal]") {
  struct Row {
    std::string text, operand, value, rule;
  };
  const std::vector<Row> rows{
      {kHeader + "x,y,0,1,1,1,bf16,row,row,", "suite.csv, line 2, m", "0", "whole number from 1"},
      {kHeader + "x,y,1,1.5,1,1,bf16,row,row,", "suite.csv, line 2, n", "1.5", "whole number"},
      {kHeader + "x,y,1,1,1,1,bf17,row,row,", "suite.csv, line 2, dtype", "bf17", "f8e4m3"},
      {kHeader + "x,y,1,1,1,1,bf16,up,row,", "suite.csv, line 2, order_a", "up", "row or col"},
      {kHeader + "x,y,1,1,1,1,bf16,row", "suite.csv, line 2", "8 cells", "one cell for each"},
      {kHeader + ",y,1,1,1,1,bf16,row,row,", "suite.csv, line 2, id", "", "have a name"},
      {"id,m,n,k\nx,1,1,1", "suite.csv, line 1", "dtype", "name this column"},
      {"id,m,n,k,dtype,speed\n", "suite.csv, line 1", "speed", "a column must be one of"},
      {"", "suite.csv", "", "names of its columns"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const Error error = refusal_of([&] { (void)read(row.text); });
    CHECK(error.code == ErrorCode::bad_file);
    CHECK(error.operand == row.operand);
    CHECK(error.value == row.value);
    CHECK(error.violated_rules.at(0).find(row.rule) != std::string::npos);
  }
}

TEST_CASE("cases are chosen by parts of their ids and by their families", "[cli][bench]") {
  const Case each = read(kHeader + "bf16_nt_1x2x3,tiny,1,2,3,1,bf16,row,col,\n").at(0);
  CHECK(is_selected({}, each));
  CHECK(is_selected({.parts = {"f32", "nt_1x"}, .families = {}}, each));
  CHECK(is_selected({.parts = {"f32"}, .families = {"tiny"}}, each));
  CHECK_FALSE(is_selected({.parts = {"f32"}, .families = {"tin"}}, each));
}

TEST_CASE("operand sets go beyond the L2 cache, and a graph makes whole rounds of them",
          "[cli][bench]") {
  for (const Index size : {16, 64, 128, 512, 1024, 4096, 16384}) {
    INFO(size);
    Problem problem;
    problem.m = problem.n = problem.k = size;
    problem.a.type = problem.b.type = problem.c.type = problem.d.type = DType::bf16;
    const Index bytes = 3 * 2 * size * size;
    const Rotation rotation = rotation_of(case_of(problem, 1, 0));
    CHECK((rotation.sets * bytes >= Index{256} << 20 || rotation.sets == 1024));
    CHECK(rotation.launches % rotation.sets == 0);
    CHECK(rotation.launches >= rotation.sets);
    CHECK(rotation.launches <= 8192);
  }
}
