// What follows from a row, and how names are read.
#include <jute/atom/catalogue.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <set>

using namespace jute;
using jute::test::refusal_of;

namespace {

int a_registers(const char* name) { return registers(Catalogue().mma(name), Operand::a); }
int c_registers(const char* name) { return registers(Catalogue().mma(name), Operand::c); }

}  // namespace

TEST_CASE("register counts follow from layouts and types", "[atom][registers]") {
  // PTX ISA, the operand lists of mma and wgmma.
  CHECK(a_registers("SM80_16x8x16_F32F16F16F32_TN") == 4);
  CHECK(c_registers("SM80_16x8x16_F32F16F16F32_TN") == 4);
  CHECK(c_registers("SM80_16x8x16_F16F16F16F16_TN") == 2);
  CHECK(a_registers("SM80_16x8x64_S32S4S4S32_TN") == 4);
  CHECK(a_registers("SM80_16x8x256_S32U1U1S32_TN_XORPOPC") == 4);
  CHECK(a_registers("SM70_8x8x4_F32F16F16F32_TN") == 2);
  CHECK(c_registers("SM70_8x8x4_F32F16F16F32_TN") == 8);
  CHECK(a_registers("SM90_16x8x16_F64F64F64F64_TN") == 8);
  CHECK(a_registers("SM80_8x8x4_C64C64C64C64_TN") == 2);
  CHECK(c_registers("SM80_8x8x4_GC64C64C64GC64_TN") == 6);
  CHECK(c_registers("SM90_64x256x16_F32BF16BF16_SS") == 128);
  CHECK(c_registers("SM90_64x256x16_F16F16F16_SS") == 64);
  CHECK(a_registers("SM90_64x8x32_F32E4M3E4M3_RS_TN") == 4);
  CHECK(a_registers("SM90::GMMA::SPARSE::GMMA_64x8x64_F32E4M3E4M3_RS_TN") == 4);
  CHECK(a_registers("SM61_DP4A") == 1);
  CHECK(a_registers("UniversalFMA<half_t>") == 1);
}

TEST_CASE("operands in memory are one descriptor or address", "[atom][registers]") {
  const MmaAtom wgmma = Catalogue().mma("SM90_64x64x16_F32F16F16_SS");
  CHECK(wgmma.a_register == RegisterType::smem_descriptor);
  CHECK(registers(wgmma, Operand::b) == 1);
  CHECK(constraint_letter(wgmma.b_register) == 'l');
  CHECK(constraint_letter(wgmma.c_register) == 'f');
  const MmaAtom tcgen05 = Catalogue().mma(
      "SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>");
  CHECK(tcgen05.a_register == RegisterType::tmem_address);
  CHECK(tcgen05.c_register == RegisterType::tmem_address);
}

TEST_CASE("packing says how many values share a register", "[atom][registers]") {
  const MmaAtom half = Catalogue().mma("SM80_16x8x16_F32F16F16F32_TN");
  CHECK(packing(half, Operand::a) == 2);
  CHECK(packing(half, Operand::c) == 1);
  CHECK(packing(Catalogue().mma("SM80_8x8x32_S32S4S4S32_TN"), Operand::b) == 8);
}

TEST_CASE("sparse metadata fills one register", "[atom][registers]") {
  for (const char* name :
       {"SM90::GMMA::SPARSE::GMMA_64x8x32_F32F16F16_SS",
        "SM90::GMMA::SPARSE::GMMA_64x8x16_F32TF32TF32_RS_TN",
        "SM120::SPARSE::SM120_SPARSE_16x8x64_TN<float_e4m3_t,float_e4m3_t,float>"})
    CHECK(metadata_registers(Catalogue().mma(name)) == 1);
  CHECK(metadata_registers(Catalogue().mma("SM61_DP4A")) == 0);
}

TEST_CASE("register fragments cover their tile exactly once", "[atom][catalogue][law]") {
  const Catalogue catalogue;
  for (const AtomSummary& summary : catalogue.list()) {
    if (summary.kind != AtomKind::mma) continue;
    const MmaAtom atom = catalogue.mma(summary.name);
    if (!in_registers(atom.c_register)) continue;
    INFO(atom.name);
    const int tile = atom.shape.m * atom.shape.n;
    std::vector<bool> seen(static_cast<std::size_t>(tile), false);
    bool once = size(atom.c_layout) == tile;
    for (Index i = 0; once && i < tile; ++i) {
      const auto offset = static_cast<std::size_t>(atom.c_layout(i));
      once = offset < seen.size() && !seen[offset];
      if (once) seen[offset] = true;
    }
    CHECK(once);
  }
}

TEST_CASE("threads map to distinct lanes", "[atom][catalogue][law]") {
  const Catalogue catalogue;
  for (const AtomSummary& summary : catalogue.list()) {
    const Layout thr_id = summary.kind == AtomKind::mma ? catalogue.mma(summary.name).thr_id
                                                        : catalogue.copy(summary.name).thr_id;
    std::set<Index> lanes;
    for (Index i = 0; i < size(thr_id); ++i) lanes.insert(thr_id(i));
    if (static_cast<Index>(lanes.size()) != size(thr_id)) FAIL_CHECK(summary.name);
  }
}

