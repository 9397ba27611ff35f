// What calls say and what handles and descriptors add: checked in the order of what is cheap.
#include "shim/read_call.hpp"

#include <jute/base/types.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "shim/library_functions.hpp"

namespace jute::shim {
namespace {

constexpr Index kComputeTf32 = 77, kTypeF32 = 0, kTypeF64 = 1;
constexpr int kWorkspaceAlignment = 256;

DevicePointer address_of(const void* pointer) { return std::bit_cast<DevicePointer>(pointer); }

Index alignment_of(DevicePointer address) {
  constexpr DevicePointer kMost = 16;
  return static_cast<Index>(std::min(address & (~address + 1), kMost));
}

/// A factor in the host's memory; none of a type that there is none of.
std::optional<double> factor_at(const void* pointer, Index type) {
  if (pointer == nullptr) return std::nullopt;
  std::uint64_t bits = 0;
  const auto read = [&](DType as) {
    std::memcpy(&bits, pointer, static_cast<std::size_t>(width_bytes(as)));
    return decode(as, bits);
  };
  switch (type) {
    case 0:
      return read(DType::f32);
    case 1:
      return read(DType::f64);
    case 2:
      return read(DType::f16);
    case 10:
      return read(DType::s32);
    default:
      return std::nullopt;
  }
}

/// The kind of a compute type's factors. Source: cuBLAS, cublasGemmEx.
Index scale_of(int compute) {
  switch (compute) {
    case 64:
      return 2;
    case 70:
      return kTypeF64;
    case 72:
      return 10;
    default:
      return kTypeF32;
  }
}

/// An alpha of 0 leaves A and B unread in cuBLAS, and no sum of jute's.
bool put_factors(SeenCall& read, const void* alpha, const void* beta) {
  const auto first = factor_at(alpha, read.call.scale), second = factor_at(beta, read.call.scale);
  if (!first || !second || *first == 0) return false;
  read.addresses.alpha = *first;
  read.addresses.beta = *second;
  read.call.alpha = *first == 1 ? 1 : 2;
  read.call.beta = *second == 0 ? 0 : *second == 1 ? 1 : 2;
  return true;
}

/// Numbers that decide about nothing become 0; extents and addresses are checked.
bool settle(SeenCall& read) {
  CublasCall& call = read.call;
  const CublasAddresses& at = read.addresses;
  if (call.m <= 0 || call.n <= 0 || call.k <= 0 || call.batch <= 0) return false;
  call.a.alignment = alignment_of(at.a);
  call.b.alignment = alignment_of(at.b);
  call.c.alignment = alignment_of(at.c);
  call.d.alignment = alignment_of(at.d);
  if (call.beta == 0) call.c = {};
  for (CublasMatrix* matrix : {&call.a, &call.b, &call.c, &call.d}) {
    if (call.batch == 1) matrix->stride = 0;
    if (matrix->ld < 0 || matrix->stride < 0 || matrix->type < 0) return false;
  }
  return at.a != 0 && at.b != 0 && at.d != 0 && (call.beta == 0 || at.c != 0);
}

void put_workspace(SeenCall& read, const HandleWorkspace& workspace) {
  const DevicePointer address = address_of(workspace.address);
  if (address == 0 || address % kWorkspaceAlignment != 0) return;
  read.addresses.workspace = address;
  read.call.workspace = static_cast<Index>(workspace.bytes);
}

/// What every call must keep, and its f32.
ServedBy judged(const CublasCall& call, const CallRules& rules) {
  if (rules.is_emulated && (call.a.type == kTypeF32 || call.a.type == kTypeF64))
    return ServedBy::emulation;
  const bool is_tf32 = call.compute == kComputeTf32;
  if (call.a.type == kTypeF32 && !rules.tf32_override.empty() &&
      is_tf32 != (rules.tf32_override != "0"))
    return ServedBy::precision;
  return ServedBy::unknown;
}

/// The handle's modes. A TF32 mode is told of typed calls alone: what it makes of others is
/// cuBLAS's.
ServedBy judged(const SeenGemm& seen, CublasCall& call) {
  constexpr int kTensorOp = 1, kPedantic = 2, kTf32 = 3, kEmulations = 4 | 8, kSumsAsAsked = 16;
  const BlasState& state = blas_state(seen.library);
  const bool is_single = call.a.type == kTypeF32, is_double = call.a.type == kTypeF64;
  int pointers = 0, math = 0, sms = 0, strategy = 0;
  if (state.stream == nullptr || state.pointer_mode(seen.handle, &pointers) != 0 ||
      state.math_mode(seen.handle, &math) != 0)
    return ServedBy::arguments;
  if (pointers != 0) return ServedBy::device_pointers;
  math &= ~kSumsAsAsked;
  if ((math & kEmulations) != 0) return ServedBy::emulation;
  if (math == kPedantic || (math == kTensorOp && is_single)) return ServedBy::precision;
  if (math == kTf32 && is_single && call.compute != kComputeTf32) {
    if (!seen.is_typed) return ServedBy::precision;
    call.compute = kComputeTf32;
  }
  if (state.sm_target != nullptr && state.sm_target(seen.handle, &sms) == 0 && sms != 0)
    return ServedBy::sm_target;
  if (state.emulation != nullptr && (is_single || is_double) &&
      state.emulation(seen.handle, &strategy) == 0 && strategy != 0)
    return ServedBy::emulation;
  return ServedBy::unknown;
}

/// Attributes of one descriptor.
class Attributes {
 public:
  Attributes(int (*get)(void*, int, void*, std::size_t, std::size_t*), void* object)
      : get_(get), object_(object) {}

