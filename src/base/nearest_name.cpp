// The nearest of many names, for refusals that suggest it.
#include <jute/base/detail/edit_distance.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <compare>
#include <vector>

namespace jute {

namespace {

/// How two names are alike, the best first; `difference` parts those that are alike in one way.
struct Likeness {
  enum class Way {
    same_letters,     ///< capitals, '-' and '_' apart
    one_slip,         ///< a letter too many, too few or wrong, or all of them in another order
    abbreviated,      ///< the candidate begins with the name
    lengthened,       ///< the name begins with the candidate
    words_of_it,      ///< every word of the name is one of the candidate's
    words_around_it,  ///< every word of the candidate is one of the name's
    few_edits,
    none,
  };
  Way way = Way::none;
  std::size_t difference = 0;
  auto operator<=>(const Likeness&) const = default;
};

/// Below that, letters in common are chance.
constexpr std::size_t kLeastPart = 3, kLeastBeginning = 2, kLeastSlipped = 4;
/// Longer input than any name could need is not compared.
constexpr std::size_t kLongestName = 256;

bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9'); }

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (is_letter(c)) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// A name in the forms that are compared.
struct Name {
  std::string lower;
  std::string letters;  ///< without what stands between words
  std::string sorted;
  std::vector<std::string> words;

  explicit Name(std::string_view text) : lower(lower_case(text)), words(words_in(lower)) {
    for (const char c : lower)
      if (c != '-' && c != '_') letters += c;
    sorted = lower;
    std::ranges::sort(sorted);
  }
};

bool is_word_for(const std::string& word, const std::string& other) {
  if (word == other) return true;
  return std::min(word.size(), other.size()) >= kLeastPart &&
         (word.starts_with(other) || other.starts_with(word));
}

/// Has `all` a word for each of `some`? How many are left over.
std::optional<std::size_t> words_left(const std::vector<std::string>& some,
                                      std::vector<std::string> all) {
  std::size_t letters = 0;
  for (const std::string& word : some) {
    const auto found =
        std::ranges::find_if(all, [&](const auto& other) { return is_word_for(word, other); });
    if (found == all.end()) return std::nullopt;
    letters += std::min(word.size(), found->size());
    all.erase(found);
  }
  return letters >= kLeastPart ? std::optional(all.size()) : std::nullopt;
}

/// More edits than that make another name of it: a third of the letters, or half where both begin
/// alike.
std::size_t most_edits(const std::string& name, const std::string& candidate) {
  const std::size_t longer = std::max(name.size(), candidate.size());
  const bool begin_alike = name.substr(0, kLeastPart) == candidate.substr(0, kLeastPart);
  return std::max<std::size_t>(longer / (begin_alike ? 2 : 3), longer >= 2 ? 1 : 0);
}

/// Is one the other with a number behind it, as relu6 is relu? That is another thing.
bool is_numbered(std::string_view name, std::string_view candidate) {
  const std::string_view rest = name.substr(std::min(candidate.size(), name.size()));
  return name.starts_with(candidate) && !rest.empty() && !candidate.empty() &&
         candidate.back() >= 'a' && rest.find_first_not_of("0123456789") == std::string_view::npos;
}

Likeness likeness(const Name& name, EditDistance& edits, const Name& candidate) {
  using Way = Likeness::Way;
  if (is_numbered(name.lower, candidate.lower)) return {};
  if (name.letters == candidate.letters && !name.letters.empty()) return {Way::same_letters, 0};
  const std::size_t longer = std::max(name.lower.size(), candidate.lower.size());
  const std::size_t most = most_edits(name.lower, candidate.lower);
  const std::size_t distance = edits.to(candidate.lower, most);
  const bool is_shuffled = name.sorted == candidate.sorted && longer >= kLeastPart;
  if (is_shuffled || (distance == 1 && longer >= kLeastSlipped)) return {Way::one_slip, 0};
  if (name.letters.size() >= kLeastBeginning && candidate.letters.starts_with(name.letters))
    return {Way::abbreviated, 0};
  if (candidate.letters.size() >= kLeastPart && name.letters.starts_with(candidate.letters))
    return {Way::lengthened, name.letters.size() - candidate.letters.size()};
  if (const auto left = words_left(name.words, candidate.words)) return {Way::words_of_it, *left};
  if (const auto left = words_left(candidate.words, name.words))
    return {Way::words_around_it, *left};
  return distance <= most ? Likeness{Way::few_edits, distance} : Likeness{};
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  if (name.empty() || name.size() > kLongestName) return std::nullopt;
  const Name given(name);
  EditDistance edits(given.lower);
  const std::string* best = nullptr;
  Likeness nearest;
  for (const std::string& candidate : candidates) {
    const Likeness found = likeness(given, edits, Name(candidate));
    if (found >= nearest) continue;
    best = &candidate;
    nearest = found;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string joined(std::span<const std::string> names, std::string_view separator) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += separator;
    text += name;
  }
  return text;
}

}  // namespace jute