TEST_CASE("a form decides how operands are passed", "[atom][registers][law]") {
  const Catalogue catalogue;
  for (const AtomSummary& summary : catalogue.list()) {
    if (summary.kind != AtomKind::mma) continue;
    const MmaAtom atom = catalogue.mma(summary.name);
    for (const Operand operand : {Operand::d, Operand::a, Operand::b, Operand::c})
      if (register_of(atom, operand) !=
          default_register(atom.form, operand, type_of(atom, operand)))
        FAIL_CHECK(atom.name);
  }
}

TEST_CASE("names are read with and without what CuTe implies", "[atom][catalogue]") {
  const Catalogue catalogue;
  const MmaAtom plain = catalogue.mma("SM90_64x64x16_F32F16F16_SS");
  CHECK(catalogue.mma("SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>") == plain);
  CHECK(catalogue.mma("SM90::GMMA::MMA_64x64x16_F32F16F16_SS") == plain);
  CHECK(catalogue.mma("UniversalFMA<float, float>").c_type == parse_value_type("f32"));
  CHECK(catalogue.mma("UniversalFMA<float,half_t,cutlass::half_t,float>").a_type.name == "f16");
  CHECK(catalogue.copy("UniversalCopy<cute::uint128_t>").name == "UniversalCopy<uint128_t>");
  CHECK(src_bits(catalogue.copy("UniversalCopy<float,half_t>")) == 32);
  CHECK(dst_bits(catalogue.copy("UniversalCopy<float,half_t>")) == 16);
}

TEST_CASE("majors belong to the name when they are not K", "[atom][catalogue]") {
  const std::string name = "SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>";
  const MmaAtom atom = Catalogue().mma(name);
  CHECK(atom.name == name);
  CHECK(atom.a_major == Major::mn);
  CHECK(atom.b_major == Major::k);
  CHECK(Catalogue().mma(atom.name) == atom);
  // A in registers and 8-bit operands are K-major.
  CHECK_FALSE(Catalogue().try_mma("SM90_64x64x16_F32F16F16_RS<GMMA::Major::MN,GMMA::Major::K>"));
  CHECK_FALSE(
      Catalogue().try_mma("SM90_64x64x32_F32E4M3E4M3_SS_TN<GMMA::Major::MN,GMMA::Major::K>"));
}

TEST_CASE("only legal sizes have a name", "[atom][catalogue][refusal]") {
  const Catalogue catalogue;
  CHECK(catalogue.try_mma("SM90_64x24x32_S32S8S8_SS_TN"));
  CHECK_FALSE(catalogue.try_mma("SM90_64x40x32_S32S8S8_SS_TN"));
  CHECK_FALSE(catalogue.try_mma("SM90_64x12x16_F32F16F16_SS"));
  CHECK_FALSE(catalogue.try_mma("SM90_64x264x16_F32F16F16_SS"));
  CHECK_FALSE(catalogue.try_mma("SM90_64x064x16_F32F16F16_SS"));
  CHECK_FALSE(catalogue.try_mma("SM90_64x64x16_F32F16BF16_SS"));
  CHECK_FALSE(catalogue.try_copy("SM80_CP_ASYNC_CACHEGLOBAL<uint64_t>"));
  CHECK_FALSE(catalogue.try_mma(""));
  CHECK_FALSE(catalogue.try_mma(std::string(100000, 'S')));
}

TEST_CASE("an unknown name is refused with the nearest one", "[atom][catalogue][refusal]") {
  const Error error = refusal_of([] { return Catalogue().mma("SM80_16x8x16_F32F16F16F32_NT"); });
  CHECK(error.code == ErrorCode::unknown_name);
  CHECK(error.nearest_legal == "SM80_16x8x16_F32F16F16F32_TN");
  const Error copy = refusal_of([] { return Catalogue().copy("SM75_U32x3_LDSM_N"); });
  CHECK(copy.nearest_legal == "SM75_U32x1_LDSM_N");
  CHECK_THROWS_AS(Catalogue().find("gemm"), Exception);
}

TEST_CASE("a list for an architecture holds what its code can run", "[atom][catalogue]") {
  const Catalogue catalogue;
  const auto has = [&](Arch arch, const std::string& name) {
    for (const AtomSummary& atom : catalogue.list(arch))
      if (atom.name == name) return true;
    return false;
  };
  CHECK(has({80}, "SM80_16x8x16_F32BF16BF16F32_TN"));
  CHECK(has({80}, "UniversalFMA<float>"));
  CHECK_FALSE(has({75}, "SM80_16x8x16_F32BF16BF16F32_TN"));
  CHECK(has({90, 'a'}, "SM90_64x128x16_F32BF16BF16_SS"));
  CHECK_FALSE(has({90}, "SM90_64x128x16_F32BF16BF16_SS"));
  CHECK_FALSE(has({100, 'a'}, "SM90_64x128x16_F32BF16BF16_SS"));
}
