// The laws that fuzzed problems are held to.
#include <jute/base/error.hpp>
#include <jute/plan/ask/problem.hpp>

#include <string>

#include "fuzz/input_bytes.hpp"
#include "fuzz/targets.hpp"

namespace jute::test {

void fuzz_problem(std::span<const std::uint8_t> bytes) {
  const std::string text(bytes.begin(), bytes.end());
  for (const auto read : {+[](const std::string& line) { return std::vector{parse_problem(line)}; },
                          +[](const std::string& file) { return parse_problems(file); }}) {
    std::vector<Problem> problems;
    try {
      problems = read(text);
    } catch (const Exception&) {
      continue;  // a refusal is an answer
    }
    for (const Problem& problem : problems) {
      const std::string printed = to_string(problem);
      require_law(to_string(parse_problem(printed)) == printed,
                  "reads back as another: " + printed);
      try {
        const std::string whole = to_string(completed(problem));
        require_law(to_string(completed(parse_problem(whole))) == whole,
                    "is completed to another: " + whole);
      } catch (const Exception&) {
        continue;
      }
    }
  }
}

}  // namespace jute::test
