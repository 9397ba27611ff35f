// SVG documents and pages.
#include <jute/atom/catalogue.hpp>
#include <jute/draw/latex.hpp>
#include <jute/draw/picture.hpp>

#include <set>
#include <sstream>

#include "support/catch.hpp"

using namespace jute;

namespace {

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("an SVG has one cell for each coordinate and needs no other file", "[draw][svg]") {
  const std::string svg = to_svg(layout_picture(ComposedLayout("Sw<3,3,3>o0o(8,64):(64,1)")));
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(count(svg, "<g class=\"cell\"") == 8 * 64);
  CHECK(count(svg, "http") == 1);
  CHECK(svg.find("Sw&lt;3,3,3&gt;") != std::string::npos);
  CHECK(svg.find("Sw<") == std::string::npos);
}

TEST_CASE("a page carries thread and value of every cell", "[draw][html]") {
  const std::string page = to_html(tv_picture(Layout("(4,2):(1,4)"), 4, 2));
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(count(page, "data-t=") == 8);
  CHECK(page.find("data-t=\"3\" data-v=\"1\"") != std::string::npos);
  CHECK(page.find("src=") == std::string::npos);
  CHECK(page.find("href=") == std::string::npos);
}

TEST_CASE("threads that share a cell travel as ranges", "[draw][html]") {
  const std::string page = to_html(tv_picture(Layout("((4,2),1):((0,1),0)"), 2, 1));
  CHECK(page.find("data-t=\"0-3\"") != std::string::npos);
  CHECK(page.find("data-t=\"4-7\"") != std::string::npos);
}

TEST_CASE("a bank picture puts two bf16 in each bank and starts again after 128 bytes",
          "[draw][banks]") {
  const Picture picture = bank_picture(ComposedLayout("(2,64):(64,1)"), 16);
  const auto& cells = picture.panels[0].cells;
  CHECK(cells[0].text == "0\nB0");
  CHECK(cells[3].text == "3\nB1");
  CHECK(cells[63].text == "63\nB31");
  CHECK(cells[64].text == "64\nB0");
}

TEST_CASE("a swizzle spreads a column over the banks", "[draw][banks]") {
  const Picture picture = bank_picture(ComposedLayout("Sw<3,3,3>o0o(8,64):(64,1)"), 16);
  std::vector<int> banks;
  for (int row = 0; row < 8; ++row)
    banks.push_back(picture.panels[0].cells[static_cast<size_t>(row * 64)].color);
  CHECK(banks == std::vector<int>{0, 4, 8, 12, 16, 20, 24, 28});
}

TEST_CASE("a product is drawn with A left of C and B above it", "[draw][mma]") {
  MmaAtom atom;
  atom.name = "example";
  atom.shape = {4, 2, 3};
  atom.a_layout = Layout("(4,3):(1,4)");
  atom.b_layout = Layout("(2,3):(1,2)");
  atom.c_layout = Layout("(4,2):(1,4)");
  const Picture picture = mma_picture(atom);
  REQUIRE(picture.panels.size() == 3);
  const PicturePanel &a = picture.panels[0], &b = picture.panels[1], &c = picture.panels[2];
  CHECK(a.row == c.row);
  CHECK(b.column == c.column);
  CHECK((a.rows == 4 && a.columns == 3));
  CHECK((b.rows == 3 && b.columns == 2));
  CHECK((c.rows == 4 && c.columns == 2));
  // B's cell (k, n) is element (n, k) of the (N,K) tile.
  CHECK(b.cells[2 * 2 + 1].text == "T1\nV2");
}

TEST_CASE("a quadpair's threads are called by their lanes, as CuTe's own pictures do",
          "[draw][mma]") {
  const MmaAtom atom = Catalogue().mma("SM70_8x8x4_F32F16F16F32_NT");
  const auto threads = [](const Picture& picture) {
    std::set<int> all;
    for (const PicturePanel& panel : picture.panels)
      for (const PictureCell& cell : panel.cells)
        for (const Holder& holder : cell.holders) all.insert(holder.thread);
    return all;
  };
  CHECK(threads(mma_picture(atom)) == std::set{0, 1, 2, 3, 16, 17, 18, 19});
  CHECK(threads(mma_picture(atom, ThreadNames::logical)) == std::set{0, 1, 2, 3, 4, 5, 6, 7});
  const std::string latex = draw_latex(atom);
  CHECK(latex.find("T19 ") != std::string::npos);
  CHECK(latex.find("T4 ") == std::string::npos);
}

TEST_CASE("tiled atoms are drawn over their whole tile", "[draw][mma]") {
  const Catalogue catalogue;
  const TiledMma mma(catalogue.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout("(2,1,1):(1,0,0)"));
  const Picture product = tiled_mma_picture(mma);
  const PicturePanel& c = product.panels[2];
  CHECK((c.rows == 32 && c.columns == 8));
  CHECK(c.cells[16 * 8].text == "T32\nV0");
  const TiledCopy copy(catalogue.copy("SM75_U32x4_LDSM_N"), value_type(DType::f16),
                       Layout("(32,1):(1,0)"), Layout("(1,8):(0,1)"));
  const Picture both = tiled_copy_picture(copy);
  REQUIRE(both.panels.size() == 2);
  CHECK(both.panels[0].rows == 32);
  CHECK(both.panels[1].cells[8].text == "T1\nV0");
}

TEST_CASE("a copy atom is drawn in units of its values", "[draw][copy]") {
  const Picture picture = copy_picture(Catalogue().copy("SM75_U32x4_LDSM_N"), 16);
  REQUIRE(picture.panels.size() == 2);
  CHECK(picture.panels[1].cells[2].text == "64");
  CHECK_THROWS_AS(copy_picture(Catalogue().copy("SM75_U32x4_LDSM_N"), 24), Exception);
}

TEST_CASE("a TMA box is drawn as rows of the tensor and lines of shared memory", "[draw][copy]") {
  const Picture picture =
      copy_picture(Catalogue().copy("SM90_TMA_LOAD_2D<half_t,64,16,SW128>"), 16);
  REQUIRE(picture.panels.size() == 2);
  const PicturePanel &tensor = picture.panels[0], &shared = picture.panels[1];
  CHECK((tensor.rows == 16 && tensor.columns == 8));
  CHECK((shared.rows == 16 && shared.columns == 8));
  // Row 3 of the box is line 3 of shared memory, its 16 bytes XORed with 3.
  for (int i = 0; i < 8; ++i) {
    CHECK(tensor.cells[static_cast<size_t>(3 * 8 + i)].text == std::to_string(24 + i));
    CHECK(shared.cells[static_cast<size_t>(3 * 8 + i)].text == std::to_string(24 + (i ^ 3)));
    CHECK(tensor.cells[static_cast<size_t>(3 * 8 + i)].color == 4 * (i ^ 3));
  }
  CHECK(picture.legend.size() == 8);
  // Without a swizzle rows of 32 bytes lie one behind the other.
  const Picture plain = copy_picture(Catalogue().copy("SM90_TMA_LOAD_2D<half_t,16,8,INTER>"), 16);
  CHECK((plain.panels[0].rows == 8 && plain.panels[0].columns == 2));
  CHECK(plain.panels[1].cells[9].text == "9");
}

TEST_CASE("a wide picture is cut into strips that keep their numbers", "[draw][svg]") {
  const std::string svg = to_svg(layout_picture(ComposedLayout("(2,4096):(4096,1)")));
  const size_t at = svg.find("width=\"") + 7;
  CHECK(std::stoi(svg.substr(at)) <= 2000);
  CHECK(count(svg, "<g class=\"cell\"") == 2 * 4096);
  CHECK(svg.find(">8191<") != std::string::npos);
  const Picture strips = in_strips(layout_picture(ComposedLayout("(2,10):(10,1)")), 4);
  REQUIRE(strips.panels.size() == 3);
  CHECK(strips.panels[2].columns == 3);
  CHECK(strips.panels[2].first_column == 7);
  CHECK(strips.panels[2].cells[3].text == "17");
  CHECK(strips.panels[1].row > strips.panels[0].row + 1);
}

TEST_CASE("a terminal's lines are not exceeded", "[draw][text]") {
  const Picture picture = layout_picture(ComposedLayout("(4,64):(64,1)"));
  std::istringstream lines(to_text(picture, Color::none, Frame::ascii, 60));
  int rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) CHECK(line.size() <= 60);
  CHECK(rows > 5 * 6);
}

TEST_CASE("a page of a layout says where a cell is and what a click lights", "[draw][html]") {
  const std::string page = to_html(layout_picture(ComposedLayout("(2,2):(2,1)")));
  CHECK(page.find("data-p=\"1 0\"") != std::string::npos);
  CHECK(page.find("lights the cells of its colour") != std::string::npos);
  CHECK(page.find("<title>(2,2):(2,1)</title>") != std::string::npos);
}
