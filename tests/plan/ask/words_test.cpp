// The table of words: each is read, means what pieces of matrices mean, and is refused by its name.
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/words.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// A value for each word, and words that give it something to say.
struct Sample {
  std::string_view value;
  std::vector<SaidWord> beside{};
};
const std::map<std::string_view, Sample> kSamples{
    {"M", {"40"}},
    {"m_range", {"1:40"}},
    {"N", {"40"}},
    {"K", {"40"}},
    {"batch", {"3"}},
    {"A", {"bf16"}},
    {"B", {"f32:col"}},
    {"C", {"f32:ld80"}},
    {"D", {"f32:col"}},
    {"type", {"f16"}},
    {"type_a", {"f16"}},
    {"type_b", {"f16"}},
    {"out_type", {"f16"}},
    {"accumulate", {"f64"}},
    {"precision", {"tf32x3"}},
    {"alpha", {"1"}},
    {"beta", {"0"}},
    {"order_a", {"col"}},
    {"order_b", {"col"}},
    {"order_c", {"col"}},
    {"lda", {"64"}},
    {"ldb", {"64"}},
    {"ldc", {"64"}},
    {"ldd", {"64"}},
    {"layout_a", {"(32,32):(1,32)"}},
    {"layout_b", {"(32,32):(32,1)"}},
    {"layout_c", {"(32,32):(1,32)"}},
    {"layout_d", {"(32,32):(1,32)"}},
    {"align_a", {"4"}},
    {"align_b", {"4"}},
    {"align_c", {"4"}},
    {"align_d", {"4"}},
    {"scale_a", {"f32"}},
    {"scale_b", {"f32"}},
    {"zero_a", {"1"}},
    {"zero_b", {"1"}},
    {"block_a", {"1x16", {{"scale_a", "f32"}}}},
    {"block_b", {"1x16", {{"scale_b", "f32"}}}},
    {"staged", {"bf16"}},
    {"epilogue", {"relu(acc)"}},
    {"gate", {"pairs", {{"epilogue", "acc*gate"}}}},
    {"quantise_d", {"1x64", {{"out_type", "e4m3"}}}},
    {"round_d", {"stochastic", {{"out_type", "bf16"}}}},
    {"groups", {"rows"}},
    {"count", {"3"}},
    {"bound", {"40", {{"groups", "rows"}}}},
    {"expected", {"5", {{"groups", "rows"}}}},
    {"rows_a", {"64"}},
    {"rows_d", {"64add"}},
};

std::vector<SaidWord> with(std::vector<SaidWord> beside, std::string_view name,
                           std::string_view value) {
  for (const char* extent : {"M", "N", "K"})
    if (name != extent && !((name == "m_range" || name == "bound") && *extent == 'M'))
      beside.insert(beside.begin(), {extent, "32"});
  if (!name.empty()) beside.push_back({std::string(name), std::string(value)});
  return beside;
}

}  // namespace

TEST_CASE("each word of the table says something of a problem", "[plan][words]") {
  for (const Keyword& word : words_of_problems()) {
    INFO(word.name);
    REQUIRE(kSamples.contains(word.name));
    const Sample& sample = kSamples.at(word.name);
    const Problem said = problem_of_words(with(sample.beside, word.name, sample.value));
    CHECK_FALSE(said == problem_of_words(with(sample.beside, "", "")));
    // A text of the same words is the same problem.
    std::string text;
    for (const SaidWord& one : with(sample.beside, word.name, sample.value))
      text += (text.empty() ? "" : " ") + one.name + "=\"" + one.value + "\"";
    CHECK(parse_problem(text) == said);
  }
}

