// Instructions as inline assembly: numbers, braces, constraints.
#include <jute/atom/catalogue.hpp>
#include <jute/emit/asm_statement.hpp>

#include "support/catch.hpp"

using namespace jute;

namespace {

std::vector<AsmOperand> operands_of(const char* mma) { return asm_operands(Catalogue().mma(mma)); }
std::string zero(std::string_view) { return "0"; }

}  // namespace

TEST_CASE("registers are numbered outputs first, in the order of the instruction", "[emit][asm]") {
  CHECK(asm_statement("mma", operands_of("SM80_16x8x8_F16F16F16F16_TN"), {}) ==
        "asm volatile(\"mma {%0, %1}, {%2, %3}, {%4}, {%5, %6};\"\n"
        "    : \"=r\"(d_reg[0]), \"=r\"(d_reg[1])\n"
        "    : \"r\"(a_reg[0]), \"r\"(a_reg[1]), \"r\"(b_reg[0]), \"r\"(c_reg[0]), "
        "\"r\"(c_reg[1])\n"
        "    : \"memory\");\n");
}

TEST_CASE("in place C is read and written under D's numbers", "[emit][asm]") {
  const AsmText text = asm_text(operands_of("SM80_16x8x8_F16F16F16F16_TN"), {.in_place = true});
  CHECK(text.arguments == "{%0, %1}, {%2, %3}, {%4}, {%0, %1}");
  CHECK(text.outputs == "\"+r\"(c_reg[0]), \"+r\"(c_reg[1])");
  CHECK(text.inputs == "\"r\"(a_reg[0]), \"r\"(a_reg[1]), \"r\"(b_reg[0])");
}

TEST_CASE("an address stands in brackets and takes the name that a style gives", "[emit][asm]") {
  const auto place = [](std::string_view name, int index) {
    return std::string(name) + ".at(" + std::to_string(index) + ")";
  };
  const AsmText text =
      asm_text(asm_operands(Catalogue().copy("SM75_U32x2_LDSM_N")), {.place = place});
  CHECK(text.arguments == "{%0, %1}, [%2]");
  CHECK(text.outputs == "\"=r\"(dst.at(0)), \"=r\"(dst.at(1))");
  CHECK(text.inputs == "\"r\"(src.at(0))");
}

TEST_CASE("a predicate is set before the instruction, by a literal or a register", "[emit][asm]") {
  const std::vector<AsmOperand> operands = operands_of("SM90_64x8x32_S32S8S8_SS_TN");
  const AsmText literal = asm_text(operands, {.immediate = zero});
  CHECK(literal.predicates == ".reg .pred scale_d; setp.gt.s32 scale_d, 0, 0; ");
  CHECK(literal.arguments == "{%0, %1, %2, %3}, %4, %5, scale_d");
  const AsmText at_run_time = asm_text(operands, {.immediate = zero, .run_time_predicates = true});
  CHECK(at_run_time.predicates == ".reg .pred scale_d; setp.gt.s32 scale_d, %6, 0; ");
  CHECK(at_run_time.inputs == "\"l\"(a_reg[0]), \"l\"(b_reg[0]), \"r\"(scale_d_reg[0])");
}

TEST_CASE("an immediate without a literal is a constant expression", "[emit][asm]") {
  const auto place = [](std::string_view name, int) { return std::string(name); };
  const AsmText text = asm_text({{"bytes", AsmRole::immediate}}, {.place = place});
  CHECK(text.arguments == "%0");
  CHECK(text.inputs == "\"n\"(bytes)");
}

TEST_CASE("long lists stand on lines of eight registers", "[emit][asm]") {
  const std::string text =
      asm_statement("mma", operands_of("SM90_64x64x16_F32F16F16_SS"), {.immediate = zero});
  CHECK(text.find("%6, %7, \"\n    \"%8, ") != std::string::npos);
  CHECK(text.find("\"+f\"(d_reg[7]),\n      \"+f\"(d_reg[8])") != std::string::npos);
  size_t longest = 0;
  for (size_t start = 0; start < text.size();) {
    const size_t end = text.find('\n', start);
    longest = std::max(longest, end - start);
    start = end + 1;
  }
  CHECK(longest <= 160);
}
