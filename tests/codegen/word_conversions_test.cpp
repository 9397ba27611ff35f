// What it takes to turn words of stored elements into what is multiplied, in instructions of PTX,
// which the assembler takes over one by one here.
#include <jute/emit/piece.hpp>
#include <jute/emit/template_set.hpp>

#include <array>
#include <sstream>

#include "support/catch.hpp"
#include "support/compiler.hpp"

using namespace jute;

namespace {

struct Conversion {
  const char *piece, *type, *number;
  int elements;  ///< of a word
  double most;   ///< instructions of an element
};

std::string text_of(const Conversion& one, const char* result) {
  const TemplateSet set = TemplateSet::built_in();
  std::string text = Piece(set, "convert/pairs.cu (masked)").text();
  if (std::string(one.piece) == "f32 of f16") text += Piece(set, "convert/pairs.cu (e4m3)").text();
  return text +
         Piece(set, std::string("convert/pairs.cu (") + one.piece + ")")
             .fill_if("type", one.type)
             .fill_if("number", one.number)
             .fill_if("derivation", "")
             .fill_if("flip", one.number)
             .fill_if("pairs_of", "pairs_of")
             .fill_if("pairs", "2")
             .text() +
         "extern \"C\" __global__ void run(const unsigned* in, " + result + "* out) {\n" + result +
         " made[8];\n" + (std::string(result) == "float" ? "floats" : "pairs") + "_of_" + one.type +
         "(in[0], made);\n#pragma unroll\nfor (int i = 0; i < " +
         std::to_string(std::string(result) == "float" ? one.elements : one.elements / 2) +
         "; ++i) out[i] = made[i];\n}\n";
}

/// Instructions of the kernel but for what moves parameters, words and results.
int instructions_of(const std::string& text) {
  static const Compiler compiler = test::test_compiler();
  Source source{.symbol = "run", .text = text, .arch = Arch{90}, .threads_per_block = 32};
  std::istringstream ptx(compiler.compile(source, Output::ptx).ptx);
  int count = 0;
  for (std::string line; std::getline(ptx, line);) {
    const std::string words = line.substr(std::min(line.find_first_not_of(" \t{"), line.size()));
    for (const char* const opcode : {"prmt", "lop3", "shr", "shl", "and", "or.", "xor", "cvt.",
                                     "fma", "mul", "add", "sub", "bfe"})
      count += static_cast<int>(words.starts_with(opcode) && !words.starts_with("cvta"));
  }
  return count;
}

}  // namespace

TEST_CASE("words become pairs and floats by few instructions of an element", "[codegen][words]") {
  for (const Conversion& one : {Conversion{"half", "s4", "0x43084308", 8, 1.125},
                                {"half", "u4", "0x64006400", 8, 1.125},
                                {"byte", "s8", "word ^ 0x80808080", 4, 0.75},
                                {"byte", "u8", "word", 4, 0.5},
                                {"e5m2", "e5m2", "", 4, 0.5},
                                {"e4m3", "e4m3", "", 4, 0.5},
                                {"e2m1 in f16", "e2m1", "", 8, 2},
                                {"e2m1 in bf16", "e2m1", "", 8, 2.25}}) {
    INFO(one.piece << " " << one.type);
    const int count = instructions_of(text_of(one, "unsigned"));
    CHECK(count > 0);
    CHECK(count <= one.most * one.elements);
  }
  for (const Conversion& one : {Conversion{"f32 of half", "s4", "0x08080808", 8, 1.375},
                                {"f32 of byte", "s8", "word ^ 0x80808080", 4, 1.25},
                                {"f32 of f16", "e4m3", "", 4, 1.5}}) {
    INFO(one.piece << " " << one.type);
    CHECK(instructions_of(text_of(one, "float")) <= one.most * one.elements);
  }
}
