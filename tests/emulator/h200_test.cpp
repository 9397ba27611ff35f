// What an H200 made of awkward operands: NaN with payloads, infinities, and random matrices of
// every accumulator type, bit for bit.
#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>

using namespace jute;
using namespace jute::test;

namespace {

/// Operands and result of one instruction.
struct Measured {
  std::array<std::uint64_t, 3> operands{};
  size_t count = 0;
  std::uint64_t result = 0;
};

std::map<std::string, std::vector<Measured>> measured_specials() {
  std::ifstream file(std::string(JUTE_SOURCE_DIR) + "/tests/golden/h200/f64_specials.txt");
  std::map<std::string, std::vector<Measured>> all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string opcode;
    words >> opcode;
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t bits = 0; words >> std::hex >> bits;) numbers.push_back(bits);
    Measured row;
    row.count = numbers.size() - 1;
    for (size_t i = 0; i < row.count; ++i) row.operands[i] = numbers[i];
    row.result = numbers.back();
    all[opcode].push_back(row);
  }
  return all;
}

/// A kernel of one warp a block: thread i reads operands[3 i …] and writes result[i].
std::string scalar_kernel(const std::string& opcode, size_t operands) {
  std::string body = opcode == "cvt.rn.f32.f64" ? opcode +
                                                      " %f0, %fd0;\nmov.b32 %r3, %f0;\n"
                                                      "cvt.u64.u32 %rd4, %r3;\n"
                                                : opcode + " %fd3";
  if (opcode != "cvt.rn.f32.f64") {
    for (size_t i = 0; i < operands; ++i) body += ", %fd" + std::to_string(i);
    body += ";\nmov.b64 %rd4, %fd3;\n";
  }
  return ".version 8.0\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
         ".reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n.reg .f64 %fd<8>;\n.reg .f32 %f<2>;\n"
         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 32, %r1;\n"
         "mad.wide.u32 %rd1, %r1, 24, %rd1;\nmad.wide.u32 %rd2, %r1, 8, %rd2;\n"
         "ld.global.f64 %fd0, [%rd1];\nld.global.f64 %fd1, [%rd1+8];\n"
         "ld.global.f64 %fd2, [%rd1+16];\n" +
         body + "st.global.u64 [%rd2], %rd4;\nret;\n}\n";
}

/// A(m,0) = a, the rest of A 1; B(0,n) = b, the rest of B 0; C = c: D = a*b + c + 0 + ….
std::string mma_kernel() {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
         ".reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n.reg .f64 %fd<16>;\n.reg .pred %p<4>;\n"
         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
         "mad.wide.u32 %rd1, %r2, 24, %rd1;\nmad.wide.u32 %rd2, %r2, 8, %rd2;\n"
         "ld.global.f64 %fd0, [%rd1];\nld.global.f64 %fd1, [%rd1+8];\n"
         "ld.global.f64 %fd2, [%rd1+16];\n"
         "mov.f64 %fd8, 0d3FF0000000000000;\nmov.f64 %fd9, 0d0000000000000000;\n"
         "and.b32 %r3, %r1, 3;\nsetp.eq.u32 %p1, %r3, 0;\n"
         "selp.f64 %fd3, %fd0, %fd8, %p1;\nselp.f64 %fd4, %fd1, %fd9, %p1;\n"
         "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%fd10,%fd11,%fd12,%fd13}, "
         "{%fd3,%fd3,%fd8,%fd8}, {%fd4,%fd9}, {%fd2,%fd2,%fd2,%fd2};\n"
         "setp.eq.u32 %p2, %r1, 0;\n@%p2 st.global.f64 [%rd2], %fd10;\nret;\n}\n";
}

std::vector<std::uint64_t> emulated(const std::string& opcode, const std::vector<Measured>& rows) {
  const bool is_mma = opcode.starts_with("mma");
  std::vector<std::uint64_t> operands;
  const size_t padded = (rows.size() + 31) / 32 * 32;
  for (size_t i = 0; i < padded; ++i)
    for (const std::uint64_t bits : rows[i % rows.size()].operands) operands.push_back(bits);
  Bench bench;
  const DevicePointer in = bench.upload(operands), out = bench.alloc(padded * 8);
  const auto blocks = static_cast<std::int64_t>(is_mma ? padded : padded / 32);
  bench.run(is_mma ? mma_kernel() : scalar_kernel(opcode, rows[0].count), "k", {blocks, 1, 1},
            {32, 1, 1}, ArgumentBlock().pointer(in).pointer(out));
  bench.backend->synchronize();
  return bench.download<std::uint64_t>(out, rows.size());
}

}  // namespace

