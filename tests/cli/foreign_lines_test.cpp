// Command lines in the words of other programs, and unfinished ones: what is meant is named, the
// line that is offered keeps what was typed, and it is taken.
#include "foreign_lines.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/workplace.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const size_t at = text.find(begin);
  if (at == std::string::npos) return {};
  const size_t start = at + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

std::string nearest_in(const std::string& err) {
  const std::string message = err.substr(0, err.find('\n'));
  const size_t at = message.rfind("(nearest legal: ");
  if (at == std::string::npos) return {};
  const size_t start = at + std::string_view("(nearest legal: ").size();
  return message.substr(start, message.size() - start - 1);
}

std::string offer_in_line(const std::string& err) { return between(err, "\ntry: jute ", "\n"); }

/// What of the line is no longer in the offer, beyond the word that was wrong and its value.
size_t words_lost(const std::vector<std::string>& typed, const std::string& offer) {
  std::vector<std::string> kept = command_words(offer);
  size_t lost = 0;
  for (const std::string& word : typed) {
    const auto found = std::ranges::find(kept, word);
    if (found == kept.end())
      ++lost;
    else
      kept.erase(found);
  }
  return lost;
}

/// Refusals of the lines, once for all cases.
const std::vector<ProcessResult>& refusals() {
  static const std::vector<ProcessResult> kResults = [] {
    const Workplace place;
    std::vector<ProcessResult> results;
    for (const ForeignLine& line : kForeignLines)
      results.push_back(place.run(words_of(std::string(line.line))));
    return results;
  }();
  return kResults;
}

}  // namespace

TEST_CASE("a line in another program's words is told what is meant", "[cli][usage][refusal]") {
  for (size_t i = 0; i < std::size(kForeignLines); ++i) {
    const ForeignLine& line = kForeignLines[i];
    const ProcessResult& result = refusals()[i];
    INFO("jute " << line.line << "\n" << result.err << result.out);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(nearest_in(result.err) == line.nearest);
    CHECK(offer_in_line(result.err).empty() == (line.offer == Offering::nothing));
  }
}

TEST_CASE("a line that is offered keeps what was typed", "[cli][usage][refusal]") {
  // A name and its value are mended in one word, in several where the line says it in parts.
  for (size_t i = 0; i < std::size(kForeignLines); ++i) {
    const ForeignLine& line = kForeignLines[i];
    const std::string offer = offer_in_line(refusals()[i].err);
    if (offer.empty()) continue;
    const std::vector<std::string> typed = words_of(std::string(line.line));
    INFO("jute " << line.line << "\njute " << offer);
    CHECK(words_lost(typed, offer) <= (line.offer == Offering::several ? 6U : 2U));
  }
}

TEST_CASE("what is offered for another program's words is taken", "[cli][usage][refusal]") {
  const Workplace place;
  std::set<std::string> offers;
  for (const ProcessResult& result : refusals())
    if (const std::string offer = offer_in_line(result.err); !offer.empty()) offers.insert(offer);
  size_t taken = 0, tried = 0;
  std::string refused;
  for (const std::string& offer : offers) {
    // A disassembler, an NVRTC or a GPU may be lacking here: that is status 3.
    const ProcessResult result = place.run(words_of(offer));
    (void)place.new_files();
    if (result.status == 3) continue;
    ++tried;
    const bool lacks_file = result.err.starts_with("jute: file_not_found: ");
    taken += result.status == 0 || lacks_file ? 1 : 0;
    if (result.status != 0) refused += "jute " + offer + "\n" + result.err;
  }
  INFO(refused);
  CHECK(taken * 100 >= 97 * tried);
  CHECK(tried >= 150);
}