TEST_CASE("a word of its own means the piece of a matrix", "[plan][words]") {
  for (const auto& [words, pieces] : {
           std::pair{"type=bf16 order_b=col lda=64 align_b=4", "A=bf16:ld64 B=bf16:col:align4"},
           {"type_a=u4 type_b=bf16 scale_a=f16 block_a=1x32 order_a=col",
            "A=u4:col B=bf16 scale_a=f16:col:block1x32"},
           {"out_type=f64 order_c=col ldc=40", "D=f64:col C=f64:col:ld40"},
           {"layout_a=(32,32):(1,32) rows_d=64i64", "A=f32:view[(32,32):(1,32)] D=f32:rows64i64"},
           {"lda=64 A=bf16", "A=bf16:ld64"},
           {"groups=rows count=4 bound=32 expected=8", "groups=rows:expected8 batch=4"},
           {"m_range=1:32", "M=1:32"},
       }) {
    INFO(words);
    const auto problem = [](const std::string& text) {
      const bool has_rows = text.find("M=") != text.npos || text.find("bound") != text.npos ||
                            text.find("m_range") != text.npos;
      return to_string(parse_problem((has_rows ? "N=32 K=32 " : "M=32 N=32 K=32 ") + text));
    };
    CHECK(problem(words) == problem(pieces));
  }
}

TEST_CASE("what is said of D alone is the epilogue that is made of it", "[plan][words]") {
  const Problem blocks = parse_problem("M=32 N=32 K=32 A=bf16 D=e4m3 quantise_d=1x64 scale_d=f16");
  REQUIRE(blocks.epilogue);
  CHECK(blocks.epilogue->outputs.back().type == DType::f16);
  CHECK(parse_problem(to_string(blocks)) == blocks);
  const Problem drawn = parse_problem("M=32 N=32 K=32 A=bf16 round_d=stochastic");
  REQUIRE(drawn.epilogue);
  CHECK(drawn.epilogue->expression.inputs.back().name == "seed");
}

TEST_CASE("behind an epilogue a word is what it names, of flags and calls the table's",
          "[plan][words]") {
  const Problem text = parse_problem(
      "M=32 N=32 K=32 batch=2 lda=40 epilogue=\"acc + count[n] + lda[m]\" count=f16 lda=bf16");
  CHECK(text.a.ld_elems == 40);
  CHECK(text.batch == 2);
  CHECK(text.epilogue->inputs[0].type == DType::f16);
  CHECK(text.epilogue->inputs[1].type == DType::bf16);
  const Problem said = problem_of_words(
      with({{"epilogue", "acc + count[n]"}, {"groups", "rows"}, {"count", "3"}}, "type", "f16"));
  CHECK(said.batch == 3);
  CHECK(said.epilogue->inputs[0].type == DType::f16);
}

TEST_CASE("a word that is refused is named with its own value", "[plan][words][refusal]") {
  struct Row {
    const char *name, *value, *rule;
    std::optional<std::string> nearest;
  };
  for (const Row& row : {
           Row{"type_a", "bf61", "an element type must be one of", "bf16"},
           {"order_b", "cols", "an order must be row or col", "col"},
           {"layout_a", "(4,4):(1", "", {}},
           {"rows_a", "x1", "rows must be followed by how many memory has", {}},
           {"block_a", "1x4", "it needs what blocks have", {}},
           {"quantise_d", "x", "it must be rows by columns", {}},
           {"round_d", "up", "it must be one of nearest, stochastic", {}},
       }) {
    INFO(row.name);
    const Error error = refusal_of([&] { (void)problem_of_words(with({}, row.name, row.value)); });
    CHECK(error.operand == row.name);
    CHECK(error.value == row.value);
    CHECK(error.violated_rules.front().find(row.rule) != std::string::npos);
    if (row.nearest) CHECK(error.nearest_legal == row.nearest);
  }
  const Error twice = refusal_of([] { (void)parse_problem("M=32 N=32 K=32 lda=64 A=bf16:ld64"); });
  CHECK(twice.operand == "A");
}

TEST_CASE("what the command or Python calls a word is near it", "[plan][words][refusal]") {
  for (const auto& [said, nearest] : {std::pair{"dtype=bf16", "type"},
                                      {"acc=f32", "accumulate"},
                                      {"stage_as=bf16", "staged"},
                                      {"order_d=col", "order_c"},
                                      {"m=32", "M"}}) {
    INFO(said);
    const Error error =
        refusal_of([&] { (void)parse_problem(std::string("M=32 N=32 K=32 ") + said); });
    CHECK(error.code == ErrorCode::unknown_name);
    CHECK(error.nearest_legal == nearest);
  }
}
