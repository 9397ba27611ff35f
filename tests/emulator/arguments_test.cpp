// Arguments lie where the PTX text declares its parameters.
#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <array>
#include <cstdint>
#include <string>

using namespace jute;
using namespace jute::test;

namespace {

const char* const kArgumentsHeader = ".version 9.0\n.target sm_90a\n.address_size 64\n";

/// Copies what it reads of each parameter to `out`, as 32-bit words.
std::string kernel_of(const std::string& parameters, const std::vector<std::string>& loads) {
  std::string text = std::string(kArgumentsHeader) + ".visible .entry k(" + parameters +
                     ", .param .u64 .ptr .global .align 1 out)\n{\n.reg .b16 %h<2>;\n"
                     ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\n";
  for (size_t i = 0; i < loads.size(); ++i)
    text += loads[i] + "\nst.global.u32 [%rd1+" + std::to_string(4 * i) + "], %r1;\n";
  return text + "ret;\n}\n";
}

template <class T>
std::array<std::byte, sizeof(T)> bytes_of(const T& value) {
  return std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
}

std::vector<std::uint32_t> run(const std::string& ptx, ArgumentBlock arguments, size_t words,
                               const Signature& signature) {
  Bench bench;
  const DevicePointer out = bench.alloc(words * 4);
  Binary binary = binary_from_ptx(ptx, "k");
  binary.signature = signature;
  bench.backend->launch(bench.backend->load(binary), {.arguments = arguments.pointer(out)});
  CHECK(bench.backend->take_report().clean());
  return bench.download<std::uint32_t>(out, words);
}

}  // namespace

TEST_CASE("chars, halves and structs are read at the declared offsets", "[emulator][arguments]") {
  struct Pair {
    std::uint64_t wide;
    std::uint32_t narrow;
  };
  const std::string ptx = kernel_of(
      ".param .u8 a, .param .u8 b, .param .u16 c, .param .align 8 .b8 s[16], .param .u32 n",
      {"ld.param.u8 %r1, [a];", "ld.param.u8 %r1, [b];", "ld.param.u16 %r1, [c];",
       "ld.param.u32 %r1, [s+4];", "ld.param.u32 %r1, [s+8];", "ld.param.u32 %r1, [n];"});
  const std::vector<std::uint32_t> wanted{200, 7, 50000, 0x12345678, 99, 5};
  const Pair pair{0x1234567800000000, 99};
  CHECK(run(ptx, ArgumentBlock().u8(200).u8(7).u16(50000).bytes(bytes_of(pair), 8).u32(5), 6,
            parse_signature("(u8 a, u8 b, u16 c, bytes[16:8] s, u32 n, pointer out)")) == wanted);
  // The same struct by its fields: what fills up its tail belongs to the next parameter.
  CHECK(run(ptx, ArgumentBlock().u8(200).u8(7).u16(50000).u64(pair.wide).u32(pair.narrow).u32(5), 6,
            parse_signature("(u8 a, u8 b, u16 c, u64 s0, u32 s1, u32 n, pointer out)")) == wanted);
}

TEST_CASE("a pointee's alignment is not its parameter's", "[emulator][arguments]") {
  const std::string ptx = kernel_of(".param .u32 n, .param .u64 .ptr .global .align 1 p",
                                    {"ld.param.u32 %r1, [n];", "ld.param.u32 %r1, [p];"});
  CHECK(run(ptx, ArgumentBlock().u32(3).u64(4), 2,
            parse_signature("(u32 n, u64 p, pointer out)")) == std::vector<std::uint32_t>{3, 4});
  const PtxKernel kernel = list_kernels(ptx).front();
  CHECK(kernel.parameters[1].offset_bytes == 8);
  CHECK(kernel.parameters[1].bytes == 8);
  CHECK(kernel.signature.parameters[1].kind == ParameterKind::pointer);
}

TEST_CASE("a tensor map of CUDA 13 lies at a multiple of 128", "[emulator][arguments]") {
  const std::string ptx = kernel_of(".param .u32 n, .param .align 128 .b8 map[128]",
                                    {"ld.param.u32 %r1, [n];", "ld.param.u32 %r1, [map+124];"});
  EncodedTensorMap map;
  map.bytes[124] = std::byte{77};
  CHECK(run(ptx, ArgumentBlock().u32(3).tensor_map(map), 2,
            parse_signature("(u32 n, tensor_map map, pointer out)")) ==
        std::vector<std::uint32_t>{3, 77});
  CHECK(list_kernels(ptx).front().parameters[1].offset_bytes == 128);
}

TEST_CASE("a struct of thousands of bytes is an argument", "[emulator][arguments]") {
  const std::string ptx =
      kernel_of(".param .align 4 .b8 s[32000]",
                {"ld.param.u32 %r1, [s];", "ld.param.u32 %r1, [s+16000];",
                 "mov.u32 %r2, 31996;\ncvt.u64.u32 %rd2, %r2;\nmov.b64 %rd3, s;\n"
                 "add.u64 %rd3, %rd3, %rd2;\nld.param.u32 %r1, [%rd3];"});
  std::vector<std::uint32_t> words(8000);
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i);
  CHECK(run(ptx, ArgumentBlock().bytes(std::as_bytes(std::span(words)), 4), 3,
            parse_signature("(bytes[32000:4] s, pointer out)")) ==
        std::vector<std::uint32_t>{0, 4000, 7999});
}

TEST_CASE("arguments that do not fill the parameters are refused by name",
          "[emulator][arguments][refusal]") {
  const auto declared =
      list_kernels(kernel_of(".param .u32 n, .param .align 8 .b8 s[16]", {})).front().parameters;
  const auto refusal = [&](const char* signature) {
    return refusal_of([&] { return place_arguments(declared, parse_signature(signature)); });
  };
  CHECK(place_arguments(declared, parse_signature("(i32 n, u64 a, u64 b, pointer out)")) ==
        std::vector<Index>{0, 8, 16, 24});
  const Error wide = refusal("(u64 n, bytes[16:8] s, pointer out)");
  CHECK(wide.code == ErrorCode::signature_mismatch);
  CHECK(wide.operand == "n");
  CHECK(wide.value == "u64 n of 8 bytes");
  CHECK(refusal("(u32 n, bytes[24:8] s, pointer out)").operand == "s");
  CHECK(refusal("(u32 n, bytes[16:8] s)").operand == "out");
  CHECK(refusal("(u32 n, bytes[16:8] s, pointer out, u32 more)").operand == "more");
}
