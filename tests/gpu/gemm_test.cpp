// The random problems on a real GPU, judged by the reference and held to the emulator's bits.
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/gpu.hpp"

#include <jute/device/device.hpp>
#include <jute/emulator/emulator.hpp>

#include <fmt/format.h>

#include <sstream>

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kCases = 200;
constexpr int kSeconds = 300;

std::uint64_t hash_of(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
  for (const std::byte byte : bytes)
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211ull;
  return hash;
}

/// One line a case: the hash of D, then what failed.
std::string results_on(Context& context, const CaseTypes& types, int count) {
  std::string lines;
  for (int index = 0; index < count; ++index) {
    const GemmCase gemm_case = random_case(types, index);
    const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
    std::string failure = describe(gemm_case, outcome);
    std::ranges::replace(failure, '\n', ' ');
    lines += fmt::format("{:016x} {}\n", hash_of(outcome.d), failure.substr(0, 240));
  }
  return lines;
}

std::string results_on_gpu(const CaseTypes& types, int count) {
  return on_gpu(
      [&] {
        Context context(open_device());
        return results_on(context, types, count);
      },
      kSeconds);
}

/// The lines that failed, or that differ between the two.
std::string differences(const std::string& gpu, const std::string& emulator) {
  std::istringstream left(gpu), right(emulator);
  std::string difference;
  int index = 0;
  for (std::string a, b; std::getline(left, a) && std::getline(right, b); ++index)
    if (a != b || a.size() > 17)
      difference += fmt::format("case {}\n  gpu      {}\n  emulator {}\n", index, a, b);
  return difference;
}

}  // namespace

TEST_CASE("random problems of every type come out right on the GPU, bit for bit as emulated",
          "[gpu][gemm]") {
  for (const TypeFamily& family : kTypeFamilies) {
    const int count = family.name == "f32" ? kCases : kCases / 2;
    const std::string gpu = results_on_gpu(family.types, count);
    // In a child as well: a process that has compiled may have loaded the driver, and its children
    // could then not initialise it.
    const ChildResult emulated = run_in_child(
        [&] {
          Context emulator(open_emulator());
          return results_on(emulator, family.types, count);
        },
        kSeconds);
    INFO(family.name);
    CHECK(std::ranges::count(gpu, '\n') == count);
    CHECK(differences(gpu, emulated.output) == "");
  }
}
