// A problem's text: what it may say, what holds when it is silent, and that it reads back.
#include <jute/plan/ask/problem.hpp>

#include <algorithm>
#include <array>
#include <string>

#include "support/catch.hpp"
#include "support/held_problems.hpp"
#include "support/problem_of.hpp"
#include "support/random_problem.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;

namespace {

/// What nothing reads is not printed: it reads back as what it is when nobody says.
Problem with_c_like_d(Problem problem) {
  if (to_string(problem).find(" C=") != std::string::npos) return problem;
  problem.c = {problem.d.type, problem.d.order};
  return completed(problem);
}

// clang-format off
constexpr std::array<test::CaseTypes, 8> kTypes{{
    {DType::f32, DType::f32, DType::f32, DType::f32, DType::f32},
    {DType::bf16, DType::bf16, DType::bf16, DType::bf16, DType::f32},
    {DType::f16, DType::f16, DType::f32, DType::f32, DType::f16},
    {DType::tf32, DType::tf32, DType::f32, DType::f32, DType::f32},
    {DType::f64, DType::f64, DType::f64, DType::f64, DType::f64},
    {DType::e4m3, DType::e5m2, DType::bf16, DType::f16, DType::f32},
    {DType::s8, DType::u8, DType::s32, DType::s32, DType::s32},
    {DType::u8, DType::u8, DType::s32, DType::s32, DType::s32},
}};
// clang-format on

constexpr std::array kEpilogues{
    "relu(acc + bias[n])",
    "alpha*acc + beta*c",
    "d = acc*v[batch,m] + s; g = amax(acc); r = row_sum[m](acc)",
    "d = select(mask[m,n], acc, 0); kept = bit(acc > 0)",
    "d = acc; dbias = a_sum[m]",
    "M*acc + K[n] + A[m,n] + m_range",
};

/// The operands of an epilogue, each a little unusual.
void disturb(Problem& problem, int seed) {
  Epilogue& epilogue = *problem.epilogue;
  for (std::size_t i = 0; i < epilogue.inputs.size(); ++i) {
    EpilogueOperand& input = epilogue.inputs[i];
    const bool is_scalar = epilogue.expression.inputs[i].extent == EpilogueExtent::scalar;
    const auto turn = (static_cast<std::size_t>(seed) + i) % 4;
    if (is_scalar && turn % 2 == 0) input.by_value = true;
    if (input.type == DType::u8) continue;
    if (turn == 1) input.type = DType::f32;
    if (turn == 2) input.order = Order::col;
    if (turn == 3) input.alignment_bytes = 32;
    if (turn == 1 && !input.broadcast) input.ld_elems = 512;
  }
}

}  // namespace

TEST_CASE("a problem's text reads back to the same problem", "[plan][problem][text][law]") {
  for (const test::CaseTypes& types : kTypes)
    for (int index = 0; index < 250; ++index) {
      Problem given = test::random_case(types, index).problem;
      if (index % 3 == 0) given.m_range = MRange{given.m / 2, given.m + index};
      if (index % 7 == 0 && types.a == DType::f32) given.precision = Precision::tf32x3;
      if (given.m_range) given.a.batch_stride_elems = given.c.batch_stride_elems = 0;
      if (given.m_range) given.d.batch_stride_elems = given.b.batch_stride_elems = 0;
      if (given.m_range)
        for (Matrix* matrix : {&given.a, &given.b, &given.c, &given.d}) matrix->ld_elems = 0;
      const Problem problem = completed(given);
      const std::string text = to_string(problem);
      INFO(text);
      REQUIRE(to_string(parse_problem(text)) == text);
      REQUIRE(with_c_like_d(completed(parse_problem(text))) == with_c_like_d(problem));
      // So does one whose strides were left to be packed.
      REQUIRE(to_string(completed(parse_problem(to_string(given)))) == text);
    }
}

TEST_CASE("an epilogue and its operands read back, whatever they are called",
          "[plan][problem][text][law]") {
  for (const char* const epilogue : kEpilogues)
    for (int index = 0; index < 60; ++index) {
      Problem given = test::random_case(kTypes[static_cast<std::size_t>(index) % 3], index).problem;
      given.m_range = index % 2 == 0 ? std::nullopt : std::optional(MRange{given.m, given.m});
      given.epilogue = Epilogue{.expression = parse_epilogue(epilogue)};
      for (const EpilogueInput& input : given.epilogue->expression.inputs)
        given.epilogue->inputs.push_back(usual_operand(given, input));
      disturb(given, index);
      const Problem problem = completed(given);
      const std::string text = to_string(problem);
      INFO(text);
      REQUIRE(to_string(parse_problem(text)) == text);
      REQUIRE(with_c_like_d(completed(parse_problem(text))) == with_c_like_d(problem));
    }
}

