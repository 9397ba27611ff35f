// The language's texts: what they mean, what is refused, and how it is told.
#include <jute/epilogue/expression.hpp>
#include <jute/epilogue/types.hpp>

#include <string>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

/// A text with the place of its fault marked by `^`.
struct Malformed {
  std::string text;
  std::string rule;
  std::string nearest = {};
};

// clang-format off
const Malformed kMalformed[] = {
    // Nothing, or not enough.
    {"^", "an epilogue must have an output: a value, which is d, or name = value"},
    {"  ^", "an epilogue must have an output: a value, which is d, or name = value"},
    {"y := acc^", "an epilogue must have an output: a value, which is d, or name = value"},
    {"a = amax(acc)^", "one output must be d: d = value"},
    {"^;acc", "a statement must stand before ';'"},
    {"acc;^;acc", "a statement must stand before ';'"},
    {"acc +^", "a value must follow, but the text ends"},
    {"acc * ^* 2", "a value must follow, but '*' follows"},
    {"math = ^fats; acc", "math must be exact or fast", "fast"},
    {"acc + ^math", "math has a meaning of its own: a name must be another word"},
    {"acc + ^+1", "a value must follow, but '+' does: a number has no sign but '-'"},
    {"-^", "a value must follow, but the text ends"},
    {"^(acc + 1", "this bracket must be closed"},
    {"(acc^; 1)", "an operator or ')' must follow, but ';' follows"},
    {"acc^)", "an operator or ';' must follow a value, but ')' follows"},
    {"acc ^acc", "an operator or ';' must follow a value, but 'a' follows"},
    {"2^acc", "an operator must follow a number, which has no suffix"},
    {"acc*1.0^f", "an operator must follow a number, which has no suffix"},
    {"acc*1.2^.3", "an operator must follow a number, which has no suffix"},
    {"acc*^1e999", "a number must lie within 64-bit floating point; inf has a word"},
    {"acc^\xc3\xa9", "an operator or ';' must follow a value, but a character follows that has no meaning"},
    // Operators.
    {"select(acc < 0 ^< 1, 1, 0)", "comparisons are not chained: a < b and b < c must be written"},
    {"select(acc == 0 ^!= 1, 1, 0)", "comparisons are not chained: a < b and b < c must be written"},
    {"select(acc > 0 ^&& acc < 1, acc, 0)", "&& is no operator here: and must be written", "and"},
    {"select(acc > 0 ^|| acc < 1, acc, 0)", "|| is no operator here: or must be written", "or"},
    {"select(acc>0 ^&acc<1, acc, 0)", "& is no operator here: and must be written", "and "},
    {"select(p[m]>q^&&r[n]<1, acc, 0)", "&& is no operator here: and must be written", " and "},
    {"select(acc > 0^|(acc < -1), acc, 0)", "| is no operator here: or must be written", " or"},
    {"acc^&1", "& is no operator here: and must be written"},
    {"select(^!acc, acc, 0)", "! is no operator: not must be written"},
    {"select(acc ^= 0, acc, 1)", "= is no operator here: == must be written", "=="},
    {"acc > 0 ^? acc : 0", "? is no operator here: select(condition, a, b) must be written"},
    {"acc^^2", "^ is no operator: an operator must be one of + - * / < <= > >= == != and or"},
    {"acc ^% 2", "% is no operator: an operator must be one of + - * / < <= > >= == != and or"},
    {"acc or ^and acc", "a value must follow, but 'and' does"},
    // Functions.
    {"^gleu(acc)", "gleu is no function: a function must be one of", "gelu"},
    {"^gelutanh(acc)", "gelutanh is no function: a function must be one of", "gelu_tanh"},
    {"^half(acc)", "half is no function: a function must be one of", "f16"},
    {"^__nv_bfloat16(acc)", "__nv_bfloat16 is no function: a function must be one of", "bf16"},
    {"^swiglu(acc, acc)", "swiglu is no function: a function must be one of"},
    {"^acc(2)", "acc is no function: a function must be one of"},
    {"^gelu", "'(' must follow the function gelu"},
    {"acc + ^bf16", "'(' must follow the function bf16"},
    {"^gelu()", "gelu must have 1 operand, not 0"},
    {"^gelu(acc, 1)", "gelu must have 1 operand, not 2"},
    {"^max(acc, 0, 1)", "max must have 2 operands, not 3"},
    {"^leaky_relu(acc)", "leaky_relu must have 2 operands, not 1"},
    {"^select(acc > 0, acc)", "select must have 3 operands, not 2"},
    {"gelu(acc^; 2)", "',' or ')' must follow in gelu(…), but ';' follows"},
    {"gelu(acc^", "',' or ')' must follow in gelu(…), but the text ends"},
    // Kinds of values.
    {"^acc > 0", "an output must be a number or bit(…): select(…, 1, 0) makes a number of a truth value"},
    {"^(acc > 0) + 1", "+ needs a number, and this is a truth value: select, bit, not, and, or take it"},
    {"gelu(^acc > 0)", "gelu needs a number, and this is a truth value: select, bit, not, and, or take it"},
    {"select(^acc, 1, 0)", "select needs a truth value, a comparison"},
    {"select(not ^acc > 0, 1, 0)", "not needs a truth value, a comparison"},
    {"select(acc > 0 and ^acc, 1, 0)", "and needs a truth value, a comparison"},
    {"d = acc; k = bit(^acc)", "bit needs a truth value, a comparison"},
    {"d = acc + ^bit(acc > 0)", "bit(…) must be the whole of an output; + needs a value"},
    {"y := ^bit(acc > 0); acc", "bit(…) must be the whole of an output; a local needs a value"},
    {"^bit(acc > 0)", "d must hold numbers: another output takes bit(…)", "acc; a = bit(acc > 0)"},
    {"select(k[m,n], ^k[m,n], 0)", "an input must be a number everywhere or a truth value everywhere"},
    // Reductions.
    {"acc + ^amax(acc)", "amax must be the whole of an output: name = amax(value)"},
    {"a = amax(acc) ^+ 1; acc", "amax must be the whole of an output: ';' or the end must follow it"},
    {"^amax(acc)", "amax must be the whole of an output: name = amax(value)", "acc; a = amax(acc)"},
    {"acc; ^amax(acc)", "amax must be the whole of an output: name = amax(value)", "a = amax(acc)"},
    {"^amax(acc) * 2", "amax must be the whole of an output: name = amax(value)"},
    {"d = ^amax(acc)", "d must hold every element: another output takes amax", "acc; a = amax(acc)"},
    {"acc; r = row_sum^(acc)", "row_sum must be written row_sum[m]", "row_sum[m]"},
    {"acc; r = col_sum^[m](acc)", "col_sum must be written col_sum[n]", "col_sum[n]"},
    {"acc; r = col_sum ^[ m ](acc)", "col_sum must be written col_sum[n]", "col_sum[n]"},
    {"r = row_sum^[n](acc)", "row_sum must be written row_sum[m]", "acc; r = row_sum[m](acc)"},
    {"acc; a = amax ^acc", "'(' must follow amax"},
    {"acc; k = amax(^acc > 0)", "an output must be a number or bit(…)"},
    // Words that were meant to be acc.
    {"silu(^x)", "an epilogue must name acc, the sum of products, or the sum of an operand", "acc"},
    {"gelu(^ac + bias[n])", "an epilogue must name acc, the sum of products", "acc"},
    {"y := s*^ac_; d = y*v[m]; a = amax(y)", "an epilogue must name acc, the sum of products", "acc"},
    {"max(maxi[n], ^maxi_)", "an epilogue must name acc, the sum of products", "acc"},
    {"^2*c + bias[n]", "an epilogue must name acc, the sum of products"},
    // Inputs and their indices.
    {"acc + bias[^k]", "an index must be m, n or batch", "bias[n]"},
    {"acc + x[n,^k]", "an index must be m, n or batch", "x[m,n]"},
    {"acc + bias[^N]", "an index must be m, n or batch", "bias[n]"},
    {"acc + bias[^row]", "an index must be m, n or batch", "bias[m]"},
    {"bias[^]+acc", "an index must be m, n or batch", "bias[n]"},
    {"bias[ ^] + acc", "an index must be m, n or batch", "bias[n]"},
    {"x[m,^]+acc", "an index must be m, n or batch", "x[m]"},
    {"bias[m,n,^k]+acc", "an index must be m, n or batch", "bias[m,n]"},
    {"s[^b]*acc", "an index must be m, n or batch", "s[batch]"},
    {"bias[^k + x[n]", "an index must be m, n or batch"},
    {"acc*bias[^k", "an index must be m, n or batch", "bias[n]"},
    {"bias[^k] + x[k]", "an index must be m, n or batch"},
    {"acc + x^[n,m]", "indices must stand once each, in the order batch, m, n", "x[m,n]"},
    {"acc + x^[n,batch]", "indices must stand once each, in the order batch, m, n", "x[batch,n]"},
    {"acc + x^[m,m]", "indices must stand once each, in the order batch, m, n", "x[m]"},
    {"acc + bias[n^", "']' must follow an index, but the text ends"},
    {"bias[n] + ^bias[m]", "an input must have one index: it was bias[n] before"},
    {"acc + ^m", "m must be an index: v[m], v[n], x[m,n], s[batch]"},
    {"acc + a_sum^", "a_sum must be written a_sum[m]", "a_sum[m]"},
    {"acc + b_sum^[m]", "b_sum must be written b_sum[n]", "b_sum[n]"},
    {"acc^[m,n]", "an operator or ';' must follow a value, but '[' follows"},
    // Names.
    {"^acc := 2; acc", "acc has a meaning of its own: a name must be another word"},
    {"^gelu = acc; d = acc", "gelu has a meaning of its own: a name must be another word"},
    {"^batch := 2; acc", "batch has a meaning of its own: a name must be another word"},
    {"^d := 2; acc", "d must be an output: d = value"},
    {"^_y := 2; acc", "a name must be a letter, then letters, digits and '_', unlike '_y'"},
    {"acc*^_y", "a name must be a letter, then letters, digits and '_', unlike '_y'"},
    {"y := acc; ^y := 2; y", "y is a local already; a name must be new"},
    {"y := acc; d = y; ^y = acc", "y is a local already; a name must be new"},
    {"g = acc; d = acc; ^g = acc", "g is an output already; a name must be new"},
    {"acc; ^acc*2", "d is an output already; a name must be new"},
    {"acc*y; ^y := acc", "y was read as an input before; a name must be of one thing"},
    {"^y := y*2; acc", "y was read as an input before; a name must be of one thing"},
    {"g = acc; d = ^g*2", "g is an output, and values see locals only: y := …; g = y must be written"},
    {"g = ^d*2; d = acc", "d is an output, and values see locals only: y := …; d = y must be written"},
    {"^bias[n] = acc", "what stands before '=' must be a name alone: name = value, name := value"},
    {"^2 = acc", "a name must be a letter, then letters, digits and '_', unlike '2'"},
    {"^(y) := acc", "what stands before '=' must be a name alone: name = value, name := value"},
};
// clang-format on

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("a malformed expression is refused at the place of its fault", "[epilogue][refusal]") {
  STATIC_REQUIRE(std::size(kMalformed) >= 60);
  for (const Malformed& malformed : kMalformed) {
    std::string text = malformed.text;
    const std::size_t column = text.find('^');
    text.erase(column, 1);
    INFO(text);
    const Error error = test::refusal_of([&] { return parse_epilogue(text); });
    CHECK(error.operand == "epilogue");
    REQUIRE(error.violated_rules.size() == 1);
    CHECK(error.violated_rules[0].starts_with(malformed.rule));
    CHECK(error.nearest_legal.value_or("") == malformed.nearest);
    if (!malformed.nearest.empty()) {
      // With the nearest where the value stands the text is read.
      const std::size_t at = text.rfind(error.value, column);
      REQUIRE(at != std::string::npos);
      std::string better = text;
      better.replace(at, error.value.size(), malformed.nearest);
      INFO(better);
      CHECK_NOTHROW(parse_epilogue(better));
    }
    CHECK(error.position == SourcePosition{1, static_cast<int>(column) + 1});
    CHECK(error.detail.ends_with("\n" + std::string(column, ' ') + "^"));
  }
}

