// mma.sp of every shape and sparsity selector against a sum over the logical matrices, with the
// fragments and metadata of the PTX ISA written down again.
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

struct SparseShape {
  const char* opcode;
  int k, bits;    ///< logical depth, width of a value
  int selectors;  ///< lanes of a quad over those that hold metadata
};
// clang-format off
constexpr std::array kShapes = {
    SparseShape{"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 16, 4},
    SparseShape{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 32, 16, 2},
    SparseShape{"mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 8, 32, 4},
    SparseShape{"mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", 16, 32, 2},
    SparseShape{"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 32, 8, 2},
    SparseShape{"mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", 64, 8, 1}};
// clang-format on

std::string sparse_kernel(const SparseShape& shape, int selector, int a, int b) {
  std::string text =
      ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 pa, .param "
      ".u64 "
      "pb, .param .u64 pe, .param .u64 pd)\n{\n.reg .b32 a<4>, b<4>, e<1>, d<4>, zero, tid;\n.reg "
      ".b64 base, step;\nmov.u32 tid, %tid.x;\nmov.b32 zero, 0;\n";
  const auto transfer = [&](char name, int count, bool loads) {
    text += std::string("ld.param.u64 base, [p") + name + "];\nmul.wide.u32 step, tid, " +
            std::to_string(4 * count) + ";\nadd.s64 base, base, step;\n";
    for (int i = 0; i < count; ++i) {
      const std::string reg = name + std::to_string(i);
      const std::string place = "[base+" + std::to_string(4 * i) + "]";
      text += loads ? "ld.global.b32 " + reg + ", " + place + ";\n"
                    : "st.global.b32 " + place + ", " + reg + ";\n";
    }
  };
  const auto list = [](char name, int count) {
    std::string items = "{";
    for (int i = 0; i < count; ++i)
      items += (i > 0 ? "," : "") + std::string(1, name) + std::to_string(i);
    return items + "}";
  };
  transfer('a', a, true);
  transfer('b', b, true);
  transfer('e', 1, true);
  text += std::string(shape.opcode) + " " + list('d', 4) + ", " + list('a', a) + ", " +
          list('b', b) + ", {zero,zero,zero,zero}, e0, " + std::to_string(selector) + ";\n";
  transfer('d', 4, false);
  return text + "ret;\n}\n";
}

/// The bits of a small integer in a type of that width; 8 bits are an integer.
std::uint32_t encoded(int value, int bits) {
  if (bits == 8) return static_cast<std::uint32_t>(value) & 0xFF;
  return static_cast<std::uint32_t>(
      encode(bits == 16 ? DType::f16 : DType::tf32, static_cast<double>(value)));
}

struct Words {
  int count;
  std::vector<std::uint32_t> words;
  explicit Words(int registers) : count(registers), words(static_cast<size_t>(32 * registers)) {}
  void put(int lane, int bit, std::uint32_t value) {
    words[static_cast<size_t>(lane * count + bit / 32)] |= value << (bit % 32);
  }
};

/// Registers of a random sparse A, its metadata and a random B, and what their product is.
struct SparseCase {
  Words a, b, e{1};
  std::array<std::array<int, 8>, 16> d{};

  SparseCase(const SparseShape& shape, int selector, std::mt19937& random)
      : a(shape.k / 2 * 16 * shape.bits / 1024), b(shape.k * 8 * shape.bits / 1024) {
    const int per = 32 / shape.bits;
    const auto small = [&] { return static_cast<int>(random() % 7) - 3; };
    std::vector<std::array<int, 8>> dense_b(static_cast<size_t>(shape.k));
    for (int k = 0; k < shape.k; ++k)
      for (int n = 0; n < 8; ++n) {
        dense_b[static_cast<size_t>(k)][static_cast<size_t>(n)] = small();
        // b: column lane / 4, rows per*(lane % 4) + 4*per*r and following
        b.put(4 * n + k / per % 4, k / (4 * per) * 32 + k % per * shape.bits,
              encoded(dense_b[static_cast<size_t>(k)][static_cast<size_t>(n)], shape.bits));
      }
    const int group = shape.bits == 32 ? 2 : 4, kept = group / 2;
    for (int row = 0; row < 16; ++row)
      for (int g = 0; g < shape.k / group; ++g) {
        const auto [first, second] = positions(group, random);
        put_metadata(
            shape, selector, row, g,
            group == 2 ? (first == 0 ? 0x4U : 0xEU) : static_cast<unsigned>(first | second << 2));
        for (int i = 0; i < kept; ++i) {
          const int value = small(), column = g * kept + i;
          const int k = g * group + (i == 0 ? first : second);
          // a: rows lane / 4 and 8 more in the odd register, like a dense A of half the depth
          a.put(4 * (row % 8) + column / per % 4,
                (row / 8 + 2 * (column / (4 * per))) * 32 + column % per * shape.bits,
                encoded(value, shape.bits));
          for (int n = 0; n < 8; ++n)
            d[static_cast<size_t>(row)][static_cast<size_t>(n)] +=
                value * dense_b[static_cast<size_t>(k)][static_cast<size_t>(n)];
        }
      }
  }

  /// Two of a group's positions, rising; of a pair one and whatever.
  static std::pair<int, int> positions(int group, std::mt19937& random) {
    if (group == 2) return {static_cast<int>(random() % 2), 0};
    const int first = static_cast<int>(random() % 3);
    return {first, first + 1 + static_cast<int>(random() % static_cast<unsigned>(3 - first))};
  }

  void put_metadata(const SparseShape& shape, int selector, int row, int g, unsigned nibble) {
    const int quad = 4 * (row % 8), upper = row / 8, bit = 4 * g;
    if (shape.selectors == 4) return e.put(quad + selector, 16 * upper + bit, nibble);
    if (shape.selectors == 1) return e.put(quad + upper + 2 * (bit / 32), bit % 32, nibble);
    if (shape.bits == 8) return e.put(quad + 2 * selector + upper, bit, nibble);
    e.put(quad + 2 * selector + bit / 16, 16 * upper + bit % 16, nibble);
  }
};

}  // namespace

TEST_CASE("mma.sp multiplies what its metadata says is stored", "[emulator][mma]") {
  std::mt19937 random(7);
  for (const SparseShape& shape : kShapes)
    for (int selector = 0; selector < shape.selectors; ++selector) {
      INFO(shape.opcode << " selector " << selector);
      const SparseCase sparse(shape, selector, random);
      Bench bench;
      const auto d = bench.alloc(512);
      bench.run(sparse_kernel(shape, selector, sparse.a.count, sparse.b.count), "k", {1, 1, 1},
                {32, 1, 1},
                ArgumentBlock()
                    .pointer(bench.upload(sparse.a.words))
                    .pointer(bench.upload(sparse.b.words))
                    .pointer(bench.upload(sparse.e.words))
                    .pointer(d));
      CHECK(bench.backend->take_report().clean());
      const auto words = bench.download<std::uint32_t>(d, 128);
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < 4; ++i) {
          const std::uint32_t word = words[static_cast<size_t>(4 * lane + i)];
          const double got = shape.bits == 8 ? static_cast<double>(static_cast<std::int32_t>(word))
                                             : decode(DType::f32, word);
          CHECK(got == sparse.d[static_cast<size_t>(lane / 4 + 8 * (i / 2))]
                               [static_cast<size_t>(2 * (lane % 4) + i % 2)]);
        }
    }
}

TEST_CASE("a sparsity selector that the shape does not have is refused", "[emulator][mma]") {
  Bench bench;
  const SparseShape& pairs = kShapes[1];
  const Error error = refusal_of(
      [&] { return bench.backend->load(binary_from_ptx(sparse_kernel(pairs, 2, 4, 4), "k")); });
  CHECK(to_string(error).find("selector of this shape must lie in 0..1") != std::string::npos);
}
