// `jute emulate`: launches that a file or a line of words asks for, over named memory.
#include <cstring>
#include <fstream>

#include "cli/launched_kernels.hpp"
#include "files/npy_file.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

TEST_CASE("launches follow each other over the same memory", "[cli][emulate]") {
  const LaunchBench bench;
  const ProcessResult result =
      bench.run(launches(R"("x": {"dtype": "f32", "shape": 8, "init": "iota"},
                  "y": {"dtype": "f32", "shape": [2, 4], "init": {"fill": 1},
                        "expect": {"values": [1, 3, 5, 7, 9, 11, 13, 15]}, "save": "y.npy"})",
                         launch_add(R"("y", "x", 8)") + "," + launch_add(R"("y", "x", 8)")));
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.out == "as expected: y\nclean\n");
  const NpyArray y = read_npy(bench.folder.file("y.npy"));
  CHECK(y.shape == std::vector<Index>{2, 4});
}

TEST_CASE("one buffer may be two arguments, and an address may lie inside it", "[cli][emulate]") {
  const LaunchBench bench;
  const ProcessResult result = bench.run(launches(
      R"("y": {"dtype": "f32", "shape": 6, "init": "iota", "expect": {"values": [0,1,2,3,8,10]}})",
      launch_add(R"({"kind": "buffer", "of": "y", "offset_bytes": 16}, {"kind": "buffer", "of": "y",
             "offset_bytes": 16}, 2)")));
  INFO(result.out << result.err);
  CHECK(result.status == 0);
}

TEST_CASE("variables of the module are set and judged by name", "[cli][emulate]") {
  const LaunchBench bench;
  std::ofstream(bench.folder.file("kernels.ptx")) << R"(.version 7.0
.target sm_80
.address_size 64
.const .align 4 .b8 table[8];
.global .align 4 .u32 _ZN3net5countE;
.visible .entry k()
{
  .reg .b32 %r<3>;
  ld.const.u32 %r1, [table];
  ld.const.u32 %r2, [table+4];
  add.u32 %r1, %r1, %r2;
  st.global.u32 [_ZN3net5countE], %r1;
  ret;
}
)";
  const auto run = [&](const std::string& globals) {
    return bench.run(R"({"module": "kernels.ptx", "globals": {)" + globals +
                     R"(}, "launches": [{"kernel": "k", "grid": 1, "block": 1, "args": []}]})");
  };
  const ProcessResult result = run(R"("table": {"dtype": "u32", "init": {"values": [40, 2]}},
             "net::count": {"dtype": "u32", "expect": {"fill": 42}})");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.out == "as expected: net::count\nclean\n");
  CHECK(run(R"("net::count": {"dtype": "u32", "expect": {"fill": 42}})").status == 1);
  for (const char* type : {"i64", "f64"})
    require_refusal(
        run(R"("net::count": {"dtype": ")" + std::string(type) + R"(", "expect": {"fill": 1}})"), 2,
        "the 4 bytes of the variable must be whole elements");
  require_refusal(run(R"("table": {"dtype": "u32", "expect": {"values": [1]}})"), 2,
                  "a value for each of the 2 elements, not 1");
  require_refusal(run(R"("tabel": {"dtype": "u32", "init": "iota"})"), 2, "globals.tabel");
  require_refusal(run(R"("table": {"dtype": "u32", "init": {"values": [1, 2, 3]}})"), 2,
                  "globals.table.shape");
}

TEST_CASE("a launch may be typed without a file", "[cli][emulate]") {
  const LaunchBench bench;
  const std::string kernels = bench.folder.file("kernels.ptx");
  const std::string out = bench.folder.file("out.npy");
  const ProcessResult result =
      run_jute({"emulate", kernels, "--kernel", "net::add<float>", "--block", "32", "--arg",
                "f32[4]=iota", "--arg", "@0", "--arg", "4", "-o", out});
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  std::vector<float> values(4);
  std::memcpy(values.data(), read_npy(out).bytes.data(), 16);
  CHECK(values == std::vector<float>{0, 2, 4, 6});
  const auto refused = [&](std::vector<std::string> words, const std::string& part) {
    words.insert(words.begin(), {"emulate", kernels, "--kernel", "add"});
    require_refusal(run_jute(words), 2, part);
  };
  refused({"--arg", "f33[4]"}, "nearest legal: f32[4]");
  refused({"--arg", "f32[4]=iot"}, "nearest legal: f32[4]=iota");
  refused({"--arg", "f32[4"}, "TYPE[SHAPE]");
  refused({"--arg", "f32[-1]"}, "extents from 0");
  refused({"--arg", "@3"}, "an argument before it");
  refused({"--arg", "u8:256"}, "from 0 to 255");
  refused({"--grid", "1,2,3,4"}, "three extents");
  refused({"--grid", "0"}, "from 1 to 2147483647");
  refused({"--launch", "launch.json"}, "--launch");
}
