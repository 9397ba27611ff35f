// A libcublasLt.so.13 that computes on the host, in double, what lies in the stand-in driver's
// memory.
#include "lt.hpp"

#include <jute/base/types.hpp>

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

using namespace jute;

extern "C" {
int cuCtxGetCurrent(void** context);
int cuDevicePrimaryCtxRetain(void** context, int device);
int cuCtxSetCurrent(void* context);
int cuInit(unsigned flags);
int cuStreamSynchronize(void* stream);
int cuMemcpyDtoH_v2(void* target, std::uint64_t source, std::size_t bytes);
int cuMemcpyHtoD_v2(std::uint64_t target, const void* source, std::size_t bytes);
}

namespace {

int products = 0;

DType type_of(std::int64_t type) {
  constexpr std::pair<int, DType> kTypes[]{{0, DType::f32},  {1, DType::f64},  {2, DType::f16},
                                           {3, DType::s8},   {10, DType::s32}, {14, DType::bf16},
                                           {28, DType::e4m3}};
  for (const auto& [number, of] : kTypes)
    if (number == type) return of;
  return DType::e5m2;
}

/// Elements of the device, by (row, column, matrix) of what is multiplied.
class Elements {
 public:
  Elements(const void* at, const Described& layout, std::int64_t op)
      : at_(reinterpret_cast<std::uint64_t>(at)),
        layout_(layout),
        type_(type_of(layout[kType])),
        is_turned_((op != 0) != (layout[kOrder] == 1)) {
    const std::int64_t lines = layout[kOrder] == 1 ? layout[kRows] : layout[kCols];
    const std::int64_t length = layout[kOrder] == 1 ? layout[kCols] : layout[kRows];
    const auto count =
        std::size_t((layout[kBatch] - 1) * layout[kStride] + (lines - 1) * layout[kLd] + length);
    bytes_.resize(count * std::size_t(width_bytes(type_)));
  }
  bool read() {
    if (cuMemcpyDtoH_v2(bytes_.data(), at_, bytes_.size()) != 0) return false;
    values_ = decode(type_, bytes_);
    return true;
  }
  bool write() {
    bytes_ = encode(type_, values_);
    return cuMemcpyHtoD_v2(at_, bytes_.data(), bytes_.size()) == 0;
  }
  double& operator()(std::int64_t row, std::int64_t col, std::int64_t matrix) {
    if (is_turned_) std::swap(row, col);
    return values_[std::size_t(matrix * layout_[kStride] + row + col * layout_[kLd])];
  }

