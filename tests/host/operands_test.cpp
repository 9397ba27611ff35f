// Operands in host memory: names of their elements, random ones, blocks of scales, results judged.
#include <jute/base/checked.hpp>
#include <jute/host/array_types.hpp>
#include <jute/host/judging.hpp>
#include <jute/host/npy.hpp>
#include <jute/host/operands.hpp>
#include <jute/host/random_numbers.hpp>
#include <jute/host/result_axes.hpp>

#include <cmath>
#include <cstring>
#include <set>

#include "support/catch.hpp"

using namespace jute;

namespace {

Problem small_product(DType type) {
  Problem problem;
  problem.m = 5;
  problem.n = 7;
  problem.k = 9;
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d}) matrix->type = type;
  return completed(problem);
}

}  // namespace

TEST_CASE("every element type has its name and its spelling in arrays", "[host][law]") {
  std::set<DType> types;
  for (const ArrayType& row : array_types()) {
    INFO(row.name);
    CHECK(types.insert(row.type).second);
    CHECK(&array_type(row.type) == &row);
    const DType of_name = row.type == DType::tf32 ? DType::f32 : row.type;
    CHECK(type_of_array(row.name) == of_name);
    CHECK(row.npy.back() - '0' == width_bytes(row.type));
    const NpyArray array{.descr = std::string(row.npy), .shape = {1}, .bytes = {}};
    CHECK(element_type(array, row.type, {"a.npy", "--type "}) == row.type);
    if (row.is_numpys) CHECK(element_type(array, {}, {"a.npy", "--type "}) == row.type);
    if (row.dlpack >= 0) CHECK(type_of_dlpack(row.dlpack, width_bits(row.type)) == row.type);
  }
  CHECK(types.size() == static_cast<std::size_t>(kStoredTypeCount));
  CHECK_FALSE(type_of_array("float8_e4m3"));
  CHECK_FALSE(type_of_dlpack(2, 8));
}

TEST_CASE("groups have as many rows as are expected, else equal parts", "[host][groups]") {
  const auto groups_of = [](const std::string& groups) {
    return usual_groups(parse_problem("M=100 N=64 K=32 batch=3 A=bf16 groups=" + groups));
  };
  CHECK(groups_of("rows:i32") == std::vector<Index>{33, 66, 100});
  CHECK(groups_of("rows:i32:expected40") == std::vector<Index>{40, 80, 100});
  CHECK(groups_of("cols:i32:expected8") == std::vector<Index>{8, 16, 24});
  CHECK(groups_of("k:i64") == std::vector<Index>{10, 21, 32});
  CHECK(groups_of("masked_rows:i32:expected8") == std::vector<Index>{8, 8, 8});
  CHECK(usual_groups(small_product(DType::bf16)).empty());
}

TEST_CASE("a result whose rows are too short to write lies as torch has it", "[host][einsum]") {
  const auto axes = [](const char* text, std::vector<Index> extents) {
    return result_axes(parse_subscripts(text), extents, 2);
  };
  using Axes = std::vector<int>;
  // The batch last: every element would have a sector of its own.
  CHECK(axes("qwa,ewa->qew", {512, 512, 64}) == Axes{2, 0, 1});
  CHECK(axes("ewa,qwa->qew", {512, 512, 64}) == Axes{2, 0, 1});
  CHECK(axes("bhqk,bkhd->bqhd", {8, 512, 16, 32}) == Axes{0, 2, 1, 3});
  // Neighbours of 128 bytes and more stay as the letters say, and what has no longer ones.
  CHECK(axes("bhqk,bkhd->bqhd", {8, 512, 16, 64}).empty());
  CHECK(axes("abk,kcd->acdb", {64, 64, 32, 4}).empty());
  CHECK(axes("bik,bkj->bij", {8, 4, 5}).empty());
  CHECK(axes("ik,kj->ij", {512, 8}).empty());
  CHECK(axes("ij->ji", {512, 8}).empty());
  CHECK(axes("i,i->", {}).empty());
}

TEST_CASE("f32 read as tf32 is off by less than 2^-10 of each", "[host][tf32]") {
  const std::vector<std::byte> drawn = random_bytes(DType::f32, 4096, 3, RandomKind::normal);
  const ComputedOperand cut = cut_to_tf32(drawn);
  const std::vector<double> values = decode(DType::f32, drawn);
  CHECK(cut.value == values);
  double most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(cut.error[i] <= std::ldexp(std::abs(values[i]), -10));
    most = std::max(most, cut.error[i] / std::abs(values[i]));
  }
  CHECK(most > std::ldexp(1.0, -12));
}

TEST_CASE("a seed gives the same numbers on every machine", "[host][random]") {
  // SplitMix64 of seed 0, as its authors print it.
  RandomNumbers numbers(0);
  CHECK(numbers.bits() == 0xE220A8397B1DCDAFu);
  CHECK(numbers.bits() == 0x6E789E6AA1B965F4u);
  for (const DType type : {DType::f32, DType::bf16, DType::e4m3, DType::s8, DType::u8, DType::u4}) {
    INFO(name(type));
    const auto some = random_bytes(type, 64, 7, RandomKind::normal);
    CHECK(some == random_bytes(type, 64, 7, RandomKind::normal));
    CHECK(some != random_bytes(type, 64, 8, RandomKind::normal));
  }
}