TEST_CASE("f64 results that are no number have the sign and payload that an H200 gives them",
          "[emulator][h200]") {
  const auto all = measured_specials();
  CHECK(all.size() == 13);
  for (const auto& [opcode, rows] : all) {
    const std::vector<std::uint64_t> results = emulated(opcode, rows);
    for (size_t i = 0; i < rows.size(); ++i) {
      INFO(opcode << std::hex << " " << rows[i].operands[0] << " " << rows[i].operands[1] << " "
                  << rows[i].operands[2]);
      REQUIRE(results[i] == rows[i].result);
    }
  }
}

namespace {

/// Operands for 200 warps, drawn as they were for the measurement: the sequence is part of it.
class RegisterDraw {
 public:
  enum class Kind : std::uint8_t { any, near_one, sparse, one_exponent, specials };
  static constexpr int kWarps = 200, kWordsPerLane = 10, kOperandWords = 6;

  struct Types {
    bool is_byte = false, is_bf16 = false, adds_f32 = false;
  };

  std::vector<std::uint32_t> next(const Types& types) {
    std::vector<std::uint32_t> words(static_cast<size_t>(kWarps) * 32 * kWordsPerLane);
    for (size_t i = 0; i < words.size(); ++i) {
      const auto kind = static_cast<Kind>(i / (32 * kWordsPerLane) % 5);
      const bool is_operand = i % kWordsPerLane < kOperandWords;
      words[i] = is_operand       ? operand_word(kind, types)
                 : types.adds_f32 ? f32_word(kind)
                                  : half_word(kind);
    }
    return words;
  }

 private:
  std::uint32_t random() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(state_ >> 20);
  }
  std::uint32_t draw_16(Kind kind, bool is_bf16) {
    std::uint32_t x = random() & 0xFFFF;
    const int mantissa = is_bf16 ? 7 : 10;
    const std::uint32_t all = is_bf16 ? 255 : 31;
    std::uint32_t exponent = (x >> mantissa) & all;
    if (kind != Kind::specials && exponent == all) exponent = all / 2;
    if (kind == Kind::near_one) exponent = all / 2 - 2 + random() % 4;
    if (kind == Kind::one_exponent) exponent = all / 2;
    if (kind == Kind::sparse && random() % 3 != 0) return random() % 2 != 0 ? 0x8000 : 0;
    if (kind == Kind::specials && random() % 8 == 0) exponent = all;
    x = (x & ~(all << mantissa)) | (exponent << mantissa);
    const bool is_special = kind == Kind::specials && exponent == all;
    if (is_special && random() % 4 != 0) x &= ~((1U << mantissa) - 1);
    return x;
  }
  std::uint32_t draw_8(Kind kind) {
    std::uint32_t x = random() & 0xFF;
    if (kind != Kind::specials)
      while ((x & 0x7C) == 0x7C) x = random() & 0xFF;
    if (kind == Kind::near_one || kind == Kind::one_exponent) x = (x & 0x87) | 0x30;
    if (kind == Kind::sparse && random() % 3 != 0) return random() % 2 != 0 ? 0x80 : 0;
    return x;
  }
  std::uint32_t operand_word(Kind kind, const Types& types) {
    std::uint32_t word = 0;
    for (int at = 0; at < 32; at += types.is_byte ? 8 : 16)
      word |= (types.is_byte ? draw_8(kind) : draw_16(kind, types.is_bf16)) << at;
    return word;
  }
  std::uint32_t f32_word(Kind kind) {
    const std::uint32_t x = random();
    if (kind == Kind::sparse) return 0;
    if (kind != Kind::specials || random() % 8 != 0)
      return (x & 0x807FFFFF) | ((110 + random() % 34) << 23);
    return x | 0x7F800000;
  }
  std::uint32_t half_word(Kind kind) {
    if (kind == Kind::sparse) return 0;
    const std::uint32_t low = draw_16(kind, false);
    return low | draw_16(kind, false) << 16;
  }

