// Filling and reading the texts with holes that make up the atom tables.
#include "atom/pattern.hpp"

#include "atom/value_types.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace jute::atom {
namespace {

/// A set "=D" needs D's type, "=T" that of T.
constexpr std::array kTypeOrder = {'D', 'A', 'B', 'C', 'T', 'S'};

/// The next word of a blank-separated list; cuts it off.
std::string_view next_word(std::string_view& list) {
  while (!list.empty() && list.front() == ' ') list.remove_prefix(1);
  const auto length = std::min(list.find(' '), list.size());
  const std::string_view word = list.substr(0, length);
  list.remove_prefix(length);
  return word;
}

const ValueType* table_type(std::string_view name) {
  for (const ValueType& type : kValueTypes)
    if (type.name == name) return &type;
  return nullptr;
}

std::string_view spelling(const Binding& binding, char letter, std::string_view kind) {
  const ValueType& type = *binding.type(letter);
  if (kind.empty()) return type.tag;
  if (kind == ".ptx") return type.ptx;
  if (kind == ".name") return type.name;
  const std::string_view written = binding.spellings[Binding::slot(letter)];
  return written.empty() ? type.cute : written;
}

std::string hole_text(std::string_view hole, const Binding& binding) {
  if (hole == "mod") return std::string(binding.modifier.name);
  if (hole == "mod.ptx") return std::string(binding.modifier.ptx);
  if (hole == "major_a") return std::string(name(binding.major_a));
  if (hole == "major_b") return std::string(name(binding.major_b));
  if (binding.type(hole[0]) != nullptr)
    return std::string(spelling(binding, hole[0], hole.substr(1)));
  return std::to_string(binding.number(hole[0]));
}

/// Reads a pattern from left to right against a text, trying every value of a hole in turn.
class Matcher {
 public:
  explicit Matcher(const HoleSets& sets) : sets_(sets) {}

  bool read(std::string_view pattern, std::string_view text) {
    const auto literal = std::min(pattern.find('{'), pattern.size());
    if (!text.starts_with(pattern.substr(0, literal))) return false;
    pattern.remove_prefix(literal);
    text.remove_prefix(literal);
    if (pattern.empty()) return text.empty();
    const auto end = pattern.find('}');
    return read_hole(pattern.substr(1, end - 1), pattern.substr(end + 1), text);
  }
  [[nodiscard]] const Binding& binding() const { return binding_; }

 private:
  bool read_hole(std::string_view hole, std::string_view rest, std::string_view text) {
    if (hole == "mod") return read_modifier(rest, text);
    if (hole == "major_a") return read_major(binding_.major_a, sets_.any_major_a, rest, text);
    if (hole == "major_b") return read_major(binding_.major_b, sets_.any_major_b, rest, text);
    const char letter = hole[0];
    if (!sets_.types[Binding::slot(letter)].empty())
      return read_type(letter, hole.substr(1), rest, text);
    return read_number(letter, rest, text);
  }

  bool read_modifier(std::string_view rest, std::string_view text) {
    for (const Modifier& modifier : sets_.modifiers) {
      if (!text.starts_with(modifier.name)) continue;
      binding_.modifier = modifier;
      if (read(rest, text.substr(modifier.name.size()))) return true;
    }
    return false;
  }

  bool read_major(Major& major, bool any, std::string_view rest, std::string_view text) {
    for (const Major candidate : {Major::k, Major::mn}) {
      if (candidate == Major::mn && !any) return false;
      const std::string_view word = name(candidate);
      if (!text.starts_with(word)) continue;
      major = candidate;
      if (read(rest, text.substr(word.size()))) return true;
    }
    return false;
  }

  bool read_number(char letter, std::string_view rest, std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (error != std::errc{} || text.front() == '-') return false;
    if (text.front() == '0' && digits > 1) return false;
    const auto& ranges = sets_.numbers[Binding::slot(letter)];
    if (!ranges[0].has(value) && !ranges[1].has(value)) return false;
    int& bound = binding_.numbers[Binding::slot(letter)];
    if (bound != 0 && bound != value) return false;
    const int before = std::exchange(bound, value);
    if (read(rest, text.substr(digits))) return true;
    bound = before;
    return false;
  }

  bool read_type(char letter, std::string_view kind, std::string_view rest, std::string_view text) {
    const std::size_t slot = Binding::slot(letter);
    std::string_view set = sets_.types[slot];
    if (set.front() == '=') set = binding_.types[Binding::slot(set[1])]->name;
    while (!set.empty()) {
      const std::string_view word = next_word(set);
      if (word.empty()) break;
      const ValueType* type = table_type(word);
      if (kind == ".cute") {
        if (read_cute_type(*type, slot, rest, text)) return true;
      } else if (text.starts_with(type->tag)) {
        binding_.types[slot] = type;
        if (read(rest, text.substr(type->tag.size()))) return true;
      }
    }
    return false;
  }

