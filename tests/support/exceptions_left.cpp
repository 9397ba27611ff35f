// A ratchet: what a file allows, less what is no longer needed.
#include "support/exceptions_left.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace jute::test {
namespace {

constexpr double kThousandths = 1000;
/// Of ratios at a thousandth's edge, which compilers may round otherwise.
constexpr double kSlack = 1e-6;

ExceptionsLeft rounded(ExceptionsLeft left) {
  left.lowest = std::floor(left.lowest * kThousandths + kSlack) / kThousandths;
  left.highest = std::ceil(left.highest * kThousandths - kSlack) / kThousandths;
  return left;
}

std::string line_of(const std::string& name, const ExceptionsLeft& left) {
  std::array<char, 64> numbers{};
  (void)std::snprintf(numbers.data(), numbers.size(), ": %d %.3f %.3f", left.count, left.lowest,
                      left.highest);
  return name + numbers.data();
}

ExceptionsByName read_exceptions(std::istream& in) {
  ExceptionsByName all;
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.rfind(": ");
    ExceptionsLeft& left = all[line.substr(0, colon)];
    std::istringstream(line.substr(colon + 2)) >> left.count >> left.lowest >> left.highest;
  }
  return all;
}

/// As much as both allow.
ExceptionsLeft lesser(const ExceptionsLeft& one, const ExceptionsLeft& other) {
  return {std::min(one.count, other.count), std::max(one.lowest, other.lowest),
          std::min(one.highest, other.highest)};
}

}  // namespace

std::string exceptions_beyond(const std::string& file, const ExceptionsByName& given) {
  const std::string path = std::string(JUTE_SOURCE_DIR) + "/tests/golden/plans/" + file;
  ExceptionsByName now, kept;
  for (const auto& [name, left] : given) now[name] = rounded(left);
  std::ifstream in(path);
  const bool is_there = in.is_open();
  kept = is_there ? read_exceptions(in) : now;
  if (std::getenv("JUTE_UPDATE_GOLDEN") != nullptr) {
    ExceptionsByName less;
    for (const auto& [name, left] : kept)
      if (now.contains(name)) less[name] = lesser(left, now.at(name));
    kept = less;
    std::ofstream out(path);
    for (const auto& [name, left] : kept) out << line_of(name, left) << "\n";
  } else if (!is_there) {
    return path + " must be there: JUTE_UPDATE_GOLDEN=1 writes it\n";
  }
  std::string beyond;
  for (const auto& [name, left] : now) {
    const auto allowed = kept.find(name);
    const ExceptionsLeft most = allowed == kept.end() ? ExceptionsLeft{} : allowed->second;
    if (left.count > most.count || left.lowest < most.lowest || left.highest > most.highest)
      beyond +=
          "more than is allowed: " + line_of(name, left) + ", of " + line_of(name, most) + "\n";
  }
  for (const auto& [name, left] : kept) {
    const auto found = now.find(name);
    if (found == now.end() || found->second.count < left.count)
      beyond += "less than is allowed, to be written down by JUTE_UPDATE_GOLDEN=1: " +
                line_of(name, found == now.end() ? ExceptionsLeft{} : found->second) + ", of " +
                line_of(name, left) + "\n";
  }
  return beyond;
}

}  // namespace jute::test
