// docs/reading-a-kernel.md quotes a whole kernel, in order, as it was reviewed.
#include <algorithm>

#include "cli/quoted_page.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const std::string kReadKernel = JUTE_SOURCE_DIR "/tests/golden/kernels/f32_128x128x8_row_row.cu";

QuotedPage read_page() { return QuotedPage("reading-a-kernel.md"); }

std::vector<std::string> without_blanks(std::vector<std::string> lines) {
  std::erase(lines, "");
  return lines;
}

}  // namespace

TEST_CASE("the page's command prints the kernel that was reviewed", "[cli][docs][golden]") {
  const std::vector<std::string> commands = read_page().commands();
  REQUIRE_FALSE(commands.empty());
  CHECK(output_of(commands.front()) == command::read_text(kReadKernel));
}

TEST_CASE("the page quotes the kernel as it is", "[cli][docs][golden]") {
  const std::vector<std::string> kernel = lines_of(command::read_text(kReadKernel));
  for (const std::vector<std::string>& block : read_page().blocks("cuda")) {
    INFO(block.front());
    CHECK(std::search(kernel.begin(), kernel.end(), block.begin(), block.end()) != kernel.end());
  }
}

TEST_CASE("the page leaves out no line of the kernel's body", "[cli][docs][golden]") {
  std::vector<std::string> quoted;
  for (const std::vector<std::string>& block : read_page().blocks("cuda"))
    for (const std::string& line : without_blanks(block)) quoted.push_back(line);
  const std::vector<std::string> kernel = without_blanks(lines_of(command::read_text(kReadKernel)));
  const auto body = std::ranges::find_if(
      kernel, [](const std::string& line) { return line.starts_with("// kernel/"); });
  const auto end = std::find(body, kernel.end(), "// ---- How it is done ----");
  REQUIRE(body != end);
  CHECK(std::search(quoted.begin(), quoted.end(), body, end) != quoted.end());
}
