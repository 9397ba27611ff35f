// Plans and products through the C interface, on the emulator.
#include <atomic>
#include <cstdlib>

#include "c/c_support.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

namespace {

constexpr const char* kProblem = "M=1:64 N=40 K=32 beta=0";

/// So many elements of each value, one block behind the other.
std::vector<float> constant_blocks(const std::vector<float>& values, size_t elements) {
  std::vector<float> all;
  for (const float value : values) all.insert(all.end(), elements, value);
  return all;
}

std::string text_or_error(const char* text) { return text == nullptr ? jute_last_error() : text; }

}  // namespace

TEST_CASE("a plan is text, JSON, reasons, CUDA and PTX", "[c][plan]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto problem = problem_from(kProblem);
  CHECK(std::string(jute_problem_text(problem.get())).starts_with("M=64 N=40 K=32 batch=1 A=f32"));
  jute_plan* made = nullptr;
  REQUIRE(jute_plan_create(context.get(), problem.get(), nullptr, &made) == JUTE_OK);
  const Owned<jute_plan> plan(made);
  CHECK(text_or_error(jute_plan_text(plan.get())).find("M=64 N=40 K=32") != std::string::npos);
  CHECK(text_or_error(jute_plan_json(plan.get())).starts_with("{\""));
  CHECK(text_or_error(jute_plan_explain(plan.get())).find("Considered") != std::string::npos);
  size_t steps = 0;
  REQUIRE(jute_plan_steps(plan.get(), &steps) == JUTE_OK);
  REQUIRE(steps == 1);
  CHECK(text_or_error(jute_plan_source(plan.get(), 0)).find("__global__") != std::string::npos);
  const char* const ptx = jute_plan_ptx(plan.get(), 0);
  CHECK(text_or_error(ptx).find(".entry") != std::string::npos);
  CHECK(jute_plan_ptx(plan.get(), 0) == ptx);  // it belongs to the plan
  CHECK(jute_plan_source(plan.get(), 1) == nullptr);
  CHECK(last_error_says({"\"step\"", "\"nearest_legal\":\"0\""}));
  CHECK(jute_plan_create(context.get(), problem.get(), "tile=3x5x7", &made) == JUTE_REFUSED);
  CHECK(last_error_says({"illegal_config"}));
}

TEST_CASE("a product is prepared, given a workspace, and run", "[c][gemm]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(), kProblem);
  jute_workspace* made = nullptr;
  REQUIRE(jute_workspace_create(gemm.get(), &made) == JUTE_OK);
  const Owned<jute_workspace> workspace(made);
  uint64_t address = 1;
  REQUIRE(jute_workspace_address(workspace.get(), &address) == JUTE_OK);
  const ConstantProduct product(context.get(), 48, 40, 32);
  jute_run run = product.run(address);
  run.given = JUTE_GIVEN_M;
  run.m = 48;
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  CHECK(product.is_right());
  run.given |= JUTE_GIVEN_ALPHA;
  run.alpha = 0.5;
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  CHECK(product.d.to_host()[47 * 40] == 16.0F);
}

TEST_CASE("a caller of the first version of jute_run is understood", "[c][gemm]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(), "M=48 N=40 K=32 beta=0");
  const ConstantProduct product(context.get(), 48, 40, 32);
  jute_run run = product.run();
  run.m = 7;  // behind its end
  run.size = offsetof(jute_run, workspace);
  CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  CHECK(product.is_right());
  run.size -= 8;
  CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_REFUSED);
}

TEST_CASE("what a run breaks is told as in C++", "[c][gemm][refusal]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(), "M=48 N=40 K=32 beta=0");
  const ConstantProduct product(context.get(), 48, 40, 32);
  jute_run run = product.run();
  run.a += 4;
  CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_REFUSED);
  CHECK(last_error_says({"\"misaligned\""}));
  run = product.run();
  run.given = JUTE_GIVEN_N;
  run.n = 48;
  CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_REFUSED);
  run.given = 1 << 20;
  CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_REFUSED);
  CHECK(last_error_says({"JUTE_GIVEN"}));
  run = product.run();
  run.input_count = 17;
  CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_REFUSED);
  run.inputs = reinterpret_cast<const jute_epilogue_argument*>(&run);
  CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_REFUSED);
  CHECK(last_error_says({"at most 16"}));
}

