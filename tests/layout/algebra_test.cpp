// The algebra on small layouts whose results are known, and the text notation.
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/chained_layout.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/notation.hpp>
#include <jute/layout/modes.hpp>

using namespace jute;
using jute::test::refusal_of;

namespace {
std::string text_of_value(const auto& value) { return to_string(value); }
Layout L(const char* notation) { return Layout(notation); }
IntTuple tuple_of(const char* notation) { return IntTuple(notation); }
}  // namespace

TEST_CASE("what is printed parses back to an equal value", "[layout][notation][law]") {
  for (const char* notation :
       {"1:0", "(4):(1)", "4:1", "(4,8):(8,1)", "((4,8),(2,2,2)):((32,1),(16,8,128))", "():()",
        "(8,(2,2)):(1@0,(1@0@1,2@1@1))", "(4,8):(-1,4)"}) {
    CHECK(text_of_value(L(notation)) == notation);
    CHECK(L(notation) == L(text_of_value(L(notation)).c_str()));
  }
  CHECK(text_of_value(L("( _4 , _8 ) : ( _1 , _4 )")) == "(4,8):(1,4)");
  CHECK(text_of_value(ComposedLayout("Sw<3,3,3> o 0 o (8,64):(64,1)")) ==
        "Sw<3,3,3>o0o(8,64):(64,1)");
  CHECK(text_of_value(ComposedLayout("(8,64):(64,1)")) == "(8,64):(64,1)");
  CHECK(text_of_value(IntTuple("(1,(_,2@0@1))")) == "(1,(_,2@0@1))");
  CHECK(L("(4):(1)") != L("4:1"));
}

TEST_CASE("a value that was moved from has no modes", "[layout][notation]") {
  const IntTuple wide = IntTuple::tuple(std::vector<IntTuple>(99, 1));
  for (const IntTuple& shape : {tuple_of("4"), tuple_of("(4,(8,2))"), wide}) {
    INFO(shape);
    IntTuple tuple = shape;
    Layout layout(tuple);
    const IntTuple kept = std::move(tuple);
    const Layout taken = std::move(layout);
    CHECK(taken == Layout(kept));
    // NOLINTBEGIN: this is what is asked
    CHECK(tuple.rank() == 0);
    CHECK(tuple.modes().empty());
    CHECK(refusal_of([&] { return tuple[0]; }).code == ErrorCode::out_of_range);
    CHECK(layout.rank() == 0);
    CHECK(layout.shape().rank() == 0);
    CHECK(refusal_of([&] { return layout[0]; }).code == ErrorCode::out_of_range);
    tuple = kept;
    layout = taken;
    // NOLINTEND
    CHECK(Layout(tuple) == layout);
  }
}

TEST_CASE("a unit vector that no text could name is refused", "[layout][notation][refusal]") {
  for (const int index : {0, 65535}) {
    const IntTuple basis = IntTuple::basis(2, {1, index});
    CHECK(IntTuple(to_string(basis)) == basis);
  }
  for (const int index : {-1, 65536, 70000}) {
    const Error error = refusal_of([&] { return IntTuple::basis(2, {index, 0}); });
    CHECK(error.code == ErrorCode::out_of_range);
    CHECK(error.value == std::to_string(index));
    CHECK(error.nearest_legal == (index < 0 ? "0" : "65535"));
  }
  CHECK_NOTHROW(tuple_of(to_string(IntTuple::basis(2, std::vector<int>(64, 1))).c_str()));
  CHECK(refusal_of([] { return IntTuple::basis(2, std::vector<int>(65, 1)); }).code ==
        ErrorCode::too_deep);
}

TEST_CASE("a malformed text is refused with its column", "[layout][notation][refusal]") {
  const Error error = refusal_of([] { return Layout("(4,8):(1 4)"); });
  CHECK(error.code == ErrorCode::syntax);
  REQUIRE(error.position);
  CHECK(error.position->column == 10);
  CHECK(refusal_of([] { return Layout("(4,8):(1)"); }).code == ErrorCode::not_congruent);
  CHECK(refusal_of([] { return Layout("99999999999999999999:1"); }).code == ErrorCode::overflow);
  CHECK(refusal_of([] { return Layout(std::string(500000, '(')); }).code == ErrorCode::too_deep);
  CHECK(refusal_of([] { return Layout("-4:1"); }).code == ErrorCode::out_of_range);
}