TEST_CASE("a short text says the same problem in the words that are not usual",
          "[plan][problem][text][law]") {
  const auto shortened = [](const char* text) { return short_text(parse_problem(text)); };
  CHECK(shortened("M=192 N=96 K=128 batch=1 A=f16:row:ld128 B=f16 C=f16:ld96 D=f16 accumulate=f32 "
                  "alpha=run-time beta=run-time") == "M=192 N=96 K=128 A=f16");
  CHECK(shortened("M=4 N=5 K=6 A=f32") == "M=4 N=5 K=6");
  CHECK(shortened("M=4 N=5 K=6 A=s8:align32 B=s8:col:ld9 D=s32 beta=0") ==
        "M=4 N=5 K=6 A=s8:align32 B=col:ld9 beta=0");
  CHECK(shortened("M=4 N=5 K=6 B=f32:view[(5,6):(1,5)] epilogue=\"acc + s\" s=f32:by-value") ==
        "M=4 N=5 K=6 epilogue=\"acc + s\" s=by-value");
  CHECK(shortened("M=4 N=5 K=6 batch=2 A=bf16:broadcast D=f32:col") ==
        "M=4 N=5 K=6 batch=2 A=bf16:broadcast D=f32:col");
  constexpr int kOfKind = 12;
  for (const test::HeldKind& kind : test::held_kinds())
    for (int index = 0; index < std::min(kind.count, kOfKind); ++index)
      for (const Problem& problem : test::held_problem(kind, index).parts) {
        const std::string text = short_text(problem), whole = to_string(completed(problem));
        INFO(kind.name << ": " << text);
        REQUIRE(to_string(completed(parse_problem(text))) == whole);
        REQUIRE(text.size() < whole.size());
        REQUIRE(short_text(parse_problem(text)) == text);
      }
}

