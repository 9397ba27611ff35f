// Finds cuBLAS and repeats a call. Source of all declarations: cuBLAS documentation; cublas_api.h
// and cublasLt.h of 12.0 to 13.1 agree on them.
#include "shim/cublas_peer.hpp"

#include <jute/base/refuse.hpp>

#include <array>
#include <bit>
#include <vector>

#include "base/library_loader.hpp"
#include "shim/library_functions.hpp"

namespace jute::shim {

struct CublasPeer::Functions {
  int (*create)(void** handle) = nullptr;
  int (*version)(void* handle, int* version) = nullptr;
  int (*set_stream)(void* handle, void* stream) = nullptr;
  int (*set_workspace)(void* handle, void* workspace, std::size_t bytes) = nullptr;
  int (*gemm)(void* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
              const void* a, int a_type, int lda, const void* b, int b_type, int ldb,
              const void* beta, void* c, int c_type, int ldc, int compute, int algorithm) = nullptr;
  int (*gemm_strided)(void* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                      const void* a, int a_type, int lda, long long a_stride, const void* b,
                      int b_type, int ldb, long long b_stride, const void* beta, void* c,
                      int c_type, int ldc, long long c_stride, int batch, int compute,
                      int algorithm) = nullptr;
  int (*operation_create)(void** operation, int compute, int scale) = nullptr;
  int (*operation_set)(void* operation, int attribute, const void* value,
                       std::size_t bytes) = nullptr;
  int (*layout_create)(void** layout, int type, std::uint64_t rows, std::uint64_t cols,
                       std::int64_t ld) = nullptr;
  int (*layout_set)(void* layout, int attribute, const void* value, std::size_t bytes) = nullptr;
  int (*preference_create)(void** preference) = nullptr;
  int (*preference_set)(void* preference, int attribute, const void* value,
                        std::size_t bytes) = nullptr;
  int (*heuristic)(void* handle, void* operation, void* a, void* b, void* c, void* d,
                   void* preference, int most, void* results, int* found) = nullptr;
  int (*matmul)(void* handle, void* operation, const void* alpha, const void* a, void* a_layout,
                const void* b, void* b_layout, const void* beta, const void* c, void* c_layout,
                void* d, void* d_layout, const void* algorithm, void* workspace, std::size_t bytes,
                void* stream) = nullptr;
  void* handle = nullptr;
};

namespace {

constexpr int kUsualAlgorithm = -1;

void require(const char* call, int status) {
  if (status != 0)
    refuse(ErrorCode::launch_failed, call, std::to_string(status), "the call must succeed");
}

void* pointer_of(DevicePointer address) { return std::bit_cast<void*>(address); }

/// A factor in the bits of its type.
std::uint64_t factor_bits(double value, Index scale) {
  constexpr std::array kScales{std::pair{0, DType::f32}, std::pair{1, DType::f64},
                               std::pair{2, DType::f16}, std::pair{10, DType::s32}};
  for (const auto& [type, as] : kScales)
    if (type == scale) return encode(as, value);
  refuse(ErrorCode::unsupported, "scale", std::to_string(scale), "it must be a type of factors");
}

std::vector<std::string> places(const std::string& name, const std::string& folder,
                                const Settings& settings) {
  if (!folder.empty()) return {folder + "/" + name};
  std::vector<std::string> all{name};
  for (const std::string& home : {settings.cuda_home, std::string("/usr/local/cuda")})
    if (!home.empty()) all.push_back(home + "/lib64/" + name);
  return all;
}

void* opened(const std::string& name, const std::string& folder, const Settings& settings,
             const base::LibraryLoader& loader) {
  for (const std::string& place : places(name, folder, settings))
    if (void* const library = loader.open(place)) return library;
  refuse(ErrorCode::file_not_found, "cublas", name,
         "the version that was recorded must be found: --cublas FOLDER");
}

/// cublasLtMatmul's objects, which are kept as long as the process.
struct LtCall {
  void *operation = nullptr, *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr;
  std::array<std::uint64_t, 16> choice{};  ///< cublasLtMatmulHeuristicResult_t, its algorithm first
};

template <class Number>
void set(const CublasPeer::Functions& functions, void* operation, LtAttribute attribute,
         Number value) {
  require("cublasLtMatmulDescSetAttribute",
          functions.operation_set(operation, attribute, &value, sizeof value));
}

void* layout_of_call(const CublasPeer::Functions& functions, const CublasMatrix& matrix, Index rows,
                     Index cols, Index batch) {
  void* layout = nullptr;
  require("cublasLtMatrixLayoutCreate",
          functions.layout_create(&layout, static_cast<int>(matrix.type),
                                  static_cast<std::uint64_t>(rows),
                                  static_cast<std::uint64_t>(cols), matrix.ld));
  const auto order = static_cast<std::int32_t>(matrix.order);
  const auto count = static_cast<std::int32_t>(batch);
  require("cublasLtMatrixLayoutSetAttribute",
          functions.layout_set(layout, kLayoutOrder, &order, sizeof order));
  if (batch == 1) return layout;
  require("cublasLtMatrixLayoutSetAttribute",
          functions.layout_set(layout, kLayoutBatchCount, &count, sizeof count));
  require("cublasLtMatrixLayoutSetAttribute",
          functions.layout_set(layout, kLayoutBatchStride, &matrix.stride, sizeof matrix.stride));
  return layout;
}

void set_epilogue(const CublasPeer::Functions& functions, void* operation, const CublasCall& call) {
  constexpr Index kBias = 4 | 16 | 256 | 512, kAux = 128, kMasks = 2 | 8;
  set(functions, operation, kOperationTransposeA, static_cast<std::int32_t>(call.op_a));
  set(functions, operation, kOperationTransposeB, static_cast<std::int32_t>(call.op_b));
  set(functions, operation, kOperationEpilogue, static_cast<std::int32_t>(call.epilogue));
  if ((call.epilogue & kBias) != 0) {
    set(functions, operation, kOperationBiasType, static_cast<std::int32_t>(call.bias_type));
    if (call.bias_stride != 0)
      set(functions, operation, kOperationBiasBatchStride, call.bias_stride);
  }
  if ((call.epilogue & kAux) != 0) {
    set(functions, operation, kOperationAuxLd, call.aux_ld);
    if ((call.epilogue & kMasks) == 0)
      set(functions, operation, kOperationAuxType, static_cast<std::int32_t>(call.aux_type));
    if (call.aux_stride != 0) set(functions, operation, kOperationAuxBatchStride, call.aux_stride);
  }
  if (call.scale_a > 1)
    set(functions, operation, kOperationScaleModeA, static_cast<std::int32_t>(call.scale_a - 1));
  if (call.scale_b > 1)
    set(functions, operation, kOperationScaleModeB, static_cast<std::int32_t>(call.scale_b - 1));
  if (call.fast_accum != 0) set(functions, operation, kOperationFastAccumulation, std::int8_t{1});
}

/// What of an operation has its place in each call anew.
void set_addresses(const CublasPeer::Functions& functions, void* operation,
                   const CublasAddresses& at) {
  constexpr std::array kPointers{std::pair{kOperationBias, &CublasAddresses::bias},
                                 std::pair{kOperationAux, &CublasAddresses::aux},
                                 std::pair{kOperationScaleA, &CublasAddresses::scale_a},
                                 std::pair{kOperationScaleB, &CublasAddresses::scale_b},
                                 std::pair{kOperationScaleD, &CublasAddresses::scale_d},
                                 std::pair{kOperationAmaxD, &CublasAddresses::amax_d}};
  for (const auto& [attribute, address] : kPointers)
    if (at.*address != 0) set(functions, operation, attribute, at.*address);
}

LtCall lt_call(const CublasPeer::Functions& functions, const CublasCall& call) {
  LtCall made;
  require("cublasLtMatmulDescCreate",
          functions.operation_create(&made.operation, static_cast<int>(call.compute),
                                     static_cast<int>(call.scale)));
  set_epilogue(functions, made.operation, call);
  const auto layout = [&](const CublasMatrix& matrix, Index op, Index rows, Index cols) {
    return layout_of_call(functions, matrix, op == 0 ? rows : cols, op == 0 ? cols : rows,
                          call.batch);
  };
  made.a = layout(call.a, call.op_a, call.m, call.k);
  made.b = layout(call.b, call.op_b, call.k, call.n);
  made.d = layout(call.d, 0, call.m, call.n);
  made.c = call.beta == 0 ? made.d : layout(call.c, 0, call.m, call.n);
  void* preference = nullptr;
  require("cublasLtMatmulPreferenceCreate", functions.preference_create(&preference));
  constexpr int kWorkspaceBytes = 1;  // CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
  require("cublasLtMatmulPreferenceSetAttribute",
          functions.preference_set(preference, kWorkspaceBytes, &call.workspace,
                                   sizeof call.workspace));
  int found = 0;
  require("cublasLtMatmulAlgoGetHeuristic",
          functions.heuristic(functions.handle, made.operation, made.a, made.b, made.c, made.d,
                              preference, 1, made.choice.data(), &found));
  require("cublasLtMatmulAlgoGetHeuristic", found > 0 ? 0 : 1);
  return made;
}

}  // namespace

CublasPeer::CublasPeer(int version, const std::string& folder, const Settings& settings) {
  const base::LibraryLoader loader = base::system_loader();
  const std::string suffix = ".so." + std::to_string(version);
  base::Functions lt(opened("libcublasLt" + suffix, folder, settings, loader), loader);
  base::Functions blas(opened("libcublas" + suffix, folder, settings, loader), loader);
  auto made = std::make_shared<Functions>();
  made->create = blas.get("cublasCreate_v2");
  made->version = blas.get("cublasGetVersion_v2");
  made->set_stream = blas.get("cublasSetStream_v2");
  made->set_workspace = blas.get("cublasSetWorkspace_v2");
  made->gemm = blas.get("cublasGemmEx");
  made->gemm_strided = blas.get("cublasGemmStridedBatchedEx");
  made->operation_create = lt.get("cublasLtMatmulDescCreate");
  made->operation_set = lt.get("cublasLtMatmulDescSetAttribute");
  made->layout_create = lt.get("cublasLtMatrixLayoutCreate");
  made->layout_set = lt.get("cublasLtMatrixLayoutSetAttribute");
  made->preference_create = lt.get("cublasLtMatmulPreferenceCreate");
  made->preference_set = lt.get("cublasLtMatmulPreferenceSetAttribute");
  made->heuristic = lt.get("cublasLtMatmulAlgoGetHeuristic");
  made->matmul = lt.get("cublasLtMatmul");
  for (const base::Functions* table : {&blas, &lt})
    if (!table->missing().empty())
      refuse(ErrorCode::file_not_found, "cublas", table->missing().front(),
             "cuBLAS must have this function");
  require("cublasCreate", made->create(&made->handle));
  functions_ = std::move(made);
}

std::string CublasPeer::version() const {
  constexpr int kMajor = 10000, kMinor = 100;
  int number = 0;
  require("cublasGetVersion", functions_->version(functions_->handle, &number));
  return std::to_string(number / kMajor) + "." + std::to_string(number % kMajor / kMinor) + "." +
         std::to_string(number % kMinor);
}

std::function<void(const CublasAddresses&)> CublasPeer::prepared(const CublasCall& call) const {
  if (call.lt != 0)
    return
        [functions = functions_, call, lt = lt_call(*functions_, call)](const CublasAddresses& at) {
          const std::uint64_t alpha = factor_bits(at.alpha, call.scale),
                              beta = factor_bits(at.beta, call.scale);
          set_addresses(*functions, lt.operation, at);
          require("cublasLtMatmul",
                  functions->matmul(
                      functions->handle, lt.operation, &alpha, pointer_of(at.a), lt.a,
                      pointer_of(at.b), lt.b, &beta, pointer_of(at.c), lt.c, pointer_of(at.d), lt.d,
                      lt.choice.data(), pointer_of(at.workspace),
                      static_cast<std::size_t>(call.workspace), pointer_of(at.stream.handle)));
        };
  return [functions = functions_, call](const CublasAddresses& at) {
    const auto to_int = [](Index number) { return static_cast<int>(number); };
    const std::uint64_t alpha = factor_bits(at.alpha, call.scale),
                        beta = factor_bits(at.beta, call.scale);
    const Functions& f = *functions;
    require("cublasSetStream", f.set_stream(f.handle, pointer_of(at.stream.handle)));
    if (call.workspace > 0)
      require("cublasSetWorkspace", f.set_workspace(f.handle, pointer_of(at.workspace),
                                                    static_cast<std::size_t>(call.workspace)));
    const int m = to_int(call.m), n = to_int(call.n), k = to_int(call.k), op_a = to_int(call.op_a),
              op_b = to_int(call.op_b), compute = to_int(call.compute);
    void *const a = pointer_of(at.a), *const b = pointer_of(at.b), *const d = pointer_of(at.d);
    const CublasMatrix &of_a = call.a, &of_b = call.b, &of_d = call.d;
    if (call.batch == 1)
      require("cublasGemmEx",
              f.gemm(f.handle, op_a, op_b, m, n, k, &alpha, a, to_int(of_a.type), to_int(of_a.ld),
                     b, to_int(of_b.type), to_int(of_b.ld), &beta, d, to_int(of_d.type),
                     to_int(of_d.ld), compute, kUsualAlgorithm));
    else
      require("cublasGemmStridedBatchedEx",
              f.gemm_strided(f.handle, op_a, op_b, m, n, k, &alpha, a, to_int(of_a.type),
                             to_int(of_a.ld), of_a.stride, b, to_int(of_b.type), to_int(of_b.ld),
                             of_b.stride, &beta, d, to_int(of_d.type), to_int(of_d.ld), of_d.stride,
                             to_int(call.batch), compute, kUsualAlgorithm));
  };
}

}  // namespace jute::shim
