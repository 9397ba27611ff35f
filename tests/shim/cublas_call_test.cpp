// Calls of cuBLAS as lines, as problems, and as NVIDIA's headers number them.
#include <jute/shim/cublas_call.hpp>
#include <jute/shim/kept_calls.hpp>

#include <filesystem>
#include <fstream>

#include "shim/library_functions.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

#if __has_include(<cublasLt.h>)
#define JUTE_HAS_CUBLAS_HEADERS
#include <cublasLt.h>
#endif

using namespace jute;
using test::refusal_of;

namespace {

/// A bf16 product by columns: op(A)·op(B), M=48 N=40 K=32.
CublasCall call_of_bf16(Index op_a, Index op_b) {
  CublasCall call{.op_a = op_a, .op_b = op_b, .m = 48, .n = 40, .k = 32};
  call.a = {.type = 14, .ld = op_a == 0 ? 48 : 32, .alignment = 16};
  call.b = {.type = 14, .ld = op_b == 0 ? 32 : 40, .alignment = 16};
  call.d = {.type = 14, .ld = 48, .alignment = 16};
  call.compute = 68;
  return call;
}

}  // namespace

TEST_CASE("a line says a call again", "[shim]") {
  CublasCall call = call_of_bf16(1, 0);
  call.workspace = 4096;
  call.epilogue = 164;
  const std::string line = to_line(call);
  CHECK(line.starts_with("op_a=1 m=48 n=40 k=32 a.type=14"));
  CHECK(parse_cublas_call(line) == call);
  CHECK(parse_cublas_call("") == CublasCall());
  CHECK(refusal_of([] { (void)parse_cublas_call("q=1"); }).code == ErrorCode::unknown_name);
  for (const char* wrong : {"m=", "m", "m=1x", "m=-1", "m=99999999999999999999"})
    CHECK(refusal_of([&] { (void)parse_cublas_call(wrong); }).code == ErrorCode::syntax);
}

TEST_CASE("what lies by columns is read as its transpose, by rows", "[shim]") {
  for (const Index op_a : {0, 1})
    for (const Index op_b : {0, 1}) {
      const CublasProduct product = product_of(call_of_bf16(op_a, op_b));
      CHECK(product.is_swapped);
      CHECK(product.problem.m == 40);
      CHECK(product.problem.n == 48);
      CHECK(product.problem.a.order == (op_b == 0 ? Order::row : Order::col));
      CHECK(product.problem.b.order == (op_a == 0 ? Order::row : Order::col));
      CHECK(product.problem.d.order == Order::row);
    }
  CublasCall by_rows = call_of_bf16(0, 0);
  by_rows.a.order = by_rows.b.order = by_rows.d.order = 1;
  by_rows.a.ld = 32;
  by_rows.b.ld = by_rows.d.ld = 40;
  const CublasProduct product = product_of(by_rows);
  CHECK_FALSE(product.is_swapped);
  CHECK(product.problem == completed(parse_problem("M=48 N=40 K=32 A=bf16 alpha=1 beta=0")));
  CHECK(&rows_in(by_rows) == &by_rows.m);
}

TEST_CASE("a run finds its operands where the call has them, and back", "[shim]") {
  CublasCall call = call_of_bf16(1, 0);
  call.lt = 1;
  call.epilogue = 164;
  call.bias_type = call.aux_type = 14;
  call.aux_ld = 48;
  call.bias_alignment = call.aux_alignment = 16;
  const CublasProduct product = product_of(call, MRange{1, 40});
  CHECK(to_string(product.problem.epilogue->expression) ==
        "y := acc + bias[n]; d = gelu_tanh(y); aux = y");
  const CublasAddresses at{.a = 256, .b = 512, .c = 768, .d = 1024, .bias = 1280, .aux = 1536};
  const GemmArgs run = run_of(product, at);
  CHECK(run.a == 512);
  CHECK(run.b == 256);
  CHECK(run.inputs[0].base == 1280);
  const CublasAddresses back = addresses_of(product, run);
  CHECK(back.bias == at.bias);
  CHECK(back.aux == at.aux);
  CHECK(back.a == at.a);
}

TEST_CASE("a mask's strides are counted in bits, scales are of operands or of their rows",
          "[shim]") {
  CublasCall call = call_of_bf16(1, 0);
  call.m = 128;
  call.d.ld = 128;
  call.epilogue = 134;
  call.bias_type = 14;
  call.bias_alignment = call.aux_alignment = 16;
  call.aux_ld = 128;
  CHECK(product_of(call).problem.epilogue->outputs[1].ld_elems == 16);
  CublasCall scaled = call_of_bf16(1, 0);
  scaled.a.type = scaled.b.type = 28;
  scaled.scale_a = scaled.scale_b = 4;
  CHECK(to_string(product_of(scaled).problem.epilogue->expression) ==
        "acc*first_scale[n]*second_scale[m]");
  scaled.scale_a = scaled.scale_b = scaled.scale_d = scaled.amax_d = 1;
  scaled.fast_accum = 1;
  CHECK(to_string(product_of(scaled).problem.epilogue->expression) ==
        "y := acc*first_scale*second_scale; d = y*d_scale; d_amax = amax(y)");
  CHECK(product_of(scaled).config.promote == 0);
  scaled.scale_a = 3;
  CHECK(refusal_of([&] { (void)product_of(scaled); }).code == ErrorCode::unsupported);
}

