// The laws that fuzzed problems are held to.
#include <jute/base/error.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/choose/parts.hpp>

#include <string>

#include "fuzz/input_bytes.hpp"
#include "fuzz/targets.hpp"

namespace jute::test {

void fuzz_problem(std::span<const std::uint8_t> bytes) {
  const std::string text(bytes.begin(), bytes.end());
  for (const auto read : {+[](const std::string& line) { return std::vector{parse_problem(line)}; },
                          +[](const std::string& file) { return parse_problems(file); },
                          +[](const std::string& parts) { return parse_parts(parts); }}) {
    std::vector<Problem> problems;
    try {
      problems = read(text);
    } catch (const Exception&) {
      continue;  // a refusal is an answer
    }
    if (problems.empty()) continue;
    const std::string together = parts_text(problems);
    require_law(parts_text(parse_parts(together)) == together,
                "parts read back as others: " + together);
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
