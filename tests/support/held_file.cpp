// Reads, writes and compares the file of the held problems.
#include "support/held_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace jute::test {
namespace {

constexpr int kPlansOfLine = 8, kDigitsOfHash = 7, kBaseOfWays = 36;
constexpr int kMostTold = 5;  // of a kind that differ in the same
/// Of a price that is kept with ten digits; compilers may round its last bits otherwise.
constexpr double kSamePrice = 1e-9;

std::string path_of_held() {
  return std::string(JUTE_SOURCE_DIR) + "/tests/golden/plans/held.hashes";
}

std::string short_text(const char* format, auto... values) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

std::uint32_t number_of(const std::string& text, int base) {
  return static_cast<std::uint32_t>(std::stoul(text, nullptr, base));
}

/// Ways are counted with letters too, which keeps them short.
std::string way_number(std::size_t number) {
  std::string text;
  for (std::size_t left = number; text.empty() || left > 0; left /= kBaseOfWays)
    text.insert(text.begin(), "0123456789abcdefghijklmnopqrstuvwxyz"[left % kBaseOfWays]);
  return text;
}

bool are_same_price(double price, double other) {
  return std::abs(price - other) <= kSamePrice * std::max(std::abs(price), std::abs(other));
}

/// What of two plans of a problem differs.
std::string differing(const HeldPlan& kept, const HeldPlan& now) {
  std::string parts;
  const auto add = [&](bool differs, const char* part) {
    if (differs) parts += (parts.empty() ? "" : ", ") + std::string(part);
  };
  add(kept.fields != now.fields, "fields");
  add(kept.source != now.source, "source");
  add(!are_same_price(kept.price, now.price), "price");
  add(kept.way != now.way, "way");
  return parts;
}

std::string told(const HeldProblem& held, const HeldPlan& kept, const HeldPlan& now) {
  std::string text = "  " + to_string(held) + "\n";
  if (kept.way != now.way) text += "    way:   " + kept.way + "\n    now:   " + now.way + "\n";
  if (!are_same_price(kept.price, now.price))
    text += short_text("    price: %.10g, now %.10g (%+.3g %%)\n", kept.price, now.price,
                       100 * (now.price / kept.price - 1));
  return text;
}

}  // namespace

HeldFile HeldFile::read() {
  HeldFile file;
  std::ifstream in(path_of_held());
  std::string kind;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("way ")) {
      file.ways_.push_back(line.substr(line.find(' ', 4) + 1));
      continue;
    }
    const std::size_t colon = line.find(": ");
    const std::size_t blank = line.rfind(' ', colon);
    kind = line.substr(0, blank);
    int index = std::stoi(line.substr(blank + 1));
    std::istringstream words(line.substr(colon + 2));
    HeldPlan plan;
    for (std::string hashes, way; words >> hashes >> plan.price >> way;) {
      plan.fields = number_of(hashes.substr(0, kDigitsOfHash), 16);
      plan.source = number_of(hashes.substr(kDigitsOfHash), 16);
      plan.way = file.ways_.at(number_of(way, kBaseOfWays));
      file.plans_[{kind, index++}] = plan;
    }
  }
  return file;
}

void HeldFile::write() const {
  // Numbers that are taken stay; those that nothing has any more are for the next new way.
  std::set<std::string> used;
  for (const auto& [place, plan] : plans_) used.insert(plan.way);
  std::vector<std::string> ways = ways_;
  for (std::string& way : ways)
    if (used.erase(way) == 0) way.clear();
  auto free = ways.begin();
  for (const std::string& way : used) {
    free = std::find(free, ways.end(), std::string());
    if (free == ways.end()) {
      ways.push_back(way);
      free = ways.end();
    } else {
      *free = way;
    }
  }
  while (!ways.empty() && ways.back().empty()) ways.pop_back();
  std::ofstream out(path_of_held());
  for (std::size_t i = 0; i < ways.size(); ++i)
    out << "way " << way_number(i) << " " << ways[i] << "\n";
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < ways.size(); ++i) numbers[ways[i]] = i;
  for (const HeldKind& kind : held_kinds())
    for (int index = 0; index < kind.count; ++index) {
      const HeldPlan& plan = *find(std::string(kind.name), index);
      if (index % kPlansOfLine == 0)
        out << (index > 0 ? "\n" : "") << kind.name << " " << index << ":";
      out << short_text(" %07x%07x %.10g", plan.fields, plan.source, plan.price) << " "
          << way_number(numbers.at(plan.way));
      if (index + 1 == kind.count) out << "\n";
    }
}

const HeldPlan* HeldFile::find(const std::string& kind, int index) const {
  const auto found = plans_.find({kind, index});
  return found == plans_.end() ? nullptr : &found->second;
}

void HeldFile::put(const std::string& kind, int index, HeldPlan plan) {
  plans_[{kind, index}] = std::move(plan);
}

int HeldFile::count(std::string_view kind) const {
  return static_cast<int>(
      std::ranges::count_if(plans_, [&](const auto& one) { return one.first.first == kind; }));
}

std::string held_differences(int step) {
  HeldFile file = HeldFile::read();
  const bool updates = std::getenv("JUTE_UPDATE_GOLDEN") != nullptr;
  const bool tells_all = std::getenv("JUTE_ALL_DIFFERENCES") != nullptr;
  if (updates) step = 1;
  std::map<std::string, int> counts;
  std::string list;
  for (const HeldKind& kind : held_kinds())
    for (int index = 0; index < kind.count; index += step) {
      const std::string name(kind.name);
      const HeldProblem held = held_problem(kind, index);
      const HeldPlan now = held_plan(held);
      if (updates) file.put(name, index, now);
      const HeldPlan* kept = file.find(name, index);
      const std::string parts = kept == nullptr ? "not kept" : differing(*kept, now);
      if (parts.empty()) continue;
      if (++counts[name + ": " + parts] <= kMostTold || tells_all)
        list += name + " " + std::to_string(index) + ": " + parts + "\n" +
                told(held, kept == nullptr ? HeldPlan{} : *kept, now);
    }
  if (updates) file.write();
  for (const auto& [what, count] : counts) list += std::to_string(count) + " of " + what + "\n";
  return list;
}

}  // namespace jute::test
