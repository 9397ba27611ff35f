#pragma once
// Two small kernels, and launch files over them: what tests of `jute emulate` run.
#include <fstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"

namespace jute::test {

// add: y[i] += x[i] for i < n. pair: out[0] = p.a + p.b, out[1] = c, of a struct and a short.
inline constexpr const char* kLaunchedKernels = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry _ZN3net3addIfEEvPT_PKS1_j(
  .param .u64 y, .param .u64 x, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [y];
  ld.param.u64 %rd2, [x];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p, %r2, %r1;
  @%p bra DONE;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd1, %rd3;
  setp.eq.s64 %p, %rd2, 0;
  @%p bra DONE;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd5];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd4], %f3;
DONE:
  ret;
}
.visible .entry pair(.param .align 8 .b8 p[16], .param .u16 c)
{
  .reg .b16 %h;
  .reg .b32 %r<4>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [p];
  ld.param.u32 %r1, [p+8];
  ld.param.u32 %r2, [p+12];
  ld.param.u16 %h, [c];
  add.s32 %r1, %r1, %r2;
  cvt.u32.u16 %r3, %h;
  st.global.u32 [%rd], %r1;
  st.global.u32 [%rd+4], %r3;
  ret;
}
)";

/// A folder with these kernels, in which launch files are run.
struct LaunchBench {
  TemporaryFolder folder;
  LaunchBench() { std::ofstream(folder.file("kernels.ptx")) << kLaunchedKernels; }

  /// What `jute emulate` says of a launch file of this text, with further words behind it.
  [[nodiscard]] ProcessResult run(const std::string& text,
                                  const std::vector<std::string>& more = {}) const {
    std::ofstream(folder.file("launch.json")) << text;
    std::vector<std::string> words{"emulate", folder.file("launch.json")};
    words.insert(words.end(), more.begin(), more.end());
    return run_jute(words);
  }
};

/// A launch file's text: its buffers, and its list of launches.
inline std::string launches(const std::string& buffers, const std::string& list) {
  return R"({"module": "kernels.ptx", "buffers": {)" + buffers + R"(}, "launches": [)" + list +
         "]}";
}
/// One launch of add.
inline std::string launch_add(const std::string& arguments) {
  return R"({"kernel": "add", "grid": 1, "block": 32, "args": [)" + arguments + "]}";
}

}  // namespace jute::test
