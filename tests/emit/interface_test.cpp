// What pieces need and give, and the check when they meet.
#include <jute/emit/interface.hpp>

#include <random>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::refusal_of;

namespace {

using Kind = DeclarationKind;

/// The refusal of a text, or the empty one where the text is composed.
Error refusal(const std::string& text) {
  return refusal_of([&] { return composed(text); });
}

}  // namespace

TEST_CASE("a head declares constants, variables, functions and types", "[emit][interface]") {
  const PieceInterface interface = interface_of(
      "// test/one.cu: one.\n"
      "//   needs: int kStages, kTileK; void wait_for(unsigned, int), arrive(unsigned); type "
      "Vector<>\n"
      "//   gives: const ElemA* a_source; VectorA a_staged[]; long long lda\n");
  CHECK(interface.needs ==
        std::vector<Declaration>{{Kind::constant, "kStages", "int", false},
                                 {Kind::constant, "kTileK", "int", false},
                                 {Kind::function, "wait_for", "void(unsigned,int)", false},
                                 {Kind::function, "arrive", "void(unsigned)", false},
                                 {Kind::type, "Vector", "", true}});
  CHECK(interface.gives ==
        std::vector<Declaration>{{Kind::variable, "a_source", "const ElemA*", false},
                                 {Kind::variable, "a_staged", "VectorA[]", false},
                                 {Kind::variable, "lda", "long long", false}});
}

TEST_CASE("a text has those pieces that it needs, and what they need themselves",
          "[emit][interface]") {
  const std::string add = "// test/add.cu: adds.\n//   gives: int add(int, int)\nint add;\n";
  const std::string twice =
      "// test/twice.cu: by adding.\n//   needs: int add(int, int)\n//   gives: int twice(int)\n";
  const std::string half = "// test/half.cu: the other way.\n//   gives: int half(int)\n";
  const std::vector<std::string> pieces{add, twice, half};
  CHECK(needed_by("f(twice(3));\n", pieces) == "\n" + add + "\n" + twice);
  CHECK(needed_by("  //   needs: int half(int)\n", pieces) == "\n" + half);
  CHECK(needed_by("x = 3;  // is half\nadder();\n", pieces).empty());
}

TEST_CASE("a need is met by a piece before, and by what the text declares", "[emit][interface]") {
  const std::string text =
      "typedef bf16 ElemA;\n"
      "constexpr int kStages = 4;  // k-tiles\n"
      "__device__ __forceinline__ int read_a(int base, int value) {\n"
      "  return base + value;\n"
      "}\n"
      "extern \"C\" __global__ void __launch_bounds__(kThreads)\n"
      "kernel(\n"
      "    const ElemA* __restrict__ a,\n"
      "    long long lda\n"
      ") {\n"
      "  // test/first.cu: gives a counter.\n"
      "  //   gives: int turn\n"
      "  int turn = 0;\n"
      "  // test/second.cu: needs all of it.\n"
      "  //   needs: int kStages, turn; int read_a(int, int); const bf16* a; long long lda; type "
      "ElemA\n"
      "  turn += kStages;\n"
      "}\n";
  const std::string result = composed(text);
  CHECK(result.find("//   needs:") == std::string::npos);
  CHECK(result.find("// test/second.cu: needs all of it.\n  turn += kStages;") !=
        std::string::npos);
}

TEST_CASE("a need that nobody gives is refused by the names of both",
          "[emit][interface][refusal]") {
  const Error error = refusal("// test/one.cu: one.\n//   needs: FragmentC acc\n");
  CHECK(error.code == ErrorCode::illegal_template);
  CHECK(error.operand == "test/one.cu");
  CHECK(error.value == "FragmentC acc");
  CHECK(error.violated_rules ==
        std::vector<std::string>{"a piece before it, or the text, must give what it needs"});
}

TEST_CASE("a need that is given with another type is refused with the giver",
          "[emit][interface][refusal]") {
  const Error error = refusal(
      "// test/giver.cu: gives.\n//   gives: void release(unsigned)\n"
      "// test/one.cu: one.\n//   needs: void release(int)\n");
  CHECK(error.operand == "test/one.cu");
  CHECK(error.value == "void release(int)");
  CHECK(error.violated_rules.front().ends_with("; test/giver.cu gives void release(unsigned)"));
}

TEST_CASE("what a scope gave is gone when it closes", "[emit][interface][refusal]") {
  const std::string inside = "// test/giver.cu: gives.\n//   gives: int turn\nint turn = 0;\n";
  const std::string user = "// test/one.cu: one.\n//   needs: int turn\n";
  CHECK(composed("{\n" + inside + user + "}\n").starts_with("{\n// test/giver.cu"));
  CHECK(refusal("{\n" + inside + "}\n" + user).operand == "test/one.cu");
}

TEST_CASE("a constant stands for a variable, and no variable for a constant",
          "[emit][interface][refusal]") {
  CHECK_FALSE(composed("constexpr int n = 64;\n// test/one.cu: one.\n//   needs: int n\n").empty());
  CHECK(refusal("// test/two.cu: two.\n//   gives: int stages\n"
                "// test/one.cu: one.\n//   needs: int kStages\n")
            .value == "int kStages");
}

TEST_CASE("a head that cannot be read is refused", "[emit][interface][refusal]") {
  for (const char* list : {"kStages", "int", "int (", "void f(", "; = ", "int 3x["}) {
    INFO(list);
    const std::string text = "// test/one.cu: one.\n//   gives: " + std::string(list) + "\n";
    CHECK(refusal(text).code == ErrorCode::illegal_template);
  }
}

TEST_CASE("mutated texts are composed or refused", "[emit][interface]") {
  const std::string text =
      "typedef bf16 ElemA;\n"
      "constexpr int kStages = 4;\n"
      "template <class Elem, int kElems> union Vector {\n};\n"
      "__device__ __forceinline__ int read_a(int base, const Vector<ElemA, 4>& value) {\n}\n"
      "extern \"C\" __global__ void __launch_bounds__(kThreads)\nkernel(\n    const ElemA* a\n) {\n"
      "  // test/one.cu: one.\n"
      "  //   needs: int kStages; int read_a(int, const Vector<ElemA, 4>&); type Vector<>\n"
      "  //   gives: VectorA a_staged[]; const int* const b\n"
      "}\n";
  CHECK_FALSE(composed(text).empty());
  static constexpr std::string_view kLetters = "(){}<>[];,:*& \n/kAx0\"";
  std::mt19937 engine(11);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string mutant = text;
    for (int change = 0; change < 3; ++change) {
      const size_t place = engine() % mutant.size();
      const char letter = kLetters[engine() % kLetters.size()];
      if (engine() % 2 == 0)
        mutant.insert(place, 1, letter);
      else if (engine() % 2 == 0)
        mutant.erase(place, 1 + engine() % 5);
      else
        mutant[place] = letter;
    }
    try {
      (void)composed(mutant);
    } catch (const Exception& exception) {
      REQUIRE(exception.error().code == ErrorCode::illegal_template);
      ++refused;
    }
  }
  CHECK(refused > 1000);
}
