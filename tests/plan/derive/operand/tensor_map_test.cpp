// Tensor maps of global layouts.
#include <jute/plan/derive/operand/tensor_map.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using jute::test::refusal_of;

TEST_CASE("a tensor map has the contiguous mode innermost", "[plan][tensor_map]") {
  const TensorMapSpec spec =
      tensor_map_spec(Layout("(128,64):(64,1)"), DType::bf16, IntTuple("(64,32)"), TmaSwizzle::b64);
  CHECK(to_string(spec) ==
        "bf16 dims (64,128) strides (128) box (32,64) steps (1,1) swizzle 64B oob zero");
  const TensorMapSpec batched =
      tensor_map_spec(Layout("(32,16,4):(1,32,1024)"), DType::f32, IntTuple("(8,16,1)"));
  CHECK(to_string(batched) ==
        "f32 dims (32,16,4) strides (128,4096) box (8,16,1) steps (1,1,1) swizzle none oob zero");
}

TEST_CASE("a broadcast mode stays outside", "[plan][tensor_map]") {
  const TensorMapSpec spec =
      tensor_map_spec(Layout("(8,64):(0,1)"), DType::f16, IntTuple("(8,64)"), TmaSwizzle::b128);
  CHECK(spec.dims == std::vector<Index>{64, 8});
  CHECK(spec.strides_bytes == std::vector<Index>{0});
}

TEST_CASE("a layout that no tensor map describes is refused with the reasons",
          "[plan][tensor_map]") {
  const auto rules = [](const char* layout, const char* box) {
    return refusal_of([&] { return tensor_map_spec(Layout(layout), DType::bf16, IntTuple(box)); })
        .violated_rules;
  };
  CHECK(rules("(64,64):(2,128)", "(64,64)") ==
        std::vector<std::string>{"one mode of the layout must have stride 1"});
  CHECK(rules("((8,8),64):((1,64),8)", "(64,64)").front() ==
        "each mode of the layout must be one extent and one stride");
  CHECK(rules("(64,64):(1,64)", "(64,64,1)").front() ==
        "the box must have an extent for each mode");
  CHECK_FALSE(rules("(64,64):(1,65)", "(64,64)").empty());
  CHECK_FALSE(rules("(64,64):(1,64)", "(4,64)").empty());
}
