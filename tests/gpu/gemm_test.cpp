// The random problems on a real GPU, judged by the reference and held to the emulator's bits.
#include "base/format.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/gpu.hpp"

#include <jute/device/device.hpp>
#include <jute/emulator/emulator.hpp>

#include <algorithm>
#include <sstream>

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kHalf = 100;
/// Cases that one child runs: some seconds of work, so that a hang is soon found.
constexpr int kCasesPerChild = 5 * kCasesPerClass;
constexpr int kSeconds = 60;

std::uint64_t hash_of(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
  for (const std::byte byte : bytes)
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211ull;
  return hash;
}

/// One line a case: the hash of D, then what failed.
std::string results_on(Context& context, const CaseTypes& types, int first) {
  std::string lines;
  for (int index = first; index < first + kCasesPerChild; ++index) {
    const GemmCase gemm_case = random_case(types, index);
    const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
    std::string failure = describe(gemm_case, outcome);
    std::ranges::replace(failure, '\n', ' ');
    lines += base::format("{:016x} {}\n", hash_of(outcome.d), failure.substr(0, 240));
  }
  return lines;
}

std::string results_on_gpu(const CaseTypes& types, int first) {
  return on_gpu(
      [&] {
        Context context(open_device());
        return results_on(context, types, first);
      },
      kSeconds);
}

/// In a child as well: a process that has compiled may have loaded the driver, and its children
/// could then not initialise it.
std::string results_on_emulator(const CaseTypes& types, int first) {
  return run_in_child(
             [&] {
               Context context(open_emulator());
               return results_on(context, types, first);
             },
             kSeconds)
      .output;
}

/// The lines that failed, or that differ between the two.
std::string differences(const std::string& gpu, const std::string& emulator, int first) {
  std::istringstream left(gpu), right(emulator);
  std::string difference;
  for (std::string a, b; std::getline(left, a) && std::getline(right, b); ++first)
    if (a != b || a.size() > 17)
      difference += base::format("case {}\n  gpu      {}\n  emulator {}\n", first, a, b);
  return difference;
}

void expect_agreement(std::string_view family, int half) {
  const CaseTypes& types = family_of(family).types;
  for (int first = half * kHalf; first < (half + 1) * kHalf; first += kCasesPerChild) {
    const std::string gpu = results_on_gpu(types, first);
    const std::string emulator = results_on_emulator(types, first);
    CHECK(std::ranges::count(gpu, '\n') == kCasesPerChild);
    CHECK(std::ranges::count(emulator, '\n') == kCasesPerChild);
    CHECK(differences(gpu, emulator, first) == "");
  }
}

}  // namespace

// Half of a family a test, so that they run side by side: random problems come out right on the
// GPU, bit for bit as emulated.
TEST_CASE("random f32 problems agree: a half", "[gpu][gemm]") { expect_agreement("f32", 0); }
TEST_CASE("random f32 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("f32", 1);
}
TEST_CASE("random f64 problems agree: a half", "[gpu][gemm]") { expect_agreement("f64", 0); }
TEST_CASE("random f64 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("f64", 1);
}
TEST_CASE("random tf32 problems agree: a half", "[gpu][gemm]") { expect_agreement("tf32", 0); }
TEST_CASE("random tf32 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("tf32", 1);
}
TEST_CASE("random bf16 problems agree: a half", "[gpu][gemm]") { expect_agreement("bf16", 0); }
TEST_CASE("random bf16 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("bf16", 1);
}
TEST_CASE("random bf16 to f32 problems agree: a half", "[gpu][gemm]") {
  expect_agreement("bf16 to f32", 0);
}
TEST_CASE("random bf16 to f32 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("bf16 to f32", 1);
}
TEST_CASE("random f16 problems agree: a half", "[gpu][gemm]") { expect_agreement("f16", 0); }
TEST_CASE("random f16 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("f16", 1);
}
TEST_CASE("random f16 in f16 problems agree: a half", "[gpu][gemm]") {
  expect_agreement("f16 in f16", 0);
}
TEST_CASE("random f16 in f16 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("f16 in f16", 1);
}
TEST_CASE("random e4m3 problems agree: a half", "[gpu][gemm]") { expect_agreement("e4m3", 0); }
TEST_CASE("random e4m3 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("e4m3", 1);
}
TEST_CASE("random e5m2 by e4m3 problems agree: a half", "[gpu][gemm]") {
  expect_agreement("e5m2 by e4m3", 0);
}
TEST_CASE("random e5m2 by e4m3 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("e5m2 by e4m3", 1);
}
TEST_CASE("random s8 problems agree: a half", "[gpu][gemm]") { expect_agreement("s8", 0); }
TEST_CASE("random s8 problems agree: the other half", "[gpu][gemm]") { expect_agreement("s8", 1); }
TEST_CASE("random u8 by s8 problems agree: a half", "[gpu][gemm]") {
  expect_agreement("u8 by s8", 0);
}
TEST_CASE("random u8 by s8 problems agree: the other half", "[gpu][gemm]") {
  expect_agreement("u8 by s8", 1);
}
