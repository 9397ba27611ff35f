// Spellings that choices had before are read as today's.
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/old_words.hpp>
#include <jute/plan/ask/run_values.hpp>
#include <jute/plan/ask/words.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

TEST_CASE("choices are read in the words that they had", "[plan][config][names]") {
  CHECK(to_string(
            parse_config("teams=2 slices=4 meeting=all_add raster_group=16 specialize=shared")) ==
        "specialize=generic raster_width=16 ping_pong=2 split_k=4 reduction=all_add");
  Config config;
  choose(config, "slices", "3");
  CHECK(config.split_k == 3);
  CHECK(config == parse_config("split_k=3"));
}

TEST_CASE("each old word has a choice of today, and is none", "[plan][config][names]") {
  for (const OldWord& word : old_words()) {
    CAPTURE(word.choice, word.old);
    CHECK(today_of(word.choice, word.old) == word.now);
    CHECK(today_of(word.choice, word.now) == word.now);
    REQUIRE(old_word_read() != nullptr);
    if (!word.choice.empty()) continue;
    CHECK(find_word(words_of_choices(), word.now) != nullptr);
    CHECK(find_word(words_of_choices(), word.old) == nullptr);
  }
}

TEST_CASE("a value of an old choice is judged by today's rules", "[plan][config][names][refusal]") {
  const Error error = test::refusal_of([] { (void)parse_config("slices=many"); });
  CHECK(error.operand == "split_k");
  REQUIRE(error.position);
  CHECK(error.position->column == 8);
}

TEST_CASE("counts that were kept name numbers of a run in their old words",
          "[plan][count][names]") {
  CHECK(parse_run_value("slices") == parse_run_value("split_k"));
  CHECK(name(parse_run_value("slices")) == "split_k");
}
