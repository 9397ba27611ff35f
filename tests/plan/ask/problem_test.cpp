// Problems: what is filled in, and what is refused.
#include <jute/plan/ask/problem.hpp>

#include <functional>

#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;

TEST_CASE("strides left empty are packed", "[plan][problem]") {
  Problem problem = problem_of(10, 20, 30);
  problem.b.order = Order::col;
  problem.c.ld_elems = 32;
  const Problem full = completed(problem);
  CHECK(full.a.ld_elems == 30);
  CHECK(full.b.ld_elems == 30);
  CHECK(full.c.ld_elems == 32);
  CHECK(full.d.ld_elems == 20);
  CHECK(full.a.batch_stride_elems == 300);
  CHECK(full.b.batch_stride_elems == 600);
  CHECK(full.c.batch_stride_elems == 320);
  CHECK(completed(full) == full);
}

TEST_CASE("an empty matrix still has a leading dimension", "[plan][problem]") {
  const Problem full = completed(problem_of(0, 0, 0));
  CHECK(full.a.ld_elems == 1);
  CHECK(full.d.batch_stride_elems == 1);
}

TEST_CASE("the usual accumulator goes by the input type", "[plan][problem]") {
  CHECK(completed(problem_of(8, 8, 8, {DType::f16, DType::f16})).accumulate == DType::f32);
  CHECK(completed(problem_of(8, 8, 8, {DType::e5m2, DType::bf16})).accumulate == DType::f32);
  CHECK(completed(problem_of(8, 8, 8, {DType::f64, DType::f64})).accumulate == DType::f64);
  CHECK(completed(problem_of(8, 8, 8, {DType::u8, DType::s32})).accumulate == DType::s32);
}

TEST_CASE("each broken rule names operand, value and nearest legal value",
          "[plan][problem][refusal]") {
  struct Case {
    const char* operand;
    const char* value;
    const char* nearest;
    std::function<void(Problem&)> change;
  };
  const Case cases[] = {
      {"M", "-1", "0", [](Problem& p) { p.m = -1; }},
      {"N", "2147483648", "2147479552", [](Problem& p) { p.n = Index{1} << 31; }},
      {"K", "-5", "0", [](Problem& p) { p.k = -5; }},
      {"batch", "-2", "0", [](Problem& p) { p.batch = -2; }},
      {"alpha", "0", "run-time", [](Problem& p) { p.alpha = Factor::zero; }},
      {"B.type", "f64", "f32", [](Problem& p) { p.b.type = DType::f64; }},
      {"C.type", "f64", "f32", [](Problem& p) { p.c.type = DType::f64; }},
      {"D.type", "e4m3", "f32", [](Problem& p) { p.d.type = DType::e4m3; }},
      {"accumulate", "bf16", "f32", [](Problem& p) { p.accumulate = DType::bf16; }},
      {"A.ld", "29", "30", [](Problem& p) { p.a.ld_elems = 29; }},
      {"B.ld", "19", "20", [](Problem& p) { p.b.ld_elems = 19; }},
      {"A.batch_stride", "300", "0",
       [](Problem& p) {
         p.a.broadcast = true;
         p.a.batch_stride_elems = 300;
       }},
      {"B.batch_stride", "-600", "600", [](Problem& p) { p.b.batch_stride_elems = -600; }},
      {"C.alignment", "12", "8", [](Problem& p) { p.c.alignment_bytes = 12; }},
      {"D.alignment", "2", "4", [](Problem& p) { p.d.alignment_bytes = 2; }},
      {"A.alignment", "512", "256", [](Problem& p) { p.a.alignment_bytes = 512; }},
      {"D.broadcast", "true", "false", [](Problem& p) { p.d.broadcast = true; }},
      {"D.batch_stride", "199", "200", [](Problem& p) { p.d.batch_stride_elems = 199; }},
  };
  for (const Case& one : cases) {
    Problem problem = problem_of(10, 20, 30);
    problem.batch = 3;
    one.change(problem);
    INFO(one.operand << " = " << one.value);
    const Error error = test::refusal_of([&] { return completed(problem); });
    CHECK(error.code == ErrorCode::illegal_problem);
    CHECK(error.operand == one.operand);
    CHECK(error.value == one.value);
    CHECK(error.nearest_legal == one.nearest);
    CHECK(error.violated_rules.size() == 1);
  }
}