TEST_CASE("table texts are checked by the compiler", "[layout][notation]") {
  static constexpr TvText kC16x8 = "((4,8),(2,2)):((32,1),(16,8))";
  static_assert(kC16x8.covers_once(128));
  static_assert(kC16x8.threads() == 32 && kC16x8.values() == 4 && kC16x8.rank() == 2);
  static constexpr TvText kBroadcast = "(128,(64,16)):(0,(1,64))";
  static_assert(kBroadcast.covers(1024) && !kBroadcast.covers_once(1024));
  static_assert(!TvText("(4,8):(1,8)").covers(32));
  CHECK(kC16x8(33) == L(std::string(kC16x8.text()).c_str())(33));
}

TEST_CASE("the algebra gives the results of the field", "[layout][golden]") {
  CHECK(text_of_value(coalesce(L("(2,1,6):(1,7,2)"))) == "12:1");
  CHECK(text_of_value(composition(L("(4,8):(2,16)"), L("4:2"))) == "(2,2):(4,16)");
  CHECK(text_of_value(composition(L("(2,4,6):(1,2,8)"), L("(2,4,6):(1,6,2)"))) ==
        "(2,4,6):(1,6,2)");
  CHECK(text_of_value(complement(L("4:2"), 24)) == "(2,3):(1,8)");
  CHECK(text_of_value(right_inverse(L("(2,4,6):(1,6,2)"))) == "(2,6):(1,8)");
  CHECK(text_of_value(left_inverse(L("(2,4,6):(1,2,8)"))) == "48:1");
  CHECK(text_of_value(logical_divide(L("16:2"), L("4:1"))) == "(4,4):(2,8)");
  CHECK(text_of_value(zipped_divide(L("(12,2):(4,2)"), Tiler("(1,2:0)"))) ==
        "((1,2),(12,2)):((0,0),(4,2))");
  CHECK(text_of_value(tile_to_shape(L("(8,3):(3,1)"), IntTuple("(24,24)"))) ==
        "((8,3),(3,8)):((3,24),(1,72))");
  CHECK(text_of_value(flat_divide(L("(4,5):(1,4)"), Tiler("(2,5)"))) == "(2,5,2,1):(1,4,2,0)");
  CHECK(L("(4,8):(8,1)")(3, 5) == 29);
  CHECK(L("(4,8):(8,1)")(IntTuple("(3,5)")) == 29);
  CHECK(Layout(IntTuple("(4,8)")) == L("(4,8):(1,4)"));
}

TEST_CASE("beyond its conditions an operation answers as CuTe does", "[layout][golden]") {
  // Neither layout has 40 to 47.
  CHECK(text_of_value(complement(L("(4,5):(48,8)"))) == "8:1");
  // Coordinates share offsets.
  CHECK(text_of_value(left_inverse(L("(2,12):(48,12)"))) == "(12,4,2):(0,2,1)");
  CHECK(text_of_value(left_inverse(L("12:0"))) == "12:0");
  // The tile is not what 6:2 picks, or passes the end of a mode.
  CHECK_FALSE(try_composition(L("(3,4):(8,1)"), L("6:2")));
  CHECK(text_of_value(logical_divide(L("(3,4):(8,1)"), L("6:2"))) == "((2,3),2):((16,1),8)");
  CHECK(text_of_value(logical_divide(L("(9,2):(2,1)"), Tiler(6))) == "(6,(2,2)):(2,(12,1))");
  // Copies share an offset: the tiler carries within the complement, or passes its end.
  CHECK(text_of_value(logical_product(L("(2,2):(6,1)"), L("(2,2):(1,2)"))) ==
        "((2,2),(2,2)):((6,1),(2,4))");
  CHECK(text_of_value(tile_to_shape(L("(2,2):(6,1)"), tuple_of("(4,4)"))) ==
        "((2,2),(2,2)):((6,2),(1,4))");
  CHECK(text_of_value(logical_product(L("(4,5):(48,8)"), L("9:1"))) == "((4,5),9):((48,8),1)");
}

