#pragma once
// Texts of a fuzzer's corpus and mutations of them, the same on every machine.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace jute::test {

/// The texts of a folder beside this file, in the order of their names, whatever that of the file
/// system is.
inline std::vector<std::string> corpus(const std::string& folder) {
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
inline std::vector<std::string> dictionary(const std::string& file) {
  std::ifstream in(JUTE_SOURCE_DIR "/tests/fuzz/" + file);
  std::vector<std::string> words;
  for (std::string line; std::getline(in, line);) words.push_back(line.substr(1, line.size() - 2));
  return words;
}

inline std::span<const std::uint8_t> as_input(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Some edits of one text: pieces cut out, words and parts of other texts put in, bytes changed.
inline std::string mutated(const std::vector<std::string>& texts,
                           const std::vector<std::string>& words, std::mt19937& random) {
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
    REQUIRE_NOTHROW(target(as_input(text)));
  }
  std::mt19937 random(seed);
  for (int n = 0; n < mutations; ++n) {
    const std::string text = mutated(texts, words, random);
    INFO(text);
    REQUIRE_NOTHROW(target(as_input(text)));
  }
}

}  // namespace jute::test
