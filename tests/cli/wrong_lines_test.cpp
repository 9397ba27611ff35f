// Every wrong command line is told what must be, with what is near; what is offered says the same
// but for the word that was wrong, and is taken.
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

}  // namespace

TEST_CASE("a wrong command line is told the rule, what is near and a status",
          "[cli][usage][refusal]") {
  const Workplace place;
  for (const WrongLine& wrong : kWrongLines) {
    const ProcessResult result = place.run(words_of(std::string(wrong.line)));
    INFO("jute " << wrong.line << "\n" << result.err << result.out);
    CHECK(result.status == wrong.status);
    CHECK(result.out.empty());
    CHECK(result.err.starts_with("jute: "));
    const std::string message = result.err.substr(0, result.err.find('\n'));
    CHECK((message.find(" must ") != std::string::npos ||
           message.find(" need") != std::string::npos));
    if (!wrong.nearest.empty()) {
      const size_t near = message.find("(nearest legal: ");
      REQUIRE(near != std::string::npos);
      CHECK(message.find(wrong.nearest, near) != std::string::npos);
    }
    CHECK(command_words(offer_in(result.err)) == words_of(std::string(wrong.means)));
    CHECK(place.new_files().empty());
  }
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
  std::set<std::string_view> offers;
  for (const WrongLine& wrong : kWrongLines)
    if (!wrong.means.empty()) offers.insert(wrong.means);
  int taken = 0;
  std::string refused;
  for (const std::string_view offer : offers) {
    const ProcessResult result = place.run(words_of(std::string(offer)));
    (void)place.new_files();
    taken += result.status == 0 ? 1 : 0;
    if (result.status != 0) refused += "jute " + std::string(offer) + "\n" + result.err;
  }
  INFO(refused);
  CHECK(taken * 100 >= 97 * static_cast<int>(offers.size()));
  CHECK(offers.size() >= 100);
}
