// `jute emulate`: launches over named buffers, and what they must leave there.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "emulate/launch_file.hpp"
#include "npy.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

namespace {

// add: y[i] += x[i] for i < n. pair: out[0] = p.a + p.b, out[1] = c, of a struct and a short.
constexpr const char* kKernels = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry _ZN3net3addIfEEvPT_PKS1_j(
  .param .u64 y, .param .u64 x, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [y];
  ld.param.u64 %rd2, [x];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p, %r2, %r1;
  @%p bra DONE;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd1, %rd3;
  setp.eq.s64 %p, %rd2, 0;
  @%p bra DONE;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd5];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd4], %f3;
DONE:
  ret;
}
.visible .entry pair(.param .align 8 .b8 p[16], .param .u16 c)
{
  .reg .b16 %h;
  .reg .b32 %r<4>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [p];
  ld.param.u32 %r1, [p+8];
  ld.param.u32 %r2, [p+12];
  ld.param.u16 %h, [c];
  add.s32 %r1, %r1, %r2;
  cvt.u32.u16 %r3, %h;
  st.global.u32 [%rd], %r1;
  st.global.u32 [%rd+4], %r3;
  ret;
}
)";

struct Bench {
  TemporaryFolder folder;
  Bench() { std::ofstream(folder.file("kernels.ptx")) << kKernels; }

  [[nodiscard]] ProcessResult run(const std::string& text,
                                  const std::vector<std::string>& more = {}) const {
    std::ofstream(folder.file("launch.json")) << text;
    std::vector<std::string> words{"emulate", folder.file("launch.json")};
    words.insert(words.end(), more.begin(), more.end());
    return run_jute(words);
  }
};

std::string launches(const std::string& buffers, const std::string& list) {
  return R"({"module": "kernels.ptx", "buffers": {)" + buffers + R"(}, "launches": [)" + list +
         "]}";
}
std::string add(const std::string& arguments) {
  return R"({"kernel": "add", "grid": 1, "block": 32, "args": [)" + arguments + "]}";
}

}  // namespace

TEST_CASE("launches follow each other over the same memory", "[cli][emulate]") {
  const Bench bench;
  const ProcessResult result =
      bench.run(launches(R"("x": {"dtype": "f32", "shape": 8, "init": "iota"},
                  "y": {"dtype": "f32", "shape": [2, 4], "init": {"fill": 1},
                        "expect": {"values": [1, 3, 5, 7, 9, 11, 13, 15]}, "save": "y.npy"})",
                         add(R"("y", "x", 8)") + "," + add(R"("y", "x", 8)")));
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.out == "as expected: y\nclean\n");
  const NpyArray y = read_npy(bench.folder.file("y.npy"));
  CHECK(y.shape == std::vector<Index>{2, 4});
}

TEST_CASE("one buffer may be two arguments, and an address may lie inside it", "[cli][emulate]") {
  const Bench bench;
  const ProcessResult result = bench.run(launches(
      R"("y": {"dtype": "f32", "shape": 6, "init": "iota", "expect": {"values": [0,1,2,3,8,10]}})",
      add(R"({"kind": "buffer", "of": "y", "offset_bytes": 16}, {"kind": "buffer", "of": "y",
             "offset_bytes": 16}, 2)")));
  INFO(result.out << result.err);
  CHECK(result.status == 0);
}

TEST_CASE("null, structs by fields and 16-bit numbers reach the kernel", "[cli][emulate]") {
  const Bench bench;
  const ProcessResult result = bench.run(launches(
      R"("y": {"dtype": "f32", "shape": 2, "init": "zeros", "expect": "zeros"},
         "out": {"dtype": "i32", "shape": 2, "expect": {"values": [12, 65535]}})",
      add(R"("y", null, 2)") + R"(,{"kernel": "pair", "grid": 1, "block": 1, "args": [
        {"kind": "struct", "fields": ["out", {"kind": "scalar", "dtype": "i32", "value": 5},
                                      {"kind": "scalar", "dtype": "i32", "value": 7}]}, 65535]})"));
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.out == "as expected: y, out\nclean\n");
}

