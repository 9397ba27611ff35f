// The usual kernel of every architecture and type: assembled without spills, and right.
#include <jute/codegen/generate.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <array>
#include <string_view>

#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/problem_of.hpp"
#include "support/straight_cases.hpp"

using namespace jute;
using test::problem_of;

namespace {

struct Types {
  DType ab, cd;
};
constexpr std::array kTypes{Types{DType::f32, DType::f32},  Types{DType::f64, DType::f64},
                            Types{DType::f16, DType::f16},  Types{DType::bf16, DType::bf16},
                            Types{DType::tf32, DType::f32}, Types{DType::s8, DType::s32},
                            Types{DType::u8, DType::s32},   Types{DType::e4m3, DType::bf16},
                            Types{DType::e5m2, DType::f32}};

/// Conversions from 8-bit floats are instructions of sm_89.
bool is_supported(const Arch& arch, DType type) {
  return arch.number >= 89 || (type != DType::e4m3 && type != DType::e5m2);
}

std::vector<std::byte> small_integers(DType type, Index count, int seed) {
  std::vector<double> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) {
    const int drawn = static_cast<int>((i * 7 + i / 13 * 5 + static_cast<size_t>(seed)) % 5);
    values[i] = type == DType::u8 ? drawn : drawn - 2;
  }
  return encode(type, values);
}

/// What the kernel makes of the operands on the emulator.
std::vector<std::byte> emulated(const Plan& plan, const Binary& binary,
                                const HostOperands& operands) {
  EmulatorOptions options;
  options.device = plan.device;
  const auto backend = open_emulator(options);
  const auto upload = [&](std::span<const std::byte> bytes) {
    Buffer buffer(*backend, static_cast<Index>(bytes.size()));
    backend->copy_in(buffer.pointer(), bytes);
    return buffer;
  };
  const Problem& problem = plan.problem;
  std::vector<std::byte> result(static_cast<size_t>(operand_bytes(problem)[TensorRole::d]));
  const Buffer a = upload(operands.memory[TensorRole::a]),
               b = upload(operands.memory[TensorRole::b]),
               c = upload(operands.memory[TensorRole::c]);
  const Buffer d(*backend, static_cast<Index>(result.size()));
  // Slices of K meet in a workspace that begins with zeros.
  const Buffer workspace(*backend, workspace_bytes(plan));
  backend->fill(workspace.pointer(), 0, workspace.size_bytes());
  RunValues run = run_values(problem);
  run.workspace = workspace.pointer();
  run[TensorRole::a].base = a.pointer();
  run[TensorRole::b].base = b.pointer();
  run[TensorRole::c].base = c.pointer();
  run[TensorRole::d].base = d.pointer();
  run.alpha = 2;
  run.beta = 3;
  const LaunchSpec spec = bind(plan, plan.steps.size() - 1, run, *backend);
  backend->launch(backend->load(binary), spec);
  backend->synchronize();
  backend->copy_out(result, d.pointer());
  return result;
}

/// Integers are summed without rounding: D is the reference, rounded once.
void require_right_result(const Plan& plan, const Binary& binary) {
  const Problem& problem = plan.problem;
  const auto a = small_integers(problem.a.type, problem.m * problem.k, 1);
  const auto b = small_integers(problem.b.type, problem.k * problem.n, 2);
  const auto c = small_integers(problem.c.type, problem.m * problem.n, 3);
  const HostOperands operands{a, b, c};
  Reference exact = reference_gemm(problem, operands, 2.0, 3.0, 0.0);
  for (size_t i = 0; i < exact.value.size(); ++i) {
    exact.value[i] = decode(problem.d.type, encode(problem.d.type, exact.value[i]));
    exact.bound[i] = 0.0;
  }
  const Verdict verdict = compare(problem, exact, emulated(plan, binary, operands));
  INFO(verdict);
  CHECK(verdict.ok);
}

void check_architecture(const std::string& preset) {
  const Compiler compiler = test::test_compiler();
  for (const Types& types : kTypes) {
    const DeviceInfo& device = device_preset(preset);
    if (!is_supported(device.arch, types.ab)) continue;
    const Plan plan = make_plan(
        problem_of(20, 256, 1024, {types.ab, types.cd}, {Order::row, Order::col}), device);
    const Source source = generate(plan).back();
    INFO(source.symbol);
    const Binary binary = compiler.compile(source, Output::ptx_and_cubin);
    CHECK(!binary.ptx.empty());
    CHECK(!binary.cubin.empty());
    REQUIRE(binary.resources);
    CHECK(binary.resources->spill_store_bytes == 0);
    CHECK(binary.resources->spill_load_bytes == 0);
    CHECK_FALSE(binary.resources->serialized);
    require_right_result(plan, binary);
  }
}

}  // namespace