TEST_CASE("limits are told", "[epilogue][refusal]") {
  const auto refusal = [](const std::string& text) {
    return test::refusal_of([&] { return parse_epilogue(text); });
  };
  CHECK(refusal(repeated("(", 201) + "acc").code == ErrorCode::too_deep);
  CHECK(refusal(repeated("-", 201) + "acc").code == ErrorCode::too_deep);
  CHECK(refusal(repeated("exp(", 201) + "acc").code == ErrorCode::too_deep);
  CHECK_NOTHROW(parse_epilogue(repeated("(", 200) + "acc" + repeated(")", 200)));
  CHECK_NOTHROW(parse_epilogue("acc" + repeated("+acc", 199)));
  CHECK(refusal("acc" + repeated("+acc", 200)).violated_rules[0] ==
        "an epilogue must have at most 200 nodes");
  std::string inputs = "acc", outputs = "acc", locals;
  for (int i = 0; i < 17; ++i) inputs += "+v" + std::to_string(i) + "[n]";
  for (int i = 0; i < 8; ++i) outputs += "; o" + std::to_string(i) + " = acc";
  for (int i = 0; i < 65; ++i) locals += "y" + std::to_string(i) + " := acc; ";
  CHECK(refusal(inputs).violated_rules[0] == "an epilogue must have at most 16 inputs");
  CHECK(refusal(outputs).violated_rules[0] == "an epilogue must have at most 8 outputs");
  CHECK(refusal(locals + "acc").violated_rules[0] == "an epilogue must have at most 64 locals");
  CHECK(refusal("acc*" + std::string(65, 'v')).violated_rules[0] ==
        "a name must have at most 64 letters");
  // A long text is shown around the fault.
  const Error error = refusal("acc" + repeated(" + acc", 100) + " + gleu(acc)");
  CHECK(error.detail.starts_with("..."));
  CHECK(error.nearest_legal == "gelu");
}

