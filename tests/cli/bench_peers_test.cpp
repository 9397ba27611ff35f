// How `jute bench` puts a problem to NVIDIA's libraries, without them.
#include "bench/peers/blas_problem.hpp"
#include "bench/peers/cublas_api.hpp"
#include "bench/peers/lt_candidates.hpp"
#include "bench/peers/lt_epilogue.hpp"
#include "bench/peers/plain_parts.hpp"
#include "race/operands/judge.hpp"
#include "race/race.hpp"
#include "support/catch.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>

#if __has_include(<cublasLt.h>)
#define JUTE_HAS_CUBLAS_HEADERS
#include <cublasLt.h>
#endif

using namespace jute;
using namespace jute::bench;

namespace {

Problem problem(Order a, Order b, Order d) {
  Problem made;
  made.m = 3;
  made.n = 5;
  made.k = 7;
  made.a.type = made.b.type = made.c.type = made.d.type = DType::bf16;
  made.a.order = a;
  made.b.order = b;
  made.c.order = made.d.order = d;
  return made;
}

/// Offset of element (row, col) of op(matrix).
Index offset(const BlasMatrix& matrix, Index row, Index col) {
  return matrix.operation == kNoTranspose ? row + col * matrix.ld : col + row * matrix.ld;
}

/// Offset of element (row, col) of a packed matrix in jute's words.
Index offset(Order order, Index rows, Index cols, Index row, Index col) {
  return order == Order::row ? row * cols + col : row + col * rows;
}

LtChoice choice(std::uint64_t tag, size_t workspace) {
  LtChoice made;
  made.algorithm.data[3] = tag;
  made.workspace_bytes = workspace;
  return made;
}

}  // namespace

TEST_CASE("in every order BLAS finds each element where jute put it", "[cli][bench]") {
  const auto orders = {Order::row, Order::col};
  for (const Order a : orders)
    for (const Order b : orders)
      for (const Order d : orders) {
        const BlasProblem words = blas_problem(problem(a, b, d), 1, 0).value();
        const BlasMatrix& of_a = words.is_swapped ? words.second : words.first;
        const BlasMatrix& of_b = words.is_swapped ? words.first : words.second;
        // By columns a row-major D is seen transposed, and so are then both operands.
        const auto at = [&](const BlasMatrix& matrix, Index row, Index col) {
          return words.is_swapped ? offset(matrix, col, row) : offset(matrix, row, col);
        };
        CHECK(at(of_a, 2, 4) == offset(a, 3, 7, 2, 4));
        CHECK(at(of_b, 4, 1) == offset(b, 7, 5, 4, 1));
        CHECK(at(words.d, 2, 1) == offset(d, 3, 5, 2, 1));
        CHECK(words.m == (words.is_swapped ? 5 : 3));
        CHECK(words.c == words.d);
      }
}

TEST_CASE("types, factors and strides are put in BLAS's words", "[cli][bench]") {
  Problem made = problem(Order::row, Order::col, Order::row);
  made.batch = 4;
  made.a.broadcast = true;
  made.b.ld_elems = 16;
  const BlasProblem words = blas_problem(made, 2.0, 0.5).value();
  CHECK(words.compute == kCompute32F);
  CHECK(words.scale == kBlasF32);
  CHECK(words.first.type == kBlasBf16);
  CHECK(words.first.ld == 16);
  CHECK(words.second.batch_stride == 0);
  CHECK(words.d.batch_stride == 15);
  CHECK(words.reads_c);
  float beta = 0;
  std::memcpy(&beta, words.beta.bytes, sizeof beta);
  CHECK(beta == 0.5f);
  made.a.type = made.b.type = DType::tf32;
  made.c.type = made.d.type = DType::f32;
  CHECK(blas_problem(made, 1, 0)->compute == kComputeTf32);
  made.c.order = Order::col;
  CHECK(blas_problem(made, 1, 0).has_value());
  CHECK_FALSE(blas_problem(made, 1, 1).has_value());  // C lies otherwise than D
}

