// What programs ask while they run: the chip, and standard input.
#include <jute/launch/device_presets.hpp>
#include <jute/program/launches.hpp>

#include "support/catch.hpp"

using namespace jute;

namespace {

ProgramLaunches launched_by(const std::string& statements, const ProgramSurroundings& around) {
  return launches_of("__global__ void count(int n) {}\nint main() {\n" + statements + "\n}\n",
                     around);
}

/// The argument of `count<<<1, 1>>>(EXPRESSION)`; -1 where it is not known.
Index counted_by(const std::string& expression, const std::string& statements,
                 const ProgramSurroundings& around) {
  const auto found = launched_by(statements + "count<<<1, 1>>>(" + expression + ");", around);
  const auto* value = std::get_if<Index>(&found.sites.at(0).arguments.at(0).value);
  return value == nullptr ? -1 : *value;
}

}  // namespace

TEST_CASE("what a program asks of the chip has the chip's value", "[program][launches]") {
  const ProgramSurroundings h200{.device = device_preset("h200")};
  const ProgramSurroundings t4{.device = device_preset("t4")};
  const std::string asks =
      "int id; cudaGetDevice(&id); cudaDeviceProp p; CHECK(cudaGetDeviceProperties(&p, id));\n";
  CHECK(counted_by("p.multiProcessorCount * 32", asks, h200) == 132 * 32);
  CHECK(counted_by("p.multiProcessorCount", asks, t4) == 40);
  CHECK(counted_by("p.warpSize * 8 + p.major * 10 + p.minor", asks, t4) == 256 + 75);
  CHECK(counted_by("p.maxGridSize[1] + p.maxThreadsDim[2]", asks, h200) == 65535 + 64);
  CHECK(counted_by("p.maxGridSize[3]", asks, h200) == -1);
  CHECK(counted_by("p.sharedMemPerBlock", asks, h200) == 49152);
  CHECK(counted_by("p.memoryClockRate", asks, h200) == -1);
  CHECK(counted_by("p.multiProcessorCount", asks, {}) == -1);
  const std::string attribute =
      "int n; cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0);\n";
  CHECK(counted_by("n", attribute, h200) == 132);
  CHECK(counted_by("n", "int n = 5; cudaDeviceGetAttribute(&n, cudaDevAttrClockRate, 0); ", h200) ==
        -1);
  CHECK(counted_by("n", "int n; cudaGetDeviceCount(&n); if (n == 0) { n = 7; } ", h200) == 1);
  CHECK(launched_by(attribute, h200).asks_device);
  CHECK_FALSE(launched_by("cudaSetDevice(0);", h200).asks_device);
}

TEST_CASE("what a program reads from standard input has the words that are given",
          "[program][launches]") {
  const ProgramSurroundings words{.input = {"40", "-3", "2.5"}};
  const std::string reads = "int n = 5; float a; std::cin >> n >> a; long m; scanf(\"%ld\", &m);\n";
  CHECK(counted_by("n", reads, words) == 40);
  CHECK(counted_by("(int)a", reads, words) == -3);
  CHECK(counted_by("m", reads, words) == 2);
  CHECK(counted_by("n", reads, {}) == -1);
  CHECK(launched_by(reads, words).words_read == 3);
  CHECK(launched_by(reads, words).unread.empty());
  CHECK(launched_by(reads, {}).unread == std::vector<InputRead>{{"n", 3}, {"a", 3}, {"m", 3}});
  CHECK(launched_by(reads, {.input = {"1"}}).unread == std::vector<InputRead>{{"a", 3}, {"m", 3}});
  CHECK(counted_by("n", "int n; cin >> n; n = n / 4; ", words) == 10);
  CHECK(counted_by("n", "int n; fscanf(stdin, \"%d\", &n); ", words) == 40);
  CHECK(counted_by("n", "int n = 5; fscanf(file, \"%d\", &n); ", words) != 40);
  // A way that is not taken reads nothing.
  CHECK(counted_by("n", "int n = 5; if (n == 4) cin >> n; ", words) == 5);
  CHECK(counted_by("n", "int n; if (n == 5) n = 6; cin >> n; ", words) == 40);
  // How many elements are read is not followed.
  CHECK(counted_by("n", "int x[9], n = 1; for (int i = 0; i < 2; i++) cin >> x[i]; cin >> n; ",
                   words) == -1);
  CHECK(counted_by("n", "int n; cin >> n; ", {.input = {"word"}}) == -1);
}