TEST_CASE("usual kernels of sm_75 assemble without spills and are right", "[codegen][compile]") {
  check_architecture("t4");
}
TEST_CASE("usual kernels of sm_80 assemble without spills and are right", "[codegen][compile]") {
  check_architecture("a100");
}
TEST_CASE("usual kernels of sm_86 assemble without spills and are right", "[codegen][compile]") {
  check_architecture("rtx3090");
}
TEST_CASE("usual kernels of sm_89 assemble without spills and are right", "[codegen][compile]") {
  check_architecture("l40s");
}
TEST_CASE("usual kernels of sm_90a assemble without spills and are right", "[codegen][compile]") {
  check_architecture("h200");
}
TEST_CASE("usual kernels of sm_120a assemble without spills and are right", "[codegen][compile]") {
  check_architecture("rtx5090");
}

TEST_CASE("kernels without shared tiles are assembled without spills", "[codegen][compile]") {
  const Compiler compiler = test::test_compiler();
  for (const test::StraightRow& row : test::all_straight()) {
    INFO(row.preset << " " << row.config);
    const test::GemmCase one = test::case_of(row, 1);
    const Plan plan = make_plan(one.problem, device_preset(row.preset), one.config);
    const Binary binary = compiler.compile(generate(plan).back(), Output::ptx_and_cubin);
    REQUIRE(binary.resources);
    CHECK(binary.resources->spill_store_bytes == 0);
    CHECK(binary.resources->spill_load_bytes == 0);
    CHECK_FALSE(binary.resources->serialized);
  }
}

// Bounded registers let as many blocks begin as an SM has of the grid.
TEST_CASE("kernels that read lines make do with the registers that their neighbours leave",
          "[codegen][compile]") {
  const Compiler compiler = test::test_compiler();
  const auto check = [&](Index m, Index n, DType type, int least_blocks, const char* config = "") {
    const Order along = m < n ? Order::row : Order::col;
    const Plan plan = make_plan(
        problem_of(m, n, 768, {type, type == DType::tf32 ? DType::f32 : type}, {along, along}),
        device_preset("h200"), parse_config(config));
    INFO(m << "x" << n << " " << name(type));
    const int blocks = gemm_step(plan).schedule.blocks_per_sm;
    CHECK(blocks >= least_blocks);
    const Binary binary = compiler.compile(generate(plan).back(), Output::ptx_and_cubin);
    REQUIRE(binary.resources);
    CHECK(binary.resources->spill_store_bytes == 0);
    CHECK(binary.resources->registers * gemm_step(plan).threads * blocks <= 65536);
  };
  check(4, 50257, DType::bf16, 2,
        "mma_atom=SM80_16x8x16_F32BF16BF16F32_TN atom_layout=(1,1,8):(0,0,1) "
        "permutation=(_,(8,8):(8,1),(16,8,1):(8,1,128)) tile=16x64x256 main_loop=straight");
  check(1, 50257, DType::bf16, 2,
        "mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> "
        "atom_layout=(1,16,(8,2)):(0,1,(32,16)) permutation=(_,(16,8):(8,1),_) tile=1x128x64 "
        "main_loop=straight");
  check(50257, 12, DType::bf16, 2,
        "mma_atom=SM80_16x8x16_F32BF16BF16F32_TN atom_layout=(1,1,8):(0,0,1) "
        "permutation=((8,8):(8,1),_,(16,8,1):(8,1,128)) tile=64x16x128 main_loop=straight");
  check(8, 50257, DType::tf32, 1);
  check(1, 50257, DType::f32, 2);
  check(16, 2001, DType::bf16, 1);
}

// 192 sums a thread, and for each of their columns the place of D's edge; 168 sums beside C's
// elements, read one by one.
TEST_CASE("kernels of large products without literals assemble without spills",
          "[codegen][compile]") {
  const Compiler compiler = test::test_compiler();
  const test::ProblemOrders along_k{Order::row, Order::col};
  for (const Problem& problem :
       {problem_of(8192, 8192, 8192, {DType::s8, DType::s32}, along_k),
        problem_of(4001, 4003, 4005, {DType::bf16, DType::bf16}, along_k)}) {
    const Plan plan = make_plan(problem, device_preset("h200"), parse_config("specialize=none"));
    const Binary binary = compiler.compile(generate(plan).back(), Output::ptx_and_cubin);
    INFO(binary.symbol);
    REQUIRE(binary.resources);
    CHECK(binary.resources->spill_store_bytes == 0);
    CHECK_FALSE(binary.resources->serialized);
  }
}

