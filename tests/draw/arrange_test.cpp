// Pictures made from pictures, and what pictures say below their cells.
#include <jute/atom/catalogue.hpp>
#include <jute/draw/arrange.hpp>

#include <algorithm>
#include <set>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const Catalogue kCatalogue;

Picture atom_picture() { return mma_picture(kCatalogue.mma("SM80_16x8x16_F32F16F16F32_TN")); }

std::vector<int> colors_of(const PicturePanel& panel) {
  std::vector<int> colors;
  for (const PictureCell& cell : panel.cells) colors.push_back(cell.color);
  return colors;
}

bool has_note(const Picture& picture, const std::string& note) {
  return std::ranges::count(picture.notes, note) == 1;
}

}  // namespace

TEST_CASE("cells are coloured by who holds them", "[draw][arrange]") {
  const Picture by_value = colored(atom_picture(), ColorBy::value);
  CHECK(by_value.panels[2].cells[8 * 8 + 1].color == 3);  // row 8, column 1 of C is V3 of T0
  CHECK(by_value.legend.size() == 8);
  CHECK(by_value.legend[7].text == "V7");
  const TiledMma four(kCatalogue.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout("(2,2,1):(1,2,0)"));
  const Picture by_warp = colored(tiled_mma_picture(four), ColorBy::warp);
  const PicturePanel& c = by_warp.panels[2];
  CHECK(c.cells[0].color == 0);
  CHECK(c.cells[static_cast<size_t>(16 * c.columns)].color == 1);
  CHECK(c.cells[8].color == 2);
  CHECK(by_warp.legend.size() == 4);
}

TEST_CASE("cells are coloured by a layout of one's own", "[draw][arrange]") {
  const Picture layout = layout_picture(ComposedLayout("(4,4):(4,1)"));
  CHECK(colors_of(colored(layout, Layout("((2,2),(2,2)):((0,1),(0,2))")).panels[0]) ==
        std::vector<int>{0, 0, 2, 2, 0, 0, 2, 2, 1, 1, 3, 3, 1, 1, 3, 3});
  const Picture quads = colored(atom_picture(), Layout("(4,8):(1,0)"));
  std::set<int> used;
  for (const PictureCell& cell : quads.panels[0].cells) {
    used.insert(cell.color);
    CHECK(cell.color == cell.holders.front().thread % 4);
  }
  CHECK(used.size() == 4);
  // Colours go round: -1 is the last.
  CHECK(colored(layout, Layout("(4,4):(-1,0)")).panels[0].cells[4].color == 31);
  CHECK(to_svg({.panels = {}, .notes = {}, .legend = {{-5, "none"}}}).find("swatch w") !=
        std::string::npos);
  const Error error = refusal_of([&] { (void)colored(layout, Layout("(2,2):(1,2)")); });
  CHECK(error.code == ErrorCode::out_of_range);
  CHECK(error.violated_rules[0].find("(row,column)") != std::string::npos);
}

TEST_CASE("the value of a layout's cell is what the layout gives there", "[draw][arrange]") {
  const Picture picture = layout_picture(ComposedLayout("(2,3):(3,1)"));
  CHECK(colors_of(colored(picture, ColorBy::value).panels[0]) ==
        std::vector<int>{0, 1, 2, 3, 4, 5});
  const Picture wide = layout_picture(ComposedLayout("(1,3):(1,31)"));
  CHECK(colors_of(colored(wide, ColorBy::value).panels[0]) == std::vector<int>{0, 31, 30});
  CHECK(refusal_of([&] { (void)colored(picture, ColorBy::thread); }).nearest_legal == "order");
}

TEST_CASE("cells are coloured by a function of one's own", "[draw][arrange]") {
  const Picture rows = colored(layout_picture(ComposedLayout("(2,3):(3,1)")), Palette::threads,
                               [](const PicturePanel&, int row, int) { return row; });
  CHECK(colors_of(rows.panels[0]) == std::vector<int>{0, 0, 0, 1, 1, 1});
}

TEST_CASE("order goes from light to deep", "[draw][arrange]") {
  const Picture picture = colored(layout_picture(ComposedLayout("(2,2):(2,1)")), ColorBy::order);
  CHECK(colors_of(picture.panels[0]) == std::vector<int>{0, 20, 10, 31});
  CHECK(refusal_of([&] { (void)colored(picture, ColorBy::warp); }).code == ErrorCode::wrong_type);
  CHECK(refusal_of([] { (void)parse_color_by("warps"); }).nearest_legal == "warp");
}

