// What every kernel's text keeps to, whatever its plan is.
#include <jute/codegen/generate.hpp>
#include <jute/launch/device_presets.hpp>

#include <cctype>
#include <map>
#include <sstream>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;

namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The code of a text, line by line.
std::vector<std::string> code_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line.substr(0, line.find("//")));
  return lines;
}

/// How often each name stands in it.
std::map<std::string, int> names_of(const std::vector<std::string>& code) {
  std::map<std::string, int> names;
  for (const std::string& line : code) {
    std::string name;
    for (const char c : line + " ") {
      if (is_of_name(c)) {
        name += c;
      } else if (!name.empty()) {
        ++names[name];
        name.clear();
      }
    }
  }
  return names;
}

/// The function that a line of the outer level begins to define, or declares.
std::string function_of(const std::string& line) {
  if (!line.starts_with("__device__ __forceinline__ ")) return {};
  const size_t end = line.find('(');
  size_t start = end;
  while (start > 0 && is_of_name(line[start - 1])) --start;
  return line.substr(start, end - start);
}

void check_text(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 160);
  const std::vector<std::string> code = code_of(text);
  const std::map<std::string, int> names = names_of(code);
  std::map<std::string, int> heads;  // definitions and declarations
  bool is_ahead = true;
  for (const std::string& line : code) {
    if (line.starts_with("extern \"C\" __global__")) is_ahead = false;
    const std::string name = function_of(line);
    if (name.empty()) continue;
    ++heads[name];
    INFO(line);
    CHECK((!is_ahead || line.ends_with(';') || line.ends_with(',')));  // signatures alone
  }
  CHECK_FALSE(is_ahead);
  for (const auto& [name, count] : heads) {
    INFO(name);
    CHECK(names.at(name) > count);
  }
}

}  // namespace

TEST_CASE("kernels stand ahead of their functions, none of which is there for nothing",
          "[codegen][text]") {
  for (const char* chip : {"h200", "l40s", "rtx5090"})
    for (const DType type : {DType::f32, DType::bf16, DType::s8, DType::e4m3})
      for (const Index m : {1, 64, 257, 4096})
        for (const char* epilogue : {"", "d = gelu(acc + bias[n] + x[m,n]); a = amax(acc)"}) {
          Problem problem = test::problem_of(m, 1032, 520, {type, type}, {Order::row, Order::col});
          problem.c.type = problem.d.type = usual_output_type(type);
          if (*epilogue != '\0') problem.epilogue = Epilogue{parse_epilogue(epilogue)};
          INFO(chip << " " << name(type) << " " << m << " " << epilogue);
          for (const Source& source : generate(make_plan(problem, device_preset(chip))))
            check_text(source.text);
        }
}