// 200 accumulators a thread leave few registers to add C with.
TEST_CASE("the widest tiles assemble without spills", "[codegen][compile]") {
  const Compiler compiler = test::test_compiler();
  for (const char* config : {"tile=256x200x64", "tile=256x200x64 specialize=none",
                             "tile=256x200x64 swapped=on", "tile=128x200x64 ping_pong=2"}) {
    const Plan plan = make_plan(
        problem_of(4096, 4096, 1024, {DType::bf16, DType::bf16}, {Order::row, Order::col}),
        device_preset("h200"), parse_config(config));
    const Binary binary = compiler.compile(generate(plan).back(), Output::ptx_and_cubin);
    INFO(config);
    REQUIRE(binary.resources);
    CHECK(binary.resources->spill_store_bytes == 0);
    CHECK_FALSE(binary.resources->serialized);
  }
}

// Up to 192 sums a thread; a producer's warp copies up to 256 scales with 40 registers a thread.
TEST_CASE("products whose sums are scaled are multiplied by the tile's width, without spills",
          "[codegen][compile]") {
  const Compiler compiler = test::test_compiler();
  for (const char* const factors : {"alpha=1 beta=0", "C=bf16"})
    for (const char* const config :
         {"", "tile=256x128x128", "tile=128x192x128", "tile=64x128x128", "tile=192x112x128"}) {
      const Plan plan = make_plan(
          parse_problem(std::string("M=8192 N=8192 K=8192 A=e4m3 B=e4m3:col D=bf16 "
                                    "scale_a=f32:col:block1x128 scale_b=f32:col:block128x128 ") +
                        factors),
          device_preset("h200"), parse_config(config));
      INFO(factors << ' ' << config);
      CHECK(gemm_step(plan).mma.atom().shape.n == gemm_step(plan).tile.n);
      const Binary binary = compiler.compile(generate(plan).back(), Output::ptx_and_cubin);
      REQUIRE(binary.resources);
      CHECK(binary.resources->spill_store_bytes == 0);
      CHECK_FALSE(binary.resources->serialized);
    }
}

// As many columns of sums as are planned so, of one group of consumers and of two.
TEST_CASE("kernels of which an SM holds two blocks have half of its registers, and no spills",
          "[codegen][compile]") {
  const Compiler compiler = test::test_compiler();
  const std::string early = " swapped=off split_k=1 cluster=1x1 ping_pong=1 release=at_start";
  const auto check = [&](Index m, Index n, const std::string& tile) {
    INFO(tile);
    const Plan plan =
        make_plan(problem_of(m, n, 512, {DType::bf16, DType::bf16}, {Order::row, Order::col}),
                  device_preset("h200"), parse_config("tile=" + tile + early));
    const GemmStep& step = gemm_step(plan);
    REQUIRE(step.schedule.blocks_per_sm == 2);
    const Binary binary = compiler.compile(generate(plan).back(), Output::ptx_and_cubin);
    REQUIRE(binary.resources);
    CHECK(binary.resources->spill_store_bytes == 0);
    CHECK(2 * step.threads * binary.resources->registers <= plan.device.registers_per_sm);
  };
  check(64 * 24, 184 * 3, "64x184x64");
  check(128 * 70, 40, "128x40x64");
}

// Sums that threads add to between two tiles' products: the assembler must see where products begin
// anew.
TEST_CASE("products of kernels that add slices of K overlap", "[codegen][compile]") {
  const Compiler compiler = test::test_compiler();
  Problem problem =
      problem_of(4096, 1024, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  problem.m_range = MRange{1, 4096};
  std::vector<Plan> plans = make_plans(problem, device_preset("h200"));
  std::erase_if(plans,
                [](const Plan& plan) { return !gemm_step(plan).schedule.split_k_at_run_time; });
  REQUIRE(!plans.empty());
  problem.m_range.reset();
  plans.push_back(make_plan(problem, device_preset("h200"),
                            parse_config("tile=128x128x64 split_k=2 specialize=none")));
  for (const Plan& plan : plans) {
    const Binary binary = compiler.compile(generate(plan).back(), Output::ptx_and_cubin);
    INFO(binary.symbol);
    REQUIRE(binary.resources);
    CHECK(binary.resources->spill_store_bytes == 0);
    CHECK_FALSE(binary.resources->serialized);
  }
}
