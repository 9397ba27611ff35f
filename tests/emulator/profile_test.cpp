// What instructions cost: bytes, sectors, wavefronts, products.
#include <jute/emulator/emulated_gpu.hpp>

#include <algorithm>

#include "support/catch.hpp"

using namespace jute;

namespace {

// Each lane moves 4 bytes from src + stride * lane to shared memory at step * lane and back.
constexpr const char* kStrides = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry strides(.param .u64 src, .param .u32 stride, .param .u32 step)
{
  .shared .align 16 .b8 tile[4096];
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [src];
  ld.param.u32 %r1, [stride];
  ld.param.u32 %r2, [step];
  mov.u32 %r3, %tid.x;
  mul.lo.u32 %r1, %r1, %r3;
  mul.lo.u32 %r2, %r2, %r3;
  cvt.u64.u32 %rd2, %r1;
  add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r4, tile;
  add.u32 %r4, %r4, %r2;
  ld.global.u32 %r5, [%rd1];
  st.shared.u32 [%r4], %r5;
  ld.shared.u32 %r5, [%r4];
  st.global.u32 [%rd1], %r5;
  ret;
}
)";

constexpr const char* kProduct = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry product()
{
  .reg .b32 %r<4>;
  .reg .f32 %f<4>;
  mov.u32 %r1, 0;
  mov.f32 %f1, 0f00000000;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
    {%f0, %f1, %f2, %f3}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1};
  ret;
}
)";

EmulatorOptions profiling() {
  EmulatorOptions options;
  options.profiles = true;
  return options;
}

InstructionCounts counts_of(const LaunchProfile& profile, const std::string& opcode) {
  const auto found = std::ranges::find(profile.instructions, opcode, &InstructionProfile::opcode);
  REQUIRE(found != profile.instructions.end());
  return found->counts;
}

LaunchProfile strided(unsigned stride, unsigned step) {
  EmulatedGpu gpu(profiling());
  const auto memory = gpu.array(std::vector<unsigned>(32 * 128, 0));
  gpu.kernel(kStrides).launch({.block = {32}}, {memory, stride, step});
  CHECK(gpu.findings().empty());
  auto profiles = gpu.backend().take_profiles();
  REQUIRE(profiles.size() == 1);
  CHECK(gpu.backend().take_profiles().empty());
  return profiles.front();
}

}  // namespace

TEST_CASE("sectors of 32 bytes that a warp touches are counted", "[emulator][profile]") {
  const auto sectors = [](unsigned stride) {
    const InstructionCounts counts = counts_of(strided(stride, 4), "ld.global.u32");
    CHECK(counts.warps == 1);
    CHECK(counts.threads == 32);
    CHECK(counts.global_bytes == 128);
    CHECK(counts.global_requests == 1);
    return std::pair(counts.global_sectors, counts.least_sectors);
  };
  CHECK(sectors(4) == std::pair<Index, Index>(4, 4));     // side by side
  CHECK(sectors(8) == std::pair<Index, Index>(8, 4));     // every second word
  CHECK(sectors(128) == std::pair<Index, Index>(32, 4));  // a row of a matrix each
  CHECK(sectors(0) == std::pair<Index, Index>(1, 1));     // one word for all
}

TEST_CASE("wavefronts and bank conflicts of shared memory are counted", "[emulator][profile]") {
  const auto wavefronts = [](unsigned step) {
    const LaunchProfile profile = strided(4, step);
    const InstructionCounts counts = counts_of(profile, "ld.shared.u32");
    CHECK(counts.shared_bytes == 128);
    CHECK(counts.least_wavefronts == 1);
    CHECK(counts.wavefronts == counts_of(profile, "st.shared.u32").wavefronts);
    return counts.wavefronts;
  };
  CHECK(wavefronts(4) == 1);
  CHECK(wavefronts(8) == 2);
  CHECK(wavefronts(16) == 4);
  CHECK(wavefronts(128) == 32);  // one bank
  CHECK(wavefronts(36) == 1);    // 9 words apart, and 9 is odd
}

TEST_CASE("a matrix product counts 2 m n k", "[emulator][profile]") {
  EmulatedGpu gpu(profiling());
  gpu.kernel(kProduct).launch({.grid = {3}, .block = {64}}, {});
  const auto profiles = gpu.backend().take_profiles();
  CHECK(sum_of(profiles.at(0)).tensor_flops == Index{2} * 16 * 8 * 16 * 3 * 2);
  CHECK(sum_of(profiles.at(0)).warps == 6 * 4);
}