TEST_CASE("a text prints as it is written where it is canonical", "[epilogue][text]") {
  for (const char* const text :
       {"acc", "alpha*acc + beta*c", "gelu(alpha*acc + bias[n])",
        "y := silu(acc); d = y; g = y*scale[m]; a = amax(y)", "acc - (s - 1) - 2",
        "acc/s*2/(3*v[m])", "-acc*-2", "-(acc + 1)*--acc", "(acc + x[m,n])*s[batch] + v[batch,n]",
        "select(not (acc > 0 and (acc < 1 or acc != 2)), 1, 0)",
        "select(acc > 0 and acc < 1 or acc != 2, 1, 0)",
        "p := acc >= 0; d = select(p, acc, acc*0.5); k = bit(not p)", "select(mask[m,n], acc, nan)",
        "clamp(e4m3(acc*s), -448, 448)", "min(max(acc, 0), inf)", "acc*1e-30 + 0.1",
        "leaky_relu(acc - a_sum[m]*zero[n] - b_sum[n], 0.01)", "math = fast; gelu(acc)",
        "math = fast; y := silu(acc); d = y; a = amax(y)"}) {
    INFO(text);
    const EpilogueExpression expression = parse_epilogue(text);
    CHECK(to_string(expression) == text);
    CHECK(broken_rules(expression).empty());
    CHECK(parse_epilogue(to_string(expression)) == expression);
  }
}

