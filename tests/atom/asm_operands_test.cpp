// Operand lists of instructions, against the PTX ISA's syntax lines.
#include <jute/atom/asm_operands.hpp>

#include "base/format.hpp"
#include "support/catch.hpp"

#include <jute/atom/catalogue.hpp>

using namespace jute;

namespace {

std::string text(const std::vector<AsmOperand>& operands) {
  std::string all;
  for (const AsmOperand& operand : operands) {
    if (!all.empty()) all += ' ';
    all += operand.name;
    if (operand.count > 1) all += base::format("*{}", operand.count);
  }
  return all;
}

std::string mma(const char* name) { return text(asm_operands(Catalogue().mma(name))); }
std::string copy(const char* name) { return text(asm_operands(Catalogue().copy(name))); }

}  // namespace

TEST_CASE("mma takes d, a, b, c, then metadata and scale factors", "[atom][asm]") {
  CHECK(mma("SM80_16x8x16_F32F16F16F32_TN") == "d*4 a*4 b*2 c*4");
  CHECK(mma("SM61_DP4A") == "d a b c");
  CHECK(mma("SM120::SPARSE::SM120_SPARSE_16x8x64_TN<float_e4m3_t,float_e4m3_t,float>") ==
        "d*4 a*4 b*4 c*4 metadata selector");
  CHECK(mma("SM120::BLOCKSCALED::SM120_16x8x32_TN_VS<float_e4m3_t,float_e4m3_t,float,"
            "float_ue8m0_t,32>") ==
        "d*4 a*4 b*2 c*4 scale_a byte_a thread_a scale_b byte_b thread_b");
  CHECK(mma("UniversalFMA<float>").empty());
  CHECK(mma("SM80_8x8x4_C64C64C64C64_TN").empty());
}

TEST_CASE("wgmma accumulates in place and states transposes for 16-bit types", "[atom][asm]") {
  CHECK(mma("SM90_64x16x16_F32BF16BF16_SS") ==
        "d*8 a b scale_d negate_a negate_b transpose_a transpose_b");
  CHECK(mma("SM90_64x16x16_F32BF16BF16_RS") == "d*8 a*4 b scale_d negate_a negate_b transpose_b");
  CHECK(mma("SM90_64x16x32_F32E4M3E4M3_SS_TN") == "d*8 a b scale_d negate_a negate_b");
  CHECK(mma("SM90_64x16x32_S32S8S8_SS_TN") == "d*8 a b scale_d");
  CHECK(mma("SM90::GMMA::SPARSE::GMMA_64x8x32_F32F16F16_SS") ==
        "d*4 a b metadata selector scale_d negate_a negate_b transpose_a transpose_b");
  CHECK(asm_operands(Catalogue().mma("SM90_64x16x16_F32BF16BF16_SS"))[0].role == AsmRole::in_out);
}

TEST_CASE("tcgen05 takes addresses and descriptors", "[atom][asm]") {
  CHECK(mma("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,UMMA::Major::K,UMMA::Major::K>") ==
        "d a b instruction_descriptor scale_d");
}

TEST_CASE("copies take registers and addresses", "[atom][asm]") {
  CHECK(copy("SM75_U32x4_LDSM_N") == "dst*4 src");
  CHECK(copy("SM90_U32x2_STSM_N") == "dst src*2");
  CHECK(copy("SM75_U32x1_MOVM_T") == "dst src");
  CHECK(copy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>") == "dst src bytes");
  CHECK(copy("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>") == "dst src bytes src_bytes");
  CHECK(copy("SM100_TMEM_LOAD_32dp32b4x") == "dst*4 src");
  CHECK(copy("UniversalCopy<float>").empty());
}
