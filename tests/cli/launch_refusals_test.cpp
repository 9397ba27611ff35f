// Mistakes in launch files: each is told with its place, the rule and what is near.
#include "cli/launched_kernels.hpp"
#include "emulate/launch/launch_file.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

TEST_CASE("every mistake in a launch file is told with its place, the rule and what is near",
          "[cli][emulate][refusal]") {
  const LaunchBench bench;
  const std::string x = R"("x": {"dtype": "f32", "shape": 4, "init": "iota"})";
  const auto refused = [&](const std::string& buffers, const std::string& list,
                           const std::string& place, const std::string& part) {
    const ProcessResult result = bench.run(launches(buffers, list));
    INFO(list);
    require_refusal(result, 2, bench.folder.file("launch.json"));
    CHECK(result.err.find(place) != std::string::npos);
    CHECK(result.err.find(part) != std::string::npos);
  };
  refused(x, "", "launches", "at least one launch");
  refused(x, launch_add(R"("x", "y", 4)"), "launches[0].args[1]",
          "'y' must be a name of buffers: x");
  refused(x, launch_add(R"("x", "x")"), "launches[0].args",
          "one argument for each of the 3 parameters of void net::add<float>(float*, float const*, "
          "unsigned int)");
  refused(x, launch_add(R"("x", "x", "x")"), "launches[0].args[2]", "u32, 4 bytes");
  refused(x, launch_add(R"("x", "x", 4294967296)"), "launches[0].args[2]",
          "whole number of 32 bits");
  refused(x, launch_add(R"("x", {"kind": "buffer", "of": "x", "offset_bytes": 17}, 4)"),
          "launches[0].args[1].offset_bytes", "nearest legal: 16");
  refused(x, launch_add(R"("x", {"kind": "bufer", "of": "x"}, 4)"), "launches[0].args[1].kind",
          "nearest legal: buffer");
  refused(x, launch_add(R"("x", {"kind": "bytes", "hex": "0g"}, 4)"), "launches[0].args[1].hex",
          "hexadecimal");
  refused(R"("x": {"dtype": "f23", "shape": 4})", launch_add(R"("x", "x", 4)"), "buffers.x.dtype",
          "nearest legal: f32");
  refused(R"("x": {"dtype": "f32"})", launch_add(R"("x", "x", 4)"), "buffers.x.shape",
          "must be given");
  refused(R"("x": {"dtype": "f32", "shape": 4, "init": "zeroes"})", launch_add(R"("x", "x", 4)"),
          "buffers.x.init", "nearest legal: zeros");
  refused(R"("x": {"dtype": "f32", "shape": 4, "init": {"fil": 1}})", launch_add(R"("x", "x", 4)"),
          "buffers.x.init", "nearest legal: fill");
  refused(R"("x": {"dtype": "u8", "shape": 4, "init": {"fill": 256}})",
          launch_add(R"("x", "x", 4)"), "buffers.x.init",
          "256 must be a whole number from 0 to 255");
  refused(R"("x": {"dtype": "f16", "shape": 4, "init": {"fill": 65520}})",
          launch_add(R"("x", "x", 4)"), "buffers.x.init",
          "65520 must be a number from -65504 to 65504");
  refused(R"("x": {"dtype": "e4m3", "shape": 4, "init": {"values": [449, 0, 0, 0]}})",
          launch_add(R"("x", "x", 4)"), "buffers.x.init", "449 must be a number from -448 to 448");
  refused(R"("x": {"dtype": "f32", "shape": 4, "init": {"random": {"seed": 1, "low": 0,
          "high": 1e39}}})",
          launch_add(R"("x", "x", 4)"), "buffers.x.init", "1e+39 must be a number from");
  refused(R"("x": {"dtype": "f32", "shape": 4, "init": {"random": {"seed": 1, "low": 0,
          "high": "inf"}}})",
          launch_add(R"("x", "x", 4)"), "buffers.x.init.random.high", "finite");
  refused(R"("x": {"dtype": "f32", "shape": 4, "save": ""})", launch_add(R"("x", "x", 4)"),
          "buffers.x.save", "must not be empty");
  refused(x, launch_add(R"("x", "x", {"kind": "scalar", "dtype": "f32", "value": 1e39})"),
          "launches[0].args[2].value", "a number from -3.4028235e+38 to 3.4028235e+38");
  refused(R"("x": {"dtype": "f32", "shape": 4, "save": "a.npy"},
             "y": {"dtype": "f32", "shape": 4, "save": "./a.npy"})",
          launch_add(R"("x", "y", 4)"), "buffers.y.save",
          "another file than that of buffers.x.save, " + bench.folder.file("a.npy"));
  refused(R"("x": {"dtype": "u8", "shape": 4, "inti": "iota"})", launch_add(R"("x", "x", 4)"),
          "buffers.x.inti", "nearest legal: init");
  refused(R"("x": {"dtype": "f32", "init": {"values": [1, 2]}, "shape": 3})",
          launch_add(R"("x", "x", 4)"), "buffers.x.shape", "nearest legal: [2]");
  refused(R"("x": {"dtype": "f32", "shape": 4, "tolerance": 1})", launch_add(R"("x", "x", 4)"),
          "buffers.x.tolerance", "expect");
  refused(x + ", " + x, launch_add(R"("x", "x", 4)"), " = x: ", "a key once in its object");
  refused(x, R"({"kernel": "ad", "grid": 1, "block": 32, "args": []})", "launches[0].kernel",
          "nearest legal: add");
  refused(x, R"({"kernel": "add", "grid": 0, "block": 32, "args": []})", "launches[0].grid",
          "extents");
  refused(x, R"({"kernel": "add", "grid": 1, "block": 2048, "args": ["x", "x", 4]})",
          "launches[0].", "1024");
  refused(x, R"({"kernel": "pair", "grid": 1, "block": 1, "args": [5, 5]})", "launches[0].args[0]",
          "struct");
  refused(x, R"({"kernel": "pair", "grid": 1, "block": 1, "args": [
    {"kind": "struct", "fields": ["x", 5]}, 5]})",
          "launches[0].args[0].fields[1]", "a type");
}

TEST_CASE("an unknown key of the file is told before what is missing", "[cli][emulate][refusal]") {
  const LaunchBench bench;
  const auto refused = [&](const std::string& text, const std::string& key,
                           const std::string& nearest) {
    const ProcessResult result = bench.run(text);
    require_refusal(result, 2, bench.folder.file("launch.json"));
    INFO(result.err);
    CHECK(result.err.find(" = " + key + ": ") != std::string::npos);
    CHECK(result.err.find("nearest legal: " + nearest) != std::string::npos);
  };
  refused(R"({"module": "kernels.ptx", "launch": []})", "launch", "launches");
  refused(R"({"launchs": [], "buffer": {}})", "launchs", "launches");
  refused(R"({"kernal": "add", "grid": 1, "block": 1, "args": []})", "kernal", "kernel");
  refused(R"({"kernel": "add", "gird": 1, "block": 1, "args": []})", "gird", "grid");
}

TEST_CASE("structures that nest too deep are refused, not followed", "[cli][emulate][refusal]") {
  std::string argument = "null";
  for (int i = 0; i < 10000; ++i) argument = R"({"kind": "struct", "fields": [)" + argument + "]}";
  CHECK_THROWS_AS(
      parse_launch_file(
          R"({"launches": [{"kernel": "k", "grid": 1, "block": 1, "args": [)" + argument + "]}]}",
          "launch.json"),
      Exception);
}
