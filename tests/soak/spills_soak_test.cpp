// What the assembler says of kernels that are prepared as planned: nothing of theirs leaves the
// registers.
#include <jute/gemm/gemm.hpp>

#include <array>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "gemm/assembling_backend.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Products as people ask for them: plain types, and weights that are stored as others.
class PlannedDraw {
 public:
  PlannedDraw(std::size_t seed, DeviceInfo device)
      : random_(seed * 104729 + 11), device_(std::move(device)) {}

  std::string problem() {
    std::ostringstream text;
    text << "M=" << from({1, 3, 16, 33, 48, 64, 100, 128, 200, 256, 512, 4096})
         << " N=" << from({128, 1000, 4096, 6144, 8192}) << " K=" << from({64, 512, 4096, 7168})
         << " D=bf16 ";
    if (from({0, 1, 2}) == 0) {
      std::string type = from<std::string>({"bf16", "f16", "f32", "tf32", "e4m3"});
      if (type == "e4m3" && device_.arch.number < 89) type = "f16";  // which has no e4m3
      text << "A=" << type << order() << " B=" << type << order();
      return text.str();
    }
    const std::string weights = from<std::string>({"s4", "u4", "e2m1", "s8", "u8", "e4m3", "e5m2"});
    text << "A=" << from<std::string>({"bf16", "f16"}) << " B=" << weights
         << from<std::string>({":col", ":col", ":row"});
    if (from({0, 1, 2}) != 0)
      text << " scale_b=" << from<std::string>({"bf16", "f32", "f16"})
           << from<std::string>({":col", ""})
           << from<std::string>({":block1x128", ":block1x32", ":block128x128", ":block1xall"});
    if (weights.front() == 'u') text << " zero_b=8";
    return text.str();
  }

 private:
  template <class T>
  T from(std::initializer_list<T> values) {
    return values.begin()[random_() % values.size()];
  }
  std::string order() { return from<std::string>({":row", ":col"}); }

  std::mt19937_64 random_;
  DeviceInfo device_;
};

/// What the assembler warns of: a spill, waits between products that should overlap.
bool warns(const std::string& log) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("ptxas") && (line.find("warning") != std::string::npos ||
                                      line.find("Performance Loss") != std::string::npos))
      return true;
  return false;
}

/// What is wrong with a kernel; empty: nothing.
std::string spilled_or_warned(const Binary& binary) {
  if (!binary.resources) return "no resources are told";
  const bool spills = binary.resources->spill_store_bytes + binary.resources->spill_load_bytes > 0;
  return spills || warns(binary.log) ? binary.log : "";
}

}  // namespace

TEST_CASE("of 300 planned kernels none spills or draws a warning", "[soak][spills]") {
  constexpr std::array kChips{"h200", "h200", "l40s", "a100"};
  std::vector<std::unique_ptr<Context>> contexts;
  for (const char* const chip : kChips)
    contexts.push_back(
        std::make_unique<Context>(std::make_unique<AssemblingBackend>(chip), with_kept_kernels()));
  std::set<std::string> seen;
  int fell = 0;  // problems whose first kernel gave way
  for (size_t index = 0; seen.size() < 300; ++index) {
    const size_t chip = index % kChips.size();
    const std::string text = PlannedDraw(index, device_preset(kChips.at(chip))).problem();
    const Gemm gemm = prepare(*contexts.at(chip), parse_problem(text));
    fell += gemm.passed_over().empty() ? 0 : 1;
    for (const Binary& binary : gemm.binaries()) {
      if (!seen.insert(binary.symbol).second) continue;
      INFO(index << " " << kChips.at(chip) << " " << text << ": " << binary.symbol);
      CHECK(spilled_or_warned(binary) == "");
    }
  }
  CHECK(fell > 0);  // else nothing was tried of what is to be proved
}
