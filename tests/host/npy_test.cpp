// The .npy reader against good files, lying files and mutated files.
#include <jute/host/npy.hpp>

#include <cstdlib>
#include <random>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

std::vector<std::byte> npy_bytes(std::string_view text) {
  const auto raw = std::as_bytes(std::span(text));
  return {raw.begin(), raw.end()};
}

/// A version 1.0 file around any header text.
std::vector<std::byte> file_with(const std::string& header, size_t data_bytes) {
  std::string text = "\x93NUMPY";
  text += '\x01';
  text += '\x00';
  text += static_cast<char>(header.size() & 0xFF);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  text.append(data_bytes, '\x07');
  return npy_bytes(text);
}

std::string rule_for(const std::string& header, size_t data_bytes) {
  const Error error =
      test::refusal_of([&] { return parse_npy(file_with(header, data_bytes), "a.npy"); });
  CHECK(error.code == ErrorCode::bad_file);
  CHECK(error.operand == "a.npy");
  REQUIRE(error.violated_rules.size() == 1);
  return error.violated_rules[0];
}

NpyArray example() {
  return {
      .descr = "<f4", .fortran_order = true, .shape = {3, 5}, .bytes = std::vector<std::byte>(60)};
}

std::vector<std::byte> file_of(const NpyArray& array) {
  std::vector<std::byte> file = npy_bytes(npy_header(array));
  file.insert(file.end(), array.bytes.begin(), array.bytes.end());
  return file;
}

}  // namespace

TEST_CASE("what is written reads back equal", "[host][npy][law]") {
  for (const auto& shape :
       std::vector<std::vector<Index>>{{}, {0}, {7}, {3, 5}, {2, 3, 4}, {4, 0}}) {
    for (const bool fortran : {false, true}) {
      NpyArray array{.descr = "<f2", .fortran_order = fortran, .shape = shape, .bytes = {}};
      Index count = 1;
      for (const Index extent : shape) count *= extent;
      for (Index i = 0; i < 2 * count; ++i) array.bytes.push_back(static_cast<std::byte>(i));
      CHECK(parse_npy(file_of(array), "x") == array);
      CHECK(npy_header(array).size() % 64 == 0);
    }
  }
}

TEST_CASE("headers of every format version and writer are understood", "[host][npy]") {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }      \n";
  const NpyArray first = parse_npy(file_with(header, 24), "x");
  CHECK(first.shape == std::vector<Index>{2, 3});
  CHECK(first.bytes.size() == 24);
  for (const char version : {'\x02', '\x03'}) {
    std::string text = "\x93NUMPY";
    text += version;
    text += '\x00';
    text += static_cast<char>(header.size());
    text.append(3, '\x00');
    text += header;
    text.append(24, '\x07');
    CHECK(parse_npy(npy_bytes(text), "x") == first);
  }
  CHECK(parse_npy(file_with("{\"shape\":(2L,3L),\"fortran_order\":False,\"descr\":\"<f4\"}", 24),
                  "x") == first);
}

TEST_CASE("a header that lies or is malformed is refused in one sentence", "[host][npy][refusal]") {
  const std::string f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
  CHECK(rule_for(f4 + "(2, 3), }", 20) ==
        "its shape (2, 3) of <f4 needs 24 bytes, but 20 follow the header");
  CHECK(rule_for(f4 + "(2, 3), }", 25) ==
        "its shape (2, 3) of <f4 needs 24 bytes, but 25 follow the header");
  CHECK(rule_for(f4 + "(4294967296, 4294967296), }", 0) ==
        "its shape (4294967296, 4294967296) must have no more bytes than 64 bits can count");
  CHECK(rule_for(f4 + "(99999999999999999999,), }", 0).find("fit 64 bits") != std::string::npos);
  CHECK(rule_for(f4 + "(-1, 3), }", 0).find("non-negative") != std::string::npos);
  CHECK(rule_for(f4 + "(3), }", 12).find("comma") != std::string::npos);
  CHECK(rule_for(f4 + "(2, 3)", 24).find("it must be '}'") != std::string::npos);
  CHECK(rule_for(f4 + "(2, 3)} x", 24).find("follow the closing brace") != std::string::npos);
  CHECK(rule_for("{'descr': '<f4', 'shape': (1,)}", 4) == "its header must have 'fortran_order'");
  CHECK(rule_for("{'descr': '<f4', 'descr': '<f4'}", 4) == "its header must have 'descr' once");
  CHECK(rule_for("{'order': 1}", 4) == "its header must not have the key 'order'");
  CHECK(rule_for("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4) ==
        "it must hold plain numbers, not records");
  CHECK(rule_for("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", 4).find("big-endian") !=
        std::string::npos);
  CHECK(rule_for("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", 4).find("'|O'") !=
        std::string::npos);
  CHECK(rule_for("", 0).find("it must be '{'") != std::string::npos);
}

TEST_CASE("every truncation of a file is refused", "[host][npy][refusal]") {
  const std::vector<std::byte> whole = file_of(example());
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(length));
    const Error error = test::refusal_of([&] { return parse_npy(part, "x"); });
    CHECK(error.code == ErrorCode::bad_file);
  }
}

