#pragma once
// The problems whose choices and kernels are kept as hashes: whoever moves code holds it to them.
#include <jute/plan/ask/problem.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace jute::test {

inline constexpr int kKeptProblems = 1700;
/// Hashes are kept of so many problems each, so that a difference is found quickly.
inline constexpr int kKeptInBlock = 100;
inline constexpr std::array kKeptTypes{DType::bf16, DType::f16,  DType::tf32, DType::f32,
                                       DType::f64,  DType::e4m3, DType::e5m2, DType::s8};
inline constexpr std::array<const char*, 3> kKeptChips{"h200", "a100", "rtx5090"};

/// Number `index` of them: extents from 1 to 16384, an octave as likely as another, every order,
/// odd leading dimensions, batches, beta, f32 from 16 bits. The same on every machine.
[[nodiscard]] Problem kept_problem(int index, DType type);

/// FNV-1a of 64 bits, over all that is added.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      value_ ^= static_cast<unsigned char>(c);
      value_ *= 0x100000001b3ULL;
    }
  }
  [[nodiscard]] std::string text() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// How much of a file of kept lines a test makes anew.
enum class KeptPart : std::uint8_t { some, all };
/// Compares lines `NAME: VALUE` with those of the file below tests/golden/plans. With
/// JUTE_UPDATE_GOLDEN set, all of them are written first.
void check_kept_lines(const std::string& file, const std::string& now, KeptPart part);

}  // namespace jute::test
