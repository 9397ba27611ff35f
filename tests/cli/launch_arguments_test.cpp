// Arguments of launches: numbers, structures, tensor maps and textures, as a kernel's parameters
// want them.
#include <cstring>
#include <fstream>

#include "cli/launched_kernels.hpp"
#include "files/npy_file.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

TEST_CASE("null, structs by fields and 16-bit numbers reach the kernel", "[cli][emulate]") {
  const LaunchBench bench;
  const ProcessResult result = bench.run(launches(
      R"("y": {"dtype": "f32", "shape": 2, "init": "zeros", "expect": "zeros"},
         "out": {"dtype": "i32", "shape": 2, "expect": {"values": [12, 65535]}})",
      launch_add(R"("y", null, 2)") + R"(,{"kernel": "pair", "grid": 1, "block": 1, "args": [
        {"kind": "struct", "fields": ["out", {"kind": "scalar", "dtype": "i32", "value": 5},
                                      {"kind": "scalar", "dtype": "i32", "value": 7}]}, 65535]})"));
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.out == "as expected: y, out\nclean\n");
}

TEST_CASE("a structure's fields may stand one after the other, in a file and as words",
          "[cli][emulate]") {
  const LaunchBench bench;
  const auto run = [&](const std::string& arguments) {
    return bench.run(
        launches(R"("out": {"dtype": "i32", "shape": 2, "expect": {"values": [12, 9]}})",
                 R"({"kernel": "pair", "grid": 1, "block": 1, "args": [)" + arguments + "]}"));
  };
  const std::string five = R"({"kind": "scalar", "dtype": "i32", "value": 5})";
  const std::string seven = R"({"kind": "scalar", "dtype": "i32", "value": 7})";
  const ProcessResult in_file = run(R"("out", )" + five + ", " + seven + ", 9");
  INFO(in_file.out << in_file.err);
  CHECK(in_file.out == "as expected: out\nclean\n");
  require_refusal(run(R"("out", )" + five + ", 7, 9"), 2, "launches[0].args[2]");
  require_refusal(run(R"("out", 9)"), 2, "the address of out: it must have the size of");
  require_refusal(run(R"("out", )" + five + ", " + seven + ", 9, 9"), 2, "launches[0].args");
  const std::string out = bench.folder.file("out.npy");
  const auto words = [&](std::vector<std::string> arguments) {
    std::vector<std::string> line{
        "emulate", bench.folder.file("kernels.ptx"), "--kernel", "pair", "-o", out};
    for (const std::string& each : arguments) line.insert(line.end(), {"--arg", each});
    return run_jute(line);
  };
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"{i32[2],i32:5,i32:7}", "9"},
                                             {"i32[2]", "i32:5", "i32:7", "9"},
                                             {"{i32[2],{i32:5,i32:7}}", "9"},
                                             {"{i32[2]=fill:1,i32:5,i32:7}", "u16:9"}}) {
    const ProcessResult result = words(arguments);
    INFO(result.out << result.err);
    CHECK(result.status == 0);
    std::vector<std::int32_t> values(2);
    std::memcpy(values.data(), read_npy(out).bytes.data(), 8);
    CHECK(values == std::vector<std::int32_t>{12, 9});
  }
  require_refusal(words({"{i32[2],5,i32:7}", "9"}), 2, "i32:5");
  require_refusal(words({"{i32[2],i32:5", "9"}), 2, "in braces");
  require_refusal(words({"{i32[2],,i32:7}", "9"}), 2, "in braces");
  require_refusal(words({"{i32[2]}", "9"}), 2, "a struct of 8 bytes");
}

TEST_CASE("a number for bytes without a type is refused with the types that it may have",
          "[cli][emulate][refusal]") {
  const LaunchBench bench;
  std::ofstream(bench.folder.file("kernels.ptx")) << R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry half(.param .align 2 .b8 h[2], .param .u64 out)
{
  .reg .b16 %h;
  .reg .b64 %rd;
  ld.param.u16 %h, [h];
  ld.param.u64 %rd, [out];
  st.global.u16 [%rd], %h;
  ret;
}
)";
  const auto words = [&](const std::string& number) {
    return run_jute(
        {"emulate", bench.folder.file("kernels.ptx"), "--arg", number, "--arg", "f16[1]"});
  };
  CHECK(words("f16:2.5").status == 0);
  require_refusal(words("2.5"), 2, "as f16:2.5 or bf16:2.5");
  require_refusal(words("2"), 2, "f16:2 or i16:2 or u16:2 or bf16:2");
  require_refusal(bench.run(launches(R"("out": {"dtype": "f16", "shape": 1})",
                                     R"({"kernel": "half", "grid": 1, "block": 1,
                                         "args": [2.5, "out"]})")),
                  2, R"({"kind": "scalar", "dtype": "f16", "value": 2.5})");
}

