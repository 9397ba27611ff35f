// Values that nobody means are refused like every other mistake, and nothing is left behind.
#include "nasty_lines.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "cli/workplace.hpp"

using namespace jute;
using namespace jute::test;

namespace {

bool is_text(const std::string& text) {
  return std::ranges::all_of(text, [](char c) {
    return c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != 0x7f);
  });
}

ProcessResult in_shell(const std::string& line) {
  return run_process({"/bin/sh", "-c", std::string(JUTE_COMMAND) + " " + line});
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a value that nobody means is refused by its name, and leaves nothing behind",
          "[cli][usage][refusal]") {
  const Workplace place;
  for (const NastyLine& nasty : kNastyLines) {
    const ProcessResult result = place.run(words_of(std::string(nasty.line)));
    const std::string message = result.err.substr(0, result.err.find('\n'));
    INFO("jute " << nasty.line << "\n" << result.err << result.out);
    CHECK(result.status == nasty.status);
    CHECK(result.out.empty());
    CHECK(message.starts_with("jute: "));
    CHECK(message.find(nasty.part) != std::string::npos);
    CHECK((message.find(" must ") != std::string::npos ||
           message.find(" need") != std::string::npos));
    CHECK(is_text(result.err));
    CHECK(place.new_files().empty());
  }
}

TEST_CASE("what is offered for a value that nobody means is taken", "[cli][usage][refusal]") {
  const Workplace place;
  std::set<std::string> offers;
  for (const NastyLine& nasty : kNastyLines)
    if (const std::string offer = offer_in(place.run(words_of(std::string(nasty.line))).err);
        !offer.empty())
      offers.insert(offer);
  int taken = 0, tried = 0;
  std::string refused;
  for (const std::string& offer : offers) {
    // Races need a GPU, whatever is right about their lines.
    if (offer.starts_with("bench") || offer.starts_with("tune")) continue;
    const ProcessResult result = place.run(words_of(offer));
    (void)place.new_files();
    ++tried;
    taken += result.status == 0 ? 1 : 0;
    if (result.status != 0) refused += "jute " + offer + "\n" + result.err;
  }
  INFO(refused);
  CHECK(taken * 100 >= 97 * tried);
  CHECK(tried >= 20);
}

TEST_CASE("standard output that is full or closed is told by every command", "[cli][usage]") {
  for (const char* line :
       {"eval 8:1", "explain 8:1", "atom list --form dp", "draw '(4,8)'", "epilogue acc",
        "plan --m 64 --n 64 --k 64", "source --m 64 --n 64 --k 64", "emulate --list", "cache path",
        "doctor", "completion bash", "--help", "--version", "gemm --help"}) {
    for (const char* where : {" >/dev/full", " >&-"}) {
      const ProcessResult result = in_shell(std::string(line) + where);
      INFO(line << where << "\n" << result.err);
      CHECK(result.status == 3);
      CHECK(result.err.starts_with("jute: unwritable: standard output: it must take"));
    }
  }
}

TEST_CASE("a file is not mistaken for a standard stream that is closed", "[cli][usage]") {
  const TemporaryFolder folder;
  const std::string open = folder.file("open.npy"), closed = folder.file("closed.npy");
  const std::string gemm = "gemm --m 8 --n 8 --k 8 --random 1 --device emulator -o ";
  REQUIRE(in_shell(gemm + open).status == 0);
  CHECK(in_shell(gemm + closed + " <&- >&- 2>&-").status == 3);
  CHECK(bytes_of(closed) == bytes_of(open));
  CHECK(bytes_of(closed).starts_with("\x93NUMPY"));
}
