// Launch files and words of launches, mutated: they are read, or refused in the way of a refusal.
#include "emulate/launch/argument_words.hpp"
#include "emulate/launch/launch_file.hpp"

#include <jute/base/error.hpp>

#include <array>
#include <fstream>
#include <iterator>
#include <random>

#include "command/command_line.hpp"
#include "support/catch.hpp"

using namespace jute;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(JUTE_SOURCE_DIR "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr std::array kPieces{"-1",
                             "0",
                             "1e400",
                             "9223372036854775807",
                             "18446744073709551616",
                             "null",
                             "true",
                             "\"\"",
                             "[]",
                             "{}",
                             "[[",
                             "\"@0\"",
                             "\"shape\": [4611686018427387904, 4]",
                             "\"offset\": -8",
                             "\"bytes\"",
                             "\"map\"",
                             "\"u8\"",
                             ",",
                             ":",
                             "\"x\"",
                             "0.5",
                             "\"iota\"",
                             "\"random\"",
                             "\\u0000",
                             "\xff",
                             "f32[9223372036854775807]",
                             "f32[4,4]=fill:",
                             "=random:-1",
                             "u8:256",
                             "@99999999999999999999"};

std::string mutated(std::string text, std::mt19937& random) {
  for (auto edits = 1 + random() % 4; edits > 0; --edits) {
    const size_t at = random() % (text.size() + 1);
    const size_t cut = random() % 3 == 0 ? random() % 12 : 0;
    if (random() % 3 == 0)
      text.erase(at, cut);
    else if (random() % 2 == 0)
      text.replace(at, cut, kPieces[random() % kPieces.size()]);
    else
      text.insert(at, text.substr(random() % (text.size() + 1), random() % 40));
  }
  return text;
}

/// Empty where the text is read, or refused with a rule.
template <class Read>
std::string fault_of(Read read) {
  try {
    read();
  } catch (const Exception& exception) {
    if (exception.error().violated_rules.empty() && exception.error().detail.empty())
      return std::string("refused without a rule: ") + exception.what();
  } catch (const command::UsageError& refusal) {
    if (std::string(refusal.what()).empty()) return "refused without a word";
  }
  return {};
}

}  // namespace

TEST_CASE("launch files and mutations of them are read or refused", "[cli][launch][fuzz]") {
  constexpr int kMutations = 40'000;
  std::mt19937 random(11);
  const std::array seeds{text_of("examples/emulate/launch.json"),
                         text_of("examples/emulate/launches.json"),
                         text_of("tests/fuzz/corpus_launch/every_kind.json"),
                         text_of("tests/fuzz/corpus_launch/one_launch.json")};
  for (int i = 0; i < kMutations; ++i) {
    const std::string text = mutated(seeds[random() % seeds.size()], random);
    const std::string fault =
        fault_of([&] { (void)command::parse_launch_file(text, "examples/emulate/launch.json"); });
    INFO(text);
    REQUIRE(fault == "");
  }
}

TEST_CASE("words of a launch and mutations of them are read or refused", "[cli][launch][fuzz]") {
  constexpr int kMutations = 40'000;
  std::mt19937 random(12);
  const std::array<std::string, 8> seeds{"1024",      "u64:5",           "f32:0.5",
                                         "f32[1024]", "f32[32,32]=iota", "s8[7]=fill:2",
                                         "@0",        "u8[3]=random:7"};
  for (int i = 0; i < kMutations; ++i) {
    command::LaunchWords words;
    words.kernel = "k";
    words.grid = random() % 4 == 0 ? mutated("8,2,1", random) : "8";
    words.block = random() % 4 == 0 ? mutated("128", random) : "128";
    for (auto count = random() % 4; count > 0; --count)
      words.arguments.push_back(mutated(seeds[random() % seeds.size()], random));
    const std::string fault = fault_of([&] { (void)command::launch_of_words(words, "k.ptx"); });
    INFO(words.grid << " " << words.block);
    REQUIRE(fault == "");
  }
}
