// Atoms' instructions as device functions.
#include <jute/atom/asm_operands.hpp>
#include <jute/atom/catalogue.hpp>
#include <jute/emit/instruction.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::refusal_of;

namespace {

InstructionFunction mma(const char* name, const InstructionStyle& style) {
  return instruction_function(Catalogue().mma(name), style);
}
InstructionFunction copy(const char* name) { return instruction_function(Catalogue().copy(name)); }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("apart, D is written and C is read", "[emit][instruction]") {
  const InstructionFunction function =
      mma("SM80_16x8x16_F32F16F16F32_TN", {.accumulate = Accumulate::apart});
  CHECK(
      has(function.text, "mma(float* d, const unsigned* a, const unsigned* b, const float* c) {"));
  CHECK(has(function.text, "\"=f\"(d[3])"));
  CHECK(has(function.text, "\"f\"(c[3])"));
  CHECK(call_on_registers(function) == "mma(d_reg, a_reg, b_reg, c_reg);\n");
}

TEST_CASE("in place, C is both, and no register is named twice", "[emit][instruction]") {
  const InstructionFunction function = mma("SM80_16x8x16_F32F16F16F32_TN", {});
  CHECK(has(function.types, "typedef float RegisterC;"));
  CHECK(has(function.text, "\"+f\"(c[3])"));
  CHECK_FALSE(has(function.text, "\"f\"(c["));
  CHECK(call_on_registers(function) == "mma(c_reg, a_reg, b_reg);\n");
}

TEST_CASE("descriptors and truth values are passed as themselves", "[emit][instruction]") {
  CHECK(call_on_registers(mma("SM90_64x16x16_F32F16F16_SS", {})) ==
        "mma(c_reg, a_reg[0], b_reg[0], 1);\n");
  const InstructionFunction from_registers = mma("SM90_64x16x16_F32F16F16_RS", {});
  CHECK(has(from_registers.text,
            "mma(float* c, const unsigned* a, unsigned long long b, int scale_d) {"));
}

TEST_CASE("a sparse form takes metadata, and its selector is a literal", "[emit][instruction]") {
  const InstructionFunction function =
      mma("SM90::GMMA::SPARSE::GMMA_64x16x32_F32F16F16_SS", {.name = "mma_1", .selector = 1});
  CHECK(has(function.text,
            "mma_1(float* c, unsigned long long a, unsigned long long b, "
            "const unsigned* metadata, int scale_d)"));
  CHECK(has(function.text, ", 0x1, scale_d"));
}

TEST_CASE("a copy takes addresses as themselves and registers as an array", "[emit][instruction]") {
  CHECK(call_on_registers(copy("SM75_U32x4_LDSM_N")) == "copy(dst_reg, src_reg[0]);\n");
  CHECK(call_on_registers(copy("SM90_U32x2_STSM_N")) == "copy(dst_reg[0], src_reg);\n");
}

TEST_CASE("a box of TMA is asked for by the function that kernels call, with a coordinate more",
          "[emit][instruction][tma]") {
  struct Row {
    const char* atom;
    CopyForm form;
    const char *two, *three, *instruction;
  };
  for (const Row& row :
       {Row{"SM90_TMA_LOAD_2D<half_t,64,8,SW128>", CopyForm::tma_load,
            "load_box(unsigned target, const TensorMap& map, int inner, int outer, unsigned full)",
            "load_box(unsigned target, const TensorMap& map, int inner, int outer, int matrix, "
            "unsigned full)",
            " [%0], [%1, {%2, %3, %4}], [%5];"},
        Row{"SM90_TMA_LOAD_MULTICAST_2D<half_t,64,8,SW128>", CopyForm::tma_load_multicast,
            "int outer, unsigned full, unsigned blocks)",
            "int matrix, unsigned full, unsigned blocks)", " [%0], [%1, {%2, %3, %4}], [%5], %6;"},
        Row{"SM90_TMA_STORE_2D<half_t,64,8,SW128>", CopyForm::tma_store,
            "store_box(const TensorMap& map, int inner, int outer, unsigned source)",
            "store_box(const TensorMap& map, int inner, int outer, int matrix, unsigned source)",
            " [%0, {%1, %2, %3}], [%4];"}}) {
    INFO(row.atom);
    const CopyAtom atom = Catalogue().copy(row.atom);
    const InstructionFunction shown = copy(row.atom), kernels = box_function(row.form, 3);
    CHECK(shown.name == kernels.name);
    CHECK(has(shown.text, row.two));
    CHECK(has(shown.text, "\"" + atom.ptx + " ["));
    CHECK(has(shown.text, "\"l\"(&map), \"r\"(inner), \"r\"(outer)"));
    CHECK(has(kernels.text, row.three));
    CHECK(has(kernels.text, box_ptx(row.form, 3) + row.instruction));
    CHECK(box_ptx(row.form, 2) == atom.ptx);
  }
  CHECK(has(copy("SM90_TMA_REDUCE_ADD_2D<int32_t,16,8,INTER>").text, "cp.reduce.async.bulk"));
}

TEST_CASE("a box by a policy of the cache names the policy last", "[emit][instruction][tma]") {
  const InstructionFunction once = box_function(CopyForm::tma_load, 3, BoxCache::by_policy);
  CHECK(has(once.text, ".L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], %6;"));
  CHECK(once.parameters.back().type == "unsigned long long");
  CHECK(refusal_of([] { (void)box_function(CopyForm::tma_store, 3, BoxCache::by_policy); }).code ==
        ErrorCode::unsupported);
  CHECK(refusal_of([] { (void)box_function(CopyForm::ldmatrix, 2); }).code ==
        ErrorCode::unsupported);
}

TEST_CASE("a box for the cache alone has neither a place nor a barrier",
          "[emit][instruction][tma]") {
  const InstructionFunction ahead = box_function(CopyForm::tma_load, 3, BoxCache::alone);
  CHECK(has(ahead.text, "prefetch_box(const TensorMap& map, int inner, int outer, int matrix)"));
  CHECK(has(ahead.text, "cp.async.bulk.prefetch.tensor.3d.L2.global.tile [%0, {%1, %2, %3}];"));
  CHECK(refusal_of([] { (void)box_function(CopyForm::tma_store, 3, BoxCache::alone); }).code ==
        ErrorCode::unsupported);
}

TEST_CASE("what is no single instruction is refused", "[emit][instruction][refusal]") {
  for (const char* name : {"UniversalCopy<uint32_t>"})
    CHECK(refusal_of([&] { (void)copy(name); }).code == ErrorCode::unsupported);
  const Error error = refusal_of(
      [] { (void)mma("SM90_64x16x16_F32F16F16_SS", {.accumulate = Accumulate::apart}); });
  CHECK(error.code == ErrorCode::unsupported);
  CHECK(error.violated_rules ==
        std::vector<std::string>{"the form wgmma_ss must accumulate in place"});
}
