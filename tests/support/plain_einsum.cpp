// A loop over every letter.
#include "support/plain_einsum.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace jute::test {
namespace {

/// An axis of an ellipsis is counted from its end: -1 is the last.
using Names = std::vector<int>;

Names names_of(const std::string& letters, std::size_t rank) {
  Names names;
  const auto dots = static_cast<std::size_t>(std::ranges::count(letters, '.'));
  const std::size_t hidden = rank - (letters.size() - dots);
  for (std::size_t at = 0; at < letters.size(); ++at) {
    if (letters[at] != '.') {
      names.push_back(letters[at]);
      continue;
    }
    for (std::size_t left = hidden; left > 0; --left) names.push_back(-static_cast<int>(left));
    at += 2;
  }
  return names;
}

struct Read {
  std::vector<Names> operands;
  Names result;
};

Read read(std::string text, const std::vector<PlainArray>& operands) {
  std::erase(text, ' ');
  const std::size_t arrow = text.find("->");
  std::string inputs = text.substr(0, arrow) + ",";
  Read found;
  for (const PlainArray& operand : operands) {
    const std::size_t comma = inputs.find(',');
    found.operands.push_back(names_of(inputs.substr(0, comma), operand.extents.size()));
    inputs.erase(0, comma + 1);
  }
  std::map<int, int> count;
  int hidden = 0;
  for (const Names& names : found.operands)
    for (const int name : names) {
      ++count[name];
      hidden = std::max(hidden, -name);
    }
  if (arrow != std::string::npos) {
    const std::string letters = text.substr(arrow + 2);
    const bool is_open = letters.find('.') != std::string::npos;
    const std::size_t named = letters.size() - (is_open ? 3 : 0);
    found.result = names_of(letters, named + (is_open ? static_cast<std::size_t>(hidden) : 0));
    return found;
  }
  // Axes of ellipses first, as negative names come; then letters that stand once.
  for (const auto& [name, times] : count)
    if (name < 0 || times == 1) found.result.push_back(name);
  return found;
}

/// The element of an array where each letter has its number.
std::size_t place(const Names& names, const std::vector<std::int64_t>& extents,
                  const std::map<int, std::int64_t>& number) {
  std::int64_t at = 0;
  for (std::size_t axis = 0; axis < names.size(); ++axis)
    at = at * extents[axis] + (extents[axis] == 1 ? 0 : number.at(names[axis]));
  return static_cast<std::size_t>(at);
}

/// The next numbers of all letters; false behind the last.
bool step(std::map<int, std::int64_t>& number, const std::map<int, std::int64_t>& extents) {
  for (auto& [name, value] : number) {
    if (++value < extents.at(name)) return true;
    value = 0;
  }
  return false;
}

}  // namespace

PlainArray plain_einsum(const std::string& text, const std::vector<PlainArray>& operands) {
  const Read read_text = read(text, operands);
  std::map<int, std::int64_t> extents, number;
  for (std::size_t i = 0; i < operands.size(); ++i)
    for (std::size_t axis = 0; axis < operands[i].extents.size(); ++axis) {
      const int name = read_text.operands[i][axis];
      const std::int64_t extent = operands[i].extents[axis];
      if (!extents.contains(name) || extents[name] == 1) extents[name] = extent;
      number[name] = 0;
    }
  PlainArray result;
  std::int64_t count = 1;
  for (const int name : read_text.result) {
    result.extents.push_back(extents.at(name));
    count *= extents.at(name);
  }
  result.values.assign(static_cast<std::size_t>(count), 0.0);
  for (const auto& [name, extent] : extents)
    if (extent == 0) return result;
  do {
    double product = 1;
    for (std::size_t i = 0; i < operands.size(); ++i)
      product *= operands[i].values[place(read_text.operands[i], operands[i].extents, number)];
    result.values[place(read_text.result, result.extents, number)] += product;
  } while (step(number, extents));
  return result;
}

}  // namespace jute::test