TEST_CASE("the bound of a library's error follows from its accumulator", "[cli][bench]") {
  Problem made = problem(Order::row, Order::col, Order::row);
  CHECK(blas_roundoff(made) == 0x1p-23);
  made.a.type = made.b.type = DType::e4m3;
  CHECK(blas_roundoff(made) == 0x1p-13);
  made.a.type = made.b.type = made.c.type = made.d.type = DType::f32;
  CHECK(blas_roundoff(made) == 0x1p-24);
}

TEST_CASE("each of cuBLASLt's algorithms races once, in each of its forms", "[cli][bench]") {
  const std::vector<LtChoice> all{choice(1, 4096), choice(2, 0), choice(1, 4096), choice(3, 0),
                                  choice(2, 0)};
  const std::vector<LtChoice> some = distinct(all);
  REQUIRE(some.size() == 3);
  CHECK(some[0].algorithm == all[0].algorithm);
  CHECK(some[2].algorithm == all[3].algorithm);
  CHECK(forms(some[0]) == std::vector{LtWorkspace::given});
  CHECK(forms(some[1]) == std::vector{LtWorkspace::given, LtWorkspace::none});
  CHECK(lt_name(3, {66, 20, 36, 2}, LtWorkspace::none) == "cublasLt 3: 66/20/36 x2, no workspace");
}

TEST_CASE("cuBLAS is looked for in toolkits, then in wheels, or where one says", "[cli][bench]") {
  const test::TemporaryFolder folder;
  const std::filesystem::path& root = folder.path();
  const auto toolkit = root / "cuda/lib64";
  const auto wheel = root / "venv/lib/python3.12/site-packages/nvidia/cu13/lib";
  std::filesystem::create_directories(toolkit);
  std::filesystem::create_directories(wheel);
  CublasPlaces places;
  places.toolkits = {(root / "cuda").string(), (root / "none").string()};
  places.virtual_env = (root / "venv").string();
  CHECK(cublas_folders(places) == std::vector{toolkit.string(), wheel.string()});
  std::ofstream(wheel / "libcublasLt.so.13") << "no library";
  places.library = (wheel / "libcublasLt.so.13").string();
  CHECK(cublas_folders(places) == std::vector{wheel.string()});
  CHECK_FALSE(find_cublas(places).has_value());
}

TEST_CASE("a loop of calls finds each element of a group where jute put it",
          "[cli][bench][groups]") {
  const auto part_of = [](const char* kind, Order order, std::vector<Index> ends, size_t group) {
    Problem made = problem(order, order, order);
    made.m = made.n = made.k = 16;
    made.batch = static_cast<Index>(ends.size());
    made.groups = parse_groups(kind);
    return plain_parts(completed(made), ends).at(group);
  };
  using enum Order;
  constexpr Index kLine = 16 * 2, kMatrix = 16 * kLine;
  const PlainPart rows = part_of("rows", row, {3, 3, 10}, 1);  // the empty one has no call
  CHECK(rows.problem.m == 7);
  CHECK(rows.problem.batch == 1);
  CHECK_FALSE(rows.problem.groups.has_value());
  CHECK(std::array{rows.a, rows.b, rows.d} == std::array{3 * kLine, 2 * kMatrix, 3 * kLine});
  const PlainPart cols = part_of("cols", row, {3, 10}, 1);
  CHECK(cols.problem.n == 7);
  CHECK(std::array{cols.a, cols.b, cols.d} == std::array<Index, 3>{kMatrix, 6, 6});
  const PlainPart k = part_of("k", col, {3, 3, 10}, 2);
  CHECK(k.problem.k == 7);
  CHECK(std::array{k.a, k.b, k.d} == std::array<Index, 3>{3 * kLine, 6, 2 * kMatrix});
  const PlainPart masked = part_of("masked_rows", col, {3, 10}, 1);
  CHECK(masked.problem.m == 10);
  CHECK(std::array{masked.a, masked.b, masked.d} == std::array{kMatrix, kMatrix, kMatrix});
  CHECK(plain_parts(completed(problem(row, row, row)), {}).empty());
}

