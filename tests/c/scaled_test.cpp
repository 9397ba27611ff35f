// Products of scaled operands, and outputs that are rounded or scaled, through the C interface.
#include <string>

#include "c/c_support.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

namespace {

constexpr uint16_t kOne = 0x3f80;  // of bf16

/// Bytes in a context's memory.
template <class T>
class DeviceBytes {
 public:
  DeviceBytes(jute_context* context, std::vector<T> values)
      : context_(context), values_(std::move(values)) {
    REQUIRE(jute_memory_allocate(context, static_cast<int64_t>(bytes()), &address_) == JUTE_OK);
    REQUIRE(jute_memory_copy_in(context, address_, values_.data(), bytes()) == JUTE_OK);
  }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  ~DeviceBytes() { CHECK(jute_memory_free(context_, address_) == JUTE_OK); }
  [[nodiscard]] uint64_t address() const { return address_; }
  [[nodiscard]] std::vector<T> to_host() const {
    std::vector<T> values(values_.size());
    REQUIRE(jute_memory_copy_out(context_, values.data(), address_, bytes()) == JUTE_OK);
    return values;
  }

 private:
  [[nodiscard]] size_t bytes() const { return values_.size() * sizeof(T); }
  jute_context* context_;
  std::vector<T> values_;
  uint64_t address_ = 0;
};
using Halves = DeviceBytes<uint16_t>;
using Bytes = DeviceBytes<uint8_t>;

Owned<jute_workspace> workspace_for(const jute_gemm* gemm, jute_run& run) {
  jute_workspace* made = nullptr;
  REQUIRE(jute_workspace_create(gemm, &made) == JUTE_OK);
  REQUIRE(jute_workspace_address(made, &run.workspace) == JUTE_OK);
  return Owned<jute_workspace>(made);
}

void run_and_wait(jute_context* context, const jute_gemm* gemm, const jute_run& run) {
  const int32_t status = jute_gemm_run(gemm, &run);
  INFO((status == JUTE_OK ? "" : jute_last_error()));
  REQUIRE(status == JUTE_OK);
  REQUIRE(jute_synchronize(context) == JUTE_OK);
}

bool plan_says(const jute_gemm* gemm, const char* words) {
  return std::string(jute_gemm_plan_text(gemm)).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("weights of 4 bits become fragments of wgmma, and are packed for more rows",
          "[c][gemm][scaled][fragments]") {
  constexpr int kN = 136, kK = 128, kMost = 40;
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const std::string shape =
      " N=136 K=128 A=bf16 B=u4:col scale_b=bf16:col:block1x128 zero_b=8 "
      "D=bf16 alpha=1 beta=0";
  const Halves a(context.get(), std::vector<uint16_t>(kMost * kK, kOne)),
      scales(context.get(), std::vector<uint16_t>(kN, 0x4000)),
      d(context.get(), std::vector<uint16_t>(kMost * kN));
  const Bytes b(context.get(), std::vector<uint8_t>(kN * kK / 2, 0xbb));  // (11 - 8) * 2
  const std::vector<uint16_t> expected(kMost * kN, 0x4440);               // 768
  const auto gemm = prepared(context.get(), ("M=40" + shape).c_str());
  CHECK(plan_says(gemm.get(), "SM90_64x40x16_F32BF16BF16_RS"));
  jute_run run{};
  run.size = sizeof run;
  run.a = a.address(), run.b = b.address(), run.d = d.address(), run.scale_b = scales.address();
  const auto workspace = workspace_for(gemm.get(), run);
  run_and_wait(context.get(), gemm.get(), run);
  CHECK(d.to_host() == expected);

  const auto problem = problem_from(("M=40" + shape).c_str());
  jute_gemm* made = nullptr;
  REQUIRE(jute_gemm_prepare(context.get(), problem.get(), "main_loop=warp_specialised swapped=off",
                            &made) == JUTE_OK);
  const Owned<jute_gemm> copying(made);
  int64_t bytes = 0;
  REQUIRE(jute_gemm_packed_bytes(copying.get(), JUTE_OPERAND_B, &bytes) == JUTE_OK);
  REQUIRE(bytes >= 2 * kN * kK);
  const Bytes packed(context.get(), std::vector<uint8_t>(static_cast<size_t>(bytes)));
  REQUIRE(jute_gemm_pack(copying.get(), JUTE_OPERAND_B, packed.address(), &run) == JUTE_OK);
  const Halves other(context.get(), std::vector<uint16_t>(kMost * kN));
  jute_run of_copy{};
  of_copy.size = sizeof of_copy;
  of_copy.a = a.address(), of_copy.d = other.address(), of_copy.packed_b = packed.address();
  const auto room = workspace_for(copying.get(), of_copy);
  run_and_wait(context.get(), copying.get(), of_copy);
  CHECK(other.to_host() == expected);
}

TEST_CASE("sums of mma.sync are scaled by their blocks", "[c][gemm][scaled][products]") {
  constexpr int kM = 70, kN = 136, kK = 256;
  const TemporaryFolder folder;
  jute_context_options options{};
  options.chip = "l40s";
  const auto context = emulated_context(folder.file("cache"), options);
  const auto problem = problem_from(
      "M=70 N=136 K=256 A=e4m3 B=e4m3:col scale_a=f32:block1x128 "
      "scale_b=f32:col:block128x128 D=f32 alpha=1 beta=0");
  jute_gemm* made = nullptr;
  REQUIRE(jute_gemm_prepare(context.get(), problem.get(),
                            "main_loop=multistage mma_atom=SM89_16x8x32_F32E4M3E4M3F32_TN",
                            &made) == JUTE_OK);
  const Owned<jute_gemm> gemm(made);
  const Bytes a(context.get(), std::vector<uint8_t>(kM * kK, 0x38)),
      b(context.get(), std::vector<uint8_t>(kN * kK, 0x38));  // ones
  std::vector<float> of_rows;
  for (int m = 0; m < kM; ++m) of_rows.insert(of_rows.end(), {static_cast<float>(m), 1.0F});
  const DeviceFloats scale_a(context.get(), of_rows),
      scale_b(context.get(), {1.0F, 2.0F, 4.0F, 8.0F}),
      d(context.get(), std::vector<float>(kM * kN));
  jute_run run{};
  run.size = sizeof run;
  run.a = a.address(), run.b = b.address(), run.d = d.address();
  run.scale_a = scale_a.address(), run.scale_b = scale_b.address();
  const auto workspace = workspace_for(gemm.get(), run);
  run_and_wait(context.get(), gemm.get(), run);
  std::vector<float> expected;  // of column blocks those of K follow each other
  for (int m = 0; m < kM; ++m)
    for (int n = 0; n < kN; ++n)
      expected.push_back(128.0F *
                         (n < 128 ? static_cast<float>(m) + 2 : 4 * static_cast<float>(m) + 8));
  CHECK(d.to_host() == expected);
}

TEST_CASE("scales of D's rows are found by a second step", "[c][gemm][blocks]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm =
      prepared(context.get(),
               "M=48 N=40 K=32 epilogue=\"y := acc; s := amax[1,n](y)/2; d = y/s; scale = s\"");
  size_t scale = 9;
  REQUIRE(jute_gemm_output(gemm.get(), "scale", &scale) == JUTE_OK);
  REQUIRE(scale < 2);
  const ConstantProduct product(context.get(), 48, 40, 32);
  const DeviceFloats scales(context.get(), std::vector<float>(48, -1.0F));
  jute_epilogue_argument outputs[2] = {};
  outputs[scale].address = scales.address();
  jute_run run = product.run();
  run.outputs = outputs;
  run.output_count = 2;
  const auto workspace = workspace_for(gemm.get(), run);
  run_and_wait(context.get(), gemm.get(), run);
  CHECK(product.d.to_host() == std::vector<float>(48 * 40, 2.0F));
  CHECK(scales.to_host() == std::vector<float>(48, 16.0F));
}

TEST_CASE("a run's seed says which neighbour a result becomes", "[c][gemm][stochastic]") {
  constexpr int kM = 48, kN = 40, kK = 257;  // bf16 has 256 and 258
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm =
      prepared(context.get(), "M=48 N=40 K=257 A=f32 B=f32 D=bf16 epilogue=\"bf16(acc, seed)\"");
  size_t place = 9;
  REQUIRE(jute_gemm_input(gemm.get(), "seed", &place) == JUTE_OK);
  const DeviceFloats a(context.get(), std::vector<float>(kM * kK, 1.0F)),
      b(context.get(), std::vector<float>(kK * kN, 1.0F));
  const auto rounded = [&](int32_t seed) {
    const Halves d(context.get(), std::vector<uint16_t>(kM * kN));
    const DeviceBytes<int32_t> of_run(context.get(), {seed});
    jute_epilogue_argument inputs[1] = {};
    inputs[0].address = of_run.address();
    inputs[0].value = seed;
    jute_run run{};
    run.size = sizeof run;
    run.a = a.address(), run.b = b.address(), run.d = d.address();
    run.inputs = inputs;
    run.input_count = 1;
    const auto workspace = workspace_for(gemm.get(), run);
    run_and_wait(context.get(), gemm.get(), run);
    return d.to_host();
  };
  const std::vector<uint16_t> seven = rounded(7);
  CHECK(seven == rounded(7));
  CHECK(seven != rounded(8));
  int up = 0;
  for (const uint16_t value : seven) {
    CHECK((value == 0x4380 || value == 0x4381));
    up += value == 0x4381;
  }
  CHECK((up > kM * kN / 3 && up < 2 * kM * kN / 3));
}
