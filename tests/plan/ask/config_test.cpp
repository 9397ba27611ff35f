// A Config as text, there and back.
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/words.hpp>

#include <random>
#include <sstream>

#include "support/catch.hpp"
#include "support/random_config.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::refusal_of;

TEST_CASE("a config that leaves all to the planner is an empty text", "[plan][config]") {
  CHECK(to_string(Config{}).empty());
  CHECK(parse_config("") == Config{});
  CHECK(parse_config("   ") == Config{});
}

TEST_CASE("each choice has a name, and its text is read back", "[plan][config]") {
  Config config;
  config.specialize = Specialize::none;
  config.mma_atom = "SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>";
  config.atom_layout = Layout("(2,(2,2),1):(1,(2,4),0)");
  config.permutation = Tiler("(32,(8,2,2):(1,16,8),_)");
  config.tile = TileShape{128, 64, 32};
  config.stages = 3;
  config.raster_width = 4;
  config.main_loop = MainLoop::warp_specialised;
  config.carry_a = Transfer::cp_async;
  config.carry_b = Transfer::tma;
  config.cluster = ClusterShape{2, 1};
  config.blocks = 128;
  config.ping_pong = 2;
  config.producer_warps = 1;
  config.split_k = 4;
  config.whole_tiles = 132;
  config.reduction = SplitK::all_add;
  config.k_starts = 8;
  config.matrices_per_block = 2;
  config.promote = 128;
  config.read_once = ReadOnce::b;
  config.edge_rows = EdgeRows::left_out;
  config.widths = true;
  config.swapped = true;
  config.first_stages = FirstStages::by_initialiser;
  config.release = Release::at_start;
  config.launches = Launches::alone;
  config.smem_a = ComposedLayout("Sw<2,3,3>o8o(128,32):(32,1)");
  config.smem_b = ComposedLayout("(64,32):(33,1)");
  config.pad = false;
  config.transpose = true;
  const std::string text = to_string(config);
  CHECK(text ==
        "specialize=none mma_atom=SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K> "
        "atom_layout=(2,(2,2),1):(1,(2,4),0) permutation=(32,(8,2,2):(1,16,8),_) tile=128x64x32 "
        "stages=3 raster_width=4 smem_a=Sw<2,3,3>o8o(128,32):(32,1) smem_b=(64,32):(33,1) "
        "pad=off transpose=on main_loop=warp_specialised carry_a=cp_async carry_b=tma "
        "cluster=2x1 blocks=128 ping_pong=2 "
        "producer_warps=1 split_k=4 whole_tiles=132 reduction=all_add k_starts=8 "
        "matrices_per_block=2 "
        "promote=128 "
        "read_once=b "
        "edge_rows=left_out widths=on swapped=on first_stages=by_initialiser release=at_start "
        "launches=alone");
  CHECK(parse_config(text) == config);
  for (const Keyword& word : words_of_choices())
    CHECK(text.find(std::string(word.name) + "=") != std::string::npos);
  std::ostringstream out;
  out << config;
  CHECK(out.str() == text);
}

TEST_CASE("choices come in any order, with blanks between them and inside brackets",
          "[plan][config]") {
  const Config config = parse_config("  stages=2   tile=64x64x8  atom_layout=(2, 4, 1) ");
  CHECK(config.stages == 2);
  CHECK(config.tile == TileShape{64, 64, 8});
  CHECK(config.atom_layout == Layout("(2,4,1):(1,2,0)"));
}

TEST_CASE("parse_config(to_string(config)) is the config", "[plan][config][law]") {
  for (int index = 0; index < 2000; ++index) {
    const Config config = test::random_config(index).config;
    INFO(config);
    CHECK(parse_config(to_string(config)) == config);
  }
}

TEST_CASE("a text that is no config is refused where it goes wrong", "[plan][config][refusal]") {
  struct Case {
    const char* text;
    ErrorCode code;
    const char* operand;
    int column;
    const char* nearest;
  };
  for (const Case& one : {
           Case{"stage=4", ErrorCode::unknown_name, "choice", 1, "stages"},
           Case{"tile=64x64x8 smem-a=8:1", ErrorCode::unknown_name, "choice", 14, "smem_a"},
           Case{"stages", ErrorCode::syntax, "stages", 1, ""},
           Case{"stages=", ErrorCode::syntax, "stages", 8, ""},
           Case{"stages=4x", ErrorCode::syntax, "stages", 8, ""},
           Case{"stages=99999999999", ErrorCode::syntax, "stages", 8, "2147483647"},
           Case{"stages=-99999999999", ErrorCode::syntax, "stages", 8, "-2147483648"},
           Case{"tile=64x64", ErrorCode::syntax, "tile", 6, "64x64x32"},
           Case{"tile=64,48,16", ErrorCode::syntax, "tile", 6, "64x48x16"},
           Case{"tile=64", ErrorCode::syntax, "tile", 6, ""},
           Case{"cluster=2", ErrorCode::syntax, "cluster", 9, "2x1"},
           Case{"cluster=2x1x1", ErrorCode::syntax, "cluster", 9, "2x1"},
           Case{"tile=64x64x", ErrorCode::syntax, "tile", 6, ""},
           Case{"tile=64x64x8x8", ErrorCode::syntax, "tile", 6, "64x64x8"},
           Case{"pad=offf", ErrorCode::unknown_name, "pad", 5, "off"},
           Case{"specialize=non", ErrorCode::unknown_name, "specialize", 12, "none"},
           Case{"pad=on smem_a=(8,4):(1", ErrorCode::syntax, "smem_a", 23, ""},
           Case{"atom_layout=(2,4,1):(1,2)", ErrorCode::not_congruent, "atom_layout", 13,
                "(1,2,0)"},
       }) {
    INFO(one.text);
    const Error error = refusal_of([&] { return parse_config(one.text); });
    CHECK(error.code == one.code);
    CHECK(error.operand == one.operand);
    REQUIRE(error.position);
    CHECK(error.position->column == one.column);
    CHECK(error.nearest_legal.value_or("") == one.nearest);
    CHECK_FALSE(error.violated_rules.empty());
  }
}

TEST_CASE("torch's word for sums that are left to the tensor cores is read", "[plan][config]") {
  CHECK(parse_config("fast_accum=on") == parse_config("promote=0"));
  CHECK(parse_config("fast_accum=off") == Config());
  CHECK(to_string(parse_config("fast_accum=on stages=4")) == "stages=4 promote=0");
  CHECK(test::refusal_of([] { (void)parse_config("fast_accum=1"); }).operand == "fast_accum");
}
