// The numbers of docs/plans.md, held to what they say of each other.
#include <jute/base/types.hpp>
#include <jute/layout/address.hpp>
#include <jute/layout/layout.hpp>
#include <jute/layout/swizzle.hpp>
#include <jute/plan/values/count.hpp>

#include <fstream>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace jute;

namespace {

struct Region {
  std::string name, alive, layout, type;
  Index offset = 0, bytes = 0, alignment = 1, copies = 1;
  [[nodiscard]] Index end() const { return offset + bytes; }
};
struct WrittenKernel {
  std::string plan;
  Index block = 0, smem_bytes = 0, warps = 0, registers = 0;
  std::vector<Region> regions;
};

/// `main loop` and `epilogue` take turns; everything else may be alive together.
bool reduction(const Region& a, const Region& b) {
  const bool take_turns = (a.alive == "main loop" && b.alive == "epilogue") ||
                          (a.alive == "epilogue" && b.alive == "main loop");
  return !take_turns && a.offset < b.end() && b.offset < a.end();
}

void read_roles(const std::string& line, WrittenKernel& kernel) {
  const std::regex role(R"((\d+) warps(?: (\d+))?)");
  for (std::sregex_iterator it(line.begin(), line.end(), role), end; it != end; ++it) {
    const Index warps = std::stoll((*it)[1]);
    kernel.warps += warps;
    if ((*it)[2].matched) kernel.registers += warps * 32 * std::stoll((*it)[2]);
  }
}

/// Every kernel whose launch and roles the page writes out.
std::vector<WrittenKernel> kernels_of_page() {
  std::ifstream page(JUTE_SOURCE_DIR "/docs/plans.md");
  const std::regex heading(R"(^## (\(\w\)).*)"), block(R"(block (\d+))"), smem(R"(smem (\d+))"),
      region(R"(^(?:    smem)?\s+(\w+)\s+(\d+)\s+(\d+)\s+(\d+) x(\d+)\s+)"
             R"((main loop|epilogue|whole kernel)\s+(\S+)(?: (\w+))?.*)");
  std::vector<WrittenKernel> kernels;
  std::string plan, line;
  while (std::getline(page, line)) {
    std::smatch found;
    if (std::regex_match(line, found, heading)) plan = found[1];
    if (plan.empty()) continue;
    if (line.starts_with("    launch")) kernels.emplace_back().plan = plan;
    if (kernels.empty()) continue;
    WrittenKernel& kernel = kernels.back();
    if (std::regex_search(line, found, block)) kernel.block = std::stoll(found[1]);
    if (std::regex_search(line, found, smem)) kernel.smem_bytes = std::stoll(found[1]);
    if (line.starts_with("    roles")) read_roles(line, kernel);
    if (std::regex_match(line, found, region))
      kernel.regions.push_back({found[1], found[6], found[7], found[8], std::stoll(found[2]),
                                std::stoll(found[3]), std::stoll(found[4]), std::stoll(found[5])});
  }
  return kernels;
}

/// A copy holds its layout, with no more than 128 bytes to spare, and starts where its swizzle
/// does.
void check_layout(const Region& region) {
  if (region.layout == "mbarrier") {
    CHECK(region.bytes == 8 * region.copies);
    return;
  }
  const ComposedLayout layout(region.layout);
  const Index width = width_bytes(parse_dtype(region.type));
  const Index copy = region.bytes / region.copies;
  CHECK(region.bytes % region.copies == 0);
  CHECK(copy >= cosize(layout) * width);
  CHECK(copy < cosize(layout) * width + 128);
  const Index span = swizzle_span(layout.swizzle()) * width;
  CHECK(copy % std::max<Index>(span, 16) == 0);
  CHECK((span == width || region.alignment % span == 0));
}

void check_kernel(const WrittenKernel& kernel) {
  CHECK(kernel.smem_bytes <= 232448);
  if (kernel.warps > 0) CHECK(kernel.warps * 32 == kernel.block);
  CHECK(kernel.registers <= 65536);
  Index end = 0;
  for (size_t i = 0; i < kernel.regions.size(); ++i) {
    const Region& region = kernel.regions[i];
    INFO(region.name);
    CHECK(region.offset % region.alignment == 0);
    check_layout(region);
    for (size_t j = 0; j < i; ++j) CHECK(!reduction(region, kernel.regions[j]));
    end = std::max(end, region.end());
  }
  if (!kernel.regions.empty()) CHECK(end == kernel.smem_bytes);
}

/// `(x, y, z)` behind a word that begins a launch's grid.
std::vector<std::string> grid_of_line(const std::string& line) {
  const size_t start = line.find("grid (");
  if (start == std::string::npos) return {};
  std::vector<std::string> axes(1);
  int depth = 0;
  for (size_t at = start + 5; at < line.size(); ++at) {
    const char c = line[at];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0) break;
    if (depth == 1 && c == ',')
      axes.emplace_back();
    else if (depth > 1 || c != '(')
      axes.back() += c;
  }
  return axes;
}

}  // namespace

TEST_CASE("the grids and sizes of the page of plans are Counts", "[plan][docs]") {
  std::ifstream page(JUTE_SOURCE_DIR "/docs/plans.md");
  const std::regex sized(R"(^(?:    workspace)?\s+\w+\s+(\S.*\S) = (\d+)\s.*)");
  const RunValues padded{.m = 4001, .n = 4003, .k = 4005};
  const RunValues square{.m = 4096, .n = 4096, .k = 4096};
  int grids = 0, sizes = 0;
  std::string line;
  while (std::getline(page, line)) {
    INFO(line);
    std::smatch found;
    if (line.starts_with("    launch    grid")) {
      const std::vector<std::string> axes = grid_of_line(line);
      CHECK(axes.size() == 3);
      for (const std::string& axis : axes) CHECK(Count(axis).evaluate(square) >= 1);
      ++grids;
    }
    if (line.find("copy_") != std::string::npos && std::regex_match(line, found, sized)) {
      CHECK(Count(found[1].str()).evaluate(padded) == std::stoll(found[2]));
      ++sizes;
    }
  }
  CHECK(grids == 16);
  CHECK(sizes == 2);
}

TEST_CASE("the kernels of the page of plans fit: regions, threads, registers", "[plan][docs]") {
  const std::vector<WrittenKernel> kernels = kernels_of_page();
  REQUIRE(kernels.size() == 17);
  for (const WrittenKernel& kernel : kernels) {
    INFO("plan " << kernel.plan);
    check_kernel(kernel);
  }
}