TEST_CASE("what an epilogue names is passed by its place", "[c][gemm]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(),
                             "M=48 N=40 K=32 epilogue=\"acc*s + bias[n]\" s=f32:by-value bias=f32");
  size_t bias = 9, s = 9;
  REQUIRE(jute_gemm_input(gemm.get(), "bias", &bias) == JUTE_OK);
  REQUIRE(jute_gemm_input(gemm.get(), "s", &s) == JUTE_OK);
  CHECK(jute_gemm_output(gemm.get(), "e", &s) == JUTE_REFUSED);
  const ConstantProduct product(context.get(), 48, 40, 32);
  const DeviceFloats ones(context.get(), std::vector<float>(40, 1.0F));
  jute_epilogue_argument inputs[2] = {};
  inputs[bias].address = ones.address();
  inputs[s].value = 2.0;
  jute_run run = product.run();
  run.inputs = inputs;
  run.input_count = 2;
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  REQUIRE(jute_synchronize(context.get()) == JUTE_OK);
  CHECK(product.d.to_host() == std::vector<float>(48 * 40, 65.0F));
}

TEST_CASE("scales of D's blocks are an output of the same launch", "[c][gemm][blocks]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm =
      prepared(context.get(),
               "M=48 N=128 K=32 epilogue=\"y := acc; s := amax[1,128](y)/2; d = y/s; scale = s\"");
  size_t scale = 9;
  REQUIRE(jute_gemm_output(gemm.get(), "scale", &scale) == JUTE_OK);
  const ConstantProduct product(context.get(), 48, 128, 32);
  const DeviceFloats scales(context.get(), std::vector<float>(48, -1.0F));
  jute_epilogue_argument outputs[2] = {};
  REQUIRE(scale < 2);
  outputs[scale].address = scales.address();
  jute_run run = product.run();
  run.outputs = outputs;
  run.output_count = 2;
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  REQUIRE(jute_synchronize(context.get()) == JUTE_OK);
  CHECK(product.d.to_host() == std::vector<float>(48 * 128, 2.0F));
  CHECK(scales.to_host() == std::vector<float>(48, 16.0F));
}

TEST_CASE("a gate's columns of B are those that the problem's text says", "[c][gemm][gate]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const DeviceFloats a(context.get(), std::vector<float>(48 * 32, 0.5F)),
      d(context.get(), std::vector<float>(48 * 40, -1.0F));
  // Columns of ones and of threes: the sums are 16 and 48.
  std::vector<float> halves, pairs;
  for (int at = 0; at < 32 * 80; ++at) {
    halves.push_back(at % 80 < 40 ? 1.0F : 3.0F);
    pairs.push_back(at % 2 == 0 ? 1.0F : 3.0F);
  }
  for (const auto& [columns, values] : {std::pair{"halves", halves}, std::pair{"pairs", pairs}}) {
    INFO(columns);
    const std::string text =
        std::string("M=48 N=40 K=32 gate=") + columns + " epilogue=\"acc - 2*gate\"";
    const auto gemm = prepared(context.get(), text.c_str());
    const DeviceFloats b(context.get(), values);
    jute_run run{};
    run.size = sizeof run;
    run.a = a.address(), run.b = b.address(), run.d = d.address();
    REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
    REQUIRE(jute_synchronize(context.get()) == JUTE_OK);
    CHECK(d.to_host() == std::vector<float>(48 * 40, 16.0F));
  }
}