TEST_CASE("random elements are as they are asked for", "[host][random]") {
  const auto normal =
      decode(DType::f64, random_bytes(DType::f64, 8 * 20000, 1, RandomKind::normal));
  double sum = 0, squares = 0;
  for (const double value : normal) {
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(normal.size());
  CHECK(std::abs(sum / count) < 5 / std::sqrt(count));
  CHECK(std::abs(squares / count - 1) < 5 * std::sqrt(2 / count));
  for (const DType type : {DType::f16, DType::s8, DType::s32, DType::u8}) {
    INFO(name(type));
    const auto whole = decode(type, random_bytes(type, 4000, 1, RandomKind::integers));
    const std::set<double> values(whole.begin(), whole.end());
    CHECK(values ==
          (type == DType::u8 ? std::set<double>{0, 1, 2, 3} : std::set<double>{-2, -1, 0, 1, 2}));
  }
}

TEST_CASE("random scales are positive, and powers of two where sums are to be exact",
          "[host][random]") {
  Problem problem = small_product(DType::f16);
  problem.scale_a.scale = BlockValues{};
  problem.scale_a.scale->type = DType::f32;
  problem.scale_a.scale->block = {1, 3};
  problem = completed(problem);
  for (const RandomKind kind : {RandomKind::normal, RandomKind::integers}) {
    const TensorBytes data = random_scales(problem, 3, kind);
    const auto scales = decode(DType::f32, data[TensorRole::scale_a]);
    CHECK(scales.size() == 15);
    CHECK(data[TensorRole::scale_b].empty());
    for (const double scale : scales) {
      CHECK(scale > 0);
      int exponent = 0;
      if (kind == RandomKind::integers) CHECK(std::frexp(scale, &exponent) == 0.5);
    }
  }
}

TEST_CASE("lists of integers are read as they are written, of either width", "[host]") {
  const std::vector<Index> list{0, 1, -1, 2147483647, -2147483648};
  for (const GroupIndex index : {GroupIndex::i32, GroupIndex::i64}) {
    const std::vector<std::byte> bytes = bytes_of(list, index);
    CHECK(bytes.size() == list.size() * static_cast<std::size_t>(bytes_of(index)));
    CHECK(integers_of(bytes, index) == list);
  }
  const Index large = Index{1} << 40;
  CHECK(integers_of(bytes_of({&large, 1}, GroupIndex::i64), GroupIndex::i64).at(0) == large);
  CHECK(index_type({.descr = "<i8", .shape = {1}, .bytes = {}}) == GroupIndex::i64);
  CHECK_FALSE(index_type({.descr = "<u4", .shape = {1}, .bytes = {}}));
}

TEST_CASE("blocks follow from how many numbers there are", "[host][law]") {
  for (Index extent = 1; extent <= 40; ++extent) {
    CHECK(block_of_numbers(extent, 1, 0) == 0);
    CHECK_FALSE(block_of_numbers(extent, 0, 0));
    for (Index asked = 1; asked <= extent; ++asked) {
      const Index count = ceil_div(extent, asked);
      CHECK(block_of_numbers(extent, count, asked) == asked);
      CHECK_FALSE(block_of_numbers(extent, count + 1, asked));
      if (count > 1 && extent % count == 0)
        CHECK(block_of_numbers(extent, count, 0) == extent / count);
      if (extent % count != 0) CHECK_FALSE(block_of_numbers(extent, count, 0));
    }
  }
}

TEST_CASE("a result is judged whole, or by a sample", "[host][judging]") {
  const Problem problem = small_product(DType::f32);
  const OperandBytes bytes = operand_bytes(problem);
  const auto a = random_bytes(DType::f32, bytes[TensorRole::a], 1, RandomKind::integers);
  const auto b = random_bytes(DType::f32, bytes[TensorRole::b], 2, RandomKind::integers);
  const HostOperands operands{a, b};
  const Judging how{.u_acc = 0x1p-24};
  const ExpectedResult whole = expected_result(problem, operands, how, JudgedPart::whole);
  CHECK_FALSE(whole.sample);
  std::vector<std::byte> d = encode(DType::f32, whole.reference.value);
  CHECK(judged(problem, whole, d).verdict.ok);
  CHECK(judged(problem, whole, d).elements == 35);
  const ExpectedResult some = expected_result(problem, operands, how, JudgedPart::sample);
  REQUIRE(some.sample);
  CHECK(judged(problem, some, d).verdict.ok);
  CHECK(judged(problem, some, d).elements == static_cast<Index>(some.sample->size()));
  float wrong = 1e6F;
  std::memcpy(d.data(), &wrong, sizeof wrong);
  CHECK(judged(problem, whole, d).verdict.wrong == 1);
  CHECK_FALSE(judged(problem, some, d).verdict.ok);  // corners are of every sample
  CHECK(judged_part(problem) == JudgedPart::whole);
  Problem large = problem;
  large.m = large.n = large.k = 4096;
  CHECK(judged_part(large) == JudgedPart::sample);
}
