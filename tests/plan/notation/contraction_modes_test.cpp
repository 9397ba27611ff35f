// Letters as modes of a product, held against loops over every letter.
#include <jute/plan/notation/contraction_modes.hpp>

#include <algorithm>
#include <numeric>

#include "support/catch.hpp"
#include "support/random_contraction.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::RandomContraction;

namespace {

/// Operands in C order whose letters have these extents: `a=64,b=32`.
struct Sizes {
  std::string letters;
  std::vector<Index> extents;
};

std::vector<StridedArray> packed(const Subscripts& subscripts, const Sizes& sizes) {
  std::vector<StridedArray> arrays;
  for (const std::string& letters : subscripts.operands) {
    StridedArray array;
    for (const char letter : letters)
      array.extents.push_back(sizes.extents[sizes.letters.find(letter)]);
    arrays.push_back(array);
  }
  return arrays;
}

ContractionModes modes_of(const char* text, const Sizes& sizes) {
  const Subscripts subscripts = parse_subscripts(text);
  return contraction_modes(subscripts, packed(subscripts, sizes));
}

/// `a x b: M ab 4096 (1024,0,2048) …`: a word a mode.
std::string words(const ContractionModes& product) {
  std::string text = std::to_string(product.a) + "x" + std::to_string(product.b);
  for (const ContractionMode& mode : product.modes)
    text += " " + std::string(name(mode.role)) + ":" + mode.letters + "=" +
            std::to_string(mode.extent) + "(" + std::to_string(mode.stride_a) + "," +
            std::to_string(mode.stride_b) + "," + std::to_string(mode.stride_d) + ")";
  return text;
}

struct Offsets {
  Index a = 0, b = 0, d = 0;
};

/// All elements of the product, mode by mode, as a kernel reads them.
std::vector<Offsets> all_offsets(const ContractionModes& product) {
  std::vector<Offsets> found{{}};
  for (const ContractionMode& mode : product.modes) {
    std::vector<Offsets> next;
    for (const Offsets& at : found)
      for (Index i = 0; i < mode.extent; ++i)
        next.push_back(
            {at.a + i * mode.stride_a, at.b + i * mode.stride_b, at.d + i * mode.stride_d});
    found = std::move(next);
  }
  return found;
}

/// The result in C order, computed by the modes; a lone operand is multiplied with 1.
std::vector<double> by_modes(const RandomContraction& made) {
  const Subscripts subscripts = parse_subscripts(made.text);
  const ContractionModes product = contraction_modes(subscripts, made.operands);
  std::vector<std::vector<double>> memory = made.memory;
  memory.push_back({1.0});
  const std::vector<Index> extents = result_extents(subscripts, made.operands);
  std::vector<double> result(static_cast<std::size_t>(
      std::accumulate(extents.begin(), extents.end(), Index{1}, std::multiplies<>())));
  for (const auto& [a, b, d] : all_offsets(product))
    result[static_cast<std::size_t>(d)] += memory.at(product.a).at(static_cast<std::size_t>(a)) *
                                           memory.at(product.b).at(static_cast<std::size_t>(b));
  return result;
}

}  // namespace

TEST_CASE("letters of the result and one operand are rows or columns, the others sums or a batch",
          "[plan][contraction]") {
  CHECK(words(modes_of("ik,kj->ij", {"ijk", {128, 256, 32}})) ==
        "0x1 M:i=128(32,0,256) N:j=256(0,1,1) K:k=32(1,256,0)");
  CHECK(words(modes_of("bik,bkj->bij", {"bijk", {3, 128, 256, 32}})) ==
        "0x1 M:i=128(32,0,256) N:j=256(0,1,1) K:k=32(1,256,0) batch:b=3(4096,8192,32768)");
}

TEST_CASE("letters that lie as one become one mode", "[plan][contraction]") {
  CHECK(words(modes_of("abk,kcd->abcd", {"abkcd", {4, 8, 16, 2, 32}})) ==
        "0x1 M:ab=32(16,0,64) N:cd=64(0,1,1) K:k=16(1,64,0)");
  CHECK(words(modes_of("abcd,cdef->abef", {"abcdef", {4, 8, 16, 2, 32, 3}})) ==
        "0x1 M:ab=32(32,0,96) N:ef=96(0,1,1) K:cd=32(1,96,0)");
}

TEST_CASE("the side that lies nearest in the result is the columns", "[plan][contraction]") {
  CHECK(words(modes_of("ik,kj->ji", {"ijk", {128, 256, 32}})) ==
        "1x0 M:j=256(1,0,128) N:i=128(0,32,1) K:k=32(256,1,0)");
  // Operands named the other way round are the same product.
  const ContractionModes one = modes_of("ik,kj->ij", {"ijk", {128, 256, 32}});
  const ContractionModes other = modes_of("kj,ik->ij", {"ijk", {128, 256, 32}});
  CHECK(one.modes == other.modes);
  CHECK((other.a == 1 && other.b == 0));
}