TEST_CASE("a chain needs a D that can be the next A", "[cli][bench]") {
  Problem made = problem(Order::row, Order::col, Order::row);
  CHECK_FALSE(can_be_chained(case_of(made, 1, 0)));
  made.n = made.k;
  CHECK(can_be_chained(case_of(made, 1, 0)));
  CHECK_FALSE(can_be_chained(case_of(made, 1, 1)));
  made.a.order = Order::col;
  CHECK_FALSE(can_be_chained(case_of(made, 1, 0)));
  made.a.order = Order::row;
  made.d.type = made.c.type = DType::f32;
  CHECK_FALSE(can_be_chained(case_of(made, 1, 0)));
}

TEST_CASE("cuBLASLt's epilogues are known by what they compute, whatever the names",
          "[cli][bench][epilogue]") {
  const auto found = [](std::string_view text, Order order) {
    Problem made = problem(Order::row, Order::col, order);
    made.epilogue = Epilogue{.expression = parse_epilogue(text)};
    return lt_epilogue(completed(made));
  };
  const auto number = [&](std::string_view text, Order order) {
    const auto one = found(text, order);
    return one ? one->value : 0;
  };
  CHECK(number("relu(acc)", Order::row) == 2);
  CHECK(number("acc + v[m]", Order::col) == 4);
  CHECK(number("acc + v[n]", Order::row) == 4);  // seen by columns, a column is a row
  CHECK(number("acc + v[m]", Order::row) == 0);
  CHECK(number("gelu_tanh(alpha*acc + beta*c + v[n])", Order::row) == 36);
  CHECK(number("gelu(acc)", Order::row) == 0);  // its GELU is the one with tanh
  CHECK(number("z := acc; d = gelu_tanh(z); kept = z", Order::row) == 160);
  CHECK(number("acc + beta*c*s*t", Order::row) == 0);
  CHECK(number("acc*s*t", Order::row) == 1);

  const auto kept = found("z := acc + v[batch,n]; d = gelu_tanh(z); kept = z", Order::row);
  REQUIRE(kept.has_value());
  CHECK(kept->value == 164);
  CHECK(kept->pointers ==
        std::vector<LtPointer>{{kOperationBias, false, 0}, {kOperationAux, true, 1}});
  CHECK(kept->aux_ld == 5);
  CHECK(kept->bias_type == kBlasBf16);
  CHECK(kept->bias_batch_stride == 5);
}

TEST_CASE("cuBLASLt's masks count bits, and begin at multiples of 128 of them",
          "[cli][bench][epilogue]") {
  const auto found = [](std::string_view text, Index bytes) {
    Problem made = problem(Order::row, Order::col, Order::row);
    made.epilogue = Epilogue{.expression = parse_epilogue(text)};
    Problem whole = completed(made);
    auto& [expression, inputs, outputs] = *whole.epilogue;
    EpilogueOperand& mask = inputs.empty() ? outputs.back() : inputs.front();
    CHECK(mask.type == DType::u8);
    mask.ld_elems = bytes;
    return lt_epilogue(whole);
  };
  for (const auto& [text, value] : {std::pair{"y := acc; d = relu(y); m0 = bit(y > 0)", 130},
                                    {"select(m0[m,n], acc, 0)", 136}}) {
    INFO(text);
    CHECK_FALSE(found(text, 1).has_value());
    const auto mask = found(text, 16);
    REQUIRE(mask.has_value());
    CHECK(mask->value == value);
    CHECK(mask->aux_ld == 128);
    CHECK_FALSE(mask->aux_type.has_value());
  }
}

TEST_CASE("elements that nobody wrote are counted, gaps between rows are not", "[cli][bench]") {
  Problem made = problem(Order::row, Order::col, Order::row);
  made.d.ld_elems = 8;
  std::vector<std::byte> d(3 * 8 * 2, std::byte{0xff});
  CHECK(unwritten(made, d) == 15);
  std::ranges::fill(d, std::byte{0});
  CHECK(unwritten(made, d) == 0);
  d[2 * (8 + 6)] = d[2 * (8 + 6) + 1] = std::byte{0xff};  // a gap
  CHECK(unwritten(made, d) == 0);
  d[2 * (8 + 4)] = d[2 * (8 + 4) + 1] = std::byte{0xff};
  CHECK(unwritten(made, d) == 1);
  CHECK(poison_byte(DType::s32) == 0x80);
}

