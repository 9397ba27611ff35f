// Terminal tables of layouts and TV layouts.
#include <jute/draw/picture.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

TEST_CASE("a row-major layout is drawn as the table of its offsets", "[draw][text][golden]") {
  CHECK(to_text(layout_picture(ComposedLayout("(3,4):(4,1)"))) ==
        "(3,4):(4,1)\n"
        "     0  1  2  3\n"
        "  ┌─────────────\n"
        "0 │  0  1  2  3\n"
        "1 │  4  5  6  7\n"
        "2 │  8  9 10 11\n");
}

TEST_CASE("a frame of plain characters has the same cells", "[draw][text]") {
  CHECK(to_text(layout_picture(ComposedLayout("(2,2):(1,2)")), Color::none, Frame::ascii) ==
        "(2,2):(1,2)\n"
        "    0 1\n"
        "  +-----\n"
        "0 | 0 2\n"
        "1 | 1 3\n");
}

TEST_CASE("a layout of another rank is drawn as its first mode by the rest", "[draw][text]") {
  const Picture one_mode = layout_picture(ComposedLayout("4:2"));
  REQUIRE(one_mode.panels.size() == 1);
  CHECK(one_mode.panels[0].rows == 4);
  CHECK(one_mode.panels[0].columns == 1);
  const Picture three_modes = layout_picture(ComposedLayout("(2,3,4):(12,4,1)"));
  CHECK(three_modes.panels[0].rows == 2);
  CHECK(three_modes.panels[0].columns == 12);
  CHECK(three_modes.panels[0].cells[12 + 3].text == std::to_string(12 + 1));
}

TEST_CASE("a swizzled layout is drawn with its swizzled offsets", "[draw][text]") {
  const ComposedLayout layout("Sw<1,0,1>o0o(2,4):(4,1)");
  const Picture picture = layout_picture(layout);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 4; ++column)
      CHECK(picture.panels[0].cells[static_cast<size_t>(row * 4 + column)].text ==
            std::to_string(layout(IntTuple{row, column})));
}

TEST_CASE("colour appears only when asked for, and every line ends uncoloured", "[draw][text]") {
  const ComposedLayout layout("(2,2):(1,2)");
  CHECK(to_text(layout_picture(layout)).find('\x1b') == std::string::npos);
  const std::string coloured = to_text(layout_picture(layout), Color::ansi);
  CHECK(coloured.find("\x1b[30;48;5;") != std::string::npos);
  CHECK(coloured.find("\x1b[0m\n") != std::string::npos);
}

TEST_CASE("a TV picture names the thread and value of every element", "[draw][tv][golden]") {
  CHECK(to_text(tv_picture(Layout("(2,2):(1,2)"), 2, 2)) ==
        "(2,2):(1,2) over 2x2\n"
        "        0     1\n"
        "  ┌─────────────\n"
        "0 │ T0 V0 T0 V1\n"
        "1 │ T1 V0 T1 V1\n"
        "T is the thread, V which of its values\n");
}

TEST_CASE("an element that several threads hold says so", "[draw][tv]") {
  const Picture picture = tv_picture(Layout("(4,2):(0,1)"), 2, 1);
  CHECK(picture.panels[0].cells[0].holders.size() == 4);
  CHECK(picture.panels[0].cells[0].text == "T0\nV0…");
}

TEST_CASE("pictures that nobody could read are refused", "[draw][refusal]") {
  const Error big = test::refusal_of([] {
    return layout_picture(ComposedLayout(Layout(IntTuple{512, 512})));
  });
  CHECK(big.code == ErrorCode::out_of_range);
  CHECK(big.violated_rules == std::vector<std::string>{"a picture must have 1 to 65536 cells"});
  const Error rank = test::refusal_of([] { return tv_picture(Layout("4:1"), 2, 2); });
  CHECK(rank.code == ErrorCode::wrong_arity);
  const Error outside = test::refusal_of([] { return tv_picture(Layout("(4,2):(1,4)"), 2, 2); });
  CHECK(outside.code == ErrorCode::out_of_range);
}
