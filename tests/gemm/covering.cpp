// Greedy: each row takes a pair that is missing and as many others as fit.
#include "gemm/covering.hpp"

#include <algorithm>
#include <random>

namespace jute::test {
namespace {

struct Pair {
  size_t factor, value, other_factor, other_value;
  auto operator<=>(const Pair&) const = default;
};

std::set<Pair> pairs_of(const Choices& row) {
  std::set<Pair> pairs;
  for (size_t i = 0; i < row.size(); ++i)
    for (size_t j = i + 1; j < row.size(); ++j) pairs.insert({i, row[i], j, row[j]});
  return pairs;
}

std::vector<Pair> all_pairs(const std::vector<CoveringFactor>& factors) {
  std::vector<Pair> pairs;
  for (size_t i = 0; i < factors.size(); ++i)
    for (size_t j = i + 1; j < factors.size(); ++j)
      for (size_t a = 0; a < factors[i].values.size(); ++a)
        for (size_t b = 0; b < factors[j].values.size(); ++b) pairs.push_back({i, a, j, b});
  return pairs;
}

/// The usual values of all but a pair's own factors, or with each try more of others.
Choices row_around(const Pair& pair, const std::vector<CoveringFactor>& factors, int attempt,
                   int tries, std::mt19937_64& engine) {
  Choices row(factors.size(), 0);
  for (size_t i = 0; i < factors.size(); ++i)
    if (engine() % static_cast<std::uint64_t>(tries) >= static_cast<std::uint64_t>(attempt))
      row[i] = engine() % factors[i].values.size();
  row[pair.factor] = pair.value;
  row[pair.other_factor] = pair.other_value;
  return row;
}

}  // namespace

Covering cover_pairs(const std::vector<CoveringFactor>& factors,
                     const std::function<bool(const Choices&)>& accepts, int tries) {
  const std::vector<Pair> wanted = all_pairs(factors);
  std::set<Pair> missing(wanted.begin(), wanted.end());
  std::mt19937_64 engine(1);
  Covering covering;
  for (const Pair& pair : wanted) {
    if (!missing.contains(pair)) continue;
    // Of the first rows that are accepted, the one that covers most.
    Choices best;
    size_t most = 0;
    int found = 0;
    for (int attempt = 0; attempt < tries && found < 6; ++attempt) {
      const Choices row = row_around(pair, factors, attempt, tries, engine);
      if (!accepts(row)) continue;
      ++found;
      const std::set<Pair> pairs = pairs_of(row);
      const auto covers = static_cast<size_t>(
          std::ranges::count_if(pairs, [&](const Pair& each) { return missing.contains(each); }));
      if (covers <= most) continue;
      most = covers;
      best = row;
    }
    if (found == 0) {
      const CoveringFactor &one = factors[pair.factor], &other = factors[pair.other_factor];
      covering.impossible.push_back(
          std::string(one.name) + "=" + std::string(one.values[pair.value]) + " " +
          std::string(other.name) + "=" + std::string(other.values[pair.other_value]));
      continue;
    }
    for (const Pair& each : pairs_of(best)) missing.erase(each);
    covering.rows.push_back(best);
  }
  return covering;
}

}  // namespace jute::test