TEST_CASE("extents alone are a whole problem", "[plan][problem][text]") {
  CHECK(parse_problem("M=48 N=40 K=32") == problem_of(48, 40, 32));
  CHECK(parse_problem("  K=32\tM=48   N=40 ") == problem_of(48, 40, 32));
  Problem mixed = problem_of(48, 40, 32, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  CHECK(parse_problem("M=48 N=40 K=32 A=bf16:row B=bf16:col D=bf16:row") == mixed);
}

TEST_CASE("what a text leaves out goes by what it says", "[plan][problem][text]") {
  const Problem one = parse_problem("M=4 N=5 K=6 A=e4m3");
  CHECK(one.b.type == DType::e4m3);
  CHECK(one.d.type == DType::f32);  // as the command has it
  CHECK(one.c.type == DType::f32);
  CHECK(parse_problem("M=4 N=5 K=6 B=s8").d.type == DType::s32);
  const Problem lying = parse_problem("M=4 N=5 K=6 D=bf16:col:ld8");
  CHECK(lying.c.order == Order::col);
  CHECK(lying.c.type == DType::bf16);
  CHECK(lying.c.ld_elems == 0);
  CHECK(parse_problem("M=4 N=5 K=6 epilogue=\"acc + bias[n]\"").epilogue->inputs[0].broadcast);
}

TEST_CASE("two numbers for M are the rows of all runs", "[plan][problem][text]") {
  const Problem ranged = parse_problem("M=1:8192 N=64 K=64");
  CHECK(ranged.m == 8192);
  CHECK(ranged.m_range == MRange{1, 8192});
  CHECK(parse_problem("M=8192 N=64 K=64 m_range=1:8192") == ranged);
}

TEST_CASE("pieces of a matrix come in any order, each once", "[plan][problem][text]") {
  CHECK(parse_problem("M=4 N=4 K=4 A=align32:ld8:col:bf16:batch64").a ==
        Matrix{DType::bf16, Order::col, 8, 64, false, 32});
  CHECK(parse_problem("M=4 N=4 K=4 A=broadcast").a.broadcast);
}

TEST_CASE("a refusal says which word, where it stands, and what is near",
          "[plan][problem][text][refusal]") {
  struct Case {
    const char* text;
    ErrorCode code;
    const char *operand, *value;
    int column;
    std::optional<std::string> nearest{};
  };
  const Case cases[] = {
      {"M=4 N=5", ErrorCode::syntax, "K", "", 8},
      {"", ErrorCode::syntax, "M", "", 1},
      {"M=4 N=5 K=6 k=7", ErrorCode::unknown_name, "problem", "k", 13, "K"},
      {"M=4 N=5 K=x", ErrorCode::syntax, "K", "x", 11},
      {"M=4 N=5 K=6 M=7", ErrorCode::syntax, "M", "7", 13},
      {"M=4 N=5 K=6 A=bf61", ErrorCode::unknown_name, "A", "bf61", 15, "bf16"},
      {"M=4 N=5 K=6 A=bf16:rwo", ErrorCode::unknown_name, "A", "rwo", 20, "row"},
      {"M=4 N=5 K=6 A=bf16:ld", ErrorCode::syntax, "A", "ld", 20},
      {"M=4 N=5 K=6 A=bf16::ld8", ErrorCode::unknown_name, "A", "", 20},
      {"M=4 N=5 K=6 A=row:col", ErrorCode::syntax, "A", "col", 19},
      {"M=4 N=5 K=6 A=broadcast:batch8", ErrorCode::syntax, "A", "batch8", 25},
      {"M=4 N=5 K=6 A=by-value", ErrorCode::syntax, "A", "by-value", 15},
      {"M=4 N=5 K=6 accumulate=f23", ErrorCode::unknown_name, "accumulate", "f23", 24, "f32"},
      {"M=4 N=5 K=6 alpha=2", ErrorCode::unknown_name, "alpha", "2", 19},
      {"M=1-8 N=5 K=6", ErrorCode::syntax, "M", "1-8", 3},
      {"M=1: N=5 K=6", ErrorCode::syntax, "M", "1:", 3},
      {"M=1:8 N=5 K=6 m_range=1:8", ErrorCode::syntax, "m_range", "1:8", 23},
      {"M=4 N=5 K=6 row", ErrorCode::syntax, "problem", "row", 13},
      {"M=4 N=5 K=6 epilogue=\"acc", ErrorCode::syntax, "problem", "\"acc", 22},
      {"M=4 N=5 K=6 epilogue=\"relu(acc + bias[n])\" bais=f32", ErrorCode::unknown_name, "problem",
       "bais", 44, "bias"},
      {"M=4 N=5 K=6 epilogue=\"acc + s\" s=f23:by-value", ErrorCode::unknown_name, "s", "f23", 34,
       "f32"},
  };
  for (const Case& one : cases) {
    INFO(one.text);
    const Error error = test::refusal_of([&] { return parse_problem(one.text); });
    INFO(error);
    CHECK(error.code == one.code);
    CHECK(error.operand == one.operand);
    CHECK(error.value == one.value);
    CHECK(error.position == SourcePosition{1, one.column});
    CHECK(error.nearest_legal == one.nearest);
  }
}

TEST_CASE("an epilogue's own refusal says where in the whole text it lies",
          "[plan][problem][text][refusal]") {
  const Error error =
      test::refusal_of([] { return parse_problem("M=4 N=5 K=6 epilogue=\"rellu(acc)\""); });
  CHECK(error.position == SourcePosition{1, 23});
  CHECK(error.nearest_legal == "relu");
}

TEST_CASE("numbers beyond 64 bits are read, and refused by the problem's rules",
          "[plan][problem][text][refusal]") {
  const Problem huge = parse_problem("M=99999999999999999999 N=4 K=4 A=align99999999999");
  const Error error = test::refusal_of([&] { return completed(huge); });
  CHECK(error.operand == "M");
  CHECK(error.nearest_legal == "2147479552");
}

TEST_CASE("a file of problems has one a line, and remarks", "[plan][problem][text]") {
  const auto problems = parse_problems(
      "# of a small model\n\nM=1:64 N=256 K=128 A=bf16   # attention\r\n  \nM=4 N=5 K=6");
  REQUIRE(problems.size() == 2);
  CHECK(problems[0] == parse_problem("M=1:64 N=256 K=128 A=bf16"));
  CHECK(problems[1] == problem_of(4, 5, 6));
  CHECK(parse_problems("# nothing").empty());
  const Error error =
      test::refusal_of([] { return parse_problems("M=4 N=5 K=6\n\nM=4 N=5 K=6 A=bf61\n"); });
  CHECK(error.position == SourcePosition{3, 15});
}

TEST_CASE("a line of a file has lists of N, K and batch, and steps", "[plan][problem][text]") {
  const auto problems = parse_problems("M=1:64 N=64,96 K=32:128:32 A=bf16\nM=4 batch=2,3 N=5 K=6");
  REQUIRE(problems.size() == 10);
  CHECK(problems[0] == parse_problem("M=1:64 N=64 K=32 A=bf16"));
  CHECK(problems[3] == parse_problem("M=1:64 N=64 K=128 A=bf16"));
  CHECK(problems[4] == parse_problem("M=1:64 N=96 K=32 A=bf16"));
  CHECK(problems[9] == parse_problem("M=4 N=5 K=6 batch=3"));
  const auto refused = [](const char* text) {
    return test::refusal_of([&] { return parse_problems(text); });
  };
  CHECK(refused("M=4 N=5 K=6\nM=4 N=5,x K=6").position == SourcePosition{2, 9});
  CHECK(refused("M=4 N=5, K=6").operand == "N");
  CHECK(refused("M=4 N=64:128 K=6").violated_rules[0].find("64:256:64") != std::string::npos);
  CHECK(refused("M=4 N=64:130:64 K=6").operand == "N");
  CHECK(refused("M=4 N=64:128:0 K=6").operand == "N");
  CHECK(refused("M=4 N=1:4097:1 K=6").nearest_legal == "4096");
  CHECK(refused("M=4 N=1:100:1 K=1:100:1").operand == "K");
  // What stands behind a list is told at its place.
  CHECK(refused("M=4 N=128,64 K=6 A=bf61").position == SourcePosition{1, 20});
  CHECK(test::refusal_of([] { return parse_problem("M=4 N=5,6 K=6"); }).code == ErrorCode::syntax);
}
