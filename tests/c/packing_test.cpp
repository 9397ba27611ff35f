// Packed weights through the C interface.
#include "c/c_support.hpp"

#include <array>

using namespace jute::test;

TEST_CASE("weights are packed in another format's order", "[c][packing]") {
  // Eight outputs of one input, 0 to 7: AWQ's word has the even ones first.
  const std::array<unsigned char, 8> numbers{0, 1, 2, 3, 4, 5, 6, 7};
  std::array<unsigned char, 4> words{};
  REQUIRE(jute_pack_weights("bytes", "awq", JUTE_WEIGHTS, nullptr, 8, 1, numbers.data(),
                            numbers.size(), words.data(), words.size()) == JUTE_OK);
  CHECK(words == std::array<unsigned char, 4>{0x20, 0x64, 0x31, 0x75});
  std::array<unsigned char, 8> back{};
  REQUIRE(jute_pack_weights("awq", "bytes", JUTE_WEIGHTS, "u4", 8, 1, words.data(), words.size(),
                            back.data(), back.size()) == JUTE_OK);
  CHECK(back == numbers);
}

TEST_CASE("signs, scales and zero points are packed, too", "[c][packing]") {
  const std::array<signed char, 4> numbers{-1, 7, -8, 0};
  std::array<unsigned char, 2> halves{};
  REQUIRE(jute_pack_weights("bytes", "jute", JUTE_WEIGHTS, "s4", 2, 2, numbers.data(), 4,
                            halves.data(), 2) == JUTE_OK);
  CHECK(halves == std::array<unsigned char, 2>{0x7f, 0x08});
  const std::array<float, 4> by_group{1, 2, 3, 4};
  std::array<float, 4> by_row{};
  REQUIRE(jute_pack_weights("gptq", "jute", JUTE_SCALES, "f32", 2, 2, by_group.data(), 16,
                            by_row.data(), 16) == JUTE_OK);
  CHECK(by_row == std::array<float, 4>{1, 3, 2, 4});
  const std::array<unsigned char, 4> zeros{0x77, 0x77, 0x77, 0xf7};
  std::array<unsigned char, 8> counted{};
  REQUIRE(jute_pack_weights("gptq", "jute", JUTE_ZEROS, nullptr, 8, 1, zeros.data(), 4,
                            counted.data(), 8) == JUTE_OK);
  CHECK(counted == std::array<unsigned char, 8>{8, 8, 8, 8, 8, 8, 8, 16});
}

TEST_CASE("a packing tells its layout and its bytes", "[c][packing]") {
  jute_layout* layout = nullptr;
  REQUIRE(jute_weight_layout("gptq", JUTE_WEIGHTS, 64, 128, &layout) == JUTE_OK);
  CHECK(std::string(jute_layout_text(layout)) == "((1,64),(8,16)):((0,8),(1,512))");
  CHECK(jute_layout_free(layout) == JUTE_OK);
  int64_t bytes = 0;
  REQUIRE(jute_weight_bytes("marlin", JUTE_WEIGHTS, nullptr, 64, 16, &bytes) == JUTE_OK);
  CHECK(bytes == 512);
  REQUIRE(jute_weight_bytes("awq", JUTE_SCALES, "bf16", 64, 3, &bytes) == JUTE_OK);
  CHECK(bytes == 384);
}

TEST_CASE("what cannot be packed is refused, and the target is as it was",
          "[c][packing][refusal]") {
  std::array<unsigned char, 8> numbers{0, 1, 2, 3, 4, 5, 6, 16};
  std::array<unsigned char, 4> words{1, 2, 3, 4};
  const auto packed = [&](const char* from, const char* to, int32_t part, const char* type,
                          size_t bytes) {
    return jute_pack_weights(from, to, part, type, 8, 1, numbers.data(), numbers.size(),
                             words.data(), bytes);
  };
  CHECK(packed("bytes", "awq", JUTE_WEIGHTS, nullptr, 4) == JUTE_REFUSED);
  CHECK(last_error_says({"\"out_of_range\"", "element (7,0) of (N,K)"}));
  numbers[7] = 7;
  CHECK(packed("bytes", "aqw", JUTE_WEIGHTS, nullptr, 4) == JUTE_REFUSED);
  CHECK(last_error_says({"\"unknown_name\"", "\"nearest_legal\":\"awq\""}));
  CHECK(packed("bytes", "awq", 3, nullptr, 4) == JUTE_REFUSED);
  CHECK(packed("bytes", "awq", JUTE_WEIGHTS, "f16", 4) == JUTE_REFUSED);
  CHECK(packed("bytes", "awq", JUTE_ZEROS, "u8", 4) == JUTE_REFUSED);
  CHECK(packed("bytes", "awq", JUTE_WEIGHTS, nullptr, 5) == JUTE_REFUSED);
  CHECK(last_error_says({"target_bytes", "\"nearest_legal\":\"4\""}));
  CHECK(packed(nullptr, "awq", JUTE_WEIGHTS, nullptr, 4) == JUTE_REFUSED);
  CHECK(packed("bytes", "marlin", JUTE_WEIGHTS, nullptr, 4) == JUTE_REFUSED);
  CHECK(last_error_says({"\"not_divisible\""}));
  CHECK(words == std::array<unsigned char, 4>{1, 2, 3, 4});
}