TEST_CASE("groups end where the device's list says, and a wrong one is told", "[c][gemm][groups]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(), "M=48 N=40 K=32 batch=3 beta=0 groups=rows");
  const DeviceFloats a(context.get(), std::vector<float>(48 * 32, 0.5F)),
      b(context.get(), constant_blocks({2, 4, 6}, 32 * 40)),
      d(context.get(), std::vector<float>(48 * 40, -1.0F));
  // A workspace of the caller's own: no byte must be zero, but the fault's word is cleared.
  int64_t bytes = 0, zeroed = -1, entry = 7;
  REQUIRE(jute_gemm_workspace_bytes(gemm.get(), &bytes) == JUTE_OK);
  REQUIRE(jute_gemm_zeroed_bytes(gemm.get(), &zeroed) == JUTE_OK);
  CHECK(zeroed == 0);
  REQUIRE(bytes >= 4);
  const DeviceFloats workspace(context.get(), std::vector<float>(bytes / 4, 1.0F));
  REQUIRE(jute_gemm_clear_workspace(gemm.get(), workspace.address(), 0) == JUTE_OK);
  const auto run_with = [&](const std::vector<int32_t>& ends) {
    uint64_t list = 0;
    REQUIRE(jute_memory_allocate(context.get(), 12, &list) == JUTE_OK);
    REQUIRE(jute_memory_copy_in(context.get(), list, ends.data(), 12) == JUTE_OK);
    jute_run run{};
    run.size = sizeof run;
    run.a = a.address(), run.b = b.address(), run.d = d.address();
    run.workspace = workspace.address();
    run.ends = list;
    CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
    REQUIRE(jute_gemm_group_fault(gemm.get(), run.workspace, 0, &entry) == JUTE_OK);
    run.size = offsetof(jute_run, ends);  // who does not know them has no list
    CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_REFUSED);
    CHECK(last_error_says({"ends"}));
    REQUIRE(jute_memory_free(context.get(), list) == JUTE_OK);
  };
  run_with({40, 30, 48});
  CHECK(entry == 1);
  CHECK(d.to_host() == std::vector<float>(48 * 40, -1.0F));
  REQUIRE(jute_gemm_clear_workspace(gemm.get(), workspace.address(), 0) == JUTE_OK);
  run_with({5, 5, 41});
  CHECK(entry == -1);
  std::vector<float> expected(48 * 40, -1.0F);  // rows of no group stay
  std::fill_n(expected.begin(), 5 * 40, 32.0F);
  std::fill_n(expected.begin() + 5 * 40, 36 * 40, 96.0F);
  CHECK(d.to_host() == expected);
  CHECK(jute_gemm_group_fault(gemm.get(), workspace.address(), 0, nullptr) == JUTE_REFUSED);
  const auto plain = prepared(context.get(), "M=48 N=40 K=32 beta=0");
  REQUIRE(jute_gemm_group_fault(plain.get(), 0, 0, &entry) == JUTE_OK);
  CHECK(entry == -1);
}

TEST_CASE("rows say their groups on the device", "[c][gemm][groups]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(), "M=6 N=40 K=32 batch=3 beta=0 groups=rows:by_row");
  const DeviceFloats a(context.get(), std::vector<float>(6 * 32, 0.5F)),
      b(context.get(), constant_blocks({2, 4, 6}, 32 * 40)),
      d(context.get(), std::vector<float>(6 * 40, -1.0F));
  jute_workspace* made = nullptr;
  REQUIRE(jute_workspace_create(gemm.get(), &made) == JUTE_OK);
  const Owned<jute_workspace> workspace(made);
  jute_run run{};
  run.size = sizeof run;
  run.a = a.address(), run.b = b.address(), run.d = d.address();
  REQUIRE(jute_workspace_address(workspace.get(), &run.workspace) == JUTE_OK);
  REQUIRE(jute_memory_allocate(context.get(), 24, &run.ends) == JUTE_OK);
  const auto fault_of = [&](const std::vector<int32_t>& list) {
    int64_t entry = 7;
    REQUIRE(jute_memory_copy_in(context.get(), run.ends, list.data(), 24) == JUTE_OK);
    REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
    REQUIRE(jute_gemm_group_fault(gemm.get(), run.workspace, 0, &entry) == JUTE_OK);
    return entry;
  };
  CHECK(fault_of({2, 2, -1, 0, 0, -1}) == -1);
  const std::vector<float> found = d.to_host();
  for (const auto& [row, value] :
       {std::pair{0, 96.0F}, {1, 96.0F}, {2, -1.0F}, {3, 32.0F}, {4, 32.0F}, {5, -1.0F}})
    CHECK(std::count(found.begin() + row * 40, found.begin() + (row + 1) * 40, value) == 40);
  CHECK(fault_of({2, 2, -1, 2, 0, -1}) == 3);
  REQUIRE(jute_memory_free(context.get(), run.ends) == JUTE_OK);
}

