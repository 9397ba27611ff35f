// Edit distances and the nearest name against the plain table of their definition.
#include "support/catch.hpp"

#include <jute/base/detail/edit_distance.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <numeric>
#include <random>

using namespace jute;

namespace {

/// Source: Wagner and Fischer, The String-to-String Correction Problem, 1974.
std::size_t distance_by_table(const std::string& left, const std::string& right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// Few letters, so that texts share many; or the other with some characters changed.
class RandomTexts {
 public:
  std::string text(std::size_t most) {
    std::string text(below(most + 1), ' ');
    for (char& c : text) c = letter();
    return text;
  }
  std::string edited(std::string text) {
    for (std::size_t edits = below(8); edits > 0; --edits) {
      const std::size_t at = below(text.size() + 1);
      const std::size_t kind = below(3);
      if (kind == 0) text.insert(at, 1, letter());
      if (kind == 1 && at < text.size()) text.erase(at, 1);
      if (kind == 2 && at < text.size()) text[at] = letter();
    }
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return generator_() % end; }
  char letter() { return static_cast<char>('a' + below(4)); }
  std::mt19937 generator_{11};
};

/// Words of many letters, so that none is like another by chance.
std::vector<std::string> random_words(std::mt19937& numbers, std::size_t count) {
  std::vector<std::string> words;
  while (words.size() < count) {
    std::string word(6 + numbers() % 7, ' ');
    for (char& c : word) c = static_cast<char>('a' + numbers() % 26);
    const bool is_near = std::ranges::any_of(words, [&](const std::string& other) {
      return other[0] == word[0] || distance_by_table(other, word) < 5;
    });
    if (!is_near) words.push_back(word);
  }
  return words;
}

}  // namespace

TEST_CASE("an edit distance is that of the table, for texts of any number of words",
          "[base][names][law]") {
  RandomTexts random;
  for (int n = 0; n < 2000; ++n) {
    const std::string left = random.text(n % 4 == 0 ? 200 : 70);
    const std::string right = n % 2 == 0 ? random.text(90) : random.edited(left);
    const std::size_t wanted = distance_by_table(left, right);
    EditDistance distance(left);
    INFO(left << " | " << right);
    REQUIRE(distance.to(right) == wanted);
    REQUIRE(distance.to(right, wanted) == wanted);
    if (wanted > 0) REQUIRE(distance.to(right, wanted - 1) > wanted - 1);
  }
}

TEST_CASE("an edit distance compares bytes of any value", "[base][names]") {
  CHECK(EditDistance("\xff\x80").to("\x80\xff") == 2);
  CHECK(EditDistance("").to("abc") == 3);
  CHECK(EditDistance("abc").to("") == 3);
}

TEST_CASE("a slip, a beginning, capitals and a longer word lead to the name that is meant",
          "[base][names][law]") {
  std::mt19937 numbers(7);
  for (int n = 0; n < 300; ++n) {
    const std::vector<std::string> words = random_words(numbers, 8);
    const std::string& meant = words[numbers() % words.size()];
    const std::size_t at = numbers() % meant.size();
    std::string capitals = meant, shuffled = meant, slip = meant;
    capitals[at] = static_cast<char>(capitals[at] - 'a' + 'A');
    std::ranges::shuffle(shuffled, numbers);
    slip[at] = '+';
    INFO(meant);
    REQUIRE(nearest_name(capitals, words) == meant);
    REQUIRE(nearest_name(shuffled, words) == meant);
    REQUIRE(nearest_name(slip, words) == meant);
    REQUIRE(nearest_name(meant.substr(0, 2 + numbers() % 4), words) == meant);
    REQUIRE(nearest_name(meant + "_of_it", words) == meant);
    REQUIRE(nearest_name("the-" + meant, words) == meant);
  }
}

TEST_CASE("the ways in which a name may be meant come in their order", "[base][names]") {
  const std::vector<std::string> names{"mma",     "wgmma_ss", "wgmma_rs",      "tile",
                                       "order-a", "order-b",  "device-preset", "stages"};
  CHECK(nearest_name("wgmma", names) == "wgmma_ss");  // a beginning, though "mma" has fewer edits
  CHECK(nearest_name("mmma", names) == "mma");        // a slip before all beginnings
  CHECK(nearest_name("WGMMA-RS", names) == "wgmma_rs");
  CHECK(nearest_name("preset", names) == "device-preset");
  CHECK(nearest_name("b_order", names) == "order-b");
  CHECK(nearest_name("tile_size", names) == "tile");
  CHECK(nearest_name("num_stages", names) == "stages");
  CHECK(nearest_name("ord", names) == "order-a");  // the first of equals
  CHECK(nearest_name("a", names) == std::nullopt);
  CHECK(nearest_name("release", names) == std::nullopt);
  CHECK(nearest_name("", names) == std::nullopt);
}

TEST_CASE("no name is offered for letters that are alike by chance", "[base][names][law]") {
  std::mt19937 numbers(3);
  for (int n = 0; n < 300; ++n) {
    const std::vector<std::string> words = random_words(numbers, 9);
    const std::string& other = words.back();
    const std::span<const std::string> names(words.data(), words.size() - 1);
    const auto near = nearest_name(other, names);
    INFO(other << " | " << near.value_or("nothing"));
    REQUIRE((!near || distance_by_table(other, *near) * 2 <= std::max(other.size(), near->size())));
  }
}
