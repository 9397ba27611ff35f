// Finds the places for every fault in a PTX text, and writes the mutants.
#include "kernels/mutation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "kernels/faults.hpp"
#include "kernels/ptx_statements.hpp"

namespace jute::test {
namespace {

constexpr size_t kCompiledPlaces = 3;

struct Edit {
  size_t begin, end;
  std::string text;
};

std::string edited(const std::string& ptx, std::vector<Edit> edits) {
  std::ranges::sort(edits, {}, &Edit::begin);
  std::string text;
  size_t at = 0;
  for (const Edit& edit : edits) {
    text.append(ptx, at, edit.begin - at);
    text += edit.text;
    at = edit.end;
  }
  return text.append(ptx, at, std::string::npos);
}

/// Places of one line and one kind of instruction belong together.
using Key = std::pair<int, std::string>;
using Groups = std::map<Key, std::vector<size_t>>;

Key key_of(const Statement& s) {
  return {s.line, s.is("barrier.cluster") ? "barrier.cluster" : s.opcode};
}

/// The edits that carry a statement over the next or the last one that touches memory.
std::optional<std::array<Edit, 2>> moved(const std::string& ptx, const std::vector<Statement>& all,
                                         size_t from, int step) {
  const Statement& s = all[from];
  size_t to = from;
  do {
    to += static_cast<size_t>(step);
    if (to >= all.size() || all[to].is("bra") || all[to].is("ret")) return std::nullopt;
  } while (!touches_memory(all[to]) || all[to].line == s.line);
  const size_t low = std::min(from, to), high = std::max(from, to);
  const std::string between = ptx.substr(all[low].begin, all[high].begin - all[low].begin);
  if (between.find("$L_") != std::string::npos || between.find("again:") != std::string::npos)
    return std::nullopt;
  const size_t place = step > 0 ? all[to].end + 1 : all[to].begin;
  const std::string text = step > 0 ? "\n" + to_string(s) + ";" : to_string(s) + ";\n";
  return std::array{Edit{s.begin, s.end + 1, ""}, Edit{place, place, text}};
}

class Seeder {
 public:
  Seeder(const std::string& ptx, const std::string& file) : ptx_(ptx), all_(statements(ptx, file)) {
    for (size_t i = 0; i < all_.size(); ++i)
      if (is_by_hand(all_[i])) groups_[key_of(all_[i])].push_back(i);
  }

  std::vector<Mutant> seed() {
    for (const auto& [key, places] : groups_) {
      for (const Fault& fault : word_faults()) rewrite(fault, places);
      move("move later", places, 1);
      move("move earlier", places, -1);
    }
    for (const Fault& fault : compiled_faults()) rewrite_some(fault);
    return std::move(found_);
  }

 private:
  void add(const char* kind, const Statement& first, const std::string& now,
           const std::vector<Edit>& edits) {
    if (edits.empty()) return;
    found_.push_back({kind, first.line, to_string(first), now, edited(ptx_, edits)});
  }

  void rewrite(const Fault& fault, const std::vector<size_t>& places) {
    std::vector<Edit> edits;
    for (const size_t place : places)
      if (const Rewritten now = fault.rewrite(all_[place]))
        edits.push_back({all_[place].begin, all_[place].end + 1, *now});
    const Statement& first = all_[places.front()];
    add(fault.kind, first, fault.rewrite(first).value_or(""), edits);
  }

  void move(const char* kind, const std::vector<size_t>& places, int step) {
    std::vector<Edit> edits;
    for (const size_t place : places) {
      if (!is_movable(all_[place])) continue;
      if (const auto pair = moved(ptx_, all_, place, step))
        edits.insert(edits.end(), pair->begin(), pair->end());
    }
    add(kind, all_[places.front()], kind, edits);
  }

  void rewrite_some(const Fault& fault) {
    std::vector<size_t> places;
    for (size_t i = 0; i < all_.size(); ++i)
      if (all_[i].line != 0 && fault.rewrite(all_[i])) places.push_back(i);
    const size_t count = std::min(places.size(), kCompiledPlaces);
    for (size_t i = 0; i < count; ++i)
      rewrite(fault, {places[(2 * i + 1) * places.size() / (2 * count)]});
  }

  const std::string& ptx_;
  std::vector<Statement> all_;
  Groups groups_;
  std::vector<Mutant> found_;
};

}  // namespace

std::vector<Mutant> mutants(const std::string& ptx, const std::string& file) {
  return Seeder(ptx, file).seed();
}

}  // namespace jute::test