  bool read_cute_type(const ValueType& type, std::size_t slot, std::string_view rest,
                      std::string_view text) {
    const auto read_as = [&](std::string_view written) {
      if (written.empty() || !text.starts_with(written)) return false;
      binding_.types[slot] = &type;
      binding_.spellings[slot] = written;
      return read(rest, text.substr(written.size()));
    };
    if (read_as(type.cute)) return true;
    for (const TypeAlias& alias : kTypeAliases)
      if (alias.name == type.name && read_as(alias.alias)) return true;
    return false;
  }

  const HoleSets& sets_;
  Binding binding_;
};

/// Binds what the pattern does not show: sets of one value and types that equal another.
void bind_the_rest(const HoleSets& sets, Binding& binding) {
  for (std::size_t slot = 0; slot < 26; ++slot)
    if (binding.numbers[slot] == 0) binding.numbers[slot] = sets.numbers[slot][0].first;
  for (const char letter : kTypeOrder) {
    const std::size_t slot = Binding::slot(letter);
    std::string_view set = sets.types[slot];
    if (set.empty() || binding.types[slot] != nullptr) continue;
    binding.types[slot] =
        set.front() == '=' ? binding.types[Binding::slot(set[1])] : table_type(next_word(set));
  }
}

/// Runs through all values of all holes, the last hole fastest, in one binding that it changes.
class Enumerator {
 public:
  Enumerator(const HoleSets& sets, const BindingVisitor& visit) : sets_(sets), visit_(visit) {
    for (std::size_t i = 0; i < kTypeOrder.size(); ++i) {
      const std::size_t slot = Binding::slot(kTypeOrder[i]);
      std::string_view set = sets.types[slot];
      if (set.starts_with('=')) continue;
      for (auto word = next_word(set); !word.empty(); word = next_word(set))
        if (const ValueType* type = table_type(word);
            !sets.dtypes[slot] || type->dtype == sets.dtypes[slot])
          types_[i].push_back(type);
    }
  }

  void run() { bind_number(0); }

 private:
  void bind_number(std::size_t slot) {
    if (slot == sets_.numbers.size()) return bind_type(0);
    const auto& ranges = sets_.numbers[slot];
    if (!ranges[0].has(ranges[0].first) && !ranges[1].has(ranges[1].first))
      return bind_number(slot + 1);
    for (const Range& range : ranges)
      for (int value = range.first; value <= range.last; value = range.after(value)) {
        binding_.numbers[slot] = value;
        bind_number(slot + 1);
      }
  }

  void bind_type(std::size_t i) {
    if (i == kTypeOrder.size()) return bind_modifier();
    const ValueType*& type = binding_.types[Binding::slot(kTypeOrder[i])];
    const std::string_view set = sets_.types[Binding::slot(kTypeOrder[i])];
    if (set.starts_with('=')) type = binding_.type(set[1]);
    if (set.empty() || set.starts_with('=')) return bind_type(i + 1);
    for (const ValueType* value : types_[i]) {
      type = value;
      bind_type(i + 1);
    }
  }

  void bind_modifier() {
    if (sets_.modifiers.empty()) return visit_(binding_);
    for (const Modifier& modifier : sets_.modifiers) {
      binding_.modifier = modifier;
      visit_(binding_);
    }
  }

  const HoleSets& sets_;
  const BindingVisitor& visit_;
  std::array<std::vector<const ValueType*>, kTypeOrder.size()> types_;
  Binding binding_;
};

}  // namespace

std::string fill(std::string_view pattern, const Binding& binding) {
  std::string text;
  while (true) {
    const auto literal = std::min(pattern.find('{'), pattern.size());
    text += pattern.substr(0, literal);
    pattern.remove_prefix(literal);
    if (pattern.empty()) return text;
    const auto end = pattern.find('}');
    text += hole_text(pattern.substr(1, end - 1), binding);
    pattern.remove_prefix(end + 1);
  }
}

std::string fill_layout(std::string_view pattern, const Binding& binding) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] < 'A' || pattern[i] > 'Z') {
      text += pattern[i];
      continue;
    }
    const ValueType* type = binding.type(pattern[i]);
    int value = type != nullptr ? type->bits : binding.number(pattern[i]);
    if (i + 1 < pattern.size() && (pattern[i + 1] == '*' || pattern[i + 1] == '/')) {
      int factor = 0;
      const char* first = pattern.data() + i + 2;
      const auto [end, error] = std::from_chars(first, pattern.data() + pattern.size(), factor);
      value = pattern[i + 1] == '*' ? value * factor : value / factor;
      i = static_cast<std::size_t>(end - pattern.data()) - 1;
    }
    text += std::to_string(value);
  }
  return text;
}

std::optional<Binding> match(std::string_view pattern, std::string_view text,
                             const HoleSets& sets) {
  Matcher matcher(sets);
  if (!matcher.read(pattern, text)) return std::nullopt;
  Binding binding = matcher.binding();
  bind_the_rest(sets, binding);
  return binding;
}

void for_each_binding(const HoleSets& sets, const BindingVisitor& visit) {
  Enumerator(sets, visit).run();
}

}  // namespace jute::atom