TEST_CASE("a picture of one thread shows what it holds and nothing else", "[draw][arrange]") {
  const Picture picture = of_thread(atom_picture(), 5);
  int shown = 0;
  for (const PicturePanel& panel : picture.panels)
    for (const PictureCell& cell : panel.cells) {
      if (cell.text.empty()) continue;
      CHECK(cell.text.starts_with("T5\n"));
      ++shown;
    }
  CHECK(shown == 8 + 4 + 4);
  const Error error = refusal_of([] { (void)of_thread(atom_picture(), 32); });
  CHECK(error.code == ErrorCode::out_of_range);
  CHECK(error.nearest_legal == "31");
}

TEST_CASE("two pictures stand beside each other and do not overlap", "[draw][arrange]") {
  const Picture both = beside(layout_picture(ComposedLayout("(2,3):(3,1)")),
                              layout_picture(ComposedLayout("(2,4):(1,2)")));
  REQUIRE(both.panels.size() == 2);
  CHECK(both.panels[1].column == 5);
  CHECK(both.title == "(2,3):(3,1)   |   (2,4):(1,2)");
}

TEST_CASE("a large picture keeps its first and last rows and columns, with their numbers",
          "[draw][arrange]") {
  const Picture picture = thinned(layout_picture(ComposedLayout("(4,100):(100,1)")), 32);
  REQUIRE(picture.panels.size() == 2);
  const PicturePanel &first = picture.panels[0], &last = picture.panels[1];
  CHECK((first.columns == 24 && last.columns == 8));
  CHECK(last.first_column == 92);
  CHECK(last.column == 25);
  CHECK(last.cells[0].text == "92");
  CHECK(has_note(picture, "columns 24 to 91 are left out"));
  const Picture nested = thinned(layout_picture(ComposedLayout("((2,2),100):((1,2),4)")), 32);
  CHECK(nested.panels[0].row_names.size() == 4);
  CHECK(nested.panels[1].row_names.empty());
  // B above C moves with it.
  const Picture wide = thinned(mma_picture(kCatalogue.mma("SM90_64x256x16_F32F16F16_RS")), 32);
  for (const PicturePanel& panel : wide.panels) CHECK(panel.column + panel.columns <= 16 + 1 + 33);
}

TEST_CASE("nested modes have lines at their ends and coordinates of their own", "[draw][bounds]") {
  const PicturePanel panel =
      layout_picture(ComposedLayout("((2,2),(2,(2,2))):((1,8),(2,(16,32)))")).panels[0];
  CHECK(panel.row_bounds == std::vector<PictureBound>{{2, 1}});
  CHECK(panel.column_bounds == std::vector<PictureBound>{{2, 1}, {4, 2}, {6, 1}});
  CHECK(panel.row_names == std::vector<std::string>{"(0,0)", "(1,0)", "(0,1)", "(1,1)"});
  CHECK(panel.column_names[5] == "(1,(0,1))");
  CHECK(layout_picture(ComposedLayout("(4,4):(4,1)")).panels[0].row_bounds.empty());
  CHECK(layout_picture(ComposedLayout("((4,1),4):((4,0),1)")).panels[0].row_names.empty());
  const std::string page = to_html(layout_picture(ComposedLayout("((2,2),4):((1,8),2)")));
  CHECK(page.find("data-n=\"(1,0) \"") != std::string::npos);
}

TEST_CASE("lines part the warps of a tile", "[draw][bounds]") {
  const TiledMma four(kCatalogue.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout("(2,2,1):(1,2,0)"));
  const PicturePanel c = tiled_mma_picture(four).panels[2];
  CHECK(c.row_bounds == std::vector<PictureBound>{{16, 2}});
  CHECK(c.column_bounds == std::vector<PictureBound>{{8, 2}});
}