TEST_CASE("all broken rules of a problem come together", "[plan][problem][refusal]") {
  Problem problem = problem_of(10, 20, 30);
  problem.a.ld_elems = 1;
  problem.b.ld_elems = 2;
  problem.d.alignment_bytes = 3;
  CHECK(test::refusal_of([&] { return completed(problem); }).violated_rules.size() == 3);
}

TEST_CASE("a type that no kernel multiplies is refused for A and B", "[plan][problem][refusal]") {
  Problem problem = problem_of(10, 20, 30, {DType::s32, DType::s32});
  const Error error = test::refusal_of([&] { return completed(problem); });
  CHECK(error.operand == "A.type");
  CHECK(error.nearest_legal == "s8");
  CHECK(error.violated_rules.size() == 2);
}

TEST_CASE("beta 0 asks nothing of C's type", "[plan][problem]") {
  Problem problem = problem_of(10, 20, 30);
  problem.beta = Factor::zero;
  problem.c.type = DType::f64;
  CHECK_NOTHROW(completed(problem));
}

TEST_CASE("a D that only an epilogue makes of sums is refused with what makes it",
          "[plan][problem][refusal]") {
  Problem problem = problem_of(10, 20, 30);
  for (const DType type : {DType::e4m3, DType::e5m2, DType::s8}) {
    problem.c.type = problem.d.type = type;
    problem.epilogue.reset();
    const Error error = test::refusal_of([&] { return completed(problem); });
    CHECK(error.operand == "D.type");
    REQUIRE(error.violated_rules.size() == 1);
    CHECK(error.violated_rules.front().find("needs an epilogue, such as acc") != std::string::npos);
    problem.epilogue = Epilogue{.expression = parse_epilogue("acc")};
    CHECK_NOTHROW(completed(problem));
  }
}

TEST_CASE("strides whose bytes leave 64 bits are refused", "[plan][problem][refusal]") {
  Problem problem = problem_of(1 << 20, 8, 8);
  problem.a.ld_elems = Index{1} << 50;
  CHECK(test::refusal_of([&] { return completed(problem); }).code == ErrorCode::overflow);
}

TEST_CASE("the text of a problem is one canonical line", "[plan][problem]") {
  CHECK(to_string(completed(problem_of(4, 5, 6))) ==
        "M=4 N=5 K=6 batch=1 A=f32:row:ld6:batch24:align16 B=f32:row:ld5:batch30:align16 "
        "C=f32:row:ld5:batch20:align16 D=f32:row:ld5:batch20:align16 accumulate=f32 "
        "alpha=run-time beta=run-time");
}

TEST_CASE("f32 that is read as tf32 becomes a problem of that type", "[plan][problem][tf32]") {
  const Problem asked = parse_problem("M=48 N=40 K=32 precision=tf32");
  CHECK(to_string(asked).find("precision=tf32") != std::string::npos);
  CHECK(parse_problem(to_string(asked)) == asked);
  const Problem done = completed(asked);
  CHECK(done == completed(parse_problem("M=48 N=40 K=32 A=tf32 D=f32")));
  CHECK(completed(done) == done);
  for (const char* other : {"A=bf16", "A=f64", "A=s8", "A=f32 B=f32 staged=bf16"}) {
    INFO(other);
    const Error error = test::refusal_of([&] {
      (void)completed(parse_problem(std::string("M=48 N=40 K=32 precision=tf32 ") + other));
    });
    CHECK(error.operand == "precision");
    CHECK(error.nearest_legal == "f32");
  }
}
