// The tensor maps of Views, and which Views have none.
#include "plan/derive/operand/view_map.hpp"

#include "support/catch.hpp"

using namespace jute;
using plan::BoxedView;
using plan::view_map;

namespace {

std::string map_text(const char* text, Index inner, Index outer, Order order = Order::row,
                     std::optional<BoxCoordinate> k = {}, Index tile_k = 64) {
  const View view = canonical(parse_view(text));
  const std::optional<ViewMap> map =
      view_map(BoxedView{view, order, DType::bf16, k, tile_k}, inner, outer);
  return map ? to_string(*map) : "none";
}

}  // namespace

TEST_CASE("a View's modes are dimensions of its map, those of a box first", "[plan][view][tma]") {
  // Blocks of 64 rows.
  CHECK(map_text("((64,4),256):((256,32768),1)", 64, 64) ==
        "(256:1 box 64 at inner) (64:256 box 64 at outer % 64) (4:32768 box 1 at outer / 64)");
  // A box of 128 rows is two blocks.
  CHECK(map_text("((64,4),256):((256,32768),1)", 64, 128) ==
        "(256:1 box 64 at inner) (64:256 box 64 at outer % 64) (4:32768 box 2 at outer / 64)");
  // Along M, and a batch between.
  CHECK(map_text("((16,8),128,3):((1,4096),16,65536)", 16, 64, Order::col) ==
        "(16:1 box 16 at inner % 16) (128:16 box 64 at outer) (8:4096 box 1 at inner / 16) "
        "(3:65536 box 1 at matrix)");
  // It begins behind the address.
  CHECK(map_text("((64,4),256):((1@0,1@1),1@2);box=(64,4,256):(256,32768,1);origin=(0,1,0)", 64,
                 64) ==
        "(256:1 box 64 at inner) (64:256 box 64 at outer % 64) (4:32768 box 1 at outer / 64) from "
        "32768");
}

TEST_CASE("padding begins outside, and steps of two count in the box", "[plan][view][tma]") {
  const char* const strided =
      "((8,9),(32,3,3)):((2@1,1@2),(1@0,1@1,1@2));box=(32,16,9):(1,32,512);origin=(0,-1,-1);"
      "outside=zero";
  CHECK(map_text(strided, 32, 8, Order::row, BoxCoordinate::inner) ==
        "(32:1 box 32 at inner % 32) (16:32 box 8 every 2 at inner / 32 % 3 + outer % 8 * 2 from "
        "-1) (9:512 box 1 at inner / 96 + outer / 8 from -1), nothing past 288");
  // Whole k-tiles need no end.
  CHECK(map_text(strided, 32, 8, Order::row, BoxCoordinate::inner, 96).find("past") ==
        std::string::npos);
}

TEST_CASE("Views have no map where a box is cut or the chip has no such dimensions",
          "[plan][view][tma]") {
  // A box of 48 rows ends inside a block of 64, and so does a row of 64 elements inside 32.
  CHECK(map_text("((64,4),256):((256,32768),1)", 64, 48) == "none");
  CHECK(map_text("(128,(32,8)):(32,(1,4096))", 64, 64) == "none");
  CHECK(map_text("(128,(32,8)):(32,(1,4096))", 32, 64) != "none");
  // Neighbours that are not side by side, and strides of 12 bytes.
  CHECK(map_text("(128,64):(192,3)", 64, 64) == "none");
  CHECK(map_text("(128,64):(70,1)", 64, 64) == "none");
  // Six dimensions, and rows from the last to the first.
  CHECK(map_text("((2,2,2,2),(32,2)):((64,256,1024,4096),(1,16384))", 32, 16) == "none");
  CHECK(map_text("(64,32):(-1@0,1@1);box=(64,32):(32,1);origin=(63,0)", 32, 8) == "none");
  // Steps of nine places.
  CHECK(map_text("(8,64):(9@0,1@1);box=(60,64):(64,1);outside=zero", 64, 8) == "none");
}
