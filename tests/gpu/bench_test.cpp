// `jute bench` on a GPU: a small race from start to end.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/gpu.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a small race times every contestant in every mode, and finds them right",
          "[gpu][bench]") {
  (void)on_gpu([] { return std::string(); });
  const TemporaryFolder folder;
  const std::string csv = folder.file("race.csv"), svg = folder.file("race.svg");
  const ProcessResult result = run_process(
      {JUTE_COMMAND, "bench",      "--m",      "128",       "--n",       "128",   "--k",
       "128",        "--type",     "bf16",     "--order-b", "col",       "--try", "stages=2",
       "--try",      "tile=3x3x3", "--rounds", "3",         "--rest-ms", "1",     "--csv",
       csv,          "--svg",      svg,        "--cold"});
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(holds(result.out, "  cool      jute planned "));
  CHECK(holds(result.out, "  stream    jute planned "));
  CHECK(holds(result.out, "  chain     jute planned "));
  CHECK(holds(result.out, "  cold      jute planned "));
  CHECK(holds(result.out, "  cool      jute stages=2 "));
  CHECK_FALSE(holds(result.out, "WRONG"));
  const std::string lines = text_of(csv);
  CHECK(lines.starts_with("case,mode,side,contestant,us,"));
  CHECK(holds(lines, "bf16_nt_128x128x128,cool,jute,tile=3x3x3,0,0,0,"));  // refused, with a reason
  CHECK(holds(text_of(svg), "bf16_nt_128x128x128"));
  const ProcessResult one = run_process({JUTE_COMMAND, "bench", "--m", "128", "--n", "128", "--k",
                                         "128", "--type", "bf16", "--mode", "cold"});
  INFO(one.out << one.err);
  CHECK(one.status == 0);
  CHECK(holds(one.out, "  cold      jute planned "));
  CHECK_FALSE(holds(one.out, "  cool "));
}
