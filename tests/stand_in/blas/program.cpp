// A program of cuBLAS as people write them: `program CASE…` runs cases, judges each product against
// float64, and says how many of them cuBLAS computed.
#include <sys/wait.h>
#include <unistd.h>
#include <jute/base/types.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "lt.hpp"

extern "C" {
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes);
int cuMemFree_v2(std::uint64_t address);
int cuMemcpyHtoD_v2(std::uint64_t target, const void* source, std::size_t bytes);
int cuMemcpyDtoH_v2(void* target, std::uint64_t source, std::size_t bytes);
int cuCtxSynchronize();
int cuStreamCreate(void** stream, unsigned flags);
int cuStreamBeginCapture_v2(void* stream, int mode);
int cuStreamEndCapture(void* stream, void** graph);
int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags);
int cuGraphLaunch(void* exec, void* stream);
int cublasCreate_v2(void** handle);
int cublasDestroy_v2(void* handle);
int cublasSetStream_v2(void* handle, void* stream);
int cublasSetWorkspace_v2(void* handle, void* workspace, std::size_t bytes);
int cublasSetPointerMode_v2(void* handle, int mode);
int cublasSetMathMode(void* handle, int mode);
int cublasSetSmCountTarget(void* handle, int count);
int cublasSetEmulationStrategy(void* handle, int how);
int cublasSgemm_v2(void*, int, int, int, int, int, const void*, const void*, int, const void*, int,
                   const void*, void*, int);
int cublasDgemm_v2_64(void*, int, int, long, long, long, const void*, const void*, long,
                      const void*, long, const void*, void*, long);
int cublasHgemm(void*, int, int, int, int, int, const void*, const void*, int, const void*, int,
                const void*, void*, int);
int cublasGemmEx(void*, int, int, int, int, int, const void*, const void*, int, int, const void*,
                 int, int, const void*, void*, int, int, int, int);
int cublasGemmEx_64(void*, int, int, long, long, long, const void*, const void*, int, long,
                    const void*, int, long, const void*, void*, int, long, int, int);
int cublasGemmStridedBatchedEx(void*, int, int, int, int, int, const void*, const void*, int, int,
                               long long, const void*, int, int, long long, const void*, void*, int,
                               int, long long, int, int, int);
int cublasSgemmBatched(void*, int, int, int, int, int, const void*, const void*, int, const void*,
                       int, const void*, const void*, int, int);
int cublasLtMatmulDescSetAttribute(Described*, int, const void*, std::size_t);
}

using jute::DType;