TEST_CASE("groups have operands and sizes of their own where the device's list says",
          "[c][gemm][groups]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(), "M=48 N=40 K=32 batch=3 alpha=1 beta=0 groups=each");
  const DeviceFloats a(context.get(), std::vector<float>(48 * 32, 0.5F)),
      b(context.get(), std::vector<float>(32 * 40, 2.0F)),
      first(context.get(), std::vector<float>(48 * 40, -1.0F)),
      third(context.get(), std::vector<float>(5 * 8, -1.0F));
  const auto group = [&](const DeviceFloats& d, int32_t m, int32_t n, int32_t k) {
    jute_each_group one{};
    one.a = a.address(), one.b = b.address(), one.d = d.address();
    one.lda = 32, one.ldb = 40, one.ldd = n;
    one.m = m, one.n = n, one.k = k;
    return one;
  };
  std::vector<jute_each_group> groups{group(first, 48, 40, 32), {}, group(third, 5, 8, 7)};
  const auto bytes = static_cast<int64_t>(groups.size() * sizeof(jute_each_group));
  jute_workspace* made = nullptr;
  REQUIRE(jute_workspace_create(gemm.get(), &made) == JUTE_OK);
  const Owned<jute_workspace> workspace(made);
  jute_run run{};
  run.size = sizeof run;
  REQUIRE(jute_workspace_address(workspace.get(), &run.workspace) == JUTE_OK);
  REQUIRE(jute_memory_allocate(context.get(), bytes, &run.ends) == JUTE_OK);
  const auto run_with = [&](int32_t k) {
    int64_t entry = 7;
    groups[2].k = k;
    REQUIRE(jute_memory_copy_in(context.get(), run.ends, groups.data(), groups.size() * 80) ==
            JUTE_OK);
    REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
    REQUIRE(jute_gemm_group_fault(gemm.get(), run.workspace, 0, &entry) == JUTE_OK);
    return entry;
  };
  CHECK(run_with(7) == -1);
  CHECK(first.to_host() == std::vector<float>(48 * 40, 32.0F));
  CHECK(third.to_host() == std::vector<float>(5 * 8, 7.0F));
  CHECK(run_with(33) == 2);
  REQUIRE(jute_memory_free(context.get(), run.ends) == JUTE_OK);
}

TEST_CASE("scaled groups have numbers of their own where the device's list says",
          "[c][gemm][groups][scaled]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(),
                             "M=48 N=40 K=32 batch=2 alpha=1 beta=0 groups=each "
                             "scale_b=f32:block1x8");
  const DeviceFloats a(context.get(), std::vector<float>(48 * 32, 0.5F)),
      b(context.get(), std::vector<float>(32 * 40, 2.0F)),
      of_first(context.get(), std::vector<float>(4 * 40, 0.25F)),
      of_second(context.get(), std::vector<float>(4 * 40, 3.0F)),
      first(context.get(), std::vector<float>(48 * 40, -1.0F)),
      second(context.get(), std::vector<float>(5 * 8, -1.0F));
  const auto group = [&](const DeviceFloats& d, const DeviceFloats& scale, int32_t m, int32_t n,
                         int32_t k) {
    jute_scaled_group one{};
    one.group.a = a.address(), one.group.b = b.address(), one.group.d = d.address();
    one.group.lda = 32, one.group.ldb = 40, one.group.ldd = n;
    one.group.m = m, one.group.n = n, one.group.k = k;
    one.scale_b = scale.address(), one.ld_scale_b = 40;
    return one;
  };
  const std::vector<jute_scaled_group> groups{group(first, of_first, 48, 40, 32),
                                              group(second, of_second, 5, 8, 7)};
  const auto bytes = static_cast<int64_t>(groups.size() * sizeof(jute_scaled_group));
  CHECK(bytes == 2 * 144);
  jute_workspace* made = nullptr;
  REQUIRE(jute_workspace_create(gemm.get(), &made) == JUTE_OK);
  const Owned<jute_workspace> workspace(made);
  jute_run run{};
  run.size = sizeof run;
  REQUIRE(jute_workspace_address(workspace.get(), &run.workspace) == JUTE_OK);
  REQUIRE(jute_memory_allocate(context.get(), bytes, &run.ends) == JUTE_OK);
  REQUIRE(jute_memory_copy_in(context.get(), run.ends, groups.data(), groups.size() * 144) ==
          JUTE_OK);
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  CHECK(first.to_host() == std::vector<float>(48 * 40, 8.0F));
  CHECK(second.to_host() == std::vector<float>(5 * 8, 21.0F));
  REQUIRE(jute_memory_free(context.get(), run.ends) == JUTE_OK);
}