TEST_CASE("what may be written in several ways prints in one", "[epilogue][text]") {
  const auto canonical = [](const char* text) { return to_string(parse_epilogue(text)); };
  CHECK(canonical(" ( alpha * acc )+beta * c ; ") == "alpha*acc + beta*c");
  CHECK(canonical("d = acc") == "acc");
  CHECK(canonical("neg(acc) - neg(-2.50)") == "-acc - --2.5");
  CHECK(canonical("acc*.5e0 + 1E3 + 2.") == "acc*0.5 + 1000 + 2");
  CHECK(canonical("(acc*2)*3 + (4 + acc)") == "acc*2*3 + (4 + acc)");
  CHECK(canonical("d = acc; y := exp(acc); g = y*y") == "y := exp(acc); d = acc; g = y*y");
  CHECK(canonical("y := acc; z := y; y*z") == "y := acc; z := acc; acc*acc");
  CHECK(canonical("y := exp(acc); z := y; y*z") == "y := exp(acc); z := y; y*y");
  CHECK(canonical("acc*2\n;\ta\n=\namax ( acc )") == "d = acc*2; a = amax(acc)");
  CHECK(canonical("acc; r = row_sum [ m ] (acc)") == "d = acc; r = row_sum[m](acc)");
  CHECK(canonical("acc; r = col_amax [ n ] (acc)") == "d = acc; r = col_amax[n](acc)");
  CHECK(canonical("y := exp(acc); math=fast; y*y") == "math = fast; y := exp(acc); y*y");
  CHECK(canonical("math = exact; exp(acc)") == "exp(acc)");
}

