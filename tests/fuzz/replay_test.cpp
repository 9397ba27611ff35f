// Replays the fuzzers' corpus, and mutations of it, in the ordinary test run: the same texts on
// every machine, in seconds, or in a minute when instrumented. The fuzzers themselves search on.
#include "fuzz/targets.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

using jute::test::fuzz_calls;
using jute::test::fuzz_epilogue;
using jute::test::fuzz_operations;
using jute::test::fuzz_problem;
using jute::test::fuzz_program;
using jute::test::fuzz_ptx;
using jute::test::fuzz_text;

namespace {

constexpr int kExpressions = 40000;
constexpr int kEpilogues = 40000;
constexpr int kCallSequences = 400;
constexpr int kProblems = 40000;
constexpr int kPrograms = 10000;
constexpr int kPtxTexts = 20000;
constexpr int kChains = 40000;

/// The texts of a folder beside this file, in the order of their names, whatever that of the file
/// system is.
std::vector<std::string> corpus(const std::string& folder) {
  std::set<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(JUTE_SOURCE_DIR "/tests/fuzz/" + folder))
    paths.insert(entry.path());
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

/// The words that libFuzzer is given, from a line `"word"` each.
std::vector<std::string> dictionary(const std::string& file) {
  std::ifstream in(JUTE_SOURCE_DIR "/tests/fuzz/" + file);
  std::vector<std::string> words;
  for (std::string line; std::getline(in, line);) words.push_back(line.substr(1, line.size() - 2));
  return words;
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Some edits of one text: pieces cut out, words and parts of other texts put in, bytes changed.
std::string mutated(const std::vector<std::string>& texts, const std::vector<std::string>& words,
                    std::mt19937& random) {
  std::string text = texts[random() % texts.size()];
  for (auto edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t at = random() % (text.size() + 1);
    const std::size_t cut = random() % 3 == 0 ? random() % 8 : 0;
    switch (random() % 4) {
      case 0:
        text.replace(at, 1, 1, static_cast<char>(random()));
        break;
      case 1: {
        const std::string& other = texts[random() % texts.size()];
        text.replace(at, cut, other, random() % (other.size() + 1), random() % 32);
        break;
      }
      default:
        text.replace(at, cut, words[random() % words.size()]);
    }
  }
  return text;
}

template <class Target>
void replay(const std::vector<std::string>& texts, const std::vector<std::string>& words,
            unsigned seed, int mutations, Target&& target) {
  REQUIRE(!texts.empty());
  for (const std::string& text : texts) {
    INFO(text);
    REQUIRE_NOTHROW(target(bytes_of(text)));
  }
  std::mt19937 random(seed);
  for (int n = 0; n < mutations; ++n) {
    const std::string text = mutated(texts, words, random);
    INFO(text);
    REQUIRE_NOTHROW(target(bytes_of(text)));
  }
}

}  // namespace

TEST_CASE("expressions and mutations of them break no law", "[fuzz][expr]") {
  replay(corpus("corpus_text"), dictionary("text.dict"), 31, kExpressions, fuzz_text);
}

TEST_CASE("epilogues and mutations of them break no law", "[fuzz][epilogue]") {
  replay(corpus("corpus_epilogue"), dictionary("epilogue.dict"), 34, kEpilogues, fuzz_epilogue);
}

TEST_CASE("random trees of epilogues are refused, or break no law", "[fuzz][epilogue]") {
  std::mt19937 random(35);
  for (int n = 0; n < kEpilogues; ++n) {
    // Small bytes choose more often what exists.
    std::string bytes(1 + random() % 60, '\0');
    for (std::size_t i = 1; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(random() % (random() % 2 == 0 ? 8 : 64));
    CAPTURE(std::vector<int>(bytes.begin(), bytes.end()));
    REQUIRE_NOTHROW(fuzz_epilogue(bytes_of(bytes)));
  }
}

TEST_CASE("random calls of the C interface break no law", "[fuzz][c]") {
  std::mt19937 random(38);
  for (int n = 0; n < kCallSequences; ++n) {
    std::string bytes(50 + random() % 400, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    CAPTURE(n);
    REQUIRE_NOTHROW(fuzz_calls(bytes_of(bytes)));
  }
}

TEST_CASE("texts of problems and mutations of them break no law", "[fuzz][problem]") {
  replay(corpus("corpus_problem"), dictionary("problem.dict"), 37, kProblems, fuzz_problem);
}

TEST_CASE("CUDA programs and mutations of them are read, and keep their lines", "[fuzz][program]") {
  replay(corpus("../../examples/programs"), dictionary("program.dict"), 36, kPrograms,
         fuzz_program);
}

TEST_CASE("PTX texts and mutations of them are read or refused", "[fuzz][emulator]") {
  replay(corpus("corpus_ptx"), dictionary("ptx.dict"), 33, kPtxTexts, fuzz_ptx);
}

TEST_CASE("random chains of operations break no law", "[fuzz][layout]") {
  std::mt19937 random(32);
  for (int n = 0; n < kChains; ++n) {
    std::string bytes(8 + random() % 120, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    CAPTURE(std::vector<int>(bytes.begin(), bytes.end()));
    REQUIRE_NOTHROW(fuzz_operations(bytes_of(bytes)));
  }
}