TEST_CASE("a run's tables of rows gather and scatter, and tell an entry that is no row",
          "[c][gemm][rows]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm =
      prepared(context.get(), "M=4 N=1 K=1 A=f32:rows3 B=f32 D=f32:rows5 alpha=1 beta=0");
  const DeviceFloats a(context.get(), {1, 2, 3}), b(context.get(), {10}),
      d(context.get(), std::vector<float>(5, -1.0F));
  jute_workspace* workspace = nullptr;
  REQUIRE(jute_workspace_create(gemm.get(), &workspace) == JUTE_OK);
  const auto table = [&](const std::vector<int32_t>& rows) {
    uint64_t address = 0;
    REQUIRE(jute_memory_allocate(context.get(), 16, &address) == JUTE_OK);
    REQUIRE(jute_memory_copy_in(context.get(), address, rows.data(), 16) == JUTE_OK);
    return address;
  };
  jute_run run{};
  run.size = sizeof run;
  run.a = a.address(), run.b = b.address(), run.d = d.address();
  REQUIRE(jute_workspace_address(workspace, &run.workspace) == JUTE_OK);
  run.rows_a = table({2, -1, 0, 3}), run.rows_d = table({4, 0, -1, 1});
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  CHECK(d.to_host() == std::vector<float>{0, 0, -1, -1, 30});
  int64_t entry = -7;
  REQUIRE(jute_gemm_row_fault(gemm.get(), JUTE_OPERAND_A, run.workspace, 0, &entry) == JUTE_OK);
  CHECK(entry == 3);
  REQUIRE(jute_gemm_row_fault(gemm.get(), JUTE_OPERAND_D, run.workspace, 0, &entry) == JUTE_OK);
  CHECK(entry == -1);
  CHECK(jute_gemm_row_fault(gemm.get(), JUTE_OPERAND_B, run.workspace, 0, &entry) != JUTE_OK);
  run.size = offsetof(jute_run, rows_a);  // who does not know them has no tables
  CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_REFUSED);
  CHECK(last_error_says({"rows_a"}));
  for (const uint64_t address : {run.rows_a, run.rows_d})
    REQUIRE(jute_memory_free(context.get(), address) == JUTE_OK);
  REQUIRE(jute_workspace_free(workspace) == JUTE_OK);
}

TEST_CASE("stored elements count less their zero point, times their block's scale",
          "[c][gemm][scaled]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto gemm = prepared(context.get(),
                             "M=4 N=8 K=32 A=f32 B=s8:col beta=0 scale_b=f32:col:block1x16 "
                             "zero_b=f32:block1xall");
  const DeviceFloats a(context.get(), std::vector<float>(4 * 32, 1.0F)),
      zeros(context.get(), {0, 1, 2, 3, 4, 5, 6, 7}), d(context.get(), std::vector<float>(4 * 8));
  std::vector<float> of_blocks;  // of each column the blocks of K follow each other
  for (int n = 0; n < 8; ++n) of_blocks.insert(of_blocks.end(), {1.0F, 2.0F});
  const DeviceFloats scales(context.get(), of_blocks);
  uint64_t b = 0;
  const std::vector<int8_t> threes(32 * 8, 3);
  REQUIRE(jute_memory_allocate(context.get(), 32 * 8, &b) == JUTE_OK);
  REQUIRE(jute_memory_copy_in(context.get(), b, threes.data(), threes.size()) == JUTE_OK);
  jute_workspace* made = nullptr;
  REQUIRE(jute_workspace_create(gemm.get(), &made) == JUTE_OK);
  const Owned<jute_workspace> workspace(made);
  jute_run run{};
  run.size = sizeof run;
  run.a = a.address(), run.b = b, run.d = d.address();
  REQUIRE(jute_workspace_address(workspace.get(), &run.workspace) == JUTE_OK);
  run.scale_b = scales.address(), run.zero_b = zeros.address();
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  REQUIRE(jute_synchronize(context.get()) == JUTE_OK);
  std::vector<float> expected;
  for (int i = 0; i < 4 * 8; ++i) expected.push_back(48.0F * static_cast<float>(3 - i % 8));
  CHECK(d.to_host() == expected);
  run.size = offsetof(jute_run, scale_a);  // who does not know them has none
  CHECK(jute_gemm_run(gemm.get(), &run) == JUTE_REFUSED);
  CHECK(last_error_says({"scale_b"}));
  REQUIRE(jute_memory_free(context.get(), b) == JUTE_OK);
}

