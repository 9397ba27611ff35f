#pragma once
// A few instructions run by the 32 lanes of a warp: %d of %a, %b and %c, which are 32-bit
// registers.
#include <jute/emulator/emulated_gpu.hpp>

#include <array>
#include <cstdint>
#include <string>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

namespace jute::test {

using Lanes = std::array<std::uint32_t, 32>;

/// A lane's value wherever a function of its number says so.
template <class F>
Lanes lanes_of(F value) {
  Lanes lanes{};
  for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] = value(lane);
  return lanes;
}

inline std::string text_of_lines(const std::string& lines, const std::string& target) {
  return ".version 8.7\n.target " + target + R"(
.address_size 64
.visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd) {
  .reg .pred %p<4>;
  .reg .b16 %h<4>;
  .reg .b32 %a, %b, %c, %d, %r<4>;
  .reg .b64 %w<4>, %at<4>;
  .reg .b128 %v<4>;
  .shared .align 16 .b8 place[1024];
  mov.u32 %r0, %tid.x;
  ld.param.u64 %at0, [pa];
  ld.param.u64 %at1, [pb];
  ld.param.u64 %at2, [pc];
  ld.param.u64 %at3, [pd];
  mad.wide.u32 %at0, %r0, 4, %at0;
  mad.wide.u32 %at1, %r0, 4, %at1;
  mad.wide.u32 %at2, %r0, 4, %at2;
  mad.wide.u32 %at3, %r0, 4, %at3;
  ld.global.u32 %a, [%at0];
  ld.global.u32 %b, [%at1];
  ld.global.u32 %c, [%at2];
)" + lines +
         R"(
  st.global.u32 [%at3], %d;
  ret;
})";
}

/// Runs with every check on; nothing may be found.
inline Lanes run_lines(const std::string& lines, const Lanes& a, const Lanes& b, const Lanes& c,
                       const std::string& target = "sm_90a") {
  EmulatorOptions options;
  options.check = Check::full;
  Bench bench(options);
  const auto uploaded = [&](const Lanes& values) {
    return bench.upload(std::vector<std::uint32_t>(values.begin(), values.end()));
  };
  const DevicePointer out = bench.alloc(sizeof(Lanes));
  bench.run(
      text_of_lines(lines, target), "k", {1, 1, 1}, {32, 1, 1},
      ArgumentBlock().pointer(uploaded(a)).pointer(uploaded(b)).pointer(uploaded(c)).pointer(out));
  CHECK(to_string(bench.backend->take_report().findings) == "");
  const auto values = bench.download<std::uint32_t>(out, 32);
  Lanes result{};
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

}  // namespace jute::test
