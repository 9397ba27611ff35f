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

std::string lower(std::string text) {
  for (char& c : text) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// Capitals do not count, and the same letters in another order are one edit.
std::size_t edits_between(const std::string& left, const std::string& right) {
  std::string a = lower(left), b = lower(right);
  const std::size_t edits = distance_by_table(a, b);
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b ? std::min<std::size_t>(edits, 1) : edits;
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

TEST_CASE("the nearest name is the first with the least distance that is half a name at most",
          "[base][names][law]") {
  RandomTexts random;
  for (int n = 0; n < 300; ++n) {
    std::vector<std::string> names;
    for (int i = 0; i < 20; ++i) names.push_back(random.text(20));
    const std::string name = n % 2 == 0 ? random.text(20) : random.edited(names[7]);
    const std::string* wanted = nullptr;
    for (const std::string& candidate : names) {
      const std::size_t edits = edits_between(name, candidate);
      if (edits * 2 > std::max(name.size(), candidate.size())) continue;
      if (wanted == nullptr || edits < edits_between(name, *wanted)) wanted = &candidate;
    }
    INFO(name);
    REQUIRE(nearest_name(name, names) == (wanted ? std::optional(*wanted) : std::nullopt));
  }
}
