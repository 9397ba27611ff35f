// The emulator as unit tests of kernels use it.
#include <jute/emulator/emulated_gpu.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

// out[i] = p.scale * x[i] + c for i < n, where p is {float scale; unsigned n;}.
constexpr const char* kScale = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry _Z5scalePKfPf4Pairf(
  .param .u64 x, .param .u64 out, .param .align 4 .b8 p[8], .param .f32 c)
{
  .reg .pred %q;
  .reg .b32 %r<4>;
  .reg .f32 %f<5>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [out];
  ld.param.f32 %f1, [p];
  ld.param.u32 %r1, [p+4];
  ld.param.f32 %f2, [c];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %q, %r2, %r1;
  @%q bra DONE;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f3, [%rd4];
  fma.rn.f32 %f4, %f1, %f3, %f2;
  st.global.f32 [%rd5], %f4;
DONE:
  ret;
}
)";

struct Pair {
  float scale;
  unsigned n;
};

}  // namespace

TEST_CASE("arrays, numbers and structures go to a kernel as C++ has them", "[emulator][host]") {
  EmulatedGpu gpu;
  const auto x = gpu.array<float>({1, 2, 3});
  const auto out = gpu.unset_array<float>(3);
  const EmulatedKernel scale = gpu.kernel(kScale, "scale");
  scale.launch({.block = {32}}, {x, out, Pair{2.0F, 3}, 0.5F});
  CHECK(out.to_host() == std::vector<float>{2.5F, 4.5F, 6.5F});
  CHECK(to_string(gpu.findings()) == "");
  scale.launch({.block = {32}}, {out, out, Pair{2.0F, 3}, 0.0F});
  CHECK(out.to_host() == std::vector<float>{5, 9, 13});
  CHECK(scale.declared().parameters.size() == 4);
}

TEST_CASE("what a kernel does wrong is found, once", "[emulator][host]") {
  EmulatedGpu gpu;
  const auto x = gpu.unset_array<float>(3);
  const auto out = gpu.unset_array<float>(3);
  gpu.kernel(kScale).launch({.block = {32}}, {x, out, Pair{2.0F, 4}, 0.5F});
  const std::vector<Finding> findings = gpu.findings();
  REQUIRE(findings.size() >= 2);
  CHECK(findings.front().code == "M1");
  CHECK(to_string(findings).find("findings;") == std::string::npos);
  CHECK(to_string(findings).starts_with("M1: "));
  CHECK(gpu.findings().empty());
}

TEST_CASE("an argument that does not fit its parameter is refused", "[emulator][host][refusal]") {
  EmulatedGpu gpu;
  const auto x = gpu.array<float>({1});
  const EmulatedKernel scale = gpu.kernel(kScale);
  const auto refused = [&](std::initializer_list<KernelArgument> arguments) {
    const Error error = test::refusal_of([&] { scale.launch({.block = {32}}, arguments); });
    CHECK(error.code == ErrorCode::signature_mismatch);
    return to_string(error);
  };
  CHECK(refused({x, x, Pair{1, 1}}).find("one for each of the 4 parameters") != std::string::npos);
  CHECK(refused({x, 1, Pair{1, 1}, 0.5F}).find("parameter 2, out = 4 bytes: it must have 8") !=
        std::string::npos);
  CHECK(refused({x, x, Pair{1, 1}, 1}).find("parameter 4, c = an integer") != std::string::npos);
  CHECK(refused({x, nullptr, Pair{1, 1}, 0.5}).find("= 8 bytes: it must have 4") !=
        std::string::npos);
}