  /// Of so many bytes, signed; `otherwise` of one that this cuBLASLt lacks.
  template <class Number>
  [[nodiscard]] Index number(LtAttribute attribute, Index otherwise = 0) const {
    Number value{};
    std::size_t written = 0;
    const int status = get_(object_, attribute, &value, sizeof value, &written);
    return status == 0 ? static_cast<Index>(value) : otherwise;
  }
  [[nodiscard]] Index integer(LtAttribute attribute, Index otherwise = 0) const {
    return number<std::int32_t>(attribute, otherwise);
  }
  [[nodiscard]] DevicePointer address(LtAttribute attribute) const {
    return static_cast<DevicePointer>(number<std::int64_t>(attribute));
  }

 private:
  int (*get_)(void*, int, void*, std::size_t, std::size_t*);
  void* object_;
};

struct LayoutRead {
  CublasMatrix matrix;
  Index rows = 0, cols = 0, batch = 0;
  bool has_pointers = false;  ///< in place of a stride
};

/// What says something of batches alone is asked of these alone: an attribute takes 9 ns.
LayoutRead layout_of(const LtState& state, void* layout) {
  const Attributes of(state.of_layout, layout);
  LayoutRead read{.matrix = {.type = of.integer(kLayoutType, -1),
                             .order = of.integer(kLayoutOrder),
                             .ld = of.number<std::int64_t>(kLayoutLd)},
                  .rows = of.number<std::int64_t>(kLayoutRows),
                  .cols = of.number<std::int64_t>(kLayoutCols),
                  .batch = of.integer(kLayoutBatchCount, 1)};
  if (read.batch == 1) return read;
  read.matrix.stride = of.number<std::int64_t>(kLayoutBatchStride);
  read.has_pointers = of.integer(kLayoutBatchMode) != 0;
  return read;
}

/// Extents by D and A; what the others say of them must be the same.
bool put_layouts(SeenCall& read, const SeenMatmul& seen, const LtState& state) {
  CublasCall& call = read.call;
  if (seen.a_layout == nullptr || seen.b_layout == nullptr || seen.c_layout == nullptr ||
      seen.d_layout == nullptr)
    return false;
  const LayoutRead a = layout_of(state, seen.a_layout), b = layout_of(state, seen.b_layout),
                   d = layout_of(state, seen.d_layout);
  const LayoutRead c =
      call.beta == 0 || seen.c_layout == seen.d_layout ? d : layout_of(state, seen.c_layout);
  call.m = d.rows;
  call.n = d.cols;
  call.batch = d.batch;
  call.k = call.op_a == 0 ? a.cols : a.rows;
  const auto extents = [](const LayoutRead& layout, Index op, Index rows, Index cols) {
    return (op == 0 ? layout.rows : layout.cols) == rows &&
           (op == 0 ? layout.cols : layout.rows) == cols;
  };
  call.a = a.matrix;
  call.b = b.matrix;
  call.c = c.matrix;
  call.d = d.matrix;
  return !a.has_pointers && !b.has_pointers && !c.has_pointers && !d.has_pointers &&
         a.batch == d.batch && b.batch == d.batch && c.batch == d.batch &&
         extents(a, call.op_a, call.m, call.k) && extents(b, call.op_b, call.k, call.n) &&
         extents(c, 0, call.m, call.n);
}

/// An epilogue's operands. False: one lacks its address.
bool put_epilogue(SeenCall& read, const Attributes& of) {
  constexpr Index kRelu = 2, kDrelu = 8, kBias = 4 | 16 | 256 | 512, kAux = 128, kF8 = 28;
  CublasCall& call = read.call;
  CublasAddresses& at = read.addresses;
  call.epilogue = of.integer(kOperationEpilogue, 1);
  const auto type = [&](LtAttribute attribute) {
    const Index said = of.integer(attribute, -1);
    return said >= 0 ? said : call.d.type;
  };
  if ((call.epilogue & kBias) != 0) {
    at.bias = of.address(kOperationBias);
    call.bias_type = type(kOperationBiasType);
    if (call.batch > 1) call.bias_stride = of.number<std::int64_t>(kOperationBiasBatchStride);
    call.bias_alignment = alignment_of(at.bias);
    if (at.bias == 0 || call.bias_stride < 0 || call.bias_type >= kF8) return false;
  }
  if ((call.epilogue & kAux) != 0) {
    at.aux = of.address(kOperationAux);
    if ((call.epilogue & (kRelu | kDrelu)) == 0) call.aux_type = type(kOperationAuxType);
    call.aux_ld = of.number<std::int64_t>(kOperationAuxLd);
    if (call.batch > 1) call.aux_stride = of.number<std::int64_t>(kOperationAuxBatchStride);
    call.aux_alignment = alignment_of(at.aux);
    if (at.aux == 0 || call.aux_stride < 0 || call.aux_ld < 0 ||
        of.address(kOperationAuxScale) != 0 || of.address(kOperationAuxAmax) != 0)
      return false;
  }
  at.scale_a = of.address(kOperationScaleA);
  at.scale_b = of.address(kOperationScaleB);
  at.scale_d = of.address(kOperationScaleD);
  at.amax_d = of.address(kOperationAmaxD);
  if (at.scale_a != 0) call.scale_a = 1 + of.integer(kOperationScaleModeA);
  if (at.scale_b != 0) call.scale_b = 1 + of.integer(kOperationScaleModeB);
  if (at.scale_d != 0) call.scale_d = 1 + of.integer(kOperationScaleModeD);
  call.amax_d = at.amax_d != 0 ? 1 : 0;
  if (call.a.type >= kF8)
    call.fast_accum = of.number<std::int8_t>(kOperationFastAccumulation) != 0 ? 1 : 0;
  return true;
}

/// Attributes that no product of jute's has. Modes of scales say nothing where there is no scale.
bool has_others(const Attributes& of, int version) {
  constexpr Index kWhole = 2;  // CUBLAS_FILL_MODE_FULL
  if (of.address(kOperationScaleC) != 0 || of.integer(kOperationTransposeC) != 0 ||
      of.integer(kOperationFillMode, kWhole) != kWhole)
    return true;
  if (version == 12)
    return of.integer(kOperationChunksOfRows) != 0 || of.integer(kOperationChunksOfCols) != 0 ||
           of.address(kOperationOutScaleD) != 0;
  return of.address(kOperationOutScaleD) != 0 || of.address(kOperationEmulation) != 0;
}

}  // namespace

SeenCall read_call(const SeenGemm& seen, const HandleWorkspace& workspace, const CallRules& rules) {
  constexpr int kUsual = -1, kUsualOfTensorCores = 99;
  SeenCall read;
  CublasCall& call = read.call;
  call = {.library = seen.library.version,
          .op_a = seen.op_a,
          .op_b = seen.op_b,
          .m = seen.m,
          .n = seen.n,
          .k = seen.k,
          .batch = seen.batch};
  call.a = {.type = seen.a.type, .ld = seen.a.ld, .stride = seen.a.stride};
  call.b = {.type = seen.b.type, .ld = seen.b.ld, .stride = seen.b.stride};
  call.c = call.d = {.type = seen.c.type, .ld = seen.c.ld, .stride = seen.c.stride};
  call.compute = seen.compute;
  call.scale = scale_of(seen.compute);
  read.addresses.a = address_of(seen.a.at);
  read.addresses.b = address_of(seen.b.at);
  read.addresses.c = read.addresses.d = address_of(seen.c.at);
  if (seen.algorithm != kUsual && seen.algorithm != kUsualOfTensorCores) {
    read.why = ServedBy::algorithm;
    return read;
  }
  read.why = judged(seen, call);
  if (read.why == ServedBy::unknown) read.why = judged(call, rules);
  if (read.why != ServedBy::unknown) return read;
  void* stream = nullptr;
  if (!put_factors(read, seen.alpha, seen.beta) || !settle(read) || seen.op_a < 0 ||
      seen.op_b < 0 || blas_state(seen.library).stream(seen.handle, &stream) != 0) {
    read.why = ServedBy::arguments;
    return read;
  }
  read.addresses.stream = {address_of(stream)};
  put_workspace(read, workspace);
  return read;
}

SeenCall read_call(const SeenMatmul& seen, const CallRules& rules) {
  SeenCall read{.why = ServedBy::arguments};
  CublasCall& call = read.call;
  const LtState& state = lt_state(seen.library);
  if (seen.handle == nullptr || seen.operation == nullptr || state.of_operation == nullptr ||
      state.of_layout == nullptr)
    return read;
  const Attributes of(state.of_operation, seen.operation);
  call.library = seen.library.version;
  call.lt = 1;
  call.compute = of.integer(kOperationCompute, -1);
  call.scale = of.integer(kOperationScale, -1);
  call.op_a = of.integer(kOperationTransposeA);
  call.op_b = of.integer(kOperationTransposeB);
  read.addresses = {.a = address_of(seen.a),
                    .b = address_of(seen.b),
                    .c = address_of(seen.c),
                    .d = address_of(seen.d),
                    .stream = {address_of(seen.stream)}};
  if (of.integer(kOperationPointerMode) != 0)
    read.why = ServedBy::device_pointers;
  else if (of.integer(kOperationSmTarget) != 0)
    read.why = ServedBy::sm_target;
  else if (has_others(of, seen.library.version))
    read.why = ServedBy::attributes;
  else if (put_factors(read, seen.alpha, seen.beta) && put_layouts(read, seen, state) &&
           settle(read) && put_epilogue(read, of))
    read.why = judged(call, rules);
  if (read.why == ServedBy::unknown) put_workspace(read, {seen.workspace, seen.workspace_bytes});
  return read;
}

}  // namespace jute::shim
