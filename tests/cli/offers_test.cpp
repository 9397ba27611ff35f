// Lines of many options for many problems, right and wrong: what is offered for a wrong one is
// taken, and most are offered something.
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cli/workplace.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Values of an option that are right for some problems only, or for none.
struct Choice {
  const char* option;
  std::vector<const char*> values;
};

const std::vector<Choice> kChoices{
    {"--tile",
     {"64x64x64", "128x256x64", "100x64x32", "16x8x16", "256x256x128", "1024x512x12", "5x12x176",
      "64x64", "64,64,64", "65537x64x64", "99999999999x64x64"}},
    {"--stages", {"0", "2", "5", "16", "17", "512", "99999999999", "two"}},
    {"--mma",
     {"SM90_64x64x16_F32F16F16_SS", "SM90_64x16x16_F32F16F16_RS",
      "SM90_64x128x32_S32S8S8_SS_TN_SATURATE", "SM90_64x104x16_F32BF16BF16_SS",
      "SM90_64x224x8_F32TF32TF32_SS_TN", "SM80_16x8x16_F32F16F16F32_TN",
      "SM80_16x8x8_F32TF32TF32F32_TN", "SM70_8x8x4_F32F16F16F32_NT", "SM61_DP4A",
      "SM90_16x8x8_F64F64F64F64_TN", "UniversalFMA<float>", "SM80_16x8x16_F32F16F16F32_NT",
      "HMMA"}},
    {"--atom-layout",
     {"(1,1,1)", "(2,2,1)", "(3,8,2):(2,1,1)", "(4,2,2)", "(2,1,1):(1,0,0)", "(1,3,1)",
      "(8,1,2):(1,1,1)"}},
    {"--permutation",
     {"(32,32,16)", "(8,16,16)", "(32,24,_)", "(_,16,8)", "(64,_,_)", "(65536,_,_)"}},
    {"--smem-a", {"Sw<3,3,3>o0o(64,64):(64,1)", "(128,64):(0,1)", "(7,9):(9,1)"}},
    {"--smem-b", {"(128,32):(32,1)", "(64,64):(1,64)", "Sw<2,3,3>o0o(128,32):(32,1)"}},
    {"--lda", {"3", "100", "1000", "9223372036854775807", "-1"}},
    {"--ldb", {"5", "192", "4611686018427387904"}},
    {"--align-a", {"0", "7", "96", "512", "8"}},
    {"--align-c", {"100", "1", "4096"}},
    {"--raster", {"0", "8", "65537", "9223372036854775807"}},
    {"--cluster", {"2x1", "3x1", "2", "2x1x1", "16x16"}},
    {"--split-k", {"2", "7", "100000"}},
    {"--ping-pong", {"2", "5"}},
    {"--main-loop", {"straight", "multistage", "warp_specialised", "pipelined", "multistaged"}},
    {"--pad", {"on", "off", "true"}},
    {"--swapped", {"on", "off"}},
    {"--widths", {"on", "off"}},
    {"--out-type", {"f16", "f32", "s32", "s8", "half"}},
    {"--acc", {"f16", "f32", "s32"}},
    {"--m-range", {"64:5", "1-64", "48:256", "0:9223372036854775807", "64"}},
    {"--step", {"-1", "0", "1", "9"}},
    {"--epilogue", {"gelu(acc)", "relu(acc", "relu", "silu(acc)*alpha", "geluu(acc)"}},
};
const std::vector<const char*> kExtents{"1", "7", "64", "100", "192", "255", "1000", "4096"};
const std::vector<const char*> kTypes{"f16", "bf16", "tf32", "f32", "f64", "s8", "e4m3"};
const std::vector<Choice> kPlaces{
    {"--arch", {"sm_70", "sm_75", "sm_80", "sm_89", "sm_90", "sm_90a"}},
    {"--device-preset", {"h200", "a100", "rtx4090", "t4"}},
    {"--order-a", {"row", "col"}},
    {"--order-b", {"row", "col"}},
};

/// The same on every machine, unlike the distributions of the standard library.
class Dice {
 public:
  explicit Dice(unsigned seed) : numbers_(seed) {}
  bool one_in(unsigned count) { return numbers_() % count == 0; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[numbers_() % list.size()];
  }

 private:
  std::mt19937 numbers_;
};

std::vector<std::string> line_of(Dice& dice) {
  std::vector<std::string> words{"plan"};
  for (const char* extent : {"--m", "--n", "--k"})
    words.insert(words.end(), {extent, dice.one_of(kExtents)});
  words.insert(words.end(), {"--type", dice.one_of(kTypes)});
  for (const Choice& place : kPlaces)
    if (dice.one_in(3)) words.insert(words.end(), {place.option, dice.one_of(place.values)});
  std::set<std::string> given;
  for (int i = dice.one_in(2) ? 1 : 3; i > 0; --i) {
    const Choice& choice = dice.one_of(kChoices);
    if (given.insert(choice.option).second)
      words.insert(words.end(), {choice.option, dice.one_of(choice.values)});
  }
  return words;
}

std::string joined(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) line += " " + word;
  return line;
}

}  // namespace

TEST_CASE("what is offered for any choice of any problem says all of it, and is taken",
          "[cli][usage][refusal]") {
  constexpr int kLines = 150;
  const Workplace place;
  Dice dice(20);
  int refused = 0, offered = 0, taken = 0;
  std::string others;
  for (int i = 0; i < kLines; ++i) {
    const std::vector<std::string> words = line_of(dice);
    const ProcessResult result = place.run(words);
    if (result.status == 0) continue;
    ++refused;
    INFO("jute" << joined(words) << "\n" << result.err);
    CHECK(result.status == 2);
    const std::vector<std::string> offer = command_words(offer_in(result.err));
    if (offer.empty()) continue;
    ++offered;
    // Choices get other values and what is missing is added; what is computed stays.
    REQUIRE(offer.size() >= words.size());
    const std::set<std::string> kept{"--m", "--n", "--k", "--type", "--order-a", "--order-b"};
    for (size_t at = 1; at < words.size(); ++at)
      if (words[at].starts_with("--") || kept.contains(words[at - 1]))
        CHECK(offer[at] == words[at]);
    const ProcessResult second = place.run(offer);
    taken += second.status == 0 ? 1 : 0;
    if (second.status != 0) others += "jute" + joined(offer) + "\n" + second.err;
  }
  INFO(others);
  CHECK(refused >= 100);
  CHECK(offered >= 50);
  CHECK(taken * 100 >= 97 * offered);
}
