// Matrix products by wgmma and mma.sync, alone and in pipelines.
#include "kernels/kernel_case.hpp"
#include "kernels/values.hpp"

namespace jute::test {
namespace {

/// The element types of one instruction, and what its text says of them.
struct Types {
  const char* name;
  DType a, b, d;
  int low, high;      ///< of the inputs
  const char* shape;  ///< after `wgmma.mma_async.sync.aligned.`
  const char* tail;   ///< scales and majors
};
// clang-format off
constexpr Types kTypes[] = {
    {"bf16",      DType::bf16, DType::bf16, DType::f32, -4, 4, "m64n32k16.f32.bf16.bf16", ", 1, 1, 0, 0"},
    {"f16",       DType::f16,  DType::f16,  DType::f32, -4, 4, "m64n32k16.f32.f16.f16",   ", 1, 1, 0, 0"},
    {"f16_f16",   DType::f16,  DType::f16,  DType::f16, -2, 2, "m64n64k16.f16.f16.f16",   ", 1, 1, 0, 0"},
    {"tf32",      DType::tf32, DType::tf32, DType::f32, -9, 9, "m64n32k8.f32.tf32.tf32",  ", 1, 1"},
    {"e4m3",      DType::e4m3, DType::e4m3, DType::f32, -2, 2, "m64n32k32.f32.e4m3.e4m3", ", 1, 1"},
    {"e5m2_e4m3", DType::e5m2, DType::e4m3, DType::f32, -2, 2, "m64n32k32.f32.e5m2.e4m3", ", 1, 1"},
    {"e4m3_f16",  DType::e4m3, DType::e4m3, DType::f16, -1, 1, "m64n64k32.f16.e4m3.e4m3", ", 1, 1"},
    {"s8",        DType::s8,   DType::s8,   DType::s32, -99, 99, "m64n32k32.s32.s8.s8",   ""},
    {"u8_s8",     DType::u8,   DType::s8,   DType::s32, 0, 99, "m64n32k32.s32.u8.s8",     ""},
};
// clang-format on

constexpr int kRowBytes = 128, kM = 64;

std::string prelude(const Types& types, int n, const std::string& tail) {
  const char* word = types.d == DType::f32 ? "float" : "u32";
  const char* how = types.d == DType::f32 ? "\"+f\"" : "\"+r\"";
  return std::string("using Word = ") + word + ";\n#define HOW " + how + "\n#define SHAPE \"" +
         types.shape + "\"\n#define TAIL \"" + tail +
         "\"\nconstexpr int kN = " + std::to_string(n) +
         ", kRowElements = " + std::to_string(kRowBytes / width_bytes(types.a)) + ";\n";
}

/// Rows of K, in boxes of `box` rows of 128 bytes.
TensorMapSpec rows_of(DType type, Index k, Index rows, Index box) {
  const bool is_byte = width_bytes(type) == 1;
  return {.type = is_byte               ? DType::u8
                  : type == DType::tf32 ? DType::f32
                                        : type,
          .dims = {k, rows},
          .strides_bytes = {k * width_bytes(type)},
          .box = {kRowBytes / width_bytes(type), box},
          .element_strides = {1, 1},
          .swizzle = TmaSwizzle::b128};
}

/// Operands of one product and what D must be.
struct Operands {
  int m, n, k;
  std::vector<int> a, b;
  Operands(int rows, int columns, int depth, int low, int high)
      : m(rows),
        n(columns),
        k(depth),
        a(integers(10, area(rows, depth), low, high)),
        b(integers(11, area(columns, depth), low, high)) {}
  [[nodiscard]] std::vector<int> d() const { return product(a, b, m, n, k); }
  static size_t area(int rows, int columns) {
    return static_cast<size_t>(rows) * static_cast<size_t>(columns);
  }
};

Operands operands_of(const Types& types) {
  return {kM, types.d == DType::f16 ? 64 : 32, 2 * kRowBytes / width_bytes(types.a), types.low,
          types.high};
}

KernelCase wgmma_ss(const Types& types) {
  const Operands x = operands_of(types);
  return {.name = std::string("wgmma_ss_") + types.name,
          .file = "wgmma_ss",
          .prelude = prelude(types, x.n, types.tail),
          .arrays = {input(encode(x.a, types.a)), input(encode(x.b, types.b)),
                     output(encode(x.d(), types.d))},
          .launches = {{.symbol = "wgmma_ss",
                        .grid = {1},
                        .block = {128},
                        .smem_bytes = 2 * (kM + x.n) * kRowBytes + 8,
                        .arguments = {MapOf{0, rows_of(types.a, x.k, kM, kM)},
                                      MapOf{1, rows_of(types.b, x.k, x.n, x.n)}, AddressOf{2}}}}};
}

KernelCase wgmma_rs(const Types& types) {
  const Operands x = operands_of(types);
  // A in registers has no major to say.
  std::string tail = types.tail;
  if (width_bytes(types.a) == 2) tail.resize(tail.size() - 3);
  return {.name = std::string("wgmma_rs_") + types.name,
          .file = "wgmma_rs",
          .prelude = prelude(types, x.n, tail),
          .arrays = {input(encode(x.a, types.a)), input(encode(x.b, types.b)),
                     output(encode(x.d(), types.d))},
          .launches = {{.symbol = "wgmma_rs",
                        .grid = {1},
                        .block = {128},
                        .smem_bytes = 2 * x.n * kRowBytes + 8,
                        .arguments = {AddressOf{0}, MapOf{1, rows_of(types.b, x.k, x.n, x.n)},
                                      AddressOf{2}}}}};
}

KernelCase wgmma_majors() {
  const Operands x(kM, 32, 64, -4, 4);
  const std::vector<int> c = integers(12, Operands::area(kM, 32), -99, 99);
  std::vector<int> d = x.d();
  for (size_t i = 0; i < d.size(); ++i) d[i] = c[i] - d[i];
  const auto map = [](size_t array, Index width, Index box, TmaSwizzle swizzle) {
    return MapOf{array,
                 {.type = DType::bf16,
                  .dims = {width, 64},
                  .strides_bytes = {width * 2},
                  .box = {box, 64},
                  .element_strides = {1, 1},
                  .swizzle = swizzle}};
  };
  return {
      .name = "wgmma_majors",
      .file = "wgmma_majors",
      .arrays = {input(encode(transposed(x.a, x.k), DType::bf16)),
                 input(encode(transposed(x.b, x.k), DType::bf16)), input(encode(c, DType::f32)),
                 output(encode(d, DType::f32))},
      .launches = {{.symbol = "wgmma_majors",
                    .grid = {1},
                    .block = {128},
                    .smem_bytes = 8192 + 2 * 2048 + 8,
                    .arguments = {map(0, 64, 64, TmaSwizzle::b128), map(1, 32, 16, TmaSwizzle::b32),
                                  AddressOf{2}, AddressOf{3}}}}};
}

/// A bf16 GEMM of 64-deep steps whose arguments are two maps, D and `more`.
struct Gemm {
  const char* name;
  int m, n, steps;
  Index box_m, box_n;
  CaseLaunch launch;
  std::vector<Argument> more;
};
KernelCase gemm(Gemm form) {
  const Operands x(form.m, form.n, form.steps * 64, -4, 4);
  form.launch.symbol = form.name;
  form.launch.arguments = {MapOf{0, rows_of(DType::bf16, x.k, x.m, form.box_m)},
                           MapOf{1, rows_of(DType::bf16, x.k, x.n, form.box_n)}, AddressOf{2}};
  for (const Argument& argument : form.more) form.launch.arguments.push_back(argument);
  return {.name = form.name,
          .file = form.name,
          .arrays = {input(encode(x.a, DType::bf16)), input(encode(x.b, DType::bf16)),
                     output(encode(x.d(), DType::f32))},
          .launches = {form.launch}};
}

KernelCase gemm_stmatrix() {
  const Operands x(3 * 64, 32, 64, -2, 2);
  return {.name = "gemm_stmatrix",
          .file = "gemm_stmatrix",
          .arrays = {input(encode(x.a, DType::bf16)), input(encode(x.b, DType::bf16)),
                     output(encode(x.d(), DType::bf16))},
          .launches = {{.symbol = "gemm_stmatrix",
                        .grid = {1},
                        .block = {128},
                        .smem_bytes = 3 * 8192 + 4096 + 2 * 4096 + 8,
                        .arguments = {MapOf{0, rows_of(DType::bf16, x.k, x.m, 64)},
                                      MapOf{1, rows_of(DType::bf16, x.k, x.n, 32)},
                                      MapOf{2,
                                            {.type = DType::bf16,
                                             .dims = {x.n, x.m},
                                             .strides_bytes = {x.n * 2},
                                             .box = {32, 64},
                                             .element_strides = {1, 1},
                                             .swizzle = TmaSwizzle::b64}}}}}};
}

/// mma.sync: B as (K, N).
KernelCase ldmatrix_mma() {
  constexpr int kSteps = 6;
  const Operands x(64, 32, kSteps * 32, -4, 4);
  return {
      .name = "ldmatrix_mma",
      .file = "ldmatrix_mma",
      .arrays = {input(encode(x.a, DType::f16)), input(encode(transposed(x.b, x.k), DType::f16)),
                 output(encode(x.d(), DType::f32))},
      .launches = {{.symbol = "ldmatrix_mma",
                    .grid = {1},
                    .block = {128},
                    .smem_bytes = 3 * 6144,
                    .arguments = {AddressOf{0}, AddressOf{1}, AddressOf{2}, kSteps}}}};
}

}  // namespace

std::vector<KernelCase> product_cases() {
  std::vector<KernelCase> cases;
  for (const Types& types : kTypes) cases.push_back(wgmma_ss(types));
  for (const Types& types : kTypes) cases.push_back(wgmma_rs(types));
  cases.push_back(wgmma_majors());
  cases.push_back(gemm({.name = "gemm_pipeline",
                        .m = 128,
                        .n = 64,
                        .steps = 11,
                        .box_m = 64,
                        .box_n = 32,
                        .launch = {.grid = {2, 2}, .block = {128}, .smem_bytes = 3 * 12288 + 48},
                        .more = {11}}));
  cases.push_back(gemm(
      {.name = "gemm_multicast",
       .m = 128,
       .n = 64,
       .steps = 17,
       .box_m = 64,
       .box_n = 16,
       .launch = {.grid = {2, 2}, .block = {160}, .cluster = {1, 2}, .smem_bytes = 2 * 12288 + 32},
       .more = {17}}));
  cases.push_back(gemm({.name = "gemm_cooperative",
                        .m = 256,
                        .n = 96,
                        .steps = 3,
                        .box_m = 128,
                        .box_n = 32,
                        .launch = {.grid = {2}, .block = {384}, .smem_bytes = 4 * 20480 + 64},
                        .more = {2, 3, 3}}));
  cases.push_back(gemm({.name = "gemm_ping_pong",
                        .m = 192,
                        .n = 96,
                        .steps = 4,
                        .box_m = 64,
                        .box_n = 32,
                        .launch = {.grid = {2}, .block = {384}, .smem_bytes = 3 * 12288 + 64},
                        .more = {3, 3, 4}}));
  cases.push_back(gemm_stmatrix());
  cases.push_back(ldmatrix_mma());
  return cases;
}

}  // namespace jute::test
