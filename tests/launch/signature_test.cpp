#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/launch/signature.hpp>

#include <cstring>
#include <random>

using namespace jute;

namespace {

constexpr int kKindCount = static_cast<int>(ParameterKind::bytes) + 1;

Signature random_signature(std::mt19937& random) {
  Signature signature;
  const size_t count = random() % 6;
  for (size_t i = 0; i < count; ++i) {
    Parameter parameter{.name = "p_" + std::to_string(random() % 100),
                        .kind = static_cast<ParameterKind>(random() % kKindCount)};
    if (parameter.kind == ParameterKind::bytes) {
      parameter.bytes = static_cast<int>(random() % 50);
      if (random() % 2 == 0) parameter.alignment = 2 << random() % 7;
    }
    signature.parameters.push_back(std::move(parameter));
  }
  return signature;
}

void append_zero(ArgumentBlock& block, const Parameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::pointer:
      block.pointer(0);
      break;
    case ParameterKind::i32:
      block.i32(0);
      break;
    case ParameterKind::u32:
      block.u32(0);
      break;
    case ParameterKind::i64:
      block.i64(0);
      break;
    case ParameterKind::u64:
      block.u64(0);
      break;
    case ParameterKind::f32:
      block.f32(0);
      break;
    case ParameterKind::f64:
      block.f64(0);
      break;
    case ParameterKind::tensor_map:
      block.tensor_map({});
      break;
    case ParameterKind::u8:
      block.u8(0);
      break;
    case ParameterKind::u16:
      block.u16(0);
      break;
    case ParameterKind::bytes:
      block.bytes(std::vector<std::byte>(static_cast<size_t>(parameter.bytes)),
                  parameter.alignment);
      break;
  }
}

template <class T>
T read_at(const ArgumentBlock& block, int offset) {
  T value;
  std::memcpy(&value, block.bytes().data() + offset, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("a signature reads back from its text", "[launch][signature][law]") {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const Signature signature = random_signature(random);
    REQUIRE(parse_signature(to_string(signature)) == signature);
  }
  CHECK(to_string(parse_signature(" ( pointer a ,i32\n m ) ")) == "(pointer a, i32 m)");
  CHECK(parse_signature("()").parameters.empty());
}

TEST_CASE("a signature's text is refused where it goes wrong", "[launch][signature][refusal]") {
  const Error error = test::refusal_of([] { return parse_signature("(pointer a,\n  pointr b)"); });
  CHECK(error.code == ErrorCode::syntax);
  CHECK(error.value == "pointr");
  CHECK(error.nearest_legal == "pointer");
  CHECK(error.position == SourcePosition{2, 3});
  for (const char* text : {"", "(", ")", "(i32)", "(i32 a", "(i32 a,)", "(i32 a) x", "(i32 1a)",
                           "(,)", "i32 a", "(i32 a b)"})
    CHECK(test::refusal_of([&] { return parse_signature(text); }).code == ErrorCode::syntax);
}

TEST_CASE("mutated signature texts are read or refused, never anything else",
          "[launch][signature][law]") {
  std::mt19937 random(2);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = to_string(random_signature(random));
    const size_t edits = 1 + random() % 4;
    for (size_t edit = 0; edit < edits; ++edit) {
      const size_t at = random() % (text.size() + 1);
      const char letter = static_cast<char>(random() % 256);
      switch (random() % 3) {
        case 0:
          text.insert(at, 1, letter);
          break;
        case 1:
          text = text.substr(0, at);
          break;
        default:
          if (at < text.size()) text[at] = letter;
      }
    }
    try {
      const Signature signature = parse_signature(text);
      REQUIRE(parse_signature(to_string(signature)) == signature);
    } catch (const Exception& exception) {
      REQUIRE(exception.error().code == ErrorCode::syntax);
      ++refused;
    }
  }
  CHECK(refused > 5000);
}

TEST_CASE("arguments are packed where the signature says", "[launch][signature][law]") {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    const Signature signature = random_signature(random);
    ArgumentBlock block;
    for (size_t p = 0; p < signature.parameters.size(); ++p) {
      const Parameter& parameter = signature.parameters[p];
      append_zero(block, parameter);
      const int end = signature.offset_bytes(p) + size_bytes(parameter);
      REQUIRE(static_cast<int>(block.bytes().size()) == end);
      REQUIRE(signature.offset_bytes(p) % alignment_bytes(parameter) == 0);
    }
    REQUIRE(static_cast<int>(block.bytes().size()) == signature.size_bytes());
    block.check(signature);
  }
}

