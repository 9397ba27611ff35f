// The language itself: reading, kinds of values, refusals with their place.
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/expr/eval.hpp>

#include <algorithm>

using namespace jute;
using jute::test::refusal_of;

namespace {
std::string result(std::string_view expression) { return to_string(eval(expression)); }
}  // namespace

TEST_CASE("values of the notation evaluate to themselves", "[expr]") {
  for (const char* text :
       {"7", "(4)", "(4,(2,8))", "(4,8):(8,1)", "(4:1,_,(2,2):(1,8))", "Sw<3,4,3>",
        "Sw<3,3,3>o0o(8,64):(64,1)", "Sw<0,4,3>o0o4:1", "(8,8):(8,1)o-8oSw<3,3,3>",
        "(8,8):(8,1)o0o(4,4):(1,4)", "1@0@1", "()", "():()", "((4,8):(8,1),16)"}) {
    CHECK(result(text) == text);
    CHECK(eval(text) == eval(result(text)));
  }
  CHECK(result(" ( _4 , 8 ) : ( 8 , _1 ) ") == "(4,8):(8,1)");
  CHECK(result("Sw<3,3,3> o 0 o (8,64):(64,1)") == "Sw<3,3,3>o0o(8,64):(64,1)");
}

TEST_CASE("functions take values and calls", "[expr]") {
  CHECK(result("composition((4,8):(8,1),(2,4):(4,1))") == "(2,4):(1,8)");
  CHECK(result("size(logical_divide(16:2,4:1))") == "16");
  CHECK(result("slice_and_offset((2,_),(4,8):(8,1))") == "((8):(1),16)");
  CHECK(result("congruent((4,8),(1,2))") == "true");
  CHECK(result("swizzle_apply(Sw<1,0,1>,0,1,2,3)") == "(0,1,3,2)");
  CHECK(result("values((2,3):(3,1))") == "(0,3,1,4,2,5)");
  CHECK(result("compact_major((8,64),right)") == "(64,1)");
  CHECK(result("get(((1,8),(2,8)):((4,2),(24,32)),0,1)") == "8:2");
  CHECK(result("right_inverse(Sw<2,2,2>o4o16:1)") == "16:1o-4oSw<2,2,2>");
  CHECK(result("composition(Sw<1,0,2>,Sw<1,1,2>)") == "Sw<2,0,2>");
  CHECK(result("gmma_layout_atom(K,SW128,f16)") == "Sw<3,3,3>o0o(8,64):(64,1)");
  CHECK(result("tile_to_shape(gmma_layout_atom(MN,SW32,f16),(64,64))") ==
        "Sw<1,3,3>o0o((16,4),(8,8)):((1,128),(16,512))");
  CHECK(result("bank_conflicts(Sw<3,3,3>o0o8:64,16,16)") == "(1,1)");
  CHECK(result("equivalent((2,4):(1,2),8:1)") == "true");
  CHECK(result("xor_columns(Sw<1,0,1>o0o4:1)") == "(0,(1,3))");
  CHECK(result("convert((4,8):(1,4),(4,8):(8,1))") == "(4,8):(8,1)");
  CHECK(result("max_vector_elems(Sw<3,3,3>o0o(64,8):(1,64),16)") == "8");
}

TEST_CASE("a refusal names the function, the column and shows the place", "[expr][refusal]") {
  const Error error = refusal_of([] { return eval("size(composition((4,8):(2,16),4:3))"); });
  CHECK(error.code == ErrorCode::not_divisible);
  REQUIRE(error.position);
  CHECK(error.position->column == 6);
  CHECK(error.detail == "size(composition((4,8):(2,16),4:3))\n     ^");
}

TEST_CASE("mistakes in the text are refused with their kind", "[expr][refusal]") {
  CHECK(refusal_of([] { return eval("compositoin(4:1,2:1)"); }).nearest_legal == "composition");
  CHECK(refusal_of([] { return eval("compositoin(4:1,2:1)"); }).code == ErrorCode::unknown_name);
  CHECK(refusal_of([] { return eval("composition(4:1)"); }).code == ErrorCode::wrong_arity);
  CHECK(refusal_of([] { return eval("append((1,2),6)"); }).code == ErrorCode::wrong_arity);
  CHECK(refusal_of([] { return eval("composition(4,2:1)"); }).code == ErrorCode::wrong_type);
  CHECK(refusal_of([] { return eval(""); }).code == ErrorCode::syntax);
  CHECK(refusal_of([] { return eval("left"); }).code == ErrorCode::unknown_name);
  CHECK(refusal_of([] { return eval("compact_major(8,middle)"); }).code == ErrorCode::unknown_name);
  CHECK(refusal_of([] { return eval(std::string(65, '(') + std::string(65, ')')); }).code ==
        ErrorCode::too_deep);
  std::string calls;
  for (int i = 0; i < 100; ++i) calls += "flatten(";
  CHECK(refusal_of([&] { return eval(calls); }).code == ErrorCode::too_deep);
}

