// From a call of cuBLAS to a problem and the arguments of its runs.
#include <jute/base/refuse.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/shim/cublas_call.hpp>
#include <jute/shim/lt_epilogues.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace jute {
namespace {

struct CublasType {
  Index value;
  DType type;
};
/// Source: library_types.h, cudaDataType.
constexpr std::array kTypes{
    CublasType{0, DType::f32},   CublasType{1, DType::f64},   CublasType{2, DType::f16},
    CublasType{3, DType::s8},    CublasType{8, DType::u8},    CublasType{10, DType::s32},
    CublasType{14, DType::bf16}, CublasType{28, DType::e4m3}, CublasType{29, DType::e5m2}};

/// What a compute type promises of operands of this width: no less than it asks for.
struct ComputeRow {
  Index compute, scale;
  int least_bits, most_bits;  ///< of an element of A
  Precision precision = Precision::f32;
  bool of_integers = false;
};
/// Source: cublas_api.h, cublasComputeType_t, and cuBLAS's table of supported types. Pedantic and
/// emulated ones have no row, nor has f32 that may become f16 or bf16. Sums of f16 are f32 here.
constexpr std::array kComputes{
    ComputeRow{64, 2, 16, 16}, ComputeRow{68, 0, 8, 32},
    ComputeRow{77, 0, 8, 16},  ComputeRow{77, 0, 32, 32, Precision::tf32},
    ComputeRow{74, 0, 8, 16},  ComputeRow{75, 0, 8, 16},
    ComputeRow{70, 1, 64, 64}, ComputeRow{72, 10, 8, 8, Precision::f32, true}};

struct ShimOperand {
  std::string_view name;
  DevicePointer CublasAddresses::*address;
};
constexpr std::array kOperands{ShimOperand{"bias", &CublasAddresses::bias},
                               ShimOperand{"dbias", &CublasAddresses::bias},
                               ShimOperand{"aux", &CublasAddresses::aux},
                               ShimOperand{"first_scale", &CublasAddresses::scale_a},
                               ShimOperand{"second_scale", &CublasAddresses::scale_b},
                               ShimOperand{"d_scale", &CublasAddresses::scale_d},
                               ShimOperand{"d_amax", &CublasAddresses::amax_d}};
constexpr Index kOuterVector = 4;  // one more than CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F

[[noreturn]] void refuse_word(const char* word, Index value, const char* rule) {
  refuse(ErrorCode::unsupported, word, std::to_string(value), rule);
}

DType type_of(const char* word, Index value) {
  const auto* const row = std::ranges::find(kTypes, value, &CublasType::value);
  if (row == kTypes.end()) refuse_word(word, value, "it must be a type that jute multiplies");
  return row->type;
}

/// `is_transposed`: as the product sees it, which may see all of the call transposed.
Matrix matrix_of_call(const char* word, const CublasMatrix& matrix, bool is_transposed,
                      const CublasCall& call) {
  if (matrix.order > 1) refuse_word(word, matrix.order, "it must lie by columns or by rows");
  return {.type = type_of(word, matrix.type),
          .order = (matrix.order == 1) != is_transposed ? Order::row : Order::col,
          .ld_elems = matrix.ld,
          .batch_stride_elems = matrix.stride,
          .broadcast = call.batch > 1 && matrix.stride == 0,
          .alignment_bytes = static_cast<int>(matrix.alignment)};
}

Factor factor_of(Index number) {
  if (number > 2) refuse_word("beta", number, "it must be 0, 1 or 2 for another");
  return number == 0 ? Factor::zero : number == 1 ? Factor::one : Factor::run_time;
}

Precision precision_of(const CublasCall& call, DType type) {
  const int bits = width_bits(type);
  for (const ComputeRow& row : kComputes)
    if (row.compute == call.compute && row.scale == call.scale && row.least_bits <= bits &&
        bits <= row.most_bits && is_integer(type) == row.of_integers)
      return row.precision;
  refuse_word("compute", call.compute, "it must be one that jute's sums are as exact as");
}

void put(std::string& text, std::string_view hole, std::string_view value) {
  for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at)) {
    text.replace(at, hole.size(), value);
    at += value.size();
  }
}

/// alpha*acc*first_scale*second_scale + beta*c, what of it there is.
std::string sum_text(const CublasCall& call, const std::string& row, const std::string& column) {
  const auto scale = [](Index mode, const char* name, const std::string& letter) {
    if (mode == 0) return std::string();
    return std::string("*") + name + (mode == kOuterVector ? "[" + letter + "]" : "");
  };
  return (call.alpha == 1 ? "acc" : "alpha*acc") + scale(call.scale_a, "first_scale", row) +
         scale(call.scale_b, "second_scale", column) + (call.beta == 0 ? "" : " + beta*c");
}

/// The text of the epilogue; empty where it is the usual one.
std::string epilogue_text(const CublasCall& call, bool is_swapped) {
  const std::string row = is_swapped ? "n" : "m", column = is_swapped ? "m" : "n";
  const bool is_stored_scaled = call.scale_d != 0 || call.amax_d != 0;
  if (call.epilogue == 1 && call.scale_a == 0 && call.scale_b == 0 && !is_stored_scaled) return {};
  for (const Index mode : {call.scale_a, call.scale_b})
    if (mode > 1 && mode != kOuterVector)
      refuse_word("scale", mode - 1, "it must be of a whole operand, or of its rows");
  if (call.scale_d > 1) refuse_word("scale_d", call.scale_d - 1, "it must be of all of D");
  const auto* const found = std::ranges::find(kLtEpilogues, call.epilogue, &LtEpilogueRow::value);
  if (found == kLtEpilogues.end())
    refuse_word("epilogue", call.epilogue, "it must be one of cuBLASLt's that jute has");
  std::string text(found->text);
  put(text, "{sum}", sum_text(call, row, column));
  put(text, "{row}", call.bias_stride != 0 ? "batch," + row : row);
  put(text, "{rows}", is_swapped ? "col_sum[n]" : "row_sum[m]");
  put(text, "{first_sum}", is_swapped ? "b_sum[n]" : "a_sum[m]");
  put(text, "{second_sum}", is_swapped ? "a_sum[m]" : "b_sum[n]");
  if (!is_stored_scaled) return text;
  if (text.find(';') != std::string::npos)
    refuse_word("scale_d", 1, "the epilogue beside it must have one result");
  return "y := " + text + "; d = y" + (call.scale_d != 0 ? "*d_scale" : "") +
         (call.amax_d != 0 ? "; d_amax = amax(y)" : "");
}