TEST_CASE("values sit at their offsets and gaps are zero", "[launch][signature]") {
  ArgumentBlock block;
  EncodedTensorMap map;
  map.bytes[127] = std::byte{0xab};
  block.i32(-5)
      .pointer(0x1234567890abcdefULL)
      .f32(1.5F)
      .tensor_map(map)
      .f64(-2.25)
      .u32(7)
      .i64(-9)
      .u64(11);
  CHECK(read_at<std::int32_t>(block, 0) == -5);
  CHECK(read_at<std::uint32_t>(block, 4) == 0);
  CHECK(read_at<std::uint64_t>(block, 8) == 0x1234567890abcdefULL);
  CHECK(read_at<float>(block, 16) == 1.5F);
  CHECK(read_at<EncodedTensorMap>(block, 64) == map);
  CHECK(read_at<double>(block, 192) == -2.25);
  CHECK(read_at<std::uint32_t>(block, 200) == 7);
  CHECK(read_at<std::int64_t>(block, 208) == -9);
  CHECK(read_at<std::uint64_t>(block, 216) == 11);
  CHECK(reinterpret_cast<std::uintptr_t>(block.bytes().data()) % 64 == 0);
}

TEST_CASE("the first argument that differs from the signature is named",
          "[launch][signature][refusal]") {
  const Signature signature = parse_signature("(pointer a, i32 m, f32 alpha)");
  const auto refusal = [&](const ArgumentBlock& block) {
    return test::refusal_of([&] {
      block.check(signature);
      return 0;
    });
  };
  const Error wrong = refusal(ArgumentBlock().pointer(1).u32(2).i32(3));
  CHECK(wrong.code == ErrorCode::signature_mismatch);
  CHECK(wrong.operand == "m");
  CHECK(wrong.value == "u32");
  CHECK(wrong.nearest_legal == "i32");
  const Error few = refusal(ArgumentBlock().pointer(1).i32(2));
  CHECK(few.operand == "alpha");
  CHECK(few.value == "2 arguments");
  const Error many = refusal(ArgumentBlock().pointer(1).i32(2).f32(3).f32(4));
  CHECK(many.operand == "arguments");
  CHECK(many.nearest_legal == "3 arguments");
}

TEST_CASE("structs, bytes and halves sit at their own alignment", "[launch][signature]") {
  ArgumentBlock block;
  const std::array<std::byte, 6> pair{std::byte{1}, std::byte{2}, std::byte{3},
                                      std::byte{4}, std::byte{5}, std::byte{6}};
  block.u8(200).u8(7).u16(50000).bytes(pair, 4).u8(9);
  CHECK(read_at<std::uint8_t>(block, 1) == 7);
  CHECK(read_at<std::uint16_t>(block, 2) == 50000);
  CHECK(read_at<std::array<std::byte, 6>>(block, 4) == pair);
  CHECK(read_at<std::uint8_t>(block, 10) == 9);
  block.check(parse_signature("(u8 a, u8 b, u16 c, bytes[6:4] d, u8 e)"));
  const Signature wrong = parse_signature("(u8 a, u8 b, u16 c, bytes[6:8] d, u8 e)");
  const auto refusal = [&] {
    block.check(wrong);
    return 0;
  };
  CHECK(test::refusal_of(refusal).operand == "d");
  CHECK(test::refusal_of([] { return parse_signature("(bytes[6:3] d)"); }).code ==
        ErrorCode::syntax);
  CHECK(test::refusal_of([] { return parse_signature("(bytes[40000] d)"); }).code ==
        ErrorCode::syntax);
}

TEST_CASE("an argument block keeps its values when it outgrows its own storage",
          "[launch][signature]") {
  ArgumentBlock block;
  for (int i = 0; i < 2000; ++i) block.i32(i).u64(static_cast<std::uint64_t>(i) << 40);
  const ArgumentBlock copy = block;
  REQUIRE(copy.kinds().size() == 4000);
  for (int i = 0; i < 2000; ++i) {
    REQUIRE(read_at<std::int32_t>(copy, i * 16) == i);
    REQUIRE(read_at<std::uint64_t>(copy, i * 16 + 8) == static_cast<std::uint64_t>(i) << 40);
  }
  CHECK(reinterpret_cast<std::uintptr_t>(copy.bytes().data()) % 64 == 0);
}

TEST_CASE("an argument block refuses what CUDA does", "[launch][signature][refusal]") {
  ArgumentBlock block;
  block.bytes(std::vector<std::byte>(32760), 8).i32(1);
  CHECK(block.bytes().size() == 32764);
  CHECK(test::refusal_of([&] { return &block.u8(1); }).code == ErrorCode::out_of_range);
}
