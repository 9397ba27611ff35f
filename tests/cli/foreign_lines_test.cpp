// Command lines in the words of other programs, and unfinished ones: what is meant is named, the
// line that is offered says what was typed in words of ours, and it is taken.
#include "foreign_lines.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cli/workplace.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string nearest_in(const std::string& err) {
  const std::string message = err.substr(0, err.find('\n'));
  const size_t at = message.rfind("(nearest legal: ");
  if (at == std::string::npos) return {};
  const size_t start = at + std::string_view("(nearest legal: ").size();
  return message.substr(start, message.size() - start - 1);
}

}  // namespace

TEST_CASE("a line in another program's words is told what is meant", "[cli][usage][refusal]") {
  const Workplace place;
  for (const ForeignLine& line : kForeignLines) {
    const ProcessResult result = place.run(words_of(std::string(line.line)));
    INFO("jute " << line.line << "\n" << result.err << result.out);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(nearest_in(result.err) == line.nearest);
    CHECK(command_words(offer_in(result.err)) == words_of(std::string(line.means)));
  }
}

TEST_CASE("what is offered for another program's words is taken", "[cli][usage][refusal]") {
  const Workplace place;
  std::set<std::string_view> offers;
  for (const ForeignLine& line : kForeignLines)
    if (!line.means.empty()) offers.insert(line.means);
  size_t taken = 0, tried = 0;
  std::string refused;
  for (const std::string_view offer : offers) {
    // A disassembler, an NVRTC or a GPU may be lacking here: that is status 3.
    const ProcessResult result = place.run(words_of(std::string(offer)));
    (void)place.new_files();
    if (result.status == 3) continue;
    ++tried;
    const bool lacks_file = result.err.starts_with("jute: file_not_found: ");
    taken += result.status == 0 || lacks_file ? 1 : 0;
    if (result.status != 0) refused += "jute " + std::string(offer) + "\n" + result.err;
  }
  INFO(refused);
  CHECK(taken * 100 >= 97 * tried);
  CHECK(tried >= 120);
}
