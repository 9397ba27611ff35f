// `jute view`: a kernel as a page.
#include "view_page.hpp"

#include <regex>

#include "cli/command.hpp"
#include "files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a line of PTX belongs to the line of CUDA that its .loc names", "[cli][view]") {
  CHECK(command::source_lines_of(".visible .entry k()\n"
                                 "{\n"
                                 "\t.reg .b32 %r<3>;\n"
                                 "\t.loc\t1 12 3\n"
                                 "\tadd.s32 %r1, %r2, 1;\n"
                                 "$L__label:\n"
                                 "\t.loc 1 199 3, function_name $L__info, inlined_at 1 15 5\n"
                                 "\tret;\n"
                                 "}\n"
                                 "\t.section .debug;\n") ==
        std::vector<int>{0, 0, 0, 0, 12, 0, 0, 199, 0, 0});
}

TEST_CASE("a kernel's page holds memory, layouts, both texts and the plan, and needs no other file",
          "[cli][view]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("kernel.html");
  const std::vector<std::string> problem{"--m", "512", "--n",    "512",
                                         "--k", "512", "--type", "bf16"};
  std::vector<std::string> line{"view", "-o", file};
  line.insert(line.end(), problem.begin(), problem.end());
  const ProcessResult result = run_jute(line);
  INFO(result.err);
  REQUIRE(result.status == 0);
  const std::string page = command::read_text(file);
  CHECK(page.starts_with("<!doctype html>"));
  for (const char* part : {"id=\"memory\"", "id=\"layouts\"", "id=\"code\"", "id=\"plan\"",
                           "registers a thread", "wgmma.mma_async", "__global__"})
    CHECK(page.find(part) != std::string::npos);
  CHECK(count(page, "src=\"") == count(page, "src=\"data:image/svg+xml;base64,"));
  CHECK(count(page, "<img ") >= 2);
  CHECK(page.find("http") == std::string::npos);
  // PTX begins behind the CUDA text; its links lead to lines that are there.
  const size_t ptx = page.find("aria-label=\"PTX\"");
  REQUIRE(ptx != std::string::npos);
  const int lines = static_cast<int>(count(page.substr(0, ptx), "<div data-l="));
  const std::regex link("<div data-l=\"([0-9]+)\">");
  int links = 0;
  for (std::sregex_iterator at(page.begin() + static_cast<std::ptrdiff_t>(ptx), page.end(), link),
       end;
       at != end; ++at, ++links)
    CHECK(std::stoi((*at)[1]) <= lines);
  CHECK(links > 200);
}
