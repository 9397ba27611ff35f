// Options and words that the command had before are understood, with one note.
#include "cli/command.hpp"

namespace jute::test {
namespace {

const std::string kSplit =
    "plan --m 64 --n 64 --k 4096 --type bf16 --order-b col --device-preset h200 ";

ProcessResult run_line(const std::string& line) { return run_jute(command_words(line)); }

/// Of two lines the second says all in today's words.
void check_means(const std::string& old, const std::string& now, const std::string& note) {
  CAPTURE(old);
  const ProcessResult before = run_line(old), today = run_line(now);
  REQUIRE(today.status == 0);
  CHECK(today.err.empty());
  CHECK(before.status == 0);
  CHECK(before.out == today.out);
  CHECK(before.err == "jute: note: " + note + "\n");
}

}  // namespace

TEST_CASE("options are read by the names that they had", "[cli][names]") {
  check_means(kSplit + "--slices 4 --meeting all_add", kSplit + "--split-k 4 --reduction all_add",
              "slices is called split_k now");
  check_means(kSplit + "--slices=4", kSplit + "--split-k=4", "slices is called split_k now");
  const std::string large = "plan --m 4096 --n 4096 --k 1024 --type bf16 --device-preset h200 ";
  check_means(large + "--teams 2", large + "--ping-pong 2", "teams is called ping_pong now");
  check_means(kSplit + "--specialize shared", kSplit + "--specialize generic",
              "specialize=shared is called generic now");
  check_means(kSplit + "--specialize=shared", kSplit + "--specialize=generic",
              "specialize=shared is called generic now");
}

TEST_CASE("a mistake beside an old name is told in today's words", "[cli][names][refusal]") {
  require_refusal(run_line(kSplit + "--slices many"), 2, "--split-k");
  require_refusal(run_line(kSplit + "--slices 2 --nonsense"), 2, "--nonsense");
}

TEST_CASE("programs that read JSON are told nothing beside it", "[cli][names]") {
  const ProcessResult result = run_line(kSplit + "--slices 4 --json");
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK(result.out == run_line(kSplit + "--split-k 4 --json").out);
}

}  // namespace jute::test
