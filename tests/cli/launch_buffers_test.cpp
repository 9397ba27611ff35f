// What buffers of launches hold before, and what they must hold after.
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/launched_kernels.hpp"
#include "emulate/launch/contents.hpp"
#include "emulate/launch/element_type.hpp"
#include "files/npy_file.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

TEST_CASE("what says yes to nothing is refused", "[cli][emulate][refusal]") {
  const LaunchBench bench;
  const auto refused = [&](const std::string& buffer, const std::string& part) {
    require_refusal(bench.run(launches(R"("x": )" + buffer, launch_add(R"("x", "x", 4)"))), 2,
                    part);
  };
  const std::string eight = R"({"dtype": "f32", "shape": 8, "init": "zeros", "expect": )";
  refused(eight + R"({"values": [2]}})", "a value for each of the 8 elements, not 1");
  refused(eight + R"({"values": [2, 2, 2, 2, 2, 2, 2, 2, 2]}})", "8 elements, not 9");
  refused(eight + R"("zeros", "tolerance": "inf"})", "finite");
  refused(eight + R"("zeros", "tolerance": {"relative": "inf"}})", "finite");
}

TEST_CASE("what differs from what is expected is told with index, value and tolerance",
          "[cli][emulate]") {
  const LaunchBench bench;
  const auto outcome = [&](const std::string& tolerance,
                           const std::vector<std::string>& more = {}) {
    return bench.run(launches(R"("x": {"dtype": "f32", "shape": [2, 4], "init": {"fill": 0.5}},
                    "y": {"dtype": "f32", "shape": [2, 4], "init": "iota",
                          "expect": {"values": [0.5, 1.5, 2.5, 3.5, 4.5, 5.25, 6.5, 7.75]},
                          "tolerance": )" +
                                  tolerance + "}",
                              launch_add(R"("y", "x", 8)")),
                     more);
  };
  const ProcessResult strict = outcome("0.125");
  CHECK(strict.status == 1);
  CHECK(strict.out.find("mismatch: y[1,1] is 5.5, expected 5.25 (within 0.125); 2 of 8 elements "
                        "differ\n") != std::string::npos);
  CHECK(outcome("0.25").status == 0);
  CHECK(outcome(R"({"relative": 0.01})").status == 1);
  CHECK(outcome(R"({"relative": 0.05})").status == 0);
  const auto json = nlohmann::json::parse(outcome("0", {"--json"}).out);
  REQUIRE(json["mismatches"].size() == 1);
  CHECK(json["mismatches"][0]["buffer"] == "y");
  CHECK(json["mismatches"][0]["index"] == nlohmann::json{1, 1});
  CHECK(json["mismatches"][0]["value"] == "5.5");
  CHECK(json["mismatches"][0]["count"] == 2);
}

TEST_CASE("a NaN must meet a NaN, and an integer its exact value", "[cli][emulate]") {
  const LaunchBench bench;
  const auto status = [&](const std::string& first, const std::string& expected) {
    return bench
        .run(launches(R"("x": {"dtype": "f32", "shape": 1, "init": {"fill": 1}},
                         "y": {"dtype": "f32", "shape": 1, "init": {"fill": )" +
                          first + R"(}, "expect": {"fill": )" + expected + "}}",
                      launch_add(R"("y", "x", 1)")))
        .status;
  };
  CHECK(status("\"nan\"", "\"nan\"") == 0);
  CHECK(status("1", "\"nan\"") == 1);
  CHECK(status("\"nan\"", "1") == 1);
  CHECK(status("\"inf\"", "\"inf\"") == 0);
  CHECK(status("\"inf\"", "\"-inf\"") == 1);
}

TEST_CASE("the bytes of a file are the memory's", "[cli][emulate]") {
  const LaunchBench bench;
  const float values[] = {1.0F, 2.0F};
  std::ofstream(bench.folder.file("x.bin"), std::ios::binary)
      .write(reinterpret_cast<const char*>(values), sizeof values);
  const ProcessResult result =
      bench.run(launches(R"("x": {"dtype": "f32", "init": {"bin": "x.bin"}},
                  "y": {"dtype": "f32", "shape": 2, "init": "zeros", "expect": {"bin": "x.bin"}})",
                         launch_add(R"("y", "x", 2)")));
  INFO(result.out << result.err);
  CHECK(result.status == 0);
}

TEST_CASE("random memory is the same each time, other seeds give other numbers", "[cli][emulate]") {
  const LaunchBench bench;
  const auto saved = [&](const std::string& random) {
    const ProcessResult result =
        bench.run(launches(R"("x": {"dtype": "f32", "shape": 32, "init": {"random": )" + random +
                               R"(}}, "y": {"dtype": "f32", "shape": 32, "init": "zeros",
                                  "save": "y.npy"})",
                           launch_add(R"("y", "x", 32)")));
    REQUIRE(result.status == 0);
    std::vector<float> values(32);
    std::memcpy(values.data(), read_npy(bench.folder.file("y.npy")).bytes.data(), 128);
    return values;
  };
  const auto seven = saved("7");
  CHECK(seven == saved(R"({"seed": 7})"));
  CHECK(seven != saved("8"));
  for (const float value : saved(R"({"seed": 7, "low": -2, "high": 3})"))
    CHECK((value >= -2.0F && value < 3.0F));
}

TEST_CASE("random numbers lie evenly between bounds however far apart", "[cli][emulate]") {
  const ElementType& type = *find_element_type("f64");
  const Random random{.seed = 1, .low = -1.7e308, .high = 1.7e308};
  const std::vector<std::byte> bytes = made_bytes(random, type, 1000);
  int low = 0, high = 0;
  for (size_t i = 0; i < 1000; ++i) {
    const auto value = static_cast<double>(decode(type, bytes, i));
    CHECK(std::isfinite(value));
    low += value < -0.85e308 ? 1 : 0;
    high += value > 0.85e308 ? 1 : 0;
  }
  // A quarter each; five deviations are 68.
  CHECK(std::abs(low - 250) < 68);
  CHECK(std::abs(high - 250) < 68);
}