#ifdef JUTE_HAS_CUBLAS_HEADERS
TEST_CASE("our declarations of cuBLAS agree with its headers", "[cli][bench][abi][golden]") {
  CHECK(sizeof(LtChoice) == sizeof(cublasLtMatmulHeuristicResult_t));
  CHECK(offsetof(LtChoice, workspace_bytes) ==
        offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
  CHECK(kLayoutBatchCount + 0 == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT + 0);
  CHECK(kLayoutBatchStride + 0 == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET + 0);
  CHECK(kOperationTransposeA + 0 == CUBLASLT_MATMUL_DESC_TRANSA + 0);
  CHECK(kOperationTransposeB + 0 == CUBLASLT_MATMUL_DESC_TRANSB + 0);
  CHECK(kOperationScaleA + 0 == CUBLASLT_MATMUL_DESC_A_SCALE_POINTER + 0);
  CHECK(kOperationScaleB + 0 == CUBLASLT_MATMUL_DESC_B_SCALE_POINTER + 0);
  CHECK(kOperationEpilogue + 0 == CUBLASLT_MATMUL_DESC_EPILOGUE + 0);
  CHECK(kOperationBias + 0 == CUBLASLT_MATMUL_DESC_BIAS_POINTER + 0);
  CHECK(kOperationBiasBatchStride + 0 == CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE + 0);
  CHECK(kOperationBiasType + 0 == CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE + 0);
  CHECK(kOperationAux + 0 == CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER + 0);
  CHECK(kOperationAuxLd + 0 == CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD + 0);
  CHECK(kOperationAuxBatchStride + 0 == CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE + 0);
  CHECK(kOperationAuxType + 0 == CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE + 0);
  CHECK(kOperationScaleD + 0 == CUBLASLT_MATMUL_DESC_D_SCALE_POINTER + 0);
  CHECK(kOperationAmaxD + 0 == CUBLASLT_MATMUL_DESC_AMAX_D_POINTER + 0);
  CHECK(CUBLASLT_EPILOGUE_GELU_AUX_BIAS + 0 == 164);
  CHECK(CUBLASLT_EPILOGUE_DGELU_BGRAD + 0 == 208);
  CHECK(CUBLASLT_EPILOGUE_DRELU_BGRAD + 0 == 152);
  CHECK(CUBLASLT_EPILOGUE_BGRADB + 0 == 512);
  CHECK(kOperationFastAccumulation + 0 == CUBLASLT_MATMUL_DESC_FAST_ACCUM + 0);
  CHECK(kPreferenceWorkspaceBytes + 0 == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES + 0);
  CHECK(kAlgorithmId + 0 == CUBLASLT_ALGO_CONFIG_ID + 0);
  CHECK(kAlgorithmTile + 0 == CUBLASLT_ALGO_CONFIG_TILE_ID + 0);
  CHECK(kAlgorithmSplits + 0 == CUBLASLT_ALGO_CONFIG_SPLITK_NUM + 0);
  CHECK(kAlgorithmStages + 0 == CUBLASLT_ALGO_CONFIG_STAGES_ID + 0);
  CHECK(kBlasBf16 + 0 == CUDA_R_16BF + 0);
  CHECK(kBlasE4m3 + 0 == CUDA_R_8F_E4M3 + 0);
  CHECK(kBlasU8 + 0 == CUDA_R_8U + 0);
  CHECK(kBlasS32 + 0 == CUDA_R_32I + 0);
  CHECK(kComputeTf32 + 0 == CUBLAS_COMPUTE_32F_FAST_TF32 + 0);
  CHECK(kCompute32I + 0 == CUBLAS_COMPUTE_32I + 0);
}
#else
TEST_CASE("declarations agree with NVIDIA's", "[cli][bench][abi]") {
  test::skip("cublasLt.h is not installed");
}
#endif
