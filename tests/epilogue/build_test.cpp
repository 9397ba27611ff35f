// Expressions built by C++ operators are those that their texts name.
#include <jute/epilogue/build.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::epilogue;

TEST_CASE("operators and functions build the tree of the text", "[epilogue][build]") {
  CHECK(output(alpha() * acc() + beta() * c()) == parse_epilogue("alpha*acc + beta*c"));
  CHECK(output(gelu(alpha() * acc() + input("bias[n]"))) ==
        parse_epilogue("gelu(alpha*acc + bias[n])"));
  const EpilogueValue y = let("y", silu(acc()));
  CHECK(outputs({{"d", y}, {"g", y * input("scale[m]")}, amax("a", y)}) ==
        parse_epilogue("y := silu(acc); d = y; g = y*scale[m]; a = amax(y)"));
  CHECK(outputs({{"d", acc()}, sum("s", acc()), row_sum("r", acc()), col_sum("k", acc())}) ==
        parse_epilogue("d = acc; s = sum(acc); r = row_sum[m](acc); k = col_sum[n](acc)"));
  CHECK(outputs({{"d", acc()}, row_amax("r", acc()), col_amax("k", acc())}) ==
        parse_epilogue("d = acc; r = row_amax[m](acc); k = col_amax[n](acc)"));
  const EpilogueValue p = (acc() > 0 && !(acc() >= input("s"))) || acc() != 2;
  CHECK(outputs({{"d", select(p, -acc(), acc() / 2 - 1.5)}, {"k", bit(p)}}) ==
        parse_epilogue("d = select(acc > 0 and not (acc >= s) or acc != 2, -acc, acc/2 - 1.5); "
                       "k = bit(acc > 0 and not (acc >= s) or acc != 2)"));
  CHECK(output(clamp(cast(DType::e4m3, max(acc(), -448)), -1, abs(b_sum()))) ==
        parse_epilogue("clamp(e4m3(max(acc, -448)), -1, abs(b_sum[n]))"));
}

TEST_CASE("what has a name is one node wherever it is used", "[epilogue][build]") {
  const EpilogueValue y = let("y", exp(acc()));
  const EpilogueValue z = let("z", y * y + 1);
  const EpilogueExpression expression = outputs({{"d", z / y}, {"g", z - y}});
  CHECK(to_string(expression) == "y := exp(acc); z := y*y + 1; d = z/y; g = z - y");
  CHECK(parse_epilogue(to_string(expression)) == expression);
  // Without a name each use is computed by itself.
  const EpilogueValue e = exp(acc());
  CHECK(to_string(output(e * e)) == "exp(acc)*exp(acc)");
}

TEST_CASE("what no text names is refused", "[epilogue][build][refusal]") {
  const auto rule = [](auto&& call) { return test::refusal_of(call).violated_rules.at(0); };
  CHECK(rule([] { return let("acc", acc()); }) ==
        "acc has a meaning of its own: a name must be another word");
  CHECK(rule([] { return let("y", exp(acc())) + let("y", log(acc())); }) ==
        "y must be the name of one value: it is exp(acc) and log(acc)");
  CHECK(rule([] { return input("v[m]") * input("v[n]"); }) ==
        "an input must have one index: it was v[m] before");
  CHECK(rule([] { return input("v*2"); }) ==
        "it must be an input: s, v[m], v[n], x[m,n], with batch first where it has one");
  CHECK(rule([] { return output(acc() > 0); }) ==
        "an output must be a number or bit(…): select(…, 1, 0) makes a number of a truth value");
  CHECK(rule([] { return outputs({}); }) == "an epilogue must have a node, its result");
  CHECK(rule([] {
          return output(silu(input("x")));
        }).starts_with("an epilogue must name acc, the sum of products"));
  CHECK(rule([] {
          return outputs({{"d", acc()}, {"d", acc()}});
        }) == "d must be the name of one thing");
  EpilogueValue long_sum = acc();
  CHECK(rule([&] {
          for (int i = 0; i < 300; ++i) long_sum = exp(long_sum);
          return long_sum;
        }) == "an epilogue must have at most 200 nodes");
}

TEST_CASE("the deepest tree has a text", "[epilogue][build]") {
  EpilogueValue calls = acc(), signs = acc(), brackets = acc();
  for (int i = 0; i < 199; ++i) calls = exp(calls);
  for (int i = 0; i < 199; ++i) signs = -signs;
  for (int i = 0; i < 99; ++i) brackets = acc() - -brackets;
  for (const EpilogueValue& value : {calls, signs, brackets}) {
    const EpilogueExpression expression = output(value);
    CHECK(parse_epilogue(to_string(expression)) == expression);
  }
}