TEST_CASE("kinds and the type that is computed in follow from the tree", "[epilogue][types]") {
  const auto type = [](const char* text, DType accumulate, std::vector<DType> read = {}) {
    return compute_type(parse_epilogue(text), accumulate, read);
  };
  CHECK(type("acc*0.5", DType::f32) == DType::f32);
  CHECK(type("acc*0.5", DType::f16) == DType::f32);
  CHECK(type("exp(acc)", DType::f64) == DType::f64);
  CHECK(type("alpha*acc + beta*c", DType::s32) == DType::s32);
  CHECK(type("select(acc > 3, clamp(-acc, 0, 7), abs(min(acc, max(x[m], 2))))", DType::s32) ==
        DType::s32);
  CHECK(type("acc*2.5", DType::s32) == DType::f32);
  CHECK(type("acc*2147483647", DType::s32) == DType::s32);
  CHECK(type("acc*2147483648", DType::s32) == DType::f32);
  CHECK(type("acc/2", DType::s32) == DType::f32);
  CHECK(type("s8(acc)", DType::s32) == DType::f32);
  CHECK(type("relu(acc)", DType::s32) == DType::f32);
  CHECK(type("acc + x[m]", DType::s32, {DType::s8}) == DType::s32);
  CHECK(type("acc + x[m]", DType::s32, {DType::bf16}) == DType::f32);
  const auto extent = [](const char* text) {
    const EpilogueExpression expression = parse_epilogue(text);
    return output_extent(expression, expression.outputs.back());
  };
  CHECK(extent("d = acc; g = a_sum[m]*s + 1") == EpilogueExtent::rows);
  CHECK(extent("d = acc; g = b_sum[n] - 1") == EpilogueExtent::columns);
  CHECK(extent("d = acc; g = v[batch,n]") == EpilogueExtent::elements);
  CHECK(extent("d = acc; g = a_sum[m]*b_sum[n]") == EpilogueExtent::elements);
  CHECK(extent("d = acc; g = alpha*s") == EpilogueExtent::elements);
  CHECK(extent("d = acc; g = exp(acc)") == EpilogueExtent::elements);
  CHECK(extent("d = acc; g = bit(v[m] > 0)") == EpilogueExtent::elements);
  CHECK(extent("d = acc; g = row_sum[m](acc)") == EpilogueExtent::rows);
  CHECK(extent("d = acc; g = row_amax[m](acc)") == EpilogueExtent::rows);
  CHECK(extent("d = acc; g = col_amax[n](acc)") == EpilogueExtent::columns);
  CHECK(extent("d = acc; g = amax(v[m])") == EpilogueExtent::scalar);
  CHECK(extent("g = acc; d = v[n]") == EpilogueExtent::elements);
  using Kinds = std::vector<EpilogueKind>;
  CHECK(input_kinds(parse_epilogue("select(k[m,n] and not j, acc*s, 0)")) ==
        Kinds{EpilogueKind::truth, EpilogueKind::truth, EpilogueKind::number});
}
