// What no line names is not in a kernel.
#include <jute/codegen/generate.hpp>
#include <jute/emit/unnamed_constants.hpp>
#include <jute/launch/device_presets.hpp>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;

TEST_CASE("a constant stays as long as a line of the program names it", "[codegen][text]") {
  const std::string used = "constexpr int kTile = 4;  // rows\nint x = kTile;\n";
  CHECK(without_unnamed_constants(used) == used);
  CHECK(without_unnamed_constants("constexpr int kTile = 4;\nint x = kTiles;  // not kTile\n") ==
        "int x = kTiles;  // not kTile\n");
  CHECK(without_unnamed_constants("") == "");
}

TEST_CASE("what a left-out constant was made of goes too", "[codegen][text]") {
  CHECK(without_unnamed_constants("constexpr int kA = 2;\n  constexpr int kB = kA * kA;\nend\n") ==
        "end\n");
}

TEST_CASE("kernels hold no constant twice and none for nothing", "[codegen][text]") {
  for (const char* preset : {"h200", "a100", "t4"}) {
    const Problem problem = test::problem_of(256, 256, 256, {DType::f16, DType::f16});
    for (const Source& source : generate(make_plan(problem, device_preset(preset))))
      CHECK(without_unnamed_constants(source.text) == source.text);
  }
}