TEST_CASE("a picture of banks says what conflicts cost", "[draw][banks]") {
  const Picture plain = bank_picture(ComposedLayout("(8,64):(64,1)"), 16);
  CHECK(has_note(plain,
                 "down a column, 8 lanes, 2 bytes each: 8-way conflict (8 cycles, at best 1)"));
  CHECK(has_note(plain, "along a row, 32 lanes, 2 bytes each: no conflict"));
  CHECK(has_note(plain,
                 "eight rows of 16 bytes at once, as ldmatrix reads: 8-way conflict "
                 "(8 cycles, at best 1)"));
  const Picture swizzled = bank_picture(ComposedLayout("Sw<3,3,3>o0o(8,64):(64,1)"), 16);
  CHECK(has_note(swizzled, "down a column, 8 lanes, 2 bytes each: no conflict"));
  CHECK(has_note(swizzled, "eight rows of 16 bytes at once, as ldmatrix reads: no conflict"));
}

TEST_CASE("an SVG tells its notes, its legend and a description", "[draw][svg]") {
  const std::string svg = to_svg(colored(atom_picture(), ColorBy::thread));
  CHECK(svg.find("<desc>A: 16 rows, 16 columns. B: 16 rows, 8 columns. C: 16 rows, 8 columns. T is "
                 "the thread, V which of its values. </desc>") != std::string::npos);
  CHECK(svg.find(">T31</text>") != std::string::npos);
  CHECK(svg.find("class=\"swatch c31\"") != std::string::npos);
  CHECK(svg.find("prefers-color-scheme:dark") != std::string::npos);
}

TEST_CASE("a picture is cut evenly, where modes end and never between one thread's values",
          "[draw][strips]") {
  const auto widths = [](const Picture& picture, int columns) {
    std::vector<int> all;
    for (const PicturePanel& panel : in_strips(picture, columns).panels)
      if (panel.title.empty() || panel.title == "C") all.push_back(panel.columns);
    return all;
  };
  const auto layout = [](const char* text) { return layout_picture(ComposedLayout(text)); };
  CHECK(widths(layout("(2,64):(64,1)"), 61) == std::vector{32, 32});
  CHECK(widths(layout("(2,37):(37,1)"), 20) == std::vector{19, 18});
  CHECK(widths(layout("(2,(12,3)):(36,(1,12))"), 20) == std::vector{12, 12, 12});
  CHECK(widths(layout("(2,(6,7)):(42,(1,6))"), 20) == std::vector{12, 12, 18});
  // Pairs of values stay whole.
  const TiledMma four(kCatalogue.mma("SM80_16x8x8_F32F16F16F32_TN"), Layout("(1,3,1):(0,1,0)"));
  CHECK(widths(tiled_mma_picture(four), 22) == std::vector{8, 8, 8});  // of three warps
  for (const int columns : {5, 7, 11, 13})
    for (const int width : widths(tiled_mma_picture(four), columns)) CHECK(width % 2 == 0);
}

TEST_CASE("strips have all cells of a picture once", "[draw][strips][law]") {
  for (const char* name : {"SM80_16x8x16_F32F16F16F32_TN", "SM70_8x8x4_F32F16F16F32_NT"}) {
    const Picture whole = mma_picture(kCatalogue.mma(name));
    const auto cells = [](const Picture& picture) {
      std::multiset<std::string> all;
      for (const PicturePanel& panel : picture.panels)
        for (const PictureCell& cell : panel.cells) all.insert(panel.title + cell.text);
      return all;
    };
    for (int columns = 1; columns < 26; ++columns) {
      const Picture cut = in_strips(whole, columns);
      CHECK(cells(cut) == cells(whole));
      for (const PicturePanel& panel : cut.panels) CHECK(panel.column + panel.columns <= columns);
    }
  }
}

