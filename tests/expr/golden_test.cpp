// The recorded results of CuTe C++, and the inputs that it refuses, line by line.
#include "expr/json_lines.hpp"

#include <jute/expr/eval.hpp>

#include <set>
#include <string>

using namespace jute;
using jute::test::json_lines;
using Json = nlohmann::json;

namespace {

/// A recorded result as the language prints it: lists are tuples, other values stand as they are.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text = "(";
  for (const Json& item : value) text += (text.size() > 1 ? "," : "") + text_of(item);
  return text + ")";
}

/// Texts too long to store are given as pieces to repeat.
std::string argument_text(const Json& pieces) {
  std::string text;
  for (const Json& piece : pieces) {
    for (int i = 0; i < piece[1].get<int>(); ++i) text += piece[0].get<std::string>();
  }
  return text;
}

std::string expression_of(const Json& line) {
  std::vector<std::string> arguments;
  if (line.contains("args_gen")) {
    for (const Json& pieces : line["args_gen"]) arguments.push_back(argument_text(pieces));
  } else {
    arguments = line["args"].get<std::vector<std::string>>();
  }
  std::string op = line["op"];
  if (op == "parse") return arguments[0];
  if (op == "layout") op = "make_layout";
  if (op == "crd2idx_shape") op = "crd2idx";
  std::string text = op + "(";
  for (const std::string& argument : arguments) text += (text.back() == '(' ? "" : ",") + argument;
  return text + ")";
}

}  // namespace

TEST_CASE("every recorded result is reproduced", "[expr][golden]") {
  const std::vector<Json> lines = json_lines("layout_algebra.jsonl");
  REQUIRE(lines.size() == 8968);
  for (const Json& line : lines) {
    const std::string expression = expression_of(line);
    const LineResult result = eval_line(expression);
    INFO(expression);
    REQUIRE(result.text == text_of(line["result"]));
  }
}

TEST_CASE("what CuTe answers and what it does not compile, beyond the recorded results",
          "[expr][golden][refusal]") {
  std::ifstream in(JUTE_SOURCE_DIR "/tests/golden/further_operations.tsv");
  REQUIRE(in);
  int lines = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    const LineResult result = eval_line(line.substr(0, tab));
    INFO(line << " -> " << result.text);
    if (line.substr(tab + 1) == "refused")
      CHECK_FALSE(result.ok);
    else
      CHECK(result.text == line.substr(tab + 1));
    ++lines;
  }
  CHECK(lines == 682);
}

TEST_CASE("offsets of swizzled results are those recorded", "[expr][golden]") {
  for (const Json& line : json_lines("layout_algebra.jsonl")) {
    if (!line.contains("values") || line["result"].is_array()) continue;
    const std::string expression = "values(" + expression_of(line) + ")";
    const LineResult result = eval_line(expression);
    INFO(expression);
    REQUIRE(result.ok);
    std::string recorded = text_of(line["values"]);
    recorded.pop_back();
    REQUIRE(result.text.starts_with(recorded));
  }
}

TEST_CASE("every recorded refusal is refused", "[expr][golden][refusal]") {
  for (const Json& line : json_lines("layout_algebra_errors.jsonl")) {
    const std::string expression = expression_of(line);
    const LineResult result = eval_line(expression);
    INFO(expression.substr(0, 200) << " " << line["why"]);
    REQUIRE_FALSE(result.ok);
    REQUIRE(result.text.starts_with("error: "));
    REQUIRE(result.text.size() < 600);
  }
}

TEST_CASE("where other libraries differ, the answer is CuTe's where CuTe's is sound",
          "[expr][golden]") {
  std::set<std::string> operations;
  for (const Json& line : json_lines("layout_algebra.jsonl")) operations.insert(line["op"]);
  for (const Json& line : json_lines("divergences.jsonl")) {
    if (!operations.contains(line["op"].get<std::string>())) continue;
    const std::string expression = expression_of(line);
    const LineResult result = eval_line(expression);
    INFO(expression << " -> " << result.text);
    if (line["property_ok"] == true) REQUIRE(result.ok);
    if (result.ok) CHECK(result.text == text_of(line["cute"]));
  }
}