TEST_CASE("no profile is kept unless it is asked for", "[emulator][profile]") {
  EmulatedGpu gpu;
  gpu.kernel(kProduct).launch({.block = {32}}, {});
  CHECK(gpu.backend().take_profiles().empty());
}

TEST_CASE("occupancy is what threads, shared memory and blocks allow", "[emulator][profile]") {
  DeviceInfo h200;
  h200.arch = {90, 'a'};
  h200.threads_per_sm = 2048;
  h200.smem_bytes_per_sm = 228 * 1024;
  const auto of = [&](Index threads, Index smem) {
    LaunchSpec spec;
    spec.block = {threads};
    spec.dynamic_smem_bytes = smem;
    return occupancy_of(spec, 0, h200);
  };
  CHECK(of(256, 0) == Occupancy{8, 64, 64, "threads"});
  CHECK(of(256, 100 * 1024) == Occupancy{2, 16, 64, "shared memory"});
  CHECK(of(256, 227 * 1024) == Occupancy{1, 8, 64, "shared memory"});
  CHECK(of(32, 0) == Occupancy{32, 32, 64, "blocks"});
  CHECK(of(33, 0) == Occupancy{32, 64, 64, "threads"});
}

// A of m16n8k16 comes by ldmatrix.x4 from rows of 48 bytes, B's first register by ld.shared and
// mov, its second is computed.
constexpr const char* kTwoOperands = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry operands()
{
  .shared .align 16 .b8 tile[1024];
  .reg .b32 %r<20>;
  .reg .f32 %f<5>;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 15;
  shr.u32 %r3, %r1, 4;
  mul.lo.u32 %r4, %r2, 48;
  mul.lo.u32 %r5, %r3, 16;
  mov.u32 %r6, tile;
  add.u32 %r6, %r6, %r4;
  add.u32 %r6, %r6, %r5;
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r7, %r8, %r9, %r10}, [%r6];
  mov.u32 %r11, tile;
  shl.b32 %r12, %r1, 2;
  add.u32 %r11, %r11, %r12;
  ld.shared.u32 %r13, [%r11+128];
  mov.b32 %r14, %r13;
  add.u32 %r15, %r13, 0;
  mov.f32 %f1, 0f00000000;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
    {%f1, %f2, %f3, %f4}, {%r7, %r8, %r9, %r10}, {%r14, %r15}, {%f1, %f1, %f1, %f1};
  ret;
}
)";

TEST_CASE("a profile tells which bytes of shared memory an operand holds", "[emulator][profile]") {
  EmulatorOptions options = profiling();
  options.check = Check::none;
  EmulatedGpu gpu(options);
  gpu.kernel(kTwoOperands).launch({.block = {32}}, {});
  const LaunchProfile profile = gpu.backend().take_profiles().front();
  const auto operands_of = [&](const std::string& opcode) {
    const auto found = std::ranges::find_if(
        profile.instructions,
        [&](const InstructionProfile& each) { return each.opcode.starts_with(opcode); });
    return found->operands;
  };
  const auto loaded = operands_of("ldmatrix");
  const auto multiplied = operands_of("mma");
  REQUIRE(loaded.size() == 1);
  REQUIRE(multiplied.size() == 2);
  CHECK(multiplied[0].operand == "A");
  CHECK(multiplied[0].lanes == loaded[0].lanes);
  CHECK(multiplied[0].value_bits == 16);
  for (size_t lane = 0; lane < 32; ++lane) {
    // PTX ISA, m16n8k16: value i of A lies in row lane / 4 (+ 8 for i of 2, 3, 6, 7) and column
    // 2 (lane % 4) + i % 2 (+ 8 from i = 4 on).
    std::vector<Index> expected;
    for (size_t i = 0; i < 8; ++i) {
      const size_t row = lane / 4 + (i / 2 % 2 == 1 ? 8 : 0);
      const size_t column = 2 * (lane % 4) + i % 2 + (i >= 4 ? 8 : 0);
      expected.push_back(static_cast<Index>(48 * row + 2 * column));
    }
    CHECK(multiplied[0].lanes[lane] == expected);
    const auto first = static_cast<Index>(128 + 4 * lane);
    CHECK(multiplied[1].lanes[lane] == std::vector<Index>{first, first + 2, -1, -1});
  }
  CHECK(operands_of("ld.shared").empty());
}