TEST_CASE("a profile names the modes that are coalesced or filtered, at every level",
          "[layout][coalesce]") {
  CHECK(text_of_value(filter(L("((2,4),4):((1,0),0)"), IntTuple("(1)"))) == "(2,4):(1,0)");
  CHECK(text_of_value(filter(L("((2,4),4):((1,0),0)"), IntTuple("((1),1)"))) ==
        "((2,4),1):((1,0),0)");
  CHECK(text_of_value(filter(L("((2,4),(2,4)):((1,2),(1,0))"), IntTuple("(1,(1))"))) ==
        "(8,(2,4)):(1,(1,0))");
  CHECK(text_of_value(coalesce(L("((2,4),(2,4)):((1,2),(1,2))"), IntTuple("(1)"))) ==
        "(8,(2,4)):(1,(1,2))");
}

TEST_CASE("of equal strides an inverse takes the one that CuTe's exchanges put first or last",
          "[layout][inverse]") {
  CHECK(text_of_value(right_inverse(L("(4,4,8):(8,8,1)"))) == "(8,4):(16,4)");
  CHECK(text_of_value(right_inverse(L("(8,4,4):(1,8,8)"))) == "32:1");
  CHECK(text_of_value(left_inverse(L("(4,(4,3)):(24,(24,6))"))) == "(6,4,4):(0,16,1)");
}

TEST_CASE("a layout on unit vectors has an inverse for each of them", "[layout][inverse][golden]") {
  // Source: CUTLASS 4.7, cutlass_compiler/cute_ir/test/Dialect/Cute/LayoutAlgebra.
  struct Case {
    const char *layout, *right, *left;
  };
  for (const Case& one : {
           Case{"(2,3):(1@0,1@1)", "(2,3):(1,2)", "(2,3):(1,2)"},
           Case{"(2,3):(0,1@0)", "(3):(2)", "(3):(2)"},
           Case{"(4,5):(1@1,1@0)", "(5,4):(4,1)", "(5,4):(4,1)"},
           Case{"(4,5):(2@0,2@1)", "(1,1):(0,0)", "((2,4),(2,5)):((0,1),(0,4))"},
           Case{"(((16,4),64),1,1):(((1@1,32@1),2@0),0,0)", "(1,16):(0,1)",
                "((2,64),(32,4)):((0,64),(1,16))"},
           Case{"(4,5):(1@1,1@1@4)", "(1,4,1,1,(1,5)):(0,1,0,0,(0,4))",
                "(1,4,1,1,(1,5)):(0,1,0,0,(0,4))"},
           Case{"((2,2,2),(2,2,2)):((1@0,2@1,6@0),(1@1,2@0,4@1))",
                "((2,2),(2,2,2)):((1,16),(8,2,32))", "((2,3,2),(2,2,2)):((1,16,4),(8,2,32))"},
           Case{"((4,8),(2,2)):((2@1,1@0),(1@1,8@0))", "((8,2),(2,4)):((4,64),(32,1))",
                "((8,2),(2,4)):((4,64),(32,1))"},
       }) {
    INFO(one.layout);
    CHECK(text_of_value(right_inverse(L(one.layout))) == one.right);
    CHECK(text_of_value(left_inverse(L(one.layout))) == one.left);
  }
  const auto refusal = [](const char* layout) {
    return refusal_of([&] { return right_inverse(L(layout)); }).code;
  };
  CHECK(refusal("(4,5):(1@0,1@1@0)") == ErrorCode::wrong_type);
  CHECK(refusal("(4,5):(1,1@0)") == ErrorCode::wrong_type);
  CHECK(refusal_of([] { return left_inverse(L("(4,5):(2@0,3@0)")); }).code ==
        ErrorCode::not_divisible);
  CHECK(refusal_of([] { return max_alignment(L("(4,5):(1@0,1@1)")); }).code ==
        ErrorCode::wrong_type);
  CHECK(refusal_of([] { return max_common_vector(L("4:1"), L("4:1@0")); }).code ==
        ErrorCode::wrong_type);
}

