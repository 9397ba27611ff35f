// docs/epilogues.md: its expressions are read, its errors are those of the table.
#include <jute/epilogue/build.hpp>
#include <jute/epilogue/operations.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <regex>
#include <sstream>

#include "support/catch.hpp"

using namespace jute;

namespace {

std::string page() {
  std::ifstream file(JUTE_SOURCE_DIR "/docs/epilogues.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string number_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", number);
  return text.data();
}

std::string error_text(const EpilogueCuda& cuda) {
  if (cuda.text.empty()) return "";
  std::string text = number_text(cuda.error.ulps);
  if (cuda.error.absolute != 0) text += " + " + number_text(cuda.error.absolute);
  if (cuda.error.of_operand != 0) text += " + " + number_text(cuda.error.of_operand) + " \\|x\\|";
  return text + " ";
}

}  // namespace

TEST_CASE("every expression of the page is read and prints as it stands", "[epilogue][docs]") {
  std::istringstream lines(page());
  int expressions = 0;
  bool is_fenced = false, is_recipe = false;
  const auto check = [&](const std::string& text) {
    INFO(text);
    CHECK(to_string(parse_epilogue(text)) == text);
    ++expressions;
  };
  const std::regex recipe(R"(^\|.*\| `([^`]*)` \|$)");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      is_fenced = line == "```epilogue";
    } else if (is_fenced) {
      check(line);
    }
    is_recipe = is_recipe || line.starts_with("## What other libraries have");
    if (std::smatch found; is_recipe && std::regex_match(line, found, recipe)) check(found[1]);
  }
  CHECK(expressions == 3 + 16 + 9 + 12);
}

TEST_CASE("the page tells every function's errors as the table has them", "[epilogue][docs]") {
  const std::string text = page();
  for (const EpilogueOperation& row : epilogue_operations()) {
    if (!row.is_approximate()) continue;
    const std::string line = "| `" + std::string(row.spelling) + "` | " + error_text(row.f32) +
                             "| " + error_text(row.half) + "| " + error_text(row.f64) + "|\n";
    INFO(line);
    CHECK(text.find(line) != std::string::npos);
  }
}

TEST_CASE("the C++ of the page builds its text", "[epilogue][docs]") {
  using namespace jute::epilogue;
  const auto y = let("y", silu(alpha() * acc() + input("bias[n]")));
  const jute::EpilogueExpression expression =
      outputs({{"d", y}, {"g", y * input("scale[m]")}, amax("a", y)});
  CHECK(to_string(expression) ==
        "y := silu(alpha*acc + bias[n]); d = y; g = y*scale[m]; a = amax(y)");
}
