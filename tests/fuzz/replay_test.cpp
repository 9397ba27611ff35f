// Replays the fuzzers' corpus, and mutations of it, in the ordinary test run: the same texts on
// every machine, in seconds, or in a minute when instrumented. The fuzzers themselves search on.
#include "fuzz/replay.hpp"
#include "fuzz/targets.hpp"
#include "support/catch.hpp"

#include <random>
#include <string>
#include <vector>

using jute::test::as_input;
using jute::test::corpus;
using jute::test::dictionary;
using jute::test::fuzz_calls;
using jute::test::fuzz_epilogue;
using jute::test::fuzz_operations;
using jute::test::fuzz_problem;
using jute::test::fuzz_program;
using jute::test::fuzz_ptx;
using jute::test::fuzz_stored;
using jute::test::fuzz_text;
using jute::test::replay;

namespace {

constexpr int kExpressions = 40000;
constexpr int kEpilogues = 40000;
constexpr int kCallSequences = 400;
constexpr int kProblems = 40000;
constexpr int kPrograms = 10000;
constexpr int kPtxTexts = 20000;
constexpr int kChains = 40000;
constexpr int kStored = 40000;

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
    REQUIRE_NOTHROW(fuzz_epilogue(as_input(bytes)));
  }
}

TEST_CASE("random calls of the C interface break no law", "[fuzz][c]") {
  std::mt19937 random(38);
  for (int n = 0; n < kCallSequences; ++n) {
    std::string bytes(50 + random() % 400, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    CAPTURE(n);
    REQUIRE_NOTHROW(fuzz_calls(as_input(bytes)));
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
    REQUIRE_NOTHROW(fuzz_operations(as_input(bytes)));
  }
}

TEST_CASE("letters, folder texts, cache entries, frames and kept choices are read or refused",
          "[fuzz][stored]") {
  std::mt19937 random(39);
  for (int n = 0; n < kStored; ++n) {
    // Small bytes are kinds and lengths more often.
    std::string bytes(1 + random() % 160, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % (random() % 2 == 0 ? 8 : 256));
    CAPTURE(std::vector<int>(bytes.begin(), bytes.end()));
    REQUIRE_NOTHROW(fuzz_stored(as_input(bytes)));
  }
  replay(corpus("corpus_stored"), dictionary("stored.dict"), 40, kStored / 2, fuzz_stored);
}
