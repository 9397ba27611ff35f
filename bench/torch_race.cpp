// What torch_race.py calls: prepared kernels behind a few C functions. Addresses and streams are
// the caller's, of the device's primary context, which torch uses too.
#include <jute/jute.hpp>

#include <memory>
#include <string>

namespace {

using namespace jute;

struct RaceProduct {
  Gemm gemm;
};

thread_local std::string said;

/// Runs the task; what it refuses is kept for `jute_race_error`.
template <class Task>
auto told(Task task) -> decltype(task()) {
  try {
    said.clear();
    return task();
  } catch (const std::exception& exception) {
    said = exception.what();
    return {};
  }
}

Matrix matrix(DType type, long long row_stride, long long column_stride, long long batch_stride) {
  Matrix result;
  result.type = type;
  result.order = column_stride == 1 ? Order::row : Order::col;
  result.ld_elems = column_stride == 1 ? row_stride : column_stride;
  result.batch_stride_elems = batch_stride;
  result.broadcast = batch_stride == 0;
  return result;
}

}  // namespace

#define JUTE_RACE extern "C" __attribute__((visibility("default")))

/// Why the last call gave nothing.
JUTE_RACE const char* jute_race_error() { return said.c_str(); }

/// One for the process; null: jute_race_error says why.
JUTE_RACE void* jute_race_open() {
  return told([]() -> void* {
    ContextOptions options;
    options.device = DeviceChoice::cuda;
    return std::make_unique<Context>(options).release();
  });
}

/// D = A·B of `batch` products, A (m,k), B (k,n), D (m,n): `strides` are row, column and batch of
/// A, B and D, in elements. Null: jute_race_error says why.
JUTE_RACE void* jute_race_prepare(void* context, const long long* m_n_k_batch,
                                  const long long* strides, const char* type,
                                  const char* out_type) {
  return told([&]() -> void* {
    Problem problem;
    problem.m = m_n_k_batch[0], problem.n = m_n_k_batch[1];
    problem.k = m_n_k_batch[2], problem.batch = m_n_k_batch[3];
    const DType operands = parse_dtype(type), output = parse_dtype(out_type);
    problem.a = matrix(operands, strides[0], strides[1], strides[2]);
    problem.b = matrix(operands, strides[3], strides[4], strides[5]);
    problem.d = problem.c = matrix(output, strides[6], strides[7], strides[8]);
    problem.alpha = Scale::one;
    problem.beta = Scale::zero;
    return std::make_unique<RaceProduct>(
               RaceProduct{prepare(*static_cast<Context*>(context), problem)})
        .release();
  });
}

JUTE_RACE long long jute_race_workspace_bytes(const void* product) {
  return static_cast<const RaceProduct*>(product)->gemm.workspace_bytes();
}

/// Before the first run in this workspace.
JUTE_RACE void jute_race_clear(const void* product, unsigned long long workspace) {
  static_cast<const RaceProduct*>(product)->gemm.clear_workspace(workspace);
}

/// 0: jute_race_error says why.
JUTE_RACE int jute_race_run(const void* product, unsigned long long a, unsigned long long b,
                            unsigned long long d, unsigned long long workspace, void* stream) {
  return told([&] {
    GemmArgs args{.a = a, .b = b, .d = d, .workspace = workspace};
    args.stream.handle = reinterpret_cast<std::uintptr_t>(stream);
    static_cast<const RaceProduct*>(product)->gemm.run(args);
    return 1;
  });
}
