// What CuTe writes and prints is read as it stands.
#include <jute/expr/eval.hpp>
#include <jute/layout/layout.hpp>

#include <fstream>
#include <sstream>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

std::string value_of(const std::string& text) { return eval_line(text).text; }

struct Pair {
  const char* cute;
  const char* ours;
};

}  // namespace

TEST_CASE("layouts of public kernels, logs and documents are read as they stand", "[expr][cute]") {
  std::ifstream file(JUTE_SOURCE_DIR "/tests/expr/cute_lines.tsv");
  REQUIRE(file);
  int lines = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string source, text, ours, size, cosize;
    for (std::string* field : {&source, &text, &ours, &size, &cosize})
      REQUIRE(std::getline(fields, *field, '\t'));
    INFO(source << ": " << text);
    CHECK(value_of(text) == value_of(ours));
    CHECK(value_of("size(" + text + ")") == size);
    if (cosize != "-") CHECK(value_of("cosize(" + text + ")") == cosize);
    ++lines;
  }
  CHECK(lines >= 300);
}

TEST_CASE("types, calls and named layouts of CuTe are read", "[expr][cute]") {
  // Sources: CUTLASS, include/cute/atom/mma_traits_sm70.hpp, mma_traits_sm90_gmma.hpp, pointer.hpp;
  // what tile_to_shape gives for the GMMA atoms is what CuTe prints in public kernels' comments.
  for (const Pair& pair : {
           Pair{"Layout<Shape<_4,_8>,Stride<_8,_1>>{}", "(4,8):(8,1)"},
           // Labels and ends of prints
           Pair{"tCrA shape = ptr[16b](0x7f42) o ((_2,_2,_2),_4):((_1,_2,_4),_8)",
                "((2,2,2),4):((1,2,4),8)"},
           Pair{"Layout S TV: ArithTuple(_0,_0) o (_16,_8):(_1@0,_1@1)", "(16,8):(1@0,1@1)"},
           Pair{"ptr[32b](0x5639) o ((_2,_2),_3):((_1,_2),_4):", "((2,2),3):((1,2),4)"},
           Pair{"ptr[32b](0x5639) o (_2,_2):(_1,_2):\n    0    2\n    1    3", "(2,2):(1,2)"},
           Pair{"(_2,_2):(_1,_2):", "(2,2):(1,2)"},
           Pair{"(_2,_2):(_1,_2):(_1,_2)", "error"},
           Pair{"(_2,_2): ", "error"},
           // Iterators
           Pair{"raw_ptr_16b(0x2000000000010) o ((_1,_4),_4):((_0,_1),_4)", "((1,4),4):((0,1),4)"},
           Pair{"Sw<3,4,3>_smem_ptr_16b(0x7c00) o (_8,_64):(_64,_1)", "Sw<3,3,3>o0o(8,64):(64,1)"},
           Pair{"counting_iter(0) o (_4,_8):(_1,_4)", "(4,8):(1,4)"},
           Pair{"subptr[4b](0x7f00.0) o (_8,_64):(_64,_1)", "(8,64):(64,1)"},
           // Qualified integers, atoms with their wrappers
           Pair{"cute::Layout<cute::Shape<cute::_4,cute::_8>,cute::Stride<cute::_8,cute::_1>>",
                "(4,8):(8,1)"},
           Pair{"local_tile((8,8):(8,1),(4,4),make_coord(1,cute::_))",
                "local_tile((8,8):(8,1),(4,4),(1,_))"},
           Pair{"cute::_foo", "error"},
           Pair{"layoutC_TV(TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, "
                "Layout<Shape<_2,_2,_1>>>{})",
                "layoutC_TV(tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1):(1,2,0)))"},
           Pair{"make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, "
                "Layout<Shape<_16,_8>,Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})",
                "tiled_copy(UniversalCopy<uint128_t>,half_t,(16,8):(8,1),(1,8):(1,1))"},
           Pair{"Copy_Atom<>", "error"},
           Pair{"layout_src(Copy_Traits<SM75_U32x4_LDSM_N>{})", "layout_src(SM75_U32x4_LDSM_N)"},
           Pair{"layout_dst(Copy_Atom<Copy_Traits<SM75_U32x4_LDSM_N>, half_t>{})",
                "layout_dst(SM75_U32x4_LDSM_N)"},
           Pair{"thr_id(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{})", "thr_id(SM75_U32x4_LDSM_N)"},
           Pair{"layout_c(MMA_Atom<MMA_Traits<SM70_8x8x4_F32F16F16F32_NT>>{})",
                "layout_c(SM70_8x8x4_F32F16F16F32_NT)"},
           Pair{"layout_src(make_shape(1,2))", "error"},
           // Python's arguments
           Pair{"cute.size((4,8):(8,1), mode=[1])", "8"},
           Pair{"cute.size(((2,3),4):((1,2),6), mode=[0, 1])", "3"},
           Pair{"cute.size(cute.make_layout((4, 8)), mode=[0])", "4"},
           Pair{"cute.select((2,3,4):(1,2,6), mode=[2,0])", "(4,2):(6,1)"},
           Pair{"cute.slice_((4,8):(8,1), (1,None))", "slice((1,_),(4,8):(8,1))"},
           Pair{"cute.local_tile(cute.make_layout((256,64), stride=(64,1)), (128,32), (None,0))",
                "local_tile((256,64):(64,1),(128,32),(_,0))"},
           Pair{"cute.size((4,8):(8,1), mode=[1)", "error"},
           Pair{"ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)", "(32,2,2,1):(1,32,64,0)"},
           Pair{"  ThrID:      _32:_1", "32:1"},
           Pair{"tCsA : smem_ptr[16b](0x7f00) o (_8,_64):(_64,_1)", "(8,64):(64,1)"},
           Pair{"self.smem_layout: S<3,4,3> o 0 o (8,64):(64,1)", "Sw<3,4,3>o0o(8,64):(64,1)"},
           Pair{"(4,8):(8,1)(1,2)", "10"},
           Pair{"Layout<Shape<_4,_8>>{}(9)", "9"},
           Pair{"make_layout((4,8),LayoutRight)(1,_)", "slice((1,_),(4,8):(8,1))"},
           Pair{"Sw<3,3,3>o0o(64,64):(64,1)(1,2)", "crd2idx((1,2),Sw<3,3,3>o0o(64,64):(64,1))"},
           Pair{"Swizzle<3,4,3>{}(128)", "144"},
           Pair{"size((4,8):(8,1)(2,_))", "8"},
           Pair{"E<0>{}", "1@0"},
           Pair{"E<>", "error"},
           Pair{"(4,8):(8,1)()", "error"},
           Pair{"!cute.layout<\"!cute.layout<\"8:1\">\">", "error"},
           Pair{"Stride<E<1>,E<0>>", "(1@1,1@0)"},
           Pair{"make_layout(Shape<_4,_8>{}, Stride<E<1>,E<0>>{})", "(4,8):(1@1,1@0)"},
           Pair{"cosize_v<Layout<Shape<_4,_8>,Stride<_8,_1>>>", "32"},
           Pair{"size_v<cute::tuple<cute::C<4>, cute::C<8>>>", "32"},
           Pair{"recast_layout<half_t,uint128_t>((64,64):(64,1))",
                "recast_layout((64,64):(64,1),16,128)"},
           Pair{"cute::ComposedLayout<cute::Swizzle<3,4,3>,cute::smem_ptr_flag_bits<16>,"
                "cute::Layout<cute::tuple<cute::C<8>,cute::C<64>>,"
                "cute::tuple<cute::C<64>,cute::C<1>>>>",
                "Sw<3,3,3>o0o(8,64):(64,1)"},
           Pair{"ComposedLayout<Swizzle<2,3,3>, Int<0>, Layout<Shape<_8,_32>,Stride<_32,_1>>>",
                "Sw<2,3,3>o0o(8,32):(32,1)"},
           Pair{"!cute.layout<\"(4,8):(8,1)\">", "(4,8):(8,1)"},
           Pair{"!cute.memref<f16, smem, align<1024>, S<3,4,3>, \"(8,64):(64,1)\">",
                "Sw<3,3,3>o0o(8,64):(64,1)"},
           Pair{"!cute.memref<f32, gmem, \"(4,8):(8,1)\">", "(4,8):(8,1)"},
           Pair{"layoutC_TV(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, "
                "Layout<Shape<_2,_2,_1>>{}))",
                "layoutC_TV(tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1):(1,2,0)))"},
           Pair{"layoutC_TV(TiledMMA<SM80_16x8x16_F32F16F16F32_TN, Layout<Shape<_2,_2,_1>>, "
                "Tile<_32,_32,_16>>{})",
                "layoutC_TV(tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1):(1,2,0),(32,32,16)))"},
           Pair{"cute::Layout<cute::Shape<cute::Int<4>, cute::C<8>>>", "(4,8):(1,4)"},
           Pair{"Layout<_8, _1>{};", "8:1"},
           Pair{"Layout<Shape<Shape<_2,_3>,_4>, Stride<Stride<_1,_2>,_6>>", "((2,3),4):((1,2),6)"},
           Pair{"make_shape(Int<4>{}, make_shape(_2{}, 3))", "(4,(2,3))"},
           Pair{"make_layout(make_shape(4,8), LayoutRight{})", "(4,8):(8,1)"},
           Pair{"make_layout(make_shape(4,8), GenColMajor{})", "(4,8):(1,4)"},
           Pair{"make_layout((4,8),LayoutRight)", "(4,8):(8,1)"},
           Pair{"make_layout(Shape<_4,_8>{}, Stride<_8,_1>{})", "(4,8):(8,1)"},
           Pair{"cute.make_layout((4, 8), stride=(8, 1))", "(4,8):(8,1)"},
           Pair{"Layout((4, 8),(1, 4))", "(4,8):(1,4)"},
           Pair{"cute.make_composed_layout(cute.make_swizzle(2, 4, 3, loc=loc, ip=ip), 0, "
                "cute.make_layout((8, 128), stride=(128, 1), loc=loc, ip=ip))",
                "Sw<2,4,3>o0o(8,128):(128,1)"},
           Pair{"cute.size(loc=loc, (4,8))", "32"},
           Pair{"(4,):(1,)", "(4):(1)"},
           Pair{"Swizzle<3,3,3>{}", "Sw<3,3,3>"},
           Pair{"make_swizzle(3, 4, 3)", "Sw<3,4,3>"},
           Pair{"size<0>(Layout<Shape<_4,_8>>{})", "4"},
           Pair{"size<0,1>(((2,3),4):((1,2),6))", "3"},
           Pair{"get<1>((4,8):(8,1))", "8:1"},
           Pair{"layout<1>((4,8):(8,1))", "8:1"},
           Pair{"shape<1>((4,8):(8,1))", "8"},
           Pair{"stride<0>((4,8):(8,1))", "8"},
           Pair{"group_modes<1,3>((2,3,4):(1,2,6))", "(2,(3,4)):(1,(2,6))"},
           Pair{"take<0,2>((2,3,4):(1,2,6))", "(2,3):(1,2)"},
           Pair{"select<0,2>((2,3,4):(1,2,6))", "(2,4):(1,6)"},
           Pair{"recast_layout<16,32>((8,64):(64,1))", "(8,32):(32,1)"},
           Pair{"composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>,Stride<_64,_1>>{})",
                "Sw<3,3,3>o0o(8,64):(64,1)"},
           Pair{"Sw<3,4,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,4,3>o0o(8,64):(64,1)"},
           Pair{"Sw<3,4,3> o (_8,_64):(_64,_1)", "Sw<3,4,3>o0o(8,64):(64,1)"},
           Pair{"Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
                "Sw<3,3,3>o0o(8,64):(64,1)"},
           Pair{"Sw<3,4,3> o smem_ptr[8b](unset) o (_8,_128):(_128,_1)",
                "Sw<3,4,3>o0o(8,128):(128,1)"},
           Pair{"Sw<3,4,3> o smem_ptr[4b](unset) o (_8,_256):(_256,_1)",
                "Sw<3,5,3>o0o(8,256):(256,1)"},
           Pair{"Sw<3,4,3>_smem_ptr[16b](0x7f8800000400) o (_8,_64):(_64,_1)",
                "Sw<3,3,3>o0o(8,64):(64,1)"},
           Pair{"Sw<3,4,3>_smem_ptr[16b](0x7f8800000440) o _8:_1", "Sw<3,3,3>o32o8:1"},
           Pair{"Sw<0,4,3> o smem_ptr[16b](unset) o (_8,_8):(_8,_1)", "(8,8):(8,1)"},
           Pair{"Sw<2,4,3> o smem_ptr16b o ((32,2),(8,2)):((1,256),(32,512))",
                "Sw<2,3,3>o0o((32,2),(8,2)):((1,256),(32,512))"},
           Pair{"Sw<2,4,3> o smem_ptr128b o ((4,2),(8,2)):((1,32),(4,64))",
                "Sw<2,0,3>o0o((4,2),(8,2)):((1,32),(4,64))"},
           Pair{"smem_ptr16b o 8:1", "8:1"},
           Pair{"smem_ptr0b o 8:1", "error"},
           Pair{"smem_ptr99999999999b o 8:1", "error"},
           Pair{"gmem_ptr[16b](0x7f61c3e00000) o ((_2,_2),_1,_2):((_1,128),_0,_8)",
                "((2,2),1,2):((1,128),0,8)"},
           Pair{"ptr[32b](0x7f42efc00000) o _8:_1", "8:1"},
           Pair{"tmem_[32b](0x0000.0000) o ((_128,_256),_1,_1):((_65536,_1),_0,_0)",
                "((128,256),1,1):((65536,1),0,0)"},
           Pair{"ArithTuple(_0,_0) o (512,256):(_1@1,_1@0)", "(512,256):(1@1,1@0)"},
           Pair{"ArithTuple(_0,_64) o (8,4):(_1@1,_1@0)", "((8,4):(1@1,1@0),(0,64))"},
           Pair{"GMMA::DescriptorIterator o (_1,_2,_4,_3):(_0,_64,_256,_1024)",
                "(1,2,4,3):(0,64,256,1024)"},
           Pair{"tensor<ptr<f32, gmem> o (4,3):(3,1)>", "(4,3):(3,1)"},
           Pair{"tensor<ptr<f16, smem, align<128>, S<3,4,3>> o (8,64):(64,1)>",
                "Sw<3,3,3>o0o(8,64):(64,1)"},
           Pair{"tensor<raw_ptr(0x00007f5f81200400: f32, gmem, align<4>) o (4,3):(3,1), data=",
                "error"},
           Pair{"raw_ptr(0x00007f5f81200400: f32, gmem, align<4>) o (4,3):(3,1), data=[1 2]",
                "(4,3):(3,1)"},
           Pair{"SM70_QuadPair", "(4,2):(1,16)"},
           Pair{"SM70_8x4_Row{}", "(8,4):(1,8)"},
           Pair{"SM70_8x4_Col", "((4,2),4):((8,4),1)"},
           Pair{"SM70_8x8_16b", "(8,8):(1,8)"},
           Pair{"SM70_8x8_32b", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"},
           Pair{"GMMA::Layout_K_SW128_Atom<half_t>{}", "Sw<3,3,3>o0o(8,64):(64,1)"},
           Pair{"UMMA::Layout_MN_SW32_Atom<cutlass::bfloat16_t>", "Sw<1,3,3>o0o(16,8):(1,16)"},
           Pair{"GMMA::Layout_K_INTER_Atom<float>", "(8,4):(4,1)"},
           Pair{"tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(64,128))",
                "Sw<3,3,3>o0o((8,8),(64,2)):((64,512),(1,4096))"},
           Pair{"tile_to_shape(GMMA::Layout_K_INTER_Atom<half_t>{}, make_shape(64,128))",
                "((8,8),(8,16)):((8,64),(1,512))"},
           Pair{"tile_to_shape(GMMA::Layout_K_SW32_Atom<half_t>{}, make_shape(64,128))",
                "Sw<1,3,3>o0o((8,8),(16,8)):((16,128),(1,1024))"},
           Pair{
               "tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{}, make_shape(_128{},_64{},_3{}))",
               "Sw<3,3,3>o0o((64,2),(8,8),(1,3)):((1,512),(64,1024),(0,8192))"},
       }) {
    INFO(pair.cute);
    if (std::string(pair.ours) == "error") {
      CHECK_FALSE(eval_line(pair.cute).ok);
    } else {
      CHECK(value_of(pair.cute) == value_of(pair.ours));
      CHECK(!value_of(pair.cute).starts_with("error"));
    }
  }
}

TEST_CASE("tiles and shares of threads are CuTe's", "[expr][cute]") {
  for (const Pair& pair : {
           // gA of CUTLASS, examples/cute/tutorial/blackwell/01_mma_sm100.cu, as it prints it
           Pair{"local_tile((512,256):(256,1),(128,256,64),(1,2,_),Step<_1,X,_1>)",
                "((128,64,4):(256,1,64),32768)"},
           Pair{"local_tile((512,1024):(1024,1),(128,256,64),(1,2,_),Step<_1,_1,X>{})",
                "((128,256):(1024,1),131584)"},
           Pair{"local_tile((8,8):(8,1),(4,4),(0,1))", "((4,4):(8,1),4)"},
           Pair{"local_tile(8:1,4,1)", "((4):(1),4)"},
           Pair{"local_tile(8:1,(4),(1))", "((4):(1),4)"},
           Pair{"local_partition(8:1,4:1,3)", "((2):(4),3)"},
           Pair{"local_partition((8,8):(8,1),(2,2):(1,2),3)", "((4,4):(16,2),9)"},
           Pair{"local_partition((8,8):(8,1),(2,4):(4,1),5)", "((4,2):(16,4),9)"},
       }) {
    INFO(pair.cute);
    CHECK(value_of(pair.cute) == pair.ours);
  }
}

TEST_CASE("a thread's share holds what CuTe gives it", "[expr][cute][law]") {
  // Every element belongs to exactly one thread.
  std::vector<int> owners(64);
  for (int thread = 0; thread < 8; ++thread) {
    const Value part =
        eval("local_partition((8,8):(8,1),(2,4):(4,1)," + std::to_string(thread) + ")");
    const auto& pair = std::get<ValueList>(part).values;
    const auto& layout = std::get<Layout>(pair[0]);
    const Index offset = std::get<IntTuple>(pair[1]).value();
    for (Index i = 0; i < size(layout); ++i) ++owners[static_cast<size_t>(offset + layout(i))];
  }
  for (const int count : owners) CHECK(count == 1);
}

TEST_CASE("a layout is fitted to its offsets", "[expr][fit]") {
  for (const char* text : {"(4,8):(8,1)", "8:1", "(2,3,4):(12,4,1)", "(8,8):(0,1)", "1:0",
                           "Sw<3,3,3>o0o(8,64):(64,1)", "Sw<2,0,2>o0o(4,4):(4,1)"}) {
    INFO(text);
    const std::string offsets = value_of("values(" + std::string(text) + ")");
    const std::string fitted = value_of("layout_of(" + offsets + ")");
    CHECK(value_of("values(" + fitted + ")") == offsets);
  }
  CHECK(value_of("layout_of(0,1,16,17)") == "(2,2):(1,16)");
  CHECK(value_of("layout_of(5,6,7)") == "(3:1,5)");
  CHECK(test::refusal_of([] {
          return eval("layout_of(-9223372036854775806,9223372036854775806,1,2)");
        }).code == ErrorCode::overflow);
  CHECK(test::refusal_of([] { return eval("layout_of(0,1,3,2,9)"); }).code ==
        ErrorCode::not_compatible);
}

TEST_CASE("text of CuTe that is wrong is refused where it is", "[expr][cute][refusal]") {
  for (const char* text : {"Layout<Shape<_4,_8>", "make_layout(make_shape(4,8)", "size<0>()",
                           "Sw<3,4,3>_x", "smem_ptr[16](unset) o 8:1", "smem_ptr[16b](unset 8:1",
                           "Sw<3,4,3> o smem_ptr[6b](unset) o 8:1", "gmem_ptr[16b](0x0)",
                           "GMMA::Layout_K_SW128_Atom<>", "Int<>", "tensor<8:1,8:1>",
                           "Layout<Shape<_4,_8>,Stride<_8>>", "ArithTuple(_0) o"}) {
    INFO(text);
    const Error error = test::refusal_of([&] { return eval(text); });
    CHECK(error.position.has_value());
  }
}
