// Each format's layout is what its own definition says, at every place; small ones by hand.
#include "packing/plain_formats.hpp"
#include "support/catch.hpp"

#include <jute/base/error.hpp>
#include <jute/packing/weight_formats.hpp>

#include <cstring>
#include <random>

using namespace jute;
using jute::test::PlainMatrix;

namespace {

/// Random numbers from `least` to `most`.
PlainMatrix random_matrix(Index k, Index n, std::uint32_t least, std::uint32_t most) {
  std::mt19937 random(static_cast<unsigned>(k * 1000 + n));
  std::uniform_int_distribution<std::uint32_t> number(least, most);
  PlainMatrix matrix{k, n, {}};
  for (Index i = 0; i < k * n; ++i) matrix.at.push_back(number(random));
  return matrix;
}

/// A byte an element, n slowest: what the format `bytes` is.
std::vector<std::byte> as_bytes(const PlainMatrix& matrix) {
  std::vector<std::byte> bytes;
  for (Index n = 0; n < matrix.n; ++n)
    for (Index k = 0; k < matrix.k; ++k) bytes.push_back(static_cast<std::byte>(matrix(k, n)));
  return bytes;
}

std::vector<std::byte> bytes_of(const std::vector<std::uint32_t>& words) {
  std::vector<std::byte> bytes(words.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

/// The matrix in a format, by its layout.
std::vector<std::byte> packed(const PlainMatrix& matrix, const char* format, WeightPart part) {
  return repacked(as_bytes(matrix), packing_of("bytes", part, matrix.k),
                  packing_of(format, part, matrix.k), {matrix.n, matrix.k});
}

Packing packing_of_word_numbers(const char* format, Index groups) {
  return with_type(packing_of(format, WeightPart::scales, groups), DType::f32);
}

}  // namespace

TEST_CASE("GPTQ's, AWQ's and Marlin's weights lie as their definitions say", "[packing]") {
  for (const auto& [k, n] : {std::pair<Index, Index>{16, 64}, {32, 192}, {128, 64}, {176, 320}}) {
    const PlainMatrix q = random_matrix(k, n, 0, 15);
    CHECK(packed(q, "gptq", WeightPart::weights) == bytes_of(test::gptq_weights(q)));
    CHECK(packed(q, "gptq_v2", WeightPart::weights) == bytes_of(test::gptq_weights(q)));
    CHECK(packed(q, "awq", WeightPart::weights) == bytes_of(test::awq_words(q)));
    CHECK(packed(q, "marlin", WeightPart::weights) == bytes_of(test::marlin_weights(q)));
  }
}

TEST_CASE("their zero points do, too, and GPTQ's are one less", "[packing]") {
  for (const auto& [groups, n] : {std::pair<Index, Index>{1, 64}, {3, 128}, {11, 192}}) {
    CHECK(packed(random_matrix(groups, n, 1, 16), "gptq", WeightPart::zeros) ==
          bytes_of(test::gptq_zeros(random_matrix(groups, n, 1, 16))));
    const PlainMatrix z = random_matrix(groups, n, 0, 15);
    CHECK(packed(z, "awq", WeightPart::zeros) == bytes_of(test::awq_words(z)));
    CHECK(packed(z, "marlin", WeightPart::zeros) == bytes_of(test::marlin_zeros(z)));
  }
}

TEST_CASE("scales lie by groups, and Marlin's in the order of lanes", "[packing]") {
  for (const auto& [groups, n] : {std::pair<Index, Index>{1, 64}, {2, 128}, {5, 192}}) {
    const PlainMatrix s = random_matrix(groups, n, 0, 0xffffffffU);
    for (const char* format : {"gptq", "awq"})
      CHECK(packing_of_word_numbers(format, groups) == packing_of_word_numbers("gptq_v2", groups));
    const std::vector<std::byte> plain = bytes_of(s.at);
    CHECK(repacked(plain, packing_of_word_numbers("gptq", groups),
                   packing_of_word_numbers("marlin", groups),
                   {n, groups}) == bytes_of(test::marlin_scales(s)));
  }
}

TEST_CASE("small matrices by hand", "[packing]") {
  // Element (n,k) is k of the first column, 8 + k of the second: GPTQ's words count up.
  PlainMatrix q{8, 8, std::vector<std::uint32_t>(64)};
  for (std::size_t k = 0; k < 8; ++k) {
    q.at[k * 8] = static_cast<std::uint32_t>(k);
    q.at[k * 8 + 1] = static_cast<std::uint32_t>(8 + k);
  }
  const auto gptq = packed(q, "gptq", WeightPart::weights);
  CHECK(gptq == bytes_of({0x76543210, 0xfedcba98, 0, 0, 0, 0, 0, 0}));
  // A row 0 1 2 3 4 5 6 7 of AWQ: the word's nibbles are 0 2 4 6 1 3 5 7, the first lowest.
  CHECK(packed({1, 8, {0, 1, 2, 3, 4, 5, 6, 7}}, "awq", WeightPart::weights) ==
        bytes_of({0x75316420}));
  CHECK(packed({1, 8, {8, 8, 8, 8, 8, 8, 8, 16}}, "gptq", WeightPart::zeros) ==
        bytes_of({0xf7777777}));
  // Two along K of row 0, then of row 1.
  CHECK(packed({2, 2, {1, 3, 2, 4}}, "jute", WeightPart::weights) ==
        std::vector{std::byte{0x21}, std::byte{0x43}});
  CHECK(packed({2, 2, {1, 3, 2, 4}}, "jute-row", WeightPart::weights) ==
        std::vector{std::byte{0x31}, std::byte{0x42}});
  CHECK(packed({2, 2, {1, 3, 2, 4}}, "jute-kn", WeightPart::weights) ==
        std::vector{std::byte{0x21}, std::byte{0x43}});
}

TEST_CASE("Marlin's first word is what lane 0 multiplies", "[packing]") {
  // mma.m16n8k16: lane 0 holds rows 0 1 8 9 of columns 0 and 8; even rows come first.
  PlainMatrix q{16, 64, std::vector<std::uint32_t>(16 * 64)};
  std::uint32_t next = 1;
  for (const std::size_t column : {0U, 8U})
    for (const std::size_t row : {0U, 8U}) q.at[row * 64 + column] = next++;
  for (const std::size_t column : {0U, 8U})
    for (const std::size_t row : {1U, 9U}) q.at[row * 64 + column] = next++;
  const auto words = packed(q, "marlin", WeightPart::weights);
  std::uint32_t first = 0;
  std::memcpy(&first, words.data(), sizeof first);
  CHECK(first == 0x87654321);
}

TEST_CASE("layouts read as layouts", "[packing]") {
  CHECK(to_string(packed_layout(packing_of("gptq", WeightPart::weights, 1), {64, 128})) ==
        "((1,64),(8,16)):((0,8),(1,512))");
  CHECK(to_string(packed_layout(packing_of("marlin", WeightPart::weights, 1), {128, 32})) ==
        "(((8,2,4),2),((2,4,2),2)):(((128,2,8),1024),((4,32,1),2048))");
}

TEST_CASE("every format says what it is and who says so", "[packing]") {
  for (const WeightFormat& format : weight_formats()) {
    CHECK(!format.summary.empty());
    CHECK(!format.source.empty());
    for (const WeightPart part : {WeightPart::weights, WeightPart::scales, WeightPart::zeros})
      CHECK(packing_of(format.name, part, 2).tile.rank() == 2);
  }
  CHECK(parse_weight_part("zeros") == WeightPart::zeros);
}

TEST_CASE("unknown formats are refused with the nearest", "[packing]") {
  const auto error_of = [](auto call) {
    try {
      (void)call();
    } catch (const Exception& exception) {
      return exception.error();
    }
    return Error{};
  };
  const Error format = error_of([] { return packing_of("gtpq", WeightPart::weights, 1); });
  CHECK(format.code == ErrorCode::unknown_name);
  CHECK(format.nearest_legal == "gptq");
  CHECK(error_of([] { return parse_weight_part("zero"); }).nearest_legal == "zeros");
  CHECK(error_of([] { return packing_of("awq", WeightPart::scales, 0); }).code ==
        ErrorCode::out_of_range);
}
