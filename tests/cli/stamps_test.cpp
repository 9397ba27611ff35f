// Stamps as a table and as a picture.
#include "pictures/charts.hpp"

#include <algorithm>
#include <fstream>
#include <regex>

#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

namespace {

std::vector<StampLane> some_lanes() {
  using enum Moment;
  return {{0,
           "consumer 0",
           {{begin, 100},
            {ready, 110},
            {first_data, 130},
            {multiplied, 180},
            {drained, 195},
            {end, 200}}},
          {0, "producer", {{begin, 101}, {ready, 109}, {end, 150}}},
          {9, "producer", {{begin, 7000}, {ready, 7010}, {end, 7050}}}};
}

}  // namespace

TEST_CASE("stamps are listed a line each", "[cli][stamps]") {
  const std::string text = stamps_csv(some_lanes());
  CHECK(text.starts_with(
      "block,role,moment,clock\n0,consumer 0,begin,100\n0,consumer 0,ready,110\n"));
  CHECK(std::ranges::count(text, '\n') == 1 + 6 + 3 + 3);
  CHECK(text.ends_with("9,producer,end,7050\n"));
}

TEST_CASE("a timeline has a lane for each role of the first blocks, a bar for each phase",
          "[cli][stamps]") {
  const std::string picture = stamps_svg(some_lanes());
  const auto count = [&](const std::string& what) {
    const std::regex pattern(what);
    return std::distance(std::sregex_iterator(picture.begin(), picture.end(), pattern),
                         std::sregex_iterator());
  };
  CHECK(count("block 0 consumer 0") == 1);
  CHECK(count("block 0 producer") == 1);
  CHECK(count("block 9") == 0);
  CHECK(count("<rect x=[^>]*fill=\"#4c78a8\"") == 2);  // the legend's and the main loop's
  // 50 of 100 clocks: half of the width.
  CHECK(picture.find("width=\"450.0\"") != std::string::npos);
  CHECK(picture.find(">100 clocks</text>") != std::string::npos);
  CHECK(stamps_svg({}).starts_with("<svg"));
  // Of 500 MHz 100 clocks are 200 ns.
  const std::string in_ns = stamps_svg(some_lanes(), 500);
  CHECK(in_ns.find(">100</text>") != std::string::npos);
  CHECK(in_ns.find(">200</text>") != std::string::npos);
  CHECK(in_ns.find("clocks") == std::string::npos);
}

TEST_CASE("a product that is run with stamps leaves them in a file", "[cli][gemm][stamps]") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> line{"gemm",     "--m",      "200",    "--n",      "136",
                                  "--k",      "128",      "--type", "bf16",     "--order-b",
                                  "col",      "--random", "1",      "--verify", "--device",
                                  "emulator", "--stamps", file};
    line.insert(line.end(), more.begin(), more.end());
    return run_jute(line);
  };
  const std::vector<std::string> by_roles{"--main-loop", "warp_specialised"};
  const ProcessResult listed = run(folder.file("stamps.csv"), by_roles);
  INFO(listed.err);
  CHECK(listed.status == 0);
  const std::string text = read_text(folder.file("stamps.csv"));
  CHECK(text.find("0,consumer 0,first data,") != std::string::npos);
  CHECK(text.find("0,producer,end,") != std::string::npos);
  CHECK(run(folder.file("stamps.svg"), by_roles).status == 0);
  CHECK(read_text(folder.file("stamps.svg")).find("main loop") != std::string::npos);
  // A kernel of a range takes the rows, and tiles of its launch, as without stamps.
  const ProcessResult ranged = run(folder.file("ranged.csv"), {"--m-range", "1:600"});
  INFO(ranged.err);
  CHECK(ranged.status == 0);
  CHECK(ranged.out.find("check    ok") != std::string::npos);
  CHECK(read_text(folder.file("ranged.csv")).find("0,consumer 0,drained,") != std::string::npos);
  require_refusal(run(folder.file("stamps.png"), {}), 2, "must end with .csv or .svg");
  CHECK_FALSE(std::ifstream(folder.file("stamps.png")).good());
  // Warps that all do the same are lanes as well.
  CHECK(run(folder.file("warps.csv"), {"--main-loop", "straight"}).status == 0);
  CHECK(read_text(folder.file("warps.csv")).find("0,warp 0,multiplied,") != std::string::npos);
}