TEST_CASE("a structure's fields may stand one after the other, in a file and as words",
          "[cli][emulate]") {
  const Bench bench;
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
  const Bench bench;
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
  const Bench bench;
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

TEST_CASE("what says yes to nothing is refused", "[cli][emulate][refusal]") {
  const Bench bench;
  const auto refused = [&](const std::string& buffer, const std::string& part) {
    require_refusal(bench.run(launches(R"("x": )" + buffer, add(R"("x", "x", 4)"))), 2, part);
  };
  const std::string eight = R"({"dtype": "f32", "shape": 8, "init": "zeros", "expect": )";
  refused(eight + R"({"values": [2]}})", "a value for each of the 8 elements, not 1");
  refused(eight + R"({"values": [2, 2, 2, 2, 2, 2, 2, 2, 2]}})", "8 elements, not 9");
  refused(eight + R"("zeros", "tolerance": "inf"})", "finite");
  refused(eight + R"("zeros", "tolerance": {"relative": "inf"}})", "finite");
}

TEST_CASE("a texture over a buffer reaches the kernel", "[cli][emulate]") {
  const Bench bench;
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

TEST_CASE("what differs from what is expected is told with index, value and tolerance",
          "[cli][emulate]") {
  const Bench bench;
  const auto outcome = [&](const std::string& tolerance,
                           const std::vector<std::string>& more = {}) {
    return bench.run(launches(R"("x": {"dtype": "f32", "shape": [2, 4], "init": {"fill": 0.5}},
                    "y": {"dtype": "f32", "shape": [2, 4], "init": "iota",
                          "expect": {"values": [0.5, 1.5, 2.5, 3.5, 4.5, 5.25, 6.5, 7.75]},
                          "tolerance": )" +
                                  tolerance + "}",
                              add(R"("y", "x", 8)")),
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
  const Bench bench;
  const auto status = [&](const std::string& first, const std::string& expected) {
    return bench
        .run(launches(R"("x": {"dtype": "f32", "shape": 1, "init": {"fill": 1}},
                         "y": {"dtype": "f32", "shape": 1, "init": {"fill": )" +
                          first + R"(}, "expect": {"fill": )" + expected + "}}",
                      add(R"("y", "x", 1)")))
        .status;
  };
  CHECK(status("\"nan\"", "\"nan\"") == 0);
  CHECK(status("1", "\"nan\"") == 1);
  CHECK(status("\"nan\"", "1") == 1);
  CHECK(status("\"inf\"", "\"inf\"") == 0);
  CHECK(status("\"inf\"", "\"-inf\"") == 1);
}

TEST_CASE("the bytes of a file are the memory's", "[cli][emulate]") {
  const Bench bench;
  const float values[] = {1.0F, 2.0F};
  std::ofstream(bench.folder.file("x.bin"), std::ios::binary)
      .write(reinterpret_cast<const char*>(values), sizeof values);
  const ProcessResult result =
      bench.run(launches(R"("x": {"dtype": "f32", "init": {"bin": "x.bin"}},
                  "y": {"dtype": "f32", "shape": 2, "init": "zeros", "expect": {"bin": "x.bin"}})",
                         add(R"("y", "x", 2)")));
  INFO(result.out << result.err);
  CHECK(result.status == 0);
}

TEST_CASE("random memory is the same each time, other seeds give other numbers", "[cli][emulate]") {
  const Bench bench;
  const auto saved = [&](const std::string& random) {
    const ProcessResult result =
        bench.run(launches(R"("x": {"dtype": "f32", "shape": 32, "init": {"random": )" + random +
                               R"(}}, "y": {"dtype": "f32", "shape": 32, "init": "zeros",
                                  "save": "y.npy"})",
                           add(R"("y", "x", 32)")));
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

TEST_CASE("every mistake in a launch file is told with its place, the rule and what is near",
          "[cli][emulate][refusal]") {
  const Bench bench;
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
  refused(x, add(R"("x", "y", 4)"), "launches[0].args[1]", "'y' must be a name of buffers: x");
  refused(x, add(R"("x", "x")"), "launches[0].args",
          "one argument for each of the 3 parameters of void net::add<float>(float*, float const*, "
          "unsigned int)");
  refused(x, add(R"("x", "x", "x")"), "launches[0].args[2]", "u32, 4 bytes");
  refused(x, add(R"("x", "x", 4294967296)"), "launches[0].args[2]", "whole number of 32 bits");
  refused(x, add(R"("x", {"kind": "buffer", "of": "x", "offset_bytes": 17}, 4)"),
          "launches[0].args[1].offset_bytes", "nearest legal: 16");
  refused(x, add(R"("x", {"kind": "bufer", "of": "x"}, 4)"), "launches[0].args[1].kind",
          "nearest legal: buffer");
  refused(x, add(R"("x", {"kind": "bytes", "hex": "0g"}, 4)"), "launches[0].args[1].hex",
          "hexadecimal");
  refused(R"("x": {"dtype": "f23", "shape": 4})", add(R"("x", "x", 4)"), "buffers.x.dtype",
          "nearest legal: f32");
  refused(R"("x": {"dtype": "f32"})", add(R"("x", "x", 4)"), "buffers.x.shape", "must be given");
  refused(R"("x": {"dtype": "f32", "shape": 4, "init": "zeroes"})", add(R"("x", "x", 4)"),
          "buffers.x.init", "nearest legal: zeros");
  refused(R"("x": {"dtype": "f32", "shape": 4, "init": {"fil": 1}})", add(R"("x", "x", 4)"),
          "buffers.x.init", "nearest legal: fill");
  refused(R"("x": {"dtype": "u8", "shape": 4, "init": {"fill": 256}})", add(R"("x", "x", 4)"),
          "buffers.x.init", "256 must be a whole number from 0 to 255");
  refused(R"("x": {"dtype": "f16", "shape": 4, "init": {"fill": 65520}})", add(R"("x", "x", 4)"),
          "buffers.x.init", "65520 must be a number from -65504 to 65504");
  refused(R"("x": {"dtype": "e4m3", "shape": 4, "init": {"values": [449, 0, 0, 0]}})",
          add(R"("x", "x", 4)"), "buffers.x.init", "449 must be a number from -448 to 448");
  refused(R"("x": {"dtype": "f32", "shape": 4, "init": {"random": {"seed": 1, "low": 0,
          "high": 1e39}}})",
          add(R"("x", "x", 4)"), "buffers.x.init", "1e+39 must be a number from");
  refused(R"("x": {"dtype": "f32", "shape": 4, "init": {"random": {"seed": 1, "low": 0,
          "high": "inf"}}})",
          add(R"("x", "x", 4)"), "buffers.x.init.random.high", "finite");
  refused(R"("x": {"dtype": "f32", "shape": 4, "save": ""})", add(R"("x", "x", 4)"),
          "buffers.x.save", "must not be empty");
  refused(x, add(R"("x", "x", {"kind": "scalar", "dtype": "f32", "value": 1e39})"),
          "launches[0].args[2].value", "a number from -3.4028235e+38 to 3.4028235e+38");
  refused(R"("x": {"dtype": "f32", "shape": 4, "save": "a.npy"},
             "y": {"dtype": "f32", "shape": 4, "save": "./a.npy"})",
          add(R"("x", "y", 4)"), "buffers.y.save",
          "another file than that of buffers.x.save, " + bench.folder.file("a.npy"));
  refused(R"("x": {"dtype": "u8", "shape": 4, "inti": "iota"})", add(R"("x", "x", 4)"),
          "buffers.x.inti", "nearest legal: init");
  refused(R"("x": {"dtype": "f32", "init": {"values": [1, 2]}, "shape": 3})", add(R"("x", "x", 4)"),
          "buffers.x.shape", "nearest legal: [2]");
  refused(R"("x": {"dtype": "f32", "shape": 4, "tolerance": 1})", add(R"("x", "x", 4)"),
          "buffers.x.tolerance", "expect");
  refused(x + ", " + x, add(R"("x", "x", 4)"), " = x: ", "a key once in its object");
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
  const Bench bench;
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

