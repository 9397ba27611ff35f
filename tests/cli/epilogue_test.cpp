// `jute epilogue`: an expression explained.
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("epilogue prints the canonical text, tree, types, errors and CUDA", "[cli][epilogue]") {
  const ProcessResult result =
      run_jute({"epilogue", "p:=acc>0;d=select( p,gelu(acc),nan*x[batch,m,n]) ; k=bit(not p)"});
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  for (const char* const part :
       {"p := acc > 0; d = select(p, gelu(acc), nan*x[batch,m,n]); k = bit(not p)\n",
        "computed in f32 from an accumulator of f32\n",
        "  p := >                                 truth\n",
        "    gelu                                 f32\n",
        "  k = bit                                bit\n",
        "  x            one an element of D, for each batch\n",
        "  k            one bit an element\n",
        "  gelu         400 units in the last place + 7.52e-37\n",
        "  // epilogue/functions.cu (gelu)", "  const bool p_ = (acc > 0.0f);\n",
        "  k = (!p_);\n"}) {
    INFO(part);
    CHECK(result.out.find(part) != std::string::npos);
  }
}

TEST_CASE("epilogue computes in what the accumulator asks for", "[cli][epilogue]") {
  const auto out = [](const char* text, const char* accumulate) {
    return run_jute({"epilogue", text, "--acc", accumulate}).out;
  };
  CHECK(out("alpha*acc + beta*c", "s32").find("Compute sum = alpha * acc;") != std::string::npos);
  CHECK(out("acc*0.5", "s32").find("d = __fmul_rn(__int2float_rn(acc), 0.5f);") !=
        std::string::npos);
  CHECK(out("acc*0.5", "f16").find("d = __fmul_rn(to_compute(acc), 0.5f);") != std::string::npos);
  CHECK(out("exp(acc)", "f64").find("d = exp(acc);") != std::string::npos);
}

TEST_CASE("epilogue says the same to programs", "[cli][epilogue]") {
  const auto json = nlohmann::json::parse(
      run_jute({"epilogue", "y := exp(acc); d = y*s; a = amax(y)", "--json"}).out);
  CHECK(json["compute"] == "f32");
  CHECK(json["nodes"].size() == 4);
  CHECK(json["nodes"][1]["text"] == "exp(acc)");
  CHECK(json["nodes"][3]["operands"] == nlohmann::json{1, 2});
  CHECK(json["inputs"][0]["name"] == "s");
  CHECK(json["outputs"][1]["cuda"] == "y_");
  CHECK(json["functions"][0]["error"]["ulps"] == 1);
}

TEST_CASE("epilogue shows the place of a fault", "[cli][epilogue]") {
  const ProcessResult result = run_jute({"epilogue", "gelu(acc + bias[k])"});
  require_refusal(result, 2, "an index must be m, n or batch");
  CHECK(result.err.find("gelu(acc + bias[k])\n                ^") != std::string::npos);
  require_refusal(run_jute({"epilogue", "sliu(acc)"}), 2, "silu");
}