 private:
  std::uint64_t at_;
  const Described& layout_;
  DType type_;
  bool is_turned_;
  std::vector<std::byte> bytes_;
  std::vector<double> values_;
};

double device_float(std::int64_t address) {
  float value = 1;
  if (address != 0) (void)cuMemcpyDtoH_v2(&value, std::uint64_t(address), sizeof value);
  return double(value);
}

double factor(const Described& operation, const void* at) {
  std::uint64_t bits = 0;
  const DType type = type_of(operation[kScale]);
  if (operation[kPointerMode] != 0) return device_float(reinterpret_cast<std::int64_t>(at));
  std::memcpy(&bits, at, std::size_t(width_bytes(type)));
  return decode(type, bits);
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

}  // namespace

extern "C" {

int standInProducts() { return products; }

int cublasLtCreate(void** handle) {
  void* context = nullptr;
  if (cuInit(0) != 0) return kNotInitialised;
  if (cuCtxGetCurrent(&context) != 0 || context == nullptr)
    if (cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxSetCurrent(context) != 0)
      return kNotInitialised;
  static int all = 0;
  *handle = &all;
  return kOk;
}
int cublasLtMatmulDescCreate(Described** made, int compute, int scale) {
  *made = new Described{{compute, scale}};
  (**made)[kFill] = 2;
  (**made)[kEpilogue] = 1;
  (**made)[kBiasType] = (**made)[kAuxType] = -1;
  return kOk;
}
int cublasLtMatrixLayoutCreate(Described** made, int type, std::uint64_t rows, std::uint64_t cols,
                               std::int64_t ld) {
  *made = new Described{{type, 0, std::int64_t(rows), std::int64_t(cols), ld, 1, 0}};
  return kOk;
}
int cublasLtMatmulPreferenceCreate(Described** made) {
  return cublasLtMatmulDescCreate(made, 0, 0);
}
int cublasLtMatmulDescDestroy(Described* object) {
  delete object;
  return kOk;
}
int cublasLtMatmulDescSetAttribute(Described* object, int attribute, const void* value,
                                   std::size_t bytes) {
  (*object)[attribute] = 0;
  std::memcpy(&(*object)[attribute], value, bytes);
  return kOk;
}
int cublasLtMatmulDescGetAttribute(Described* object, int attribute, void* value, std::size_t bytes,
                                   std::size_t* written) {
  std::memcpy(value, &(*object)[attribute], *written = bytes);
  return kOk;
}
// Of layouts and preferences all is done likewise.
int cublasLtMatrixLayoutDestroy(Described*) __attribute__((alias("cublasLtMatmulDescDestroy")));
int cublasLtMatrixLayoutSetAttribute(Described*, int, const void*, std::size_t)
    __attribute__((alias("cublasLtMatmulDescSetAttribute")));
int cublasLtMatrixLayoutGetAttribute(Described*, int, void*, std::size_t, std::size_t*)
    __attribute__((alias("cublasLtMatmulDescGetAttribute")));
int cublasLtMatmulPreferenceSetAttribute(Described*, int, const void*, std::size_t)
    __attribute__((alias("cublasLtMatmulDescSetAttribute")));
int cublasLtMatmulAlgoGetHeuristic(void*, Described*, Described*, Described*, Described*,
                                   Described*, Described*, int, void* results, int* found) {
  std::memset(results, 0, 96);
  *found = 1;
  return kOk;
}

int cublasLtMatmul(void* handle, Described* operation, const void* alpha, const void* a,
                   Described* a_layout, const void* b, Described* b_layout, const void* beta,
                   const void* c, Described* c_layout, void* d, Described* d_layout, const void*,
                   void*, std::size_t, void* stream) {
  if (handle == nullptr || operation == nullptr || d_layout == nullptr || alpha == nullptr ||
      beta == nullptr || a == nullptr || b == nullptr || d == nullptr)
    return kInvalidValue;
  const Described& op = *operation;
  if (op[kOpA] > 2 || op[kOpB] > 2) return kInvalidValue;
  const double first = factor(op, alpha), second = factor(op, beta);
  const std::int64_t m = (*d_layout)[kRows], n = (*d_layout)[kCols],
                     k = op[kOpA] == 0 ? (*a_layout)[kCols] : (*a_layout)[kRows];
  // A vector along D's rows, and a matrix like D.
  const Described vector{
      {op[kBiasType] < 0 ? (*d_layout)[kType] : op[kBiasType], 0, m, 1, m, 1, 0}};
  const Described like{
      {op[kAuxType] < 0 ? (*d_layout)[kType] : op[kAuxType], 0, m, n, op[kAuxLd], 1, 0}};
  Elements of_a(a, *a_layout, op[kOpA]), of_b(b, *b_layout, op[kOpB]), of_c(c, *c_layout, 0),
      of_d(d, *d_layout, 0), bias(reinterpret_cast<void*>(op[kBias]), vector, 0),
      aux(reinterpret_cast<void*>(op[kAux]), like, 0);
  const bool has_bias = (op[kEpilogue] & 4) != 0, has_aux = op[kEpilogue] == 164;
  if (cuStreamSynchronize(stream) != 0 || !of_a.read() || !of_b.read() || !of_d.read() ||
      (second != 0 && !of_c.read()) || (has_bias && !bias.read()) || (has_aux && !aux.read()))
    return kNotSupported;
  const double scale = first * device_float(op[kScaleA]) * device_float(op[kScaleB]);
  for (std::int64_t matrix = 0; matrix < (*d_layout)[kBatch]; ++matrix)
    for (std::int64_t col = 0; col < n; ++col)
      for (std::int64_t row = 0; row < m; ++row) {
        double sum = 0;
        for (std::int64_t i = 0; i < k; ++i) sum += of_a(row, i, matrix) * of_b(i, col, matrix);
        sum *= scale;
        if (second != 0) sum += second * of_c(row, col, matrix);
        if (has_bias) sum += bias(row, 0, 0);
        if (has_aux) aux(row, col, 0) = sum;
        if ((op[kEpilogue] & 2) != 0) sum = std::max(sum, 0.0);
        if ((op[kEpilogue] & 32) != 0) sum = gelu(sum);
        of_d(row, col, matrix) = sum;
      }
  ++products;
  return of_d.write() && (!has_aux || aux.write()) ? kOk : kNotSupported;
}
}
