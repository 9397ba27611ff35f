// Layouts through the C interface.
#include "c/c_support.hpp"

using namespace jute::test;

TEST_CASE("an expression's value is what jute eval prints", "[c][layout]") {
  jute_text* text = nullptr;
  REQUIRE(jute_eval("composition((4,8):(8,1),(2,4):(4,1))", &text) == JUTE_OK);
  const Owned<jute_text> owned(text);
  CHECK(std::string(jute_text_data(text)) == "(2,4):(1,8)");
  CHECK(jute_text_size(text) == std::string(jute_text_data(text)).size());
}

TEST_CASE("a layout tells its size, reach, modes and offsets", "[c][layout]") {
  jute_layout* layout = nullptr;
  REQUIRE(jute_layout_create("Sw<1,0,1>o0o(2,4):(4,1)", &layout) == JUTE_OK);
  const Owned<jute_layout> owned(layout);
  CHECK(std::string(jute_layout_text(layout)) == "Sw<1,0,1>o0o(2,4):(4,1)");
  int64_t size = 0, cosize = 0, rank = 0;
  REQUIRE(jute_layout_size(layout, &size) == JUTE_OK);
  REQUIRE(jute_layout_cosize(layout, &cosize) == JUTE_OK);
  REQUIRE(jute_layout_rank(layout, &rank) == JUTE_OK);
  CHECK(size == 8);
  CHECK(cosize == 8);
  CHECK(rank == 2);
  std::vector<int64_t> offsets(8);
  REQUIRE(jute_layout_offsets(layout, offsets.data(), offsets.size()) == JUTE_OK);
  CHECK(offsets == std::vector<int64_t>{0, 4, 1, 5, 3, 7, 2, 6});
  int64_t offset = 0;
  REQUIRE(jute_layout_offset(layout, 5, &offset) == JUTE_OK);
  CHECK(offset == 7);
  CHECK(jute_layout_offset(layout, 8, &offset) == JUTE_REFUSED);
  CHECK(jute_layout_offsets(layout, offsets.data(), 9) == JUTE_REFUSED);
}

TEST_CASE("a layout may be what an expression gives, and nothing else", "[c][layout][refusal]") {
  jute_layout* layout = nullptr;
  REQUIRE(jute_layout_create("coalesce((2,4):(1,2))", &layout) == JUTE_OK);
  CHECK(std::string(jute_layout_text(layout)) == "8:1");
  CHECK(jute_layout_free(layout) == JUTE_OK);
  CHECK(jute_layout_create("Sw<1,0,1>", &layout) == JUTE_REFUSED);
  CHECK(layout == nullptr);
  CHECK(last_error_says({"\"wrong_type\"", "it must be a layout"}));
}