TEST_CASE("a tensor map has every element type that CUDA has", "[cli][emulate]") {
  const LaunchBench bench;
  std::ofstream(bench.folder.file("kernels.ptx")) << R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry box(.param .align 64 .b8 map[128], .param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  .shared .align 128 .b8 tile[64];
  .shared .align 8 .b64 bar;
  mov.u32 %r1, bar;
  mov.u32 %r2, tile;
  mov.u32 %r3, 0;
  mov.b64 %rd1, map;
  cvta.param.u64 %rd2, %rd1;
  mbarrier.init.shared::cta.b64 [%r1], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 64;
  cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd2, {%r3}], [%r1];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], 0;
  @!%p1 bra WAIT;
  ld.shared.b64 %rd3, [%r2+8];
  ld.param.u64 %rd4, [out];
  st.global.b64 [%rd4], %rd3;
  ret;
}
)";
  const auto run = [&](const std::string& type, int width, const std::string& more = "") {
    const std::string count = std::to_string(64 / width);
    return bench.run(launches(
        R"("x": {"dtype": "u8", "shape": 64, "init": "iota"},
           "out": {"dtype": "u64", "shape": 1, "expect": {"fill": 1084818905618843912}})",
        R"({"kernel": "box", "grid": 1, "block": 1, "args": [{"kind": "tmap", "of": "x",
            "dtype": ")" +
            type + R"(", "dims": [)" + count + R"(], "strides_bytes": [],
            "box": [)" +
            count + "]" + more + R"(}, "out"]})"));
  };
  for (const auto& [type, width] : std::vector<std::pair<std::string, int>>{{"u8", 1},
                                                                            {"i8", 1},
                                                                            {"s8", 1},
                                                                            {"e4m3", 1},
                                                                            {"u16", 2},
                                                                            {"i16", 2},
                                                                            {"f16", 2},
                                                                            {"bf16", 2},
                                                                            {"u32", 4},
                                                                            {"i32", 4},
                                                                            {"s32", 4},
                                                                            {"f32", 4},
                                                                            {"u64", 8},
                                                                            {"i64", 8},
                                                                            {"s64", 8},
                                                                            {"f64", 8}}) {
    const ProcessResult result = run(type, width);
    INFO(type << ": " << result.out << result.err);
    CHECK(result.out == "as expected: out\nclean\n");
  }
  require_refusal(run("u31", 4), 2, "nearest legal: u32");
  require_refusal(run("u32", 4, R"(, "oob": "nan")"), 2, "not u32");
  require_refusal(run("i64", 8, R"(, "elem_strides": [9])"), 2, "1 to 8");
}

TEST_CASE("a texture over a buffer reaches the kernel", "[cli][emulate]") {
  const LaunchBench bench;
  const std::string head = R"({"module": ")" JUTE_SOURCE_DIR R"(/tests/emulator/ptx/texture.ptx",
    "buffers": {"texels": {"dtype": "u8", "shape": 4, "init": {"values": [0, 255, 0, 255]}},
                "places": {"dtype": "f32", "init": {"values": [1, 1, 9, 9]}, "shape": 4},
                "out": {"dtype": "f32", "shape": 4, "expect": {"values": [0.5, 0, 1, 0]}}},
    "launches": [{"kernel": "sample2d", "grid": 1, "block": 2, "args": [
      {"kind": "texture", "of": "texels", "texel": "u8", "filter": "linear", "extents": )";
  const std::string tail = R"(, "fractions": true}, "places", "out"]}]})";
  const ProcessResult result = bench.run(head + "[2, 2]" + tail, {"--check", "full"});
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  const ProcessResult refused = bench.run(head + "[4, 2]" + tail);
  CHECK(refused.status == 2);
  CHECK(refused.err.find("launches[0].args[0]") != std::string::npos);
}
