// Operands that stream through the chip once: where blocks begin in K, and what the cache gives up.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/m_range.hpp>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using test::problem_of;

namespace {

GemmStep streaming_step_for(const Problem& problem, const char* config = "") {
  return gemm_step(make_plan(problem, device_preset("h200"), parse_config(config)));
}
Problem product(Index m, Index n, Index k) {
  return problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
}
/// With rows of the weights so many elements apart.
Problem few_rows(Index ldb) {
  Problem problem = product(16, 8192, ldb);
  problem.b.ld_elems = ldb;
  return problem;
}
int starts(const Problem& problem) { return streaming_step_for(problem).schedule.k_starts; }

}  // namespace

TEST_CASE("blocks begin at several places of K where rows a power of two apart stream by",
          "[plan][streams]") {
  for (const auto& [m, n, k] :
       {std::tuple(16, 7168, 16384), std::tuple(64, 28672, 4096), std::tuple(8192, 32, 8192)}) {
    INFO(m << "x" << n << "x" << k);
    CHECK(starts(product(m, n, k)) == 8);
  }
  CHECK(starts(few_rows(4096)) == 8);
  // Rows that other banks hold in turn; too near each other; few in the cache.
  CHECK(starts(few_rows(4096 + 64)) == 1);
  CHECK(starts(few_rows(12288)) == 1);
  CHECK(starts(few_rows(2048)) == 1);
  CHECK(starts(product(16, 512, 4096)) == 1);
}

TEST_CASE("blocks that share many rows ask for them at the same time", "[plan][streams]") {
  CHECK(starts(product(64, 8192, 8192)) == 1);
  CHECK(starts(product(128, 8192, 16384)) == 1);
  CHECK(starts(product(4096, 4096, 4096)) == 1);
  for (const char* config : {"cluster=2x1", "cluster=1x2"})
    CHECK(streaming_step_for(product(16, 8192, 8192), config).schedule.k_starts == 1);
}

TEST_CASE("kernels of a range begin apart, and say for how few rows", "[plan][streams]") {
  Problem problem = product(4096, 4096, 4096);
  problem.m_range = MRange{2, 4096};
  for (const Plan& plan : make_plans(problem, device_preset("h200"))) {
    const KernelSchedule& schedule = gemm_step(plan).schedule;
    CHECK(schedule.k_starts == (schedule.widths.empty() ? 1 : 8));
  }
}

TEST_CASE("the cache gives up first what one block reads, or two neighbours", "[plan][streams]") {
  const GemmStep alone = streaming_step_for(product(16, 7168, 16384)),
                 pairs = streaming_step_for(product(128, 8192, 14336)),
                 many = streaming_step_for(product(4096, 8192, 4096));
  CHECK(tma_of(alone.transposed ? alone.a : alone.b).hint == CacheHint::evict_first);
  CHECK(tma_of(alone.transposed ? alone.b : alone.a).hint == CacheHint::none);
  CHECK_FALSE(pairs.transposed);
  CHECK(pairs.tile.m == 64);
  CHECK(tma_of(pairs.b).hint == CacheHint::evict_first);
  CHECK(tma_of(pairs.a).hint == CacheHint::none);
  CHECK(tma_of(many.a).hint == CacheHint::none);
  CHECK(tma_of(many.b).hint == CacheHint::none);
}

TEST_CASE("a stream of many times the cache's size has no hint", "[plan][streams]") {
  for (const auto& [m, n, k] : {std::tuple(15, 201088, 2880), std::tuple(128, 8192, 28672)}) {
    const GemmStep step = streaming_step_for(product(m, n, k));
    CHECK(tma_of(step.a).hint == CacheHint::none);
    CHECK(tma_of(step.b).hint == CacheHint::none);
  }
}
