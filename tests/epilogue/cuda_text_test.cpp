// Expressions as CUDA text.
#include <jute/epilogue/cuda_text.hpp>
#include <jute/epilogue/types.hpp>

#include "support/catch.hpp"

using namespace jute;

namespace {

EpilogueCudaText text_of(const char* text, DType accumulate, EpilogueSpelling spelling = {},
                         EpilogueAccuracy accuracy = EpilogueAccuracy::full) {
  const EpilogueExpression expression = parse_epilogue(text);
  for (std::size_t i = spelling.inputs.size(); i < expression.inputs.size(); ++i)
    spelling.inputs.push_back(expression.inputs[i].name);
  return cuda_text(arithmetic_of(expression), compute_type(expression, accumulate), spelling,
                   accuracy);
}

}  // namespace

TEST_CASE("the usual epilogue is the text that plain kernels have", "[epilogue][cuda][golden]") {
  const auto f32 = text_of("alpha*acc + beta*c", DType::f32);
  CHECK(f32.lines ==
        "Compute sum = __fmul_rn(alpha, acc);\n"
        "if (beta != 0) sum = __fmaf_rn(beta, to_compute(c), sum);\n");
  CHECK(f32.values == std::vector<std::string>{"sum"});
  CHECK(f32.functions.empty());
  const auto s32 = text_of("alpha*acc + beta*c", DType::s32);
  CHECK(s32.lines ==
        "Compute sum = alpha * acc;\n"
        "if (beta != 0) sum = beta * to_compute(c) + sum;\n");
  const auto f64 = text_of("acc + beta*c", DType::f64);
  CHECK(f64.lines ==
        "Compute sum = acc;\n"
        "if (beta != 0) sum = __fma_rn(beta, to_compute(c), sum);\n");
  CHECK(text_of("alpha*acc", DType::f64).values[0] == "__dmul_rn(alpha, acc)");
  CHECK(text_of("alpha*acc", DType::s32).values[0] == "alpha * acc");
  CHECK(text_of("acc", DType::f16, {.acc = "to_compute(acc)"}).values[0] == "to_compute(acc)");
  CHECK(text_of("acc", DType::f16).lines.empty());
}

TEST_CASE("a product that is added is part of the sum", "[epilogue][cuda]") {
  CHECK(text_of("acc*s + b", DType::f32).values[0] == "__fmaf_rn(acc, s, b)");
  CHECK(text_of("b + acc*s", DType::f32).values[0] == "__fmaf_rn(acc, s, b)");
  CHECK(text_of("b - acc*s", DType::f32).values[0] == "__fmaf_rn(-acc, s, b)");
  CHECK(text_of("acc*s - b", DType::f64).values[0] == "__fma_rn(acc, s, -b)");
  CHECK(text_of("acc*s + b*2", DType::f32).values[0] == "__fmaf_rn(b, 2.0f, __fmul_rn(acc, s))");
  // A name changes nothing.
  CHECK(text_of("p := acc*s; p + b", DType::f32).values[0] == "__fmaf_rn(acc, s, b)");
  CHECK(text_of("p := acc*s; p + b", DType::f32).lines.empty());
}

TEST_CASE("C is part of a sum where beta is not 0", "[epilogue][cuda]") {
  const auto minus = text_of("silu(acc) - beta*c", DType::f32);
  CHECK(minus.lines ==
        "Compute sum = silu(acc);\n"
        "if (beta != 0) sum = __fmaf_rn(-beta, to_compute(c), sum);\n");
  const auto other = text_of("beta*c - acc", DType::f32);
  CHECK(other.lines ==
        "Compute sum = (-acc);\n"
        "if (beta != 0) sum = __fmaf_rn(beta, to_compute(c), sum);\n");
  CHECK(text_of("silu(beta*c)*acc", DType::f32).values[0] ==
        "__fmul_rn(silu((beta != 0 ? __fmul_rn(beta, to_compute(c)) : 0.0f)), acc)");
  const auto two = text_of("(acc + beta*c)*s + beta*c", DType::f32);
  CHECK(two.lines ==
        "Compute sum = acc;\n"
        "if (beta != 0) sum = __fmaf_rn(beta, to_compute(c), sum);\n"
        "Compute sum_2 = __fmul_rn(sum, s);\n"
        "if (beta != 0) sum_2 = __fmaf_rn(beta, to_compute(c), sum_2);\n");
}

TEST_CASE("locals are variables, computed once", "[epilogue][cuda]") {
  const auto text = text_of("y := silu(acc); d = y; g = y*scale[m]; a = amax(y)", DType::f32,
                            {.inputs = {"scale_row"}});
  CHECK(text.lines == "const Compute y_ = silu(acc);\n");
  CHECK(text.values == std::vector<std::string>{"y_", "__fmul_rn(y_, scale_row)", "y_"});
  CHECK(text.functions == std::vector<std::string>{"epilogue/functions.cu (approx_exp2)",
                                                   "epilogue/functions.cu (approx_reciprocal)",
                                                   "epilogue/functions.cu (silu)"});
  const auto truth = text_of("p := acc > 0; d = select(p, acc, 0); k = bit(p)", DType::f32);
  CHECK(truth.lines == "const bool p_ = (acc > 0.0f);\n");
  CHECK(truth.values == std::vector<std::string>{"(p_ ? acc : 0.0f)", "p_"});
  // What a text says twice is a variable too, unless it is a name.
  CHECK(text_of("relu(acc)", DType::f32).values[0] == "(acc < 0.0f ? 0.0f : acc)");
  CHECK(text_of("relu(acc + b)", DType::f32).lines == "const Compute part = __fadd_rn(acc, b);\n");
}

TEST_CASE("what is stored in half the bits takes one approximate instruction", "[epilogue][cuda]") {
  const auto text = text_of("silu(acc)", DType::f32, {}, EpilogueAccuracy::half);
  CHECK(text.values[0] == "silu_half(acc)");
  CHECK(text.functions == std::vector<std::string>{"epilogue/functions.cu (approx_tanh)",
                                                   "epilogue/functions.cu (silu_half)"});
}

TEST_CASE("integers wrap, also where a compiler could look through them", "[epilogue][cuda]") {
  CHECK(text_of("acc*2 + b", DType::s32).values[0] == "acc * 2 + b");
  CHECK(text_of("(acc + b)*2", DType::s32).values[0] == "(acc + b) * 2");
  CHECK(text_of("max(acc + 1, acc)", DType::s32).values[0] ==
        "max(int(unsigned(acc) + unsigned(1)), acc)");
  CHECK(text_of("max(acc*s - b, 0)", DType::s32).values[0] ==
        "max(int(unsigned(acc) * unsigned(s) - unsigned(b)), 0)");
  CHECK(text_of("acc*0.5", DType::s32).values[0] == "__fmul_rn(acc, 0.5f)");
}

TEST_CASE("numbers are constants of the type that is computed in", "[epilogue][cuda]") {
  CHECK(text_of("acc*1e-3", DType::f32).values[0] == "__fmul_rn(acc, 0.001f)");
  CHECK(text_of("acc*1e-30", DType::f64).values[0] == "__dmul_rn(acc, 1e-30)");
  CHECK(text_of("min(acc, inf)", DType::f32).values[0] == "fminf(acc, __int_as_float(0x7f800000))");
  CHECK(text_of("min(acc, nan)", DType::f64).values[0] ==
        "fmin(acc, __longlong_as_double(0x7ff8000000000000LL))");
}