/// Where what the epilogue names lies.
void describe(EpilogueOperand& operand, std::string_view name, bool is_bits,
              const CublasCall& call) {
  constexpr Index kBitsOfByte = 8;
  constexpr int kScaleBytes = 4;
  if (name == "aux") {
    if (!is_bits) operand.type = type_of("aux", call.aux_type);
    operand.ld_elems = is_bits ? call.aux_ld / kBitsOfByte : call.aux_ld;
    operand.batch_stride_elems = is_bits ? call.aux_stride / kBitsOfByte : call.aux_stride;
    operand.alignment_bytes = static_cast<int>(call.aux_alignment);
  } else if (name == "bias" || name == "dbias") {
    operand.type = type_of("bias", call.bias_type);
    operand.batch_stride_elems = call.bias_stride;
    operand.alignment_bytes = static_cast<int>(call.bias_alignment);
  } else {
    operand.type = DType::f32;
    operand.alignment_bytes = kScaleBytes;
  }
}

void add_epilogue(CublasProduct& product, const CublasCall& call, const std::string& text) {
  Problem& problem = product.problem;
  problem.epilogue = Epilogue{.expression = parse_epilogue(text)};
  Epilogue& epilogue = *problem.epilogue;
  const auto add = [&](const auto& named, std::vector<EpilogueOperand>& operands, bool is_output) {
    for (std::size_t i = 0; i < named.size(); ++i) {
      operands.push_back(usual_operand(problem, named[i]));
      const auto* const row = std::ranges::find(kOperands, named[i].name, &ShimOperand::name);
      if (row == kOperands.end()) continue;  // D
      describe(operands.back(), row->name, is_of_bits(epilogue.expression, named[i]), call);
      product.operands.push_back({row->address, is_output, i});
    }
  };
  add(epilogue.expression.inputs, epilogue.inputs, false);
  add(epilogue.expression.outputs, epilogue.outputs, true);
}

}  // namespace

CublasProduct product_of(const CublasCall& call, const std::optional<MRange>& range) {
  CublasProduct product;
  const bool is_swapped = product.is_swapped = call.d.order == 0;
  if (call.op_a > 2 || call.op_b > 2) refuse_word("op", 3, "it must be N, T or C");
  const auto operand = [&](const char* word, const CublasMatrix& matrix, Index op) {
    return matrix_of_call(word, matrix, is_swapped != (op != 0), call);
  };
  const Matrix first = operand("a", call.a, call.op_a), second = operand("b", call.b, call.op_b);
  Problem& problem = product.problem;
  problem.m = range ? range->last : is_swapped ? call.n : call.m;
  problem.m_range = range;
  problem.n = is_swapped ? call.m : call.n;
  problem.k = call.k;
  problem.batch = call.batch;
  problem.a = is_swapped ? second : first;
  problem.b = is_swapped ? first : second;
  problem.d = operand("d", call.d, 0);
  problem.c = call.beta == 0 ? problem.d : operand("c", call.c, 0);
  problem.alpha = call.alpha == 1 ? Factor::one : Factor::run_time;
  problem.beta = factor_of(call.beta);
  problem.precision = precision_of(call, first.type);
  if (const std::string text = epilogue_text(call, is_swapped); !text.empty())
    add_epilogue(product, call, text);
  if (call.fast_accum != 0 && width_bits(first.type) == 8) product.config.promote = 0;
  problem = completed(problem);
  return product;
}

GemmArgs run_of(const CublasProduct& product, const CublasAddresses& addresses) {
  // Copied for each run: that is quicker than making its many members anew.
  static constexpr GemmArgs kAsPrepared{};
  GemmArgs args = kAsPrepared;
  args.a = product.is_swapped ? addresses.b : addresses.a;
  args.b = product.is_swapped ? addresses.a : addresses.b;
  args.c = addresses.c;
  args.d = addresses.d;
  args.workspace = addresses.workspace;
  args.alpha = addresses.alpha;
  args.beta = addresses.beta;
  args.stream = addresses.stream;
  for (const CublasOperand& operand : product.operands)
    (operand.is_output ? args.outputs[operand.place].base : args.inputs[operand.place].base) =
        addresses.*operand.address;
  return args;
}

CublasAddresses addresses_of(const CublasProduct& product, const GemmArgs& run) {
  CublasAddresses addresses{.a = product.is_swapped ? run.b : run.a,
                            .b = product.is_swapped ? run.a : run.b,
                            .c = run.c,
                            .d = run.d,
                            .workspace = run.workspace,
                            .alpha = run.alpha,
                            .beta = run.beta,
                            .stream = run.stream};
  for (const CublasOperand& operand : product.operands)
    addresses.*operand.address =
        operand.is_output ? run.outputs[operand.place].base : run.inputs[operand.place].base;
  return addresses;
}

}  // namespace jute
