#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/base/arch.hpp>
#include <jute/base/arch_feature.hpp>

using namespace jute;

TEST_CASE("architectures print and read back", "[base][arch][law]") {
  CHECK(known_arches().size() >= 11);
  for (const Arch arch : known_arches()) {
    CHECK(parse_arch(to_string(arch)) == arch);
    CHECK(parse_arch(to_string(arch).substr(3)) == arch);
    CHECK(parse_arch("compute_" + to_string(arch).substr(3)) == arch);
    CHECK(limits(arch).smem_bytes_per_block >= 48 * 1024);
    CHECK(limits(arch).smem_bytes_per_block <= limits(arch).smem_bytes_per_sm);
  }
}

TEST_CASE("an architecture with a suffix offers its own instructions and older plain ones",
          "[base][arch]") {
  CHECK(provides({90, 'a'}, {80}));
  CHECK(provides({90, 'a'}, {90, 'a'}));
  CHECK(provides({90, 'a'}, {90}));
  CHECK_FALSE(provides({90}, {90, 'a'}));
  CHECK_FALSE(provides({100, 'a'}, {90, 'a'}));
  CHECK(provides({120}, {89}));
  CHECK_FALSE(provides({75}, {80}));
  CHECK(provides({75}, {0}));  // what every architecture runs
}

TEST_CASE("a feature that needs a suffix is there with one, from its first target on",
          "[base][arch]") {
  CHECK(provides({90, 'a'}, ArchFeature::register_exchange));
  CHECK(provides({120, 'a'}, ArchFeature::register_exchange));
  CHECK_FALSE(provides({90}, ArchFeature::register_exchange));
  CHECK_FALSE(provides({120}, ArchFeature::register_exchange));
  CHECK(provides({90}, ArchFeature::tma));
  CHECK(provides({100, 'a'}, ArchFeature::tma));
  CHECK_FALSE(provides({89}, ArchFeature::tma));
}

TEST_CASE("limits are those of the programming guide", "[base][arch]") {
  CHECK(limits({90, 'a'}).smem_bytes_per_block == 232448);
  CHECK(limits({80}).smem_bytes_per_block == 166912);
  CHECK(limits({89}).smem_bytes_per_block == 101376);
  CHECK(limits({75}).smem_bytes_per_block == 65536);
  CHECK(limits({80}).registers_per_thread == 255);
}

TEST_CASE("unknown architectures are refused with the nearest one", "[base][arch][refusal]") {
  const Error error = test::refusal_of([] { return parse_arch("sm_90b"); });
  CHECK(error.code == ErrorCode::unknown_name);
  CHECK(error.operand == "arch");
  CHECK(error.nearest_legal == "sm_90");
  for (const char* text : {"", "sm_", "sm_90aa", "compute_sm_90", "sm_9999999999999", "90 "})
    CHECK(test::refusal_of([&] { return parse_arch(text); }).code == ErrorCode::unknown_name);
  CHECK(test::refusal_of([] { return limits({12}); }).code == ErrorCode::unknown_name);
}