TEST_CASE("variables of the module are set and judged by name", "[cli][emulate]") {
  const Bench bench;
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
  const Bench bench;
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

TEST_CASE("findings come as SARIF with the lines that they name", "[cli][emulate]") {
  const Bench bench;
  const ProcessResult result =
      bench.run(launches(R"("x": {"dtype": "f32", "shape": 4, "init": "iota"},
                            "y": {"dtype": "f32", "shape": 4, "init": "iota", "expect": "zeros"})",
                         add(R"("y", "x", 5)")),
                {"--sarif", bench.folder.file("out.sarif")});
  CHECK(result.status == 1);
  CHECK(result.out.find("| ld.global.f32 %f1, [%rd4];") != std::string::npos);
  CHECK(result.out.find('\033') == std::string::npos);
  const auto sarif = nlohmann::json::parse(read_text(bench.folder.file("out.sarif")));
  CHECK(sarif["version"] == "2.1.0");
  const auto& run = sarif["runs"][0];
  CHECK(run["tool"]["driver"]["name"] == "jute");
  CHECK(run["results"][0]["ruleId"] == "M1");
  const auto& place = run["results"][0]["locations"][0];
  CHECK(place["logicalLocations"][0]["fullyQualifiedName"] ==
        "void net::add<float>(float*, float const*, unsigned int)");
  const auto& region = place["physicalLocation"]["region"];
  CHECK(region["snippet"]["text"] == "  ld.global.f32 %f1, [%rd4];");
  CHECK(region["startLine"] == 22);
  CHECK(run["results"].back()["ruleId"] == "mismatch");
  for (const auto& rule : run["tool"]["driver"]["rules"])
    CHECK_FALSE(rule["shortDescription"]["text"].get<std::string>().empty());
}

