// The loops: no layout takes part.
#include "packing/plain_formats.hpp"

namespace jute::test {
namespace {

constexpr int kOfWord = 8, kNibble = 4;
constexpr int kInterleaved[] = {0, 2, 4, 6, 1, 3, 5, 7};

/// Eight numbers a word, the first lowest.
std::vector<std::uint32_t> in_words(const std::vector<std::uint32_t>& numbers) {
  std::vector<std::uint32_t> words(numbers.size() / kOfWord);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    words[i / kOfWord] |= numbers[i] << (kNibble * static_cast<int>(i % kOfWord));
  return words;
}

/// numbers[perm[i]] of each stretch as long as the permutation.
std::vector<std::uint32_t> permuted(const std::vector<std::uint32_t>& numbers,
                                    const std::vector<int>& permutation) {
  std::vector<std::uint32_t> result;
  for (std::size_t first = 0; first < numbers.size(); first += permutation.size())
    for (const int i : permutation) result.push_back(numbers[first + static_cast<std::size_t>(i)]);
  return result;
}

/// The permutation with each eight of it read in the order 0 2 4 6 1 3 5 7.
std::vector<int> interleaved(const std::vector<int>& permutation) {
  std::vector<int> result;
  for (std::size_t first = 0; first < permutation.size(); first += kOfWord)
    for (const int i : kInterleaved)
      result.push_back(permutation[first + static_cast<std::size_t>(i)]);
  return result;
}

std::vector<int> weights_permutation() {
  std::vector<int> permutation;
  for (int lane = 0; lane < 32; ++lane)
    for (int tile = 0; tile < 4; ++tile)
      for (int half = 0; half < 2; ++half)
        for (const int row : {0, 1, 8, 9})
          permutation.push_back(256 * tile + 16 * (2 * (lane % 4) + row) + 8 * half + lane / 4);
  return permutation;
}

std::vector<int> scales_permutation() {
  std::vector<int> permutation;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) permutation.push_back(i + 8 * j);
  return permutation;
}

std::vector<int> scales_of_one_permutation() {
  std::vector<int> permutation;
  for (int i = 0; i < 4; ++i)
    for (const int j : {0, 1, 8, 9, 16, 17, 24, 25}) permutation.push_back(2 * i + j);
  return permutation;
}

}  // namespace

std::vector<std::uint32_t> gptq_weights(const PlainMatrix& q) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(q.k / kOfWord * q.n));
  for (Index row = 0; row < q.k / kOfWord; ++row)
    for (int i = 0; i < kOfWord; ++i)
      for (Index n = 0; n < q.n; ++n)
        words[static_cast<std::size_t>(row * q.n + n)] |= q(row * kOfWord + i, n) << (kNibble * i);
  return words;
}

std::vector<std::uint32_t> gptq_zeros(const PlainMatrix& z) {
  std::vector<std::uint32_t> stored = z.at;
  for (std::uint32_t& zero : stored) zero -= 1;
  return in_words(stored);
}

std::vector<std::uint32_t> awq_words(const PlainMatrix& q) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(q.k * q.n / kOfWord));
  for (Index k = 0; k < q.k; ++k)
    for (Index column = 0; column < q.n / kOfWord; ++column)
      for (int i = 0; i < kOfWord; ++i)
        words[static_cast<std::size_t>(k * (q.n / kOfWord) + column)] |=
            q(k, column * kOfWord + kInterleaved[i]) << (kNibble * i);
  return words;
}

std::vector<std::uint32_t> marlin_weights(const PlainMatrix& q) {
  constexpr Index kTile = 16;
  std::vector<std::uint32_t> tiled;
  for (Index down = 0; down < q.k / kTile; ++down)
    for (Index across = 0; across < q.n / kTile; ++across)
      for (Index k = 0; k < kTile; ++k)
        for (Index n = 0; n < kTile; ++n) tiled.push_back(q(down * kTile + k, across * kTile + n));
  return in_words(permuted(tiled, interleaved(weights_permutation())));
}

std::vector<std::uint32_t> marlin_scales(const PlainMatrix& s) {
  return permuted(s.at, s.k == 1 ? scales_of_one_permutation() : scales_permutation());
}

std::vector<std::uint32_t> marlin_zeros(const PlainMatrix& z) {
  return in_words(permuted(z.at, interleaved(scales_permutation())));
}

}  // namespace jute::test