TEST_CASE("a number beyond 64 bits is offered at its bound", "[expr][refusal]") {
  const auto offered = [](const char* text) {
    return refusal_of([&] { return eval(text); }).nearest_legal.value_or("");
  };
  CHECK(offered("9223372036854775808") == "9223372036854775807");
  CHECK(offered("-9223372036854775809") == "-9223372036854775808");
  CHECK(offered("(-9223372036854775808,99999999999999999999)") ==
        "(-9223372036854775808,9223372036854775807)");
  CHECK(offered("4:-99999999999999999999") == "4:-9223372036854775808");
}

TEST_CASE("a layout whose brackets are left out is offered with them", "[expr][refusal]") {
  CHECK(refusal_of([] { return eval("ALayout: (4,2),4:(8,4),1"); }).nearest_legal ==
        "ALayout: ((4,2),4):((8,4),1)");
  CHECK(refusal_of([] { return eval("(2,2,2),(2,2,2):(1,16,4),(8,2,32)"); }).nearest_legal ==
        "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))");
  CHECK(refusal_of([] { return eval("4,8:8"); }).nearest_legal == std::nullopt);
}

TEST_CASE("a batch line never throws and stays on one line", "[expr]") {
  CHECK(eval_line("size(8:1)") == LineResult{true, "8"});
  const LineResult bad = eval_line("size(8:1");
  CHECK_FALSE(bad.ok);
  CHECK(bad.text.starts_with("error: syntax: column 9: "));
  CHECK(bad.text.find('\n') == std::string::npos);
  CHECK_FALSE(eval_line(std::string_view("4\0:1", 4)).ok);
}

TEST_CASE("every function is listed with its usage", "[expr]") {
  CHECK(functions().size() > 60);
  for (const FunctionSummary& function : functions()) {
    INFO(function.name);
    CHECK(function.usage.starts_with(std::string(function.name) + "("));
    CHECK_FALSE(function.summary.empty());
  }
}

TEST_CASE("very long lines are answered or refused in a short message", "[expr]") {
  const auto repeated = [](std::string_view piece, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
  };
  CHECK(result("size((" + repeated("(1),", 333333) + "1))") == "1");
  for (const std::string& hostile :
       {repeated("(", 1000000), repeated(")", 1000000), repeated("()", 500000),
        repeated("size(", 200000), repeated("(", 63) + repeated("(1),", 250000) + "a",
        "(" + repeated("a,", 500000), "1" + repeated("@0", 500000), repeated("<", 1000000),
        repeated("9", 1000000), repeated("\xff", 1000000), std::string(1000000, '\0')}) {
    const LineResult refused = eval_line(hostile);
    CHECK_FALSE(refused.ok);
    CHECK(refused.text.size() < 600);
    CHECK(std::ranges::all_of(refused.text, [](char c) { return c >= 0x20 && c < 0x7F; }));
  }
}

TEST_CASE("a refusal shows long layouts in part", "[expr][refusal]") {
  const LineResult refused = eval_line("max_alignment(append(1:1@0,2000,1:1@1))");
  CHECK_FALSE(refused.ok);
  CHECK(refused.text.size() < 600);
  CHECK(refused.text.find("more characters") != std::string::npos);
}

TEST_CASE("the kinds of arguments that functions take beyond layouts", "[expr]") {
  CHECK(result("add((1,2),3@1)") == "(1,5)");
  CHECK(result("subtract(4@1,1@1)") == "(0,3)");
  CHECK(result("elem_leq((1,2),(2,1))") == "true");
  CHECK(result("colex_less((1,2),(2,1))") == "false");
  CHECK(result("increment((1,0),(2,3))") == "(0,1)");
  CHECK(result("zip(((2,3),(4,5)):((1,2),(6,24)))") == "((2,4),(3,5)):((1,6),(2,24))");
  CHECK(result("domain_offset((1,2),Sw<1,0,1>o0o(4,8):(8,1))") == "(Sw<1,0,1>o10o(4,8):(8,1),0)");
  CHECK(result("get_swizzle_portion(Sw<3,3,3>o0o(8,64):(64,1))") == "Sw<3,3,3>");
  CHECK(result("get_nonswizzle_portion(Sw<3,3,3>o0o(8,64):(64,1))") == "(8,64):(64,1)");
  CHECK(result("make_swizzle(448,56)") == "Sw<3,3,3>");
  CHECK(result("with_shape(16:2,(4,4))") == "(4,4):(2,8)");
  CHECK(result("compact_order((2,3,4),(2,0,1))") == "(12,1,3)");
}