  std::uint64_t state_ = 88172645463325252ULL;
};

struct MeasuredMma {
  std::string_view shape_and_types;
  int a, b, c;  ///< registers
  RegisterDraw::Types types;
  std::uint32_t checksum;  ///< of all results
};
// clang-format off
constexpr MeasuredMma kMeasuredMmas[] = {
    {"m16n8k16.row.col.f16.f16.f16.f16",   4, 2, 2, {},                    0x114abc55},
    {"m16n8k8.row.col.f16.f16.f16.f16",    2, 1, 2, {},                    0x68ee39c2},
    {"m16n8k32.row.col.f16.e4m3.e4m3.f16", 4, 2, 2, {true},                0x084c10f3},
    {"m16n8k32.row.col.f16.e5m2.e5m2.f16", 4, 2, 2, {true},                0xd2b56975},
    {"m16n8k32.row.col.f16.e4m3.e5m2.f16", 4, 2, 2, {true},                0x1e676bac},
    {"m16n8k32.row.col.f32.e4m3.e5m2.f32", 4, 2, 4, {true, false, true},   0x5ae36b38},
    {"m16n8k32.row.col.f32.e5m2.e4m3.f32", 4, 2, 4, {true, false, true},   0x8f82cd5f},
    {"m16n8k16.row.col.f32.f16.f16.f32",   4, 2, 4, {false, false, true},  0xb8355266},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, {false, true, true},   0xf63651a8},
};
// clang-format on

std::string register_list(int first, int count) {
  std::string list;
  for (int i = 0; i < count; ++i) list += (list.empty() ? "%r" : ",%r") + std::to_string(first + i);
  return "{" + list + "}";
}

/// One warp a block: ten words a lane in, four words a lane out.
std::string raw_kernel(const MeasuredMma& mma) {
  std::string loads, stores;
  for (int i = 0; i < 10; ++i)
    loads +=
        "ld.global.u32 %r" + std::to_string(10 + i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  for (int i = 0; i < 4; ++i)
    stores +=
        "st.global.u32 [%rd2+" + std::to_string(4 * i) + "], %r" + std::to_string(20 + i) + ";\n";
  return ".version 8.7\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
         ".reg .b32 %r<32>;\n.reg .b64 %rd<4>;\n"
         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 32, %r1;\n"
         "mad.wide.u32 %rd1, %r1, 40, %rd1;\nmad.wide.u32 %rd2, %r1, 16, %rd2;\n" +
         loads + "mov.u32 %r20, 0;\nmov.u32 %r21, 0;\nmov.u32 %r22, 0;\nmov.u32 %r23, 0;\n" +
         "mma.sync.aligned." + std::string(mma.shape_and_types) + " " + register_list(20, mma.c) +
         ", " + register_list(10, mma.a) + ", " + register_list(14, mma.b) + ", " +
         register_list(16, mma.c) + ";\n" + stores + "ret;\n}\n";
}

}  // namespace

TEST_CASE("random matrices of half and byte types multiply to an H200's bits, specials among them",
          "[emulator][h200]") {
  RegisterDraw draw;
  for (const MeasuredMma& mma : kMeasuredMmas) {
    const std::vector<std::uint32_t> operands = draw.next(mma.types);
    const size_t results = static_cast<size_t>(RegisterDraw::kWarps) * 32 * 4;
    Bench bench;
    const DevicePointer in = bench.upload(operands), out = bench.alloc(results * 4);
    bench.run(raw_kernel(mma), "k", {RegisterDraw::kWarps, 1, 1}, {32, 1, 1},
              ArgumentBlock().pointer(in).pointer(out));
    bench.backend->synchronize();
    std::uint32_t checksum = 0;
    for (const std::uint32_t word : bench.download<std::uint32_t>(out, results))
      checksum = checksum * 31 + word;
    INFO(mma.shape_and_types);
    CHECK(checksum == mma.checksum);
  }
}