namespace {

#define CHECK(truth)                                                \
  do {                                                              \
    if (!(truth)) {                                                 \
      std::printf("line %d: %s does not hold\n", __LINE__, #truth); \
      std::fflush(stdout);                                          \
      _exit(9);                                                     \
    }                                                               \
  } while (0)

std::mt19937 random_numbers(1);

/// Elements on the device, and their values as stored.
struct Memory {
  DType type;
  std::vector<double> values;
  std::uint64_t at = 0;

  Memory(DType as, std::size_t count, double magnitude = 1) : type(as), values(count) {
    std::uniform_real_distribution<double> drawn(-magnitude, magnitude);
    for (double& value : values) value = drawn(random_numbers);
    const std::vector<std::byte> bytes = encode(type, values);
    values = decode(type, bytes);
    CHECK(cuMemAlloc_v2(&at, bytes.size()) == 0);
    CHECK(cuMemcpyHtoD_v2(at, bytes.data(), bytes.size()) == 0);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { cuMemFree_v2(at); }
  [[nodiscard]] void* pointer() const { return reinterpret_cast<void*>(at); }
  [[nodiscard]] std::vector<double> read() const {
    std::vector<std::byte> bytes(values.size() * static_cast<std::size_t>(width_bytes(type)));
    CHECK(cuCtxSynchronize() == 0);
    CHECK(cuMemcpyDtoH_v2(bytes.data(), at, bytes.size()) == 0);
    return decode(type, bytes);
  }
};

/// One kind of product: alpha*op(A)·op(B) + beta*C, by columns.
struct Product {
  const char* name;
  DType operand, result;
  int op_a, op_b, m, k, batch;
  double alpha, beta;
  bool has_epilogue;  ///< gelu of the sum and a bias, and the sum itself
};
constexpr Product kProducts[] = {
    {"ex", DType::bf16, DType::bf16, 1, 0, 32, 64, 1, 1, 0, false},
    {"ex64", DType::bf16, DType::f32, 0, 0, 16, 32, 1, 2, 0.5, false},
    {"half", DType::f16, DType::f16, 0, 1, 24, 40, 1, 1, 0, false},
    {"single", DType::f32, DType::f32, 0, 0, 17, 20, 1, 1.5, 0.5, false},
    {"double", DType::f64, DType::f64, 1, 0, 16, 24, 1, 1, 1, false},
    {"strided", DType::f16, DType::f16, 1, 0, 16, 32, 3, 1, 0, false},
    {"integers", DType::s8, DType::s32, 1, 0, 32, 64, 1, 1, 0, false},
    {"epilogue", DType::bf16, DType::bf16, 1, 0, 32, 64, 1, 1, 0, true},
    {"eighths", DType::e4m3, DType::bf16, 1, 0, 32, 64, 1, 1, 0, false},
};

int cuda_type(DType type) {
  switch (type) {
    case DType::f32:
      return 0;
    case DType::f64:
      return 1;
    case DType::f16:
      return 2;
    case DType::s8:
      return 3;
    case DType::s32:
      return 10;
    case DType::bf16:
      return 14;
    default:
      return 28;
  }
}

struct Operands {
  Memory a, b, d, bias, aux;
  Operands(const Product& p, int n)
      : a(p.operand, std::size_t(p.m) * p.k * p.batch, p.operand == DType::s8 ? 100 : 1),
        b(p.operand, std::size_t(p.k) * n * p.batch, p.operand == DType::s8 ? 100 : 1),
        d(p.result, std::size_t(p.m) * n * p.batch),
        bias(p.result, p.m),
        aux(p.result, std::size_t(p.m) * n) {}
};

/// cublasLtMatmul, with scales of a quarter for operands of 8 bits.
int matmul(void* handle, const Product& p, int n, const Operands& o, void* stream) {
  Described *operation = nullptr, *a = nullptr, *b = nullptr, *d = nullptr;
  const float alpha = float(p.alpha), beta = float(p.beta), quarter = 0.25F;
  std::uint64_t scale = 0;
  cublasLtMatmulDescCreate(&operation, 68, 0);
  const auto set = [&](int attribute, auto value) {
    CHECK(cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value) == 0);
  };
  set(kOpA, p.op_a);
  set(kOpB, p.op_b);
  if (p.has_epilogue) {
    set(kEpilogue, 164);
    set(kBias, o.bias.at);
    set(kAux, o.aux.at);
    set(kAuxLd, std::int64_t(p.m));
  } else {
    CHECK(cuMemAlloc_v2(&scale, sizeof quarter) == 0);
    CHECK(cuMemcpyHtoD_v2(scale, &quarter, sizeof quarter) == 0);
    set(kScaleA, scale);
    set(kScaleB, scale);
  }
  cublasLtMatrixLayoutCreate(&a, cuda_type(p.operand), p.k, p.m, p.k);
  cublasLtMatrixLayoutCreate(&b, cuda_type(p.operand), p.k, n, p.k);
  cublasLtMatrixLayoutCreate(&d, cuda_type(p.result), p.m, n, p.m);
  const int status =
      cublasLtMatmul(handle, operation, &alpha, o.a.pointer(), a, o.b.pointer(), b, &beta,
                     o.d.pointer(), d, o.d.pointer(), d, nullptr, nullptr, 0, stream);
  CHECK(cuCtxSynchronize() == 0);
  for (Described* each : {operation, a, b, d}) cublasLtMatmulDescDestroy(each);
  cuMemFree_v2(scale);
  return status;
}

int call(void* handle, void* lt, const Product& p, int n, const Operands& o) {
  const int lda = p.op_a == 0 ? p.m : p.k, ldb = p.op_b == 0 ? p.k : n, ta = cuda_type(p.operand),
            td = cuda_type(p.result);
  const float alpha = float(p.alpha), beta = float(p.beta);
  void *const a = o.a.pointer(), *const b = o.b.pointer(), *const d = o.d.pointer();
  const std::string name = p.name;
  if (name == "single")
    return cublasSgemm_v2(handle, p.op_a, p.op_b, p.m, n, p.k, &alpha, a, lda, b, ldb, &beta, d,
                          p.m);
  if (name == "double")
    return cublasDgemm_v2_64(handle, p.op_a, p.op_b, p.m, n, p.k, &p.alpha, a, lda, b, ldb, &p.beta,
                             d, p.m);
  if (name == "half") {
    const auto one = std::uint16_t(encode(DType::f16, 1)), zero = std::uint16_t(0);
    return cublasHgemm(handle, p.op_a, p.op_b, p.m, n, p.k, &one, a, lda, b, ldb, &zero, d, p.m);
  }
  if (name == "strided")
    return cublasGemmStridedBatchedEx(handle, p.op_a, p.op_b, p.m, n, p.k, &alpha, a, ta, lda,
                                      p.m * p.k, b, ta, ldb, p.k * n, &beta, d, td, p.m, p.m * n,
                                      p.batch, 68, -1);
  if (name == "integers") {
    const int one = 1, zero = 0;
    return cublasGemmEx(handle, p.op_a, p.op_b, p.m, n, p.k, &one, a, ta, lda, b, ta, ldb, &zero, d,
                        td, p.m, 72, 99);
  }
  if (name == "ex64")
    return cublasGemmEx_64(handle, p.op_a, p.op_b, p.m, n, p.k, &alpha, a, ta, lda, b, ta, ldb,
                           &beta, d, td, p.m, 68, -1);
  if (p.has_epilogue || name == "eighths") return matmul(lt, p, n, o, nullptr);
  return cublasGemmEx(handle, p.op_a, p.op_b, p.m, n, p.k, &alpha, a, ta, lda, b, ta, ldb, &beta, d,
                      td, p.m, 68, 99);
}

/// By loops in double, and the error that sums in f32 and one rounding may have.
void judge(const Product& p, int n, const Operands& o) {
  const std::vector<double> got = o.d.read(), aux = o.aux.read();
  const double scale = p.operand == DType::e4m3 ? p.alpha / 16 : p.alpha;
  const double sums = p.operand == DType::f64 ? 0x1p-53 : 0x1p-24;
  const double rounding = std::ldexp(1.0, -std::min(precision_bits(p.result), 53));
  for (int matrix = 0; matrix < p.batch; ++matrix)
    for (int col = 0; col < n; ++col)
      for (int row = 0; row < p.m; ++row) {
        double sum = 0, all = 0;
        for (int i = 0; i < p.k; ++i) {
          const int at_a = p.op_a == 0 ? row + i * p.m : i + row * p.k;
          const int at_b = p.op_b == 0 ? i + col * p.k : col + i * n;
          const double product = o.a.values[std::size_t(matrix * p.m * p.k + at_a)] *
                                 o.b.values[std::size_t(matrix * p.k * n + at_b)];
          sum += product;
          all += std::abs(product);
        }
        const auto place = std::size_t(matrix * p.m * n + row + col * p.m);
        double expected = scale * sum + p.beta * o.d.values[place];
        double bound = 2 * (p.k + 4) * sums * (std::abs(scale) * all + 2);
        if (p.has_epilogue) {
          expected += o.bias.values[std::size_t(row)];
          CHECK(std::abs(aux[place] - expected) <= bound + 2 * rounding * std::abs(expected));
          const double x = expected;
          expected = 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
          bound = 2 * bound + 1e-4 * std::abs(x);  // f32's tanh
        }
        bound += 2 * rounding * std::abs(expected) + 1e-30;
        if (!(std::abs(got[place] - expected) <= bound)) {
          std::printf("%s n=%d (%d,%d,%d): %.9g, not %.9g within %.3g\n", p.name, n, row, col,
                      matrix, got[place], expected, bound);
          std::exit(9);
        }
      }
}

struct Handles {
  void *blas = nullptr, *lt = nullptr;
  Handles() {
    CHECK(cublasCreate_v2(&blas) == 0);
    CHECK(cublasLtCreate(&lt) == 0);
  }
};

/// `count` products of all kinds; `ns` are the columns, which are jute's M.
void run_products(const Handles& handles, int count, const std::vector<int>& ns) {
  for (int i = 0; i < count; ++i) {
    const Product& product = kProducts[std::size_t(i) % std::size(kProducts)];
    const int n = ns[std::size_t(i) / std::size(kProducts) % ns.size()];
    const Operands operands(product, n);
    CHECK(call(handles.blas, handles.lt, product, n, operands) == 0);
    judge(product, n, operands);
  }
}

/// What must be cuBLAS's, though the problem is one that is served.
void run_through(const Handles& handles) {
  const Product &ex = kProducts[0], &single = kProducts[3];
  void* const h = handles.blas;
  const auto by_cublas = [&](const Product& product, auto prepare, auto undo) {
    const Operands operands(product, 8);
    const int before = standInProducts();
    prepare();
    CHECK(call(h, handles.lt, product, 8, operands) == 0);
    undo();
    CHECK(standInProducts() == before + 1);
    judge(product, 8, operands);
  };
  const auto with = [&](int (*set)(void*, int), int value, const Product& product) {
    by_cublas(
        product, [&] { set(h, value); }, [&] { set(h, 0); });
  };
  with(cublasSetMathMode, 2, ex);      // pedantic
  with(cublasSetMathMode, 3, single);  // TF32, which was not recorded
  with(cublasSetMathMode, 4, single);  // emulated
  with(cublasSetEmulationStrategy, 1, single);
  with(cublasSetSmCountTarget, 8, ex);
  const Operands o(ex, 8);
  const float one = 1, zero = 0;
  const auto ex_call = [&](int op, int n, const void* alpha, const void* a, int lda, int compute,
                           int algorithm) {
    return cublasGemmEx(h, op, 0, ex.m, n, ex.k, alpha, a, 14, lda, o.b.pointer(), 14, ex.k, &zero,
                        o.d.pointer(), 14, ex.m, compute, algorithm);
  };
  int before = standInProducts();
  CHECK(ex_call(1, 8, &one, o.a.pointer(), ex.k, 69, -1) == 0);  // pedantic
  CHECK(ex_call(1, 8, &one, o.a.pointer(), ex.k, 68, 3) == 0);   // an algorithm
  CHECK(standInProducts() == before + 2);
  // Errors and calls for nothing are cuBLAS's own.
  CHECK(ex_call(1, 0, &one, o.a.pointer(), ex.k, 68, -1) == kOk);
  CHECK(ex_call(7, 8, &one, o.a.pointer(), ex.k, 68, -1) == kInvalidValue);
  CHECK(ex_call(1, 8, nullptr, o.a.pointer(), ex.k, 68, -1) == kInvalidValue);
  CHECK(ex_call(1, 8, &one, nullptr, ex.k, 68, -1) == kInvalidValue);
  CHECK(ex_call(1, 8, &one, o.a.pointer(), 3, 68, -1) == kInvalidValue);
  CHECK(cublasGemmEx(nullptr, 1, 0, ex.m, 8, ex.k, &one, o.a.pointer(), 14, ex.k, o.b.pointer(), 14,
                     ex.k, &zero, o.d.pointer(), 14, ex.m, 68, -1) == kNotInitialised);
  // Factors on the device.
  const Memory factors(DType::f32, 2);
  before = standInProducts();
  CHECK(cublasSetPointerMode_v2(h, 1) == 0);
  CHECK(cublasGemmEx(h, 1, 0, ex.m, 8, ex.k, factors.pointer(), o.a.pointer(), 14, ex.k,
                     o.b.pointer(), 14, ex.k, reinterpret_cast<void*>(factors.at + 4),
                     o.d.pointer(), 14, ex.m, 68, -1) == 0);
  CHECK(cublasSetPointerMode_v2(h, 0) == 0);
  CHECK(standInProducts() == before + 1);
  // Arrays of pointers, whose products cuBLAS asks of itself.
  const Operands s(single, 8);
  const float alpha = 1.5F, half = 0.5F;
  void *const a[] = {s.a.pointer()}, *const b[] = {s.b.pointer()}, *const d[] = {s.d.pointer()};
  CHECK(cublasSgemmBatched(h, 0, 0, single.m, 8, single.k, &alpha, a, single.m, b, single.k, &half,
                           d, single.m, 1) == 0);
  CHECK(standInProducts() == before + 2);
  judge(single, 8, s);
}

/// A product that is captured, and launched twice.
void run_captured(const Handles& handles) {
  const Product& ex = kProducts[0];
  const Operands o(ex, 8);
  void *stream = nullptr, *graph = nullptr, *exec = nullptr;
  CHECK(cuStreamCreate(&stream, 0) == 0);
  CHECK(cublasSetStream_v2(handles.blas, stream) == 0);
  CHECK(cuStreamBeginCapture_v2(stream, 0) == 0);
  CHECK(call(handles.blas, handles.lt, ex, 8, o) == 0);
  CHECK(cuStreamEndCapture(stream, &graph) == 0);
  CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0) == 0);
  for (int i = 0; i < 2; ++i) CHECK(cuGraphLaunch(exec, stream) == 0);
  judge(ex, 8, o);
  CHECK(cublasSetStream_v2(handles.blas, nullptr) == 0);
}

