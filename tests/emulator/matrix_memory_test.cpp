// ldmatrix, stmatrix and movmatrix against the lane maps of the PTX ISA: register i of lane l holds
// elements (l / 4, 2 (l % 4)) and (l / 4, 2 (l % 4) + 1) of matrix i, whose row r is where lane
// 8 i + r points; .trans swaps rows and columns.
#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kLanes = 32, kRowBytes = 48;  // rows of 16 bytes, apart
constexpr int kSharedBytes = 32 * kRowBytes;

struct MatrixOpcode {
  int count;
  bool is_transposed;
};
constexpr MatrixOpcode kOpcodes[] = {{1, false}, {2, false}, {4, false},
                                     {1, true},  {2, true},  {4, true}};

std::string suffix(const MatrixOpcode& opcode) {
  return ".sync.aligned.m8n8.x" + std::to_string(opcode.count) +
         (opcode.is_transposed ? ".trans" : "") + ".shared.b16";
}
std::string registers(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) list += (i == 0 ? "%r1" : ",%r1") + std::to_string(i);
  return "{" + list + "}";
}

/// Where row r of matrix i lies: backwards, so that no order of rows is right by chance.
int row_offset(int row) { return (31 - row) * kRowBytes; }

/// A lane's element `half` of register i, as a position in matrix i.
std::pair<int, int> place(int lane, int half, bool is_transposed) {
  const std::pair<int, int> plain{lane / 4, 2 * (lane % 4) + half};
  return is_transposed ? std::pair{plain.second, plain.first} : plain;
}

std::string matrix_kernel(const std::string& body, const std::string& target = "sm_90") {
  return ".version 8.0\n.target " + target +
         "\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
         ".shared .align 16 .b8 sm[" +
         std::to_string(kSharedBytes) +
         "];\n.reg .b32 %r<64>;\n.reg .b16 %rs<4>;\n.reg .b64 %rd<8>;\n.reg .pred %p<4>;\n"
         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
         "mov.u32 %r2, sm;\nsub.u32 %r3, 31, %r1;\n"
         "mad.lo.u32 %r4, %r3, " +
         std::to_string(kRowBytes) + ", %r2;\n" + body + "ret;\n}\n";
}

/// in: the whole of shared memory, 16 bits at a time; out likewise. One warp.
std::string copy_in_and(const std::string& body) {
  return "mov.u32 %r5, %r1;\nIN:\nmul.wide.u32 %rd3, %r5, 2;\nadd.s64 %rd4, %rd1, %rd3;\n"
         "ld.global.u16 %rs1, [%rd4];\nshl.b32 %r6, %r5, 1;\nadd.u32 %r6, %r6, %r2;\n"
         "st.shared.u16 [%r6], %rs1;\nadd.u32 %r5, %r5, 32;\n"
         "setp.lt.u32 %p1, %r5, " +
         std::to_string(kSharedBytes / 2) + ";\n@%p1 bra IN;\nbar.sync 0;\n" + body;
}

std::vector<std::uint16_t> counted_memory() {
  std::vector<std::uint16_t> memory(kSharedBytes / 2);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::uint16_t>(3 * i + 1);
  return memory;
}
size_t element_at(int matrix, int row, int column) {
  return static_cast<size_t>(row_offset(8 * matrix + row) / 2 + column);
}

std::vector<std::uint32_t> run(const std::string& ptx, const std::vector<std::uint16_t>& in,
                               size_t out_words) {
  Bench bench;
  const DevicePointer from = bench.upload(in), to = bench.alloc(out_words * 4);
  bench.run(ptx, "k", {1, 1, 1}, {kLanes, 1, 1}, ArgumentBlock().pointer(from).pointer(to));
  bench.backend->synchronize();
  return bench.download<std::uint32_t>(to, out_words);
}

}  // namespace