TEST_CASE("a side of several modes gives what does not lie as one to the batch",
          "[plan][contraction]") {
  CHECK(words(modes_of("abk,kcd->acdb", {"abkcd", {5, 256, 32, 64, 2}})) ==
        "1x0 M:cd=128(1,0,256) N:b=256(0,32,1) K:k=32(128,1,0) batch:a=5(0,8192,32768)");
  // Here no more than 8 columns would stay: a tile has more.
  CHECK(words(modes_of("abk,kcd->acdb", {"abkcd", {64, 8, 32, 64, 2}})) ==
        "1x0 M:cd=128(1,0,8) N:b=8(0,32,1) N:a=64(0,256,1024) K:k=32(128,1,0)");
}

TEST_CASE("repeated letters are a diagonal, letters of one operand alone are summed",
          "[plan][contraction]") {
  CHECK(words(modes_of("iik,kj->ij", {"ijk", {64, 64, 8}})) ==
        "0x1 M:i=64(520,0,64) N:j=64(0,1,1) K:k=8(1,64,0)");
  CHECK(words(modes_of("ikx,kj->ij", {"ijkx", {64, 64, 8, 3}})) ==
        "0x1 M:i=64(24,0,64) N:j=64(0,1,1) K:x=3(1,0,0) K:k=8(3,64,0)");
  CHECK(words(modes_of("k,k->", {"k", {8}})) == "0x1 K:k=8(1,1,0)");
  CHECK(words(modes_of("ij->ji", {"ij", {4, 8}})) == "1x0 N:i=4(0,8,1) N:j=8(0,1,4)");
  CHECK(words(modes_of(",->", {})) == "0x1");
}

TEST_CASE("an operand that repeats its elements along a batch is read once",
          "[plan][contraction]") {
  const Subscripts subscripts = parse_subscripts("bik,bkj->bij");
  const StridedArray shared{{4, 96, 16}, {0, 16, 1}}, own{{4, 16, 256}, {}};
  CHECK(words(contraction_modes(subscripts, std::vector{shared, own})) ==
        "0x1 M:i=96(16,0,256) N:j=256(0,1,1) K:k=16(1,256,0) batch:b=4(0,4096,24576)");
}

TEST_CASE("an extent of 1 is repeated along a letter that others have more of",
          "[plan][contraction]") {
  const auto modes = [](const char* text, std::vector<StridedArray> arrays) {
    return words(contraction_modes(parse_subscripts(text), arrays));
  };
  CHECK(modes("ik,kj->ij", {{{1, 8}, {}}, {{8, 4}, {}}}) ==
        modes("k,kj->j", {{{8}, {}}, {{8, 4}, {}}}));
  CHECK(modes("bik,bkj->bij", {{{1, 4, 8}, {}}, {{3, 8, 5}, {}}}) ==
        modes("bik,bkj->bij", {{{3, 4, 8}, {0, 8, 1}}, {{3, 8, 5}, {}}}));
  CHECK(result_extents(parse_subscripts("ik,kj->ij"),
                       std::vector<StridedArray>{{{4, 1}, {}}, {{8, 5}, {}}}) ==
        std::vector<Index>{4, 5});
}

TEST_CASE("what arrays contradict is refused by letter", "[plan][contraction][refusal]") {
  const auto refused = [](const char* text, std::vector<StridedArray> arrays) {
    return to_string(
        test::refusal_of([&] { return contraction_modes(parse_subscripts(text), arrays); }));
  };
  CHECK(
      refused("ik,kj->ij", {{{4, 8}, {}}, {{9, 4}, {}}}) ==
      "operand 2, axis k = 9: a letter must have one extent: it is 8 in operand 1 (nearest legal: "
      "8)");
  CHECK(
      refused("ii->i", {{{4, 5}, {}}}) ==
      "operand 1, axis i = 5: a letter must have one extent: it is 4 in operand 1 (nearest legal: "
      "4)");
  CHECK(refused("ik,kj->ij", {{{4}, {}}, {{8, 4}, {}}}) ==
        "operand 1 = 1 axes: it must have exactly 2 axes, one for each letter of ik (nearest "
        "legal: 2 axes)");
  CHECK(
      refused("i,i->", {{{4}, {-1}}, {{4}, {}}}) ==
      "operand 1, stride of axis 0 = -1: a stride must not be negative: begin at the array's last "
      "element along the axis, or copy the array (nearest legal: 1)");
  CHECK(refused("i,i->", {{{-4}, {}}, {{4}, {}}}) ==
        "operand 1, axis i = -4: an extent must not be negative (nearest legal: 0)");
  CHECK(refused("i,i,i->", {{{4}, {}}, {{4}, {}}, {{4}, {}}}) ==
        "contraction = 3 operands: a product must be of one or two operands: of more, "
        "contraction_order says which pairs (nearest legal: 2 operands)");
}

TEST_CASE("2000 random contractions are what a loop over every letter makes of them",
          "[plan][contraction][random]") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const RandomContraction made = test::random_contraction(seed);
    INFO("seed " << seed << ": " << made.text);
    CHECK(by_modes(made) == test::plain_einsum(made.text, made.plain).values);
  }
}