/// A deep product, of a workspace that the caller gives until it names a stream.
void run_deep(const Handles& handles) {
  const Product deep{"ex", DType::bf16, DType::bf16, 1, 0, 16, 2048, 1, 1, 0, false};
  const Operands o(deep, 8);
  const Memory workspace(DType::f32, 1 << 20);
  CHECK(cublasSetWorkspace_v2(handles.blas, workspace.pointer(), 4 << 20) == 0);
  for (int i = 0; i < 2; ++i) {
    CHECK(call(handles.blas, handles.lt, deep, 8, o) == 0);
    judge(deep, 8, o);
  }
  CHECK(cublasSetStream_v2(handles.blas, nullptr) == 0);
}

/// A child begins anew, as its parent has not begun.
void run_forked() {
  const pid_t child = fork();
  if (child == 0) {
    run_products(Handles(), 9, {8});
    _exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

}  // namespace

int main(int count, char** words) {
  for (int i = 1; i < count; ++i)
    if (std::strcmp(words[i], "forked") == 0) run_forked();
  const Handles handles;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "recorded") run_products(handles, 36, {5, 8, 24, 33});
    if (word == "many") run_products(handles, 300, {5, 8, 9, 16, 24, 31, 33});
    if (word == "beyond") run_products(handles, 9, {40});
    if (word == "through") run_through(handles);
    if (word == "captured") run_captured(handles);
    if (word == "deep") run_deep(handles);
  }
  CHECK(cublasDestroy_v2(handles.blas) == 0);
  std::printf("%d by cuBLAS\n", standInProducts());
  return 0;
}