TEST_CASE("ldmatrix gives each lane its elements, plain and transposed", "[emulator][matrix]") {
  for (const MatrixOpcode& opcode : kOpcodes) {
    std::string body = "ldmatrix" + suffix(opcode) + " " + registers(opcode.count) + ", [%r4];\n" +
                       "mad.wide.u32 %rd5, %r1, 16, %rd2;\n";
    for (int i = 0; i < opcode.count; ++i)
      body += "st.global.u32 [%rd5+" + std::to_string(4 * i) + "], %r1" + std::to_string(i) + ";\n";
    const std::vector<std::uint16_t> memory = counted_memory();
    const auto words = run(matrix_kernel(copy_in_and(body)), memory, kLanes * 4);
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < opcode.count; ++i)
        for (int half = 0; half < 2; ++half) {
          const auto [row, column] = place(lane, half, opcode.is_transposed);
          INFO(suffix(opcode) << " lane " << lane << " register " << i << " half " << half);
          REQUIRE(((words[static_cast<size_t>(4 * lane + i)] >> (16 * half)) & 0xFFFF) ==
                  memory[element_at(i, row, column)]);
        }
  }
}

TEST_CASE("stmatrix writes each lane's elements to their rows and touches nothing else",
          "[emulator][matrix]") {
  for (const MatrixOpcode& opcode : kOpcodes) {
    // Register i of lane l holds 0x1000 + 64 i + 2 l and one more in its upper half.
    std::string body;
    for (int i = 0; i < opcode.count; ++i) {
      const std::string reg = "%r1" + std::to_string(i);
      body += "mad.lo.u32 " + reg + ", %r1, 0x20002, " +
              std::to_string(0x10011000 + 64 * i * 0x10001) + ";\n";
    }
    body += "stmatrix" + suffix(opcode) + " [%r4], " + registers(opcode.count) + ";\nbar.sync 0;\n";
    // All of shared memory goes out, a word a lane at a time.
    body +=
        "mov.u32 %r5, %r1;\nOUT:\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
        "shl.b32 %r6, %r5, 2;\nadd.u32 %r6, %r6, %r2;\nld.shared.u32 %r7, [%r6];\n"
        "st.global.u32 [%rd4], %r7;\nadd.u32 %r5, %r5, 32;\nsetp.lt.u32 %p2, %r5, " +
        std::to_string(kSharedBytes / 4) + ";\n@%p2 bra OUT;\n";
    std::vector<std::uint16_t> expected = counted_memory();
    const auto words = run(matrix_kernel(copy_in_and(body)), expected, kSharedBytes / 4);
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < opcode.count; ++i)
        for (int half = 0; half < 2; ++half) {
          const auto [row, column] = place(lane, half, opcode.is_transposed);
          expected[element_at(i, row, column)] =
              static_cast<std::uint16_t>(0x1000 + 64 * i + 2 * lane + half);
        }
    for (size_t i = 0; i < expected.size(); ++i) {
      INFO(suffix(opcode) << " element " << i);
      REQUIRE(((words[i / 2] >> (16 * (i % 2))) & 0xFFFF) == expected[i]);
    }
  }
}

TEST_CASE("movmatrix transposes a matrix between lanes", "[emulator][matrix]") {
  const auto words =
      run(matrix_kernel("mad.lo.u32 %r10, %r1, 0x20002, 0x10000;\n"
                        "movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10;\n"
                        "mad.wide.u32 %rd5, %r1, 4, %rd2;\nst.global.u32 [%rd5], %r11;\n"),
          {0}, kLanes);
  // Before, element (row, column) is 8 row + column.
  for (int lane = 0; lane < kLanes; ++lane)
    for (int half = 0; half < 2; ++half) {
      const auto [row, column] = place(lane, half, true);
      CHECK(((words[static_cast<size_t>(lane)] >> (16 * half)) & 0xFFFF) ==
            static_cast<std::uint32_t>(8 * row + column));
    }
}

TEST_CASE("rows that do not start at 16 bytes, and architectures without stmatrix, are refused",
          "[emulator][matrix][refusal]") {
  Bench bench;
  const DevicePointer memory = bench.alloc(kSharedBytes * 4);
  bench.run(matrix_kernel("add.u32 %r4, %r4, 8;\nmov.u32 %r10, 1;\n"
                          "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r4], {%r10};\n"),
            "k", {1, 1, 1}, {kLanes, 1, 1}, ArgumentBlock().pointer(memory).pointer(memory));
  const Report report = bench.backend->take_report();
  CHECK(std::ranges::any_of(report.findings,
                            [](const Finding& finding) { return finding.code == "M2"; }));
  const std::string ptx = matrix_kernel(
      "mov.u32 %r10, 1;\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [%r4], {%r10};\n", "sm_80");
  CHECK(refusal_of([&] { return bench.backend->load(binary_from_ptx(ptx, "k")); }).code ==
        ErrorCode::bad_file);
}