TEST_CASE("an operand is packed once for many runs", "[c][gemm]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto problem = problem_from("M=64 N=72 K=80 A=bf16:row:ld83:align2 B=bf16 beta=0");
  jute_gemm* made = nullptr;
  REQUIRE(jute_gemm_prepare(context.get(), problem.get(), "pad=on", &made) == JUTE_OK);
  const Owned<jute_gemm> gemm(made);
  int64_t a_bytes = 0, b_bytes = -1;
  REQUIRE(jute_gemm_packed_bytes(gemm.get(), JUTE_OPERAND_A, &a_bytes) == JUTE_OK);
  REQUIRE(jute_gemm_packed_bytes(gemm.get(), JUTE_OPERAND_B, &b_bytes) == JUTE_OK);
  CHECK(a_bytes > 0);
  CHECK(b_bytes == 0);
  CHECK(jute_gemm_packed_bytes(gemm.get(), 2, &b_bytes) == JUTE_REFUSED);
  const DeviceFloats a(context.get(), std::vector<float>(64 * 83)),
      packed(context.get(), std::vector<float>(static_cast<size_t>(a_bytes) / 4 + 1));
  jute_run run{};
  run.size = sizeof run;
  run.a = a.address();
  CHECK(jute_gemm_pack(gemm.get(), JUTE_OPERAND_A, packed.address(), &run) == JUTE_OK);
  CHECK(jute_synchronize(context.get()) == JUTE_OK);
}

TEST_CASE("many problems are prepared at once, told one by one", "[c][gemm][prepare]") {
  const TemporaryFolder folder;
  jute_context_options a100{};
  a100.chip = "sm_80";
  const auto context = emulated_context(folder.file("cache"), a100);
  std::vector<Owned<jute_problem>> owned;
  std::vector<const jute_problem*> problems;
  for (const char* const text :
       {"M=16 N=16 K=16", "M=16 N=16 K=32", "M=4 N=4 K=4 A=e4m3", "M=16 N=16 K=48"}) {
    owned.push_back(problem_from(text));
    problems.push_back(owned.back().get());
  }
  struct Told {
    size_t calls = 0, last = 0, refused = 0;
  } told;
  jute_prepare_options options{};
  options.size = sizeof options;
  options.threads = 3;
  options.progress_user = &told;
  options.progress = [](void* user, size_t done, size_t all, const char* problem,
                        const char* error) -> int32_t {
    auto& to = *static_cast<Told*>(user);
    ++to.calls;
    to.last = done == all ? done : to.last;
    if (error != nullptr) to.refused += std::string(problem).find("A=e4m3") != std::string::npos;
    return 0;
  };
  std::vector<jute_gemm*> gemms(problems.size(), reinterpret_cast<jute_gemm*>(1));
  const int32_t status = jute_gemm_prepare_many(context.get(), problems.data(), problems.size(),
                                                &options, gemms.data());
  CHECK(status == JUTE_REFUSED);
  CHECK(last_error_says({"\"A.type\"", "sm_89"}));
  CHECK(told.calls == 4);
  CHECK(told.last == 4);
  CHECK(told.refused == 1);
  CHECK(gemms[2] == nullptr);
  for (jute_gemm* const gemm : gemms) {
    CHECK(jute_gemm_free(gemm) == JUTE_OK);
  }
}

TEST_CASE("a callback that wants no more leaves out what has not begun", "[c][gemm][prepare]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto problem = problem_from("M=16 N=16 K=16");
  const std::vector<const jute_problem*> problems(6, problem.get());
  jute_prepare_options options{};
  options.size = sizeof options;
  options.threads = 1;
  options.progress = [](void*, size_t done, size_t, const char*, const char*) -> int32_t {
    return done == 2 ? 1 : 0;
  };
  std::vector<jute_gemm*> gemms(6);
  CHECK(jute_gemm_prepare_many(context.get(), problems.data(), 6, &options, gemms.data()) ==
        JUTE_CANCELLED);
  CHECK(gemms[1] != nullptr);
  CHECK(gemms[2] == nullptr);
  for (jute_gemm* const gemm : gemms) CHECK(jute_gemm_free(gemm) == JUTE_OK);
}

