// Replays the fuzzers' corpus, and mutations of it, in the ordinary test run.
#include "expr/fuzz_targets.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using jute::test::fuzz_operations;
using jute::test::fuzz_text;

namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::directory_iterator(JUTE_SOURCE_DIR "/tests/fuzz/corpus")) {
    std::ifstream in(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

TEST_CASE("the corpus breaks no law", "[expr][fuzz]") {
  const std::vector<std::string> texts = corpus();
  REQUIRE(texts.size() >= 10);
  for (const std::string& text : texts) {
    INFO(text);
    REQUIRE_NOTHROW(fuzz_text(bytes_of(text)));
    REQUIRE_NOTHROW(fuzz_operations(bytes_of(text)));
  }
}

TEST_CASE("mutations of the corpus break no law", "[expr][fuzz]") {
  static constexpr std::string_view kPieces[] = {"(",
                                                 ")",
                                                 ",",
                                                 ":",
                                                 "_",
                                                 "@",
                                                 "o",
                                                 "0",
                                                 "1",
                                                 "-",
                                                 "Sw<",
                                                 ">",
                                                 "64",
                                                 "::",
                                                 "(2,2)",
                                                 " ",
                                                 "9223372036854775807",
                                                 "size(",
                                                 "values(",
                                                 "<"};
  const std::vector<std::string> texts = corpus();
  std::mt19937 random(31);
  for (int n = 0; n < 20000; ++n) {
    std::string text = texts[random() % texts.size()];
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % (text.size() + 1);
      const std::size_t cut = random() % 3 == 0 ? random() % 4 : 0;
      text.replace(at, cut, kPieces[random() % std::size(kPieces)]);
    }
    INFO(text);
    REQUIRE_NOTHROW(fuzz_text(bytes_of(text)));
  }
}

TEST_CASE("random chains of operations break no law", "[expr][fuzz]") {
  std::mt19937 random(32);
  for (int n = 0; n < 20000; ++n) {
    std::string bytes(8 + random() % 60, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    INFO(n);
    REQUIRE_NOTHROW(fuzz_operations(bytes_of(bytes)));
  }
}