TEST_CASE("a profile comes as text, as data and as a page with the source", "[cli][emulate]") {
  const Bench bench;
  const std::string text =
      launches(R"("x": {"dtype": "f32", "shape": 32, "init": "iota"})", add(R"("x", "x", 32)"));
  const ProcessResult printed = bench.run(text, {"--profile", "text"});
  CHECK(printed.status == 0);
  CHECK(printed.out.starts_with("clean\nprofile void net::add<float>("));
  CHECK(printed.out.find("| ld.global.f32 %f1, [%rd4];") != std::string::npos);
  const std::string page = bench.folder.file("p.html"), data = bench.folder.file("p.json");
  CHECK(bench.run(text, {"--profile", page}).out == "clean\n");
  CHECK(bench.run(text, {"--profile", data}).out == "clean\n");
  const std::string html = read_text(page);
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(html.find("ld.global.f32 %f1, [%rd4];") != std::string::npos);
  CHECK(html.find("http") == std::string::npos);  // nothing from elsewhere
  // A table is wider than a telephone: it scrolls, and the page does not.
  size_t tables = 0;
  for (size_t at = html.find("<table"); at != std::string::npos; at = html.find("<table", at + 1))
    tables += html.substr(0, at).ends_with("<div class=\"wide\" tabindex=\"0\">") ? 1 : 100;
  CHECK(tables == 3);  // all, the file, the opcodes
  const auto json = nlohmann::json::parse(read_text(data));
  const auto& launch = json["launches"][0];
  CHECK(launch["counts"]["global_bytes"] == 3 * 128);
  CHECK(launch["counts"]["global_requests"] == 3);
  Index sum = 0;
  for (const auto& line : launch["lines"]) sum += line["counts"]["warps"].get<Index>();
  CHECK(launch["counts"]["warps"] == sum);
  CHECK(launch["occupancy"]["limit"] == "blocks");
  require_refusal(bench.run(text, {"--profile", "p.pdf"}), 2, ".html");
}

TEST_CASE("colour comes only where it is asked for", "[cli][emulate]") {
  const Bench bench;
  const std::string wrong =
      launches(R"("x": {"dtype": "f32", "shape": 4, "init": "iota"})", add(R"("x", "x", 5)"));
  CHECK(bench.run(wrong).out.find('\033') == std::string::npos);
  CHECK(bench.run(wrong, {"--color", "always"}).out.find("\033[1;31mM1:\033[0m") !=
        std::string::npos);
  CHECK(bench.run(wrong, {"--color", "never"}).out.find('\033') == std::string::npos);
}