TEST_CASE("mutated files are read or refused, and never anything else", "[host][npy][law]") {
  std::mt19937 random(7);
  const std::vector<std::byte> whole = file_of(example());
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> file = whole;
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < changes; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(random() % file.size());
      switch (random() % 3) {
        case 0:
          file[static_cast<size_t>(at)] = static_cast<std::byte>(random());
          break;
        case 1:
          file.erase(file.begin() + at);
          break;
        default:
          file.insert(file.begin() + at, static_cast<std::byte>(random()));
      }
    }
    try {
      const NpyArray array = parse_npy(file, "x");
      Index count = 1;
      for (const Index extent : array.shape) count *= extent;
      REQUIRE(array.bytes.size() % static_cast<size_t>(std::max<Index>(count, 1)) == 0);
    } catch (const Exception& exception) {
      REQUIRE(exception.error().code == ErrorCode::bad_file);
      REQUIRE(exception.error().violated_rules.size() == 1);
      ++refused;
    }
  }
  CHECK(refused > 10000);
}

TEST_CASE("element types travel as the table says", "[host][npy]") {
  const auto type_of = [](const char* descr, std::optional<DType> asked) {
    return element_type({.descr = descr, .shape = {}, .bytes = {}}, asked, {"a.npy", "--type "});
  };
  CHECK(type_of("<f2", {}) == DType::f16);
  CHECK(type_of("|u1", {}) == DType::u8);
  CHECK(type_of("<u2", DType::bf16) == DType::bf16);
  CHECK(type_of("|u1", DType::e4m3) == DType::e4m3);
  CHECK(type_of("<f4", DType::tf32) == DType::tf32);
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    CHECK(type_of(std::string(npy_descr(type)).c_str(), type) == type);
  }
  const Error wrong = test::refusal_of([&] { return type_of("<f4", DType::bf16); });
  CHECK(wrong.code == ErrorCode::unsupported);
  CHECK(wrong.violated_rules == std::vector<std::string>{"bf16 must travel as <u2 in .npy files"});
  CHECK(test::refusal_of([&] { return type_of("<i8", {}); }).code == ErrorCode::unsupported);
  CHECK(test::refusal_of([&] { return type_of("<u2", {}); }).code == ErrorCode::unsupported);
}

TEST_CASE("floats are rounded to the floating type that is asked for, nothing else is changed",
          "[host][npy]") {
  const std::vector<double> values{1.0, -0.1, 3.00390625, 65504.0, 1e-9};
  for (const DType from : {DType::f16, DType::f32, DType::f64}) {
    for (const DType to : {DType::f16, DType::bf16, DType::e4m3, DType::f32, DType::f64}) {
      NpyArray array{
          .descr = std::string(npy_descr(from)), .shape = {5}, .bytes = encode(from, values)};
      const std::vector<double> held = decode(from, array.bytes);
      round_elements(array, to);
      CHECK(array.descr == npy_descr(to));
      CHECK(array.bytes == encode(to, held));
    }
  }
  for (const auto& [descr, to] :
       {std::pair{"<u2", DType::f32}, {"|i1", DType::f32}, {"<f4", DType::s8}}) {
    NpyArray array{.descr = descr, .shape = {2}, .bytes = std::vector<std::byte>(8, std::byte{7})};
    const NpyArray before = array;
    round_elements(array, to);
    CHECK(array == before);
  }
}

TEST_CASE("the types of ml_dtypes are taken by their name", "[host][npy]") {
  const auto of = [](const std::string& descr) {
    return NpyArray{.descr = descr, .fortran_order = false, .shape = {1}, .bytes = {}};
  };
  CHECK(element_type(of("<V2"), DType::bf16, {"x", "--type "}) == DType::bf16);
  CHECK(element_type(of("|V1"), DType::e5m2, {"x", "--type "}) == DType::e5m2);
  CHECK(test::refusal_of([&] {
          return element_type(of("<V2"), {}, {"x", "--type "});
        })
            .violated_rules.at(0)
            .ends_with("--type bf16"));
  CHECK(test::refusal_of([&] {
          return element_type(of("|V1"), {}, {"x", "--type "});
        })
            .violated_rules.at(0)
            .ends_with("--type e4m3"));
  CHECK(test::refusal_of([&] {
          return element_type(of("<V2"), DType::e4m3, {"x", "--type "});
        }).code == ErrorCode::unsupported);
}