TEST_CASE("behind a swizzle of no bits a layout has its plain inverses", "[layout][inverse]") {
  for (const char* notation : {"10948608:1", "(4,128):(1,1)", "(4,3):(3,1)"}) {
    const ComposedLayout swizzled(Swizzle(0, 5, 4), 0, L(notation));
    const auto plain = [](const InverseLayout& inverse) {
      return text_of_value(std::get<ComposedLayout>(inverse));
    };
    CHECK(plain(left_inverse(swizzled)) == text_of_value(left_inverse(L(notation))));
    CHECK(plain(right_inverse(swizzled)) == text_of_value(right_inverse(L(notation))));
  }
}

TEST_CASE("a number as the stride of a shape begins its compact strides, at every level",
          "[layout][coordinates]") {
  CHECK(text_of_value(idx2crd(27, IntTuple("(8,(4,4))"), IntTuple("(1,8)"))) == "(3,(3,0))");
  CHECK(idx2crd(27, IntTuple("(4,4)"), IntTuple(2)) ==
        idx2crd(27, IntTuple("(4,4)"), IntTuple("(2,8)")));
  CHECK(refusal_of([] { return idx2crd(5, IntTuple("8"), IntTuple("(1,8)")); }).code ==
        ErrorCode::not_congruent);
}

TEST_CASE("a first layout of no modes is zipped with the whole of the second",
          "[layout][product]") {
  CHECK(text_of_value(zip(L("10:1"), L("16:10"))) == "((10,16)):((1,10))");
  CHECK(text_of_value(zip(L("10:1"), L("(8,2):(1,8)"))) == "((10,(8,2))):((1,(1,8)))");
  CHECK(text_of_value(zip(L("(10,(8,2)):(1,(1,8))"))) == "((10,(8,2))):((1,(1,8)))");
  CHECK(text_of_value(zip(L("10:1"))) == "10:1");
  CHECK(text_of_value(blocked_product(L("10:1"), L("16:1"))) == "((10,16)):((1,10))");
  CHECK(text_of_value(raked_product(L("(10):(1)"), L("16:1"))) == "((16,(10))):((10,(1)))");
  CHECK(text_of_value(tile_to_shape(L("10:1"), IntTuple("20"))) == "((10,(2))):((1,(10)))");
  CHECK(refusal_of([] { return raked_product(L("16:1"), L("(10):(1)")); }).code ==
        ErrorCode::not_congruent);
}

TEST_CASE("a product refuses strides beyond 32 bits, where CuTe's wrap around",
          "[layout][product][refusal]") {
  CHECK(text_of_value(logical_product(L("1:0"), L("2:2147483647"))) == "(1,2):(0,2147483647)");
  const auto refused = [](auto&& product) { return refusal_of(product).code; };
  const Layout block = L("(128,64):(131072,2)");
  const Layout tiler = L("(32,4,4,4):(262144,4,8388608,1)");
  CHECK(refused([&] { return logical_product(block, tiler); }) == ErrorCode::overflow);
  CHECK(refused([&] { return zipped_product(block, Tiler(tiler)); }) == ErrorCode::overflow);
  CHECK(refused([] { return blocked_product(L("65536:1"), L("2:65536")); }) == ErrorCode::overflow);
  CHECK(refused([] { return tile_to_shape(L("2147483648:1"), IntTuple(Index{1} << 32)); }) ==
        ErrorCode::overflow);
}

TEST_CASE("a size beyond 64 bits is refused, not wrapped", "[layout][coalesce][refusal]") {
  std::vector<Layout> modes(70, L("2:0"));
  CHECK(refusal_of([&] { return coalesce(make_layout(modes)); }).code == ErrorCode::overflow);
  CHECK(refusal_of([] { return coalesce(L("(4294967296,4294967296):(1,4294967296)")); }).code ==
        ErrorCode::overflow);
}