TEST_CASE("workspaces come from the caller's allocator, and lines of the log go to the caller",
          "[c][gemm]") {
  const TemporaryFolder folder;
  struct Seen {
    std::vector<int64_t> asked;
    std::vector<uint64_t> released;
    std::string log;
    jute_context* memory;
    bool is_empty = false;
  } seen;
  const auto memory = emulated_context(folder.file("cache"));
  jute_context_options options{};
  options.allocator_user = options.log_user = &seen;
  options.allocate = [](void* user, int64_t bytes) -> uint64_t {
    auto& to = *static_cast<Seen*>(user);
    to.asked.push_back(bytes);
    uint64_t address = 0;
    if (!to.is_empty) REQUIRE(jute_memory_allocate(to.memory, bytes, &address) == JUTE_OK);
    return address;
  };
  options.release = [](void* user, uint64_t address) {
    auto& to = *static_cast<Seen*>(user);
    to.released.push_back(address);
    CHECK(jute_memory_free(to.memory, address) == JUTE_OK);
  };
  options.log = [](void* user, const char* line) {
    static_cast<Seen*>(user)->log += std::string(line) + "\n";
  };
  const auto context = emulated_context(folder.file("cache"), options);
  seen.memory = context.get();
  const auto problem = problem_from("M=64 N=64 K=4096 A=bf16 B=bf16:col");
  jute_gemm* made = nullptr;
  REQUIRE(jute_gemm_prepare(context.get(), problem.get(), "split_k=4", &made) == JUTE_OK);
  const Owned<jute_gemm> gemm(made);
  CHECK(seen.log.find("M=64 N=64 K=4096") == 0);
  int64_t bytes = 0, zeroed = 0;
  REQUIRE(jute_gemm_workspace_bytes(gemm.get(), &bytes) == JUTE_OK);
  REQUIRE(jute_gemm_zeroed_bytes(gemm.get(), &zeroed) == JUTE_OK);
  CHECK(bytes > 0);
  CHECK(zeroed <= bytes);
  jute_workspace* workspace = nullptr;
  REQUIRE(jute_workspace_create(gemm.get(), &workspace) == JUTE_OK);
  CHECK(seen.asked == std::vector<int64_t>{bytes});
  REQUIRE(jute_workspace_free(workspace) == JUTE_OK);
  CHECK(seen.released.size() == 1);
  seen.is_empty = true;
  CHECK(jute_workspace_create(gemm.get(), &workspace) == JUTE_LACKING);
  CHECK(workspace == nullptr);
}

TEST_CASE("a race is refused by name where its times would say nothing", "[c][gemm][refusal]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto problem = problem_from("M=48 N=40 K=32 beta=0");
  jute_gemm* made = nullptr;
  CHECK(jute_gemm_tune(context.get(), problem.get(), nullptr, 8, &made) == JUTE_LACKING);
  CHECK(made == nullptr);
  CHECK(last_error_says({"no_gpu", "race", "what the emulator takes says nothing of a chip"}));
  CHECK(jute_gemm_tune(context.get(), problem.get(), nullptr, 0, &made) == JUTE_REFUSED);
  const auto range = problem_from("M=1:48 N=40 K=32 beta=0");
  CHECK(jute_gemm_tune(context.get(), range.get(), nullptr, 8, &made) == JUTE_REFUSED);
  CHECK(last_error_says({"a race must have one M"}));
}

TEST_CASE("what a handle was made of may be freed before it", "[c][gemm]") {
  const TemporaryFolder folder;
  auto context = emulated_context(folder.file("cache"));
  auto problem = problem_from("M=48 N=40 K=32 beta=0");
  jute_gemm* made = nullptr;
  REQUIRE(jute_gemm_prepare(context.get(), problem.get(), nullptr, &made) == JUTE_OK);
  const Owned<jute_gemm> gemm(made);
  problem.reset();
  int64_t bytes = -1;
  context.reset();
  CHECK(jute_gemm_workspace_bytes(gemm.get(), &bytes) == JUTE_OK);
  CHECK(jute_gemm_plan_text(gemm.get()) != nullptr);
  jute_workspace* workspace = nullptr;
  REQUIRE(jute_workspace_create(gemm.get(), &workspace) == JUTE_OK);
  CHECK(jute_workspace_free(workspace) == JUTE_OK);
}
