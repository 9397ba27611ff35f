// Copies of unaligned operands: their parameters, and what the GEMM reads instead.
#include "gemm/run_values.hpp"

namespace jute::gemm {
namespace {

struct OperandFields {
  Field pointer, ld, batch_stride;
};
OperandFields fields_of(const PadStep& step) {
  return step.operand == Operand::a ? OperandFields{Field::a, Field::lda, Field::batch_stride_a}
                                    : OperandFields{Field::b, Field::ldb, Field::batch_stride_b};
}

}  // namespace

PaddedRows rows_of(const PadStep& step, const RunValues& values) {
  return padded_rows(step, {values[Field::m], values[Field::n], values[Field::batch]},
                     values[Field::k]);
}

void pack(ArgumentBlock& block, const PadStep& step, const PaddedRows& rows, DevicePointer target,
          const RunValues& values) {
  const OperandFields fields = fields_of(step);
  block.pointer(static_cast<DevicePointer>(values[fields.pointer]))
      .pointer(target)
      .i32(static_cast<std::int32_t>(rows.inner))
      .i32(static_cast<std::int32_t>(rows.outer))
      .i64(rows.outer * rows.matrices)
      .i64(values[fields.ld])
      .i64(rows.ld)
      .i64(values[fields.batch_stride])
      .i64(rows.batch_stride);
}

void replace_operand(RunValues& values, const PadStep& step, const PaddedRows& rows,
                     DevicePointer target) {
  const OperandFields fields = fields_of(step);
  values[fields.pointer] = static_cast<std::int64_t>(target);
  values[fields.ld] = rows.ld;
  if (!step.broadcast) values[fields.batch_stride] = rows.batch_stride;
}

}  // namespace jute::gemm