TEST_CASE("an operand that all threads share is one box", "[draw][regions]") {
  const Picture atom = mma_picture(kCatalogue.mma("SM90_64x128x16_F32F16F16_SS"));
  REQUIRE(atom.panels.size() == 3);
  CHECK(atom.panels[0].region == "64 x 16\none descriptor\nshared by T0-T127");
  CHECK(atom.panels[1].region == "16 x 128\none descriptor\nshared by T0-T127");
  CHECK(atom.panels[2].region.empty());
  CHECK((atom.panels[0].rows == 64 && atom.panels[1].columns == 128));
  const std::string svg = to_svg(atom);
  CHECK(svg.find("class=\"region\"") != std::string::npos);
  CHECK(svg.find(">one descriptor</text>") != std::string::npos);
  CHECK(to_text(atom).find("A: 64 x 16, one descriptor, shared by T0-T127\n") != std::string::npos);
  // Each warpgroup has its own half of A, and all of them B.
  const TiledMma two(kCatalogue.mma("SM90_64x64x16_F32F16F16_SS"), Layout("(2,1,1):(1,0,0)"));
  const Picture tiled = tiled_mma_picture(two);
  REQUIRE(tiled.panels.size() == 4);
  CHECK(tiled.panels[1].region == "64 x 16\none descriptor\nshared by T128-T255");
  CHECK(tiled.panels[2].region == "16 x 64\none descriptor\nshared by T0-T255");
  const Picture small = thinned(tiled, 32);
  CHECK((small.panels[0].rows == 24 && small.panels[1].rows == 8));
  CHECK(small.panels[1].row == small.panels[0].row + 25);
  // Registers are drawn as before.
  CHECK(mma_picture(kCatalogue.mma("SM90_64x64x16_F32F16F16_RS")).panels[0].region.empty());
}

TEST_CASE("what is left out is said in the gap", "[draw][arrange]") {
  const Picture picture = thinned(layout_picture(ComposedLayout("(100,100):(100,1)")), 32);
  REQUIRE(picture.panels.size() == 4);
  CHECK(picture.panels[1].left_out_before == "columns 24 to 91 are left out");
  CHECK(picture.panels[2].left_out_above == "rows 24 to 91 are left out");
  const std::string svg = to_svg(picture);
  CHECK(svg.find("class=\"gap\"") != std::string::npos);
  CHECK(svg.find("rotate(90") != std::string::npos);
}

TEST_CASE("the corner beside B holds the legend where it fits", "[draw][svg]") {
  const auto legend_y = [](const std::string& svg) {
    return std::stoi(svg.substr(svg.find(" y=\"", svg.find("class=\"swatch")) + 4));
  };
  const std::string wide = to_svg(atom_picture());
  CHECK(legend_y(wide) < 120);
  const TiledMma four(kCatalogue.mma("SM70_8x8x4_F32F16F16F32_NT"), Layout("(2,2,1):(1,2,0)"));
  CHECK(to_svg(tiled_mma_picture(four)).find("class=\"swatch") == std::string::npos);
  CHECK(legend_y(to_svg(colored(tiled_mma_picture(four), ColorBy::thread))) > 500);
}

TEST_CASE("beside a plain layout a swizzled one has the colours of where its offsets were",
          "[draw][arrange]") {
  const auto layout = [](const char* text) { return layout_picture(ComposedLayout(text)); };
  const Picture both = beside(layout("(8,64):(64,1)"), layout("Sw<3,3,3>o0o(8,64):(64,1)"));
  CHECK(both.palette == Palette::threads);
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 64; ++column) {
      const auto at = static_cast<size_t>(row * 64 + column);
      CHECK(both.panels[0].cells[at].color == column / 8);
      CHECK(both.panels[1].cells[at].color == (column / 8 ^ row));
    }
  CHECK(both.legend.size() == 8);
  CHECK(both.legend[1].text == "columns 8-15");
  // Where columns keep their offsets, rows tell.
  const Picture down = beside(layout("(4,4):(1,4)"), layout("Sw<2,0,2>o0o(4,4):(1,4)"));
  CHECK(colors_of(down.panels[0]) == std::vector{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
  CHECK(down.panels[1].cells[1].color == 1);
  // Other pairs keep the colours of their offsets.
  CHECK(beside(layout("(4,4):(1,4)"), layout("(4,4):(2,8)")).palette == Palette::sequence);
  CHECK(beside(layout("(4,4):(1,4)"), layout("(4,4):(1,4)")).palette == Palette::sequence);
}

TEST_CASE("cells say their coordinates", "[draw][arrange]") {
  const Picture flat = with_coordinates(layout_picture(ComposedLayout("(2,2):(2,1)")));
  CHECK(flat.panels[0].cells[2].text == "2\n(1,0)");
  const Picture nested = with_coordinates(layout_picture(ComposedLayout("((2,2),2):((1,4),2)")));
  CHECK(nested.panels[0].cells[7].text == "7\n((1,1),1)");
}
