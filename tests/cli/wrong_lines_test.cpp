// Every wrong command line is told what must be, with what is near; and what is offered is taken.
#include "wrong_lines.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/workplace.hpp"

using namespace jute;
using namespace jute::test;

namespace {

nlohmann::json error_of(const ProcessResult& result) {
  const auto json = nlohmann::json::parse(result.err, nullptr, false);
  return json.is_object() ? json.value("error", nlohmann::json()) : nlohmann::json();
}

/// Does it name what is near, or mend the line? A mended line leaves words out or adds some; an
/// example of the command does neither.
bool has_way_out(const std::string& err, std::vector<std::string> words) {
  if (err.find("(nearest legal: ") != std::string::npos) return true;
  constexpr std::string_view kTry = "\ntry: jute ";
  const size_t at = err.rfind(kTry);
  if (at == std::string::npos) return false;
  std::vector<std::string> tried = command_words(err.substr(at + kTry.size()));
  std::ranges::sort(words);
  std::ranges::sort(tried);
  return std::ranges::includes(words, tried) || std::ranges::includes(tried, words);
}

}  // namespace

TEST_CASE("a wrong command line is told the rule, what is near and a status",
          "[cli][usage][refusal]") {
  const Workplace place;
  size_t ways_out = 0;
  for (const WrongLine& wrong : kWrongLines) {
    const ProcessResult result = place.run(words_of(std::string(wrong.line)));
    INFO("jute " << wrong.line << "\n" << result.err << result.out);
    CHECK(result.status == wrong.status);
    CHECK(result.out.empty());
    CHECK(result.err.starts_with("jute: "));
    const std::string message = result.err.substr(0, result.err.find('\n'));
    CHECK((message.find(" must ") != std::string::npos ||
           message.find(" need") != std::string::npos));
    if (!wrong.nearest.empty())
      CHECK(message.find("(nearest legal: " + std::string(wrong.nearest) + ")") !=
            std::string::npos);
    CHECK(place.new_files().empty());
    ways_out += has_way_out(result.err, words_of(std::string(wrong.line))) ? 1 : 0;
  }
  CHECK(ways_out * 100 >= 85 * kWrongLines.size());
}

TEST_CASE("JSON tells every refusal as one object", "[cli][usage][refusal]") {
  const Workplace place;
  for (const WrongLine& wrong : kWrongLines) {
    auto words = words_of(std::string(wrong.line));
    words.emplace_back("--json");
    if (std::ranges::count(words, "--json") > 1) words.pop_back();
    // A value that is missing would be --json.
    if (wrong.line == "atom list --arch") continue;
    const ProcessResult result = place.run(words);
    INFO("jute " << wrong.line << "\n" << result.err << result.out);
    const nlohmann::json error = error_of(result);
    REQUIRE(error.is_object());
    CHECK(result.status == wrong.status);
    CHECK(error["violated_rules"].is_array());
    CHECK(error["message"].is_string());
    // What is offered is another value, or the offer leads nowhere.
    CHECK((error["nearest_legal"].is_null() || error["nearest_legal"] != error["value"]));
    if (!wrong.nearest.empty() && error["nearest_legal"].is_string())
      CHECK(error["nearest_legal"].get<std::string>().find(wrong.nearest) != std::string::npos);
  }
}

TEST_CASE("what a refusal offers is taken", "[cli][usage][refusal]") {
  const Workplace place;
  std::set<std::string> offers;
  for (const WrongLine& wrong : kWrongLines) {
    const ProcessResult result = place.run(words_of(std::string(wrong.line)));
    const size_t at = result.err.rfind("\ntry: jute ");
    if (at == std::string::npos) {
      // Where a value is near, there is always a line to try.
      INFO("jute " << wrong.line << "\n" << result.err);
      CHECK((wrong.nearest.empty() || wrong.line.find("wrong.json") != std::string_view::npos));
      continue;
    }
    const size_t start = at + std::string_view("\ntry: jute ").size();
    offers.insert(result.err.substr(start, result.err.find('\n', start) - start));
  }
  int taken = 0;
  std::string refused;
  for (const std::string& offer : offers) {
    const ProcessResult result = place.run(words_of(offer));
    (void)place.new_files();
    taken += result.status == 0 ? 1 : 0;
    if (result.status != 0) refused += "jute " + offer + "\n" + result.err;
  }
  INFO(refused);
  CHECK(taken * 100 >= 95 * static_cast<int>(offers.size()));
  CHECK(offers.size() >= 100);
}