TEST_CASE("sums are as exact as a call asks, or the call is not jute's", "[shim][refusal]") {
  CublasCall call = call_of_bf16(0, 0);
  call.a.type = call.b.type = call.d.type = 0;
  CHECK(product_of(call).problem.precision == Precision::f32);
  call.compute = 77;
  CHECK(product_of(call).problem.a.type == DType::tf32);
  for (const Index compute : {64, 65, 69, 73, 74, 75, 78, 79}) {
    call.compute = compute;
    CHECK(refusal_of([&] { (void)product_of(call); }).code == ErrorCode::unsupported);
  }
  CublasCall wrong = call_of_bf16(0, 0);
  wrong.a.ld = 3;
  CHECK(refusal_of([&] { (void)product_of(wrong); }).code == ErrorCode::illegal_problem);
  wrong = call_of_bf16(0, 0);
  wrong.a.type = 4;  // complex
  CHECK(refusal_of([&] { (void)product_of(wrong); }).operand == "a");
}

TEST_CASE("files that others may write, links and other texts are refused", "[shim][refusal]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("calls.json");
  const auto code = [&] { return refusal_of([&] { (void)read_kept(path); }).code; };
  CHECK(code() == ErrorCode::file_not_found);
  KeptCalls kept{.device = "h200", .cublas = "13.1.0"};
  kept.calls.push_back({.call = call_of_bf16(1, 0), .first = 8, .last = 40, .over = MRange{1, 64}});
  kept.calls[0].ratio = 1.25;
  write_kept(path, kept);
  std::filesystem::create_directories(path + ".kernels/kernels");
  std::filesystem::permissions(path + ".kernels/kernels", std::filesystem::perms(0700));
  const KeptCalls read = read_kept(path);
  CHECK(read.calls.at(0).call == kept.calls[0].call);
  CHECK(read.calls.at(0).over == kept.calls[0].over);
  CHECK(read.calls.at(0).last == 40);
  CHECK(read.calls.at(0).ratio == 1.25);
  CHECK(read_report(path, read).calls == std::vector<std::uint64_t>{0});
  std::filesystem::permissions(path + ".kernels/kernels", std::filesystem::perms(0777));
  CHECK(code() == ErrorCode::bad_file);
  std::filesystem::permissions(path + ".kernels/kernels", std::filesystem::perms(0700));
  std::filesystem::permissions(path, std::filesystem::perms(0620));
  CHECK(code() == ErrorCode::bad_file);
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  const std::string link = folder.file("link.json");
  std::filesystem::create_symlink(path, link);
  CHECK(refusal_of([&] { (void)read_kept(link); }).code == ErrorCode::bad_file);
  std::ofstream(path) << "{\"device\": \"h200\"}";
  CHECK(code() == ErrorCode::bad_file);
  std::ofstream(path) << "m=1 n=1 k=1\nm=one\n";
  CHECK(refusal_of([&] { (void)read_record(path); }).position->line == 2);
}

#ifdef JUTE_HAS_CUBLAS_HEADERS
TEST_CASE("cuBLAS's numbers are those of its headers", "[shim]") {
  using namespace shim;
  const std::pair<int, int> rows[] = {
    {kLayoutBatchStride, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET},
    {kOperationFillMode, CUBLASLT_MATMUL_DESC_FILL_MODE},
    {kOperationEpilogue, CUBLASLT_MATMUL_DESC_EPILOGUE},
    {kOperationBiasBatchStride, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE},
    {kOperationAuxBatchStride, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE},
    {kOperationSmTarget, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET},
    {kOperationScaleC, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER},
    {kOperationAuxAmax, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER},
    {kOperationBiasType, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE},
    {CUBLASLT_EPILOGUE_DGELU_BGRAD, 208},
    {CUBLASLT_EPILOGUE_GELU_AUX_BIAS, 164},
    {CUBLAS_COMPUTE_32F_FAST_TF32, 77},
    {CUBLAS_FILL_MODE_FULL, 2},
#if CUBLAS_VER_MAJOR >= 13
    {kLayoutBatchMode, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE},
    {kOperationScaleModeD, CUBLASLT_MATMUL_DESC_D_SCALE_MODE},
    {kOperationOutScaleD, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER},
    {kOperationEmulation, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR},
#endif
  };
  for (const auto& [own, theirs] : rows) CHECK(own == theirs);
}
#endif
