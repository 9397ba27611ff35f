// Names of a run's numbers, and their way into a kernel's parameters.
#include "gemm/run_values.hpp"

#include "base/format.hpp"
#include "gemm/operands.hpp"

#include <jute/base/nearest_name.hpp>

#include <limits>
#include <string>

namespace jute::gemm {
namespace {

struct FieldRow {
  std::string_view name;
  Field field;
  Field swapped;
};

// clang-format off
constexpr std::array<FieldRow, kIntegerFields + 2> kFields{{
    {"a",              Field::a,              Field::b},
    {"b",              Field::b,              Field::a},
    {"c",              Field::c,              Field::c},
    {"d",              Field::d,              Field::d},
    {"m",              Field::m,              Field::n},
    {"n",              Field::n,              Field::m},
    {"k",              Field::k,              Field::k},
    {"batch",          Field::batch,          Field::batch},
    {"lda",            Field::lda,            Field::ldb},
    {"ldb",            Field::ldb,            Field::lda},
    {"ldc",            Field::ldc,            Field::ldc},
    {"ldd",            Field::ldd,            Field::ldd},
    {"batch_stride_a", Field::batch_stride_a, Field::batch_stride_b},
    {"batch_stride_b", Field::batch_stride_b, Field::batch_stride_a},
    {"batch_stride_c", Field::batch_stride_c, Field::batch_stride_c},
    {"batch_stride_d", Field::batch_stride_d, Field::batch_stride_d},
    {"alpha",          Field::alpha,          Field::alpha},
    {"beta",           Field::beta,           Field::beta},
}};
// clang-format on

constexpr const FieldRow& row_of(Field field) { return kFields[static_cast<size_t>(field)]; }

const FieldRow* find_row(std::string_view parameter) {
  for (const FieldRow& row : kFields)
    if (row.name == parameter) return &row;
  return nullptr;
}

bool is_scale(Field field) { return field == Field::alpha || field == Field::beta; }
bool is_address(Field field) { return field <= Field::d; }

/// May a parameter of this kind hold the field?
bool fits(ParameterKind kind, Field field) {
  using enum ParameterKind;
  if (is_address(field)) return kind == pointer;
  if (is_scale(field)) return kind == f32 || kind == f64 || kind == i32;
  return kind == i32 || kind == u32 || kind == i64 || kind == u64;
}

template <class Narrow>
Narrow narrowed(std::int64_t value, Field field) {
  if (value >= 0 && value <= std::int64_t{std::numeric_limits<Narrow>::max()})
    return static_cast<Narrow>(value);
  throw Exception(
      {.code = ErrorCode::out_of_range,
       .operand = std::string(name(field)),
       .value = std::to_string(value),
       .violated_rules = {base::format("the kernel takes {} as a 32-bit parameter", name(field))},
       .nearest_legal = std::to_string(std::numeric_limits<Narrow>::max())});
}

void pack_scale(ArgumentBlock& block, ParameterKind kind, double value) {
  if (kind == ParameterKind::f32)
    block.f32(static_cast<float>(value));
  else if (kind == ParameterKind::f64)
    block.f64(value);
  else
    block.i32(static_cast<std::int32_t>(rounded_scale(DType::s32, value)));
}

void pack_integer(ArgumentBlock& block, const Slot& slot, std::int64_t value) {
  switch (slot.kind) {
    case ParameterKind::pointer:
      block.pointer(static_cast<DevicePointer>(value));
      return;
    case ParameterKind::i32:
      block.i32(narrowed<std::int32_t>(value, slot.field));
      return;
    case ParameterKind::u32:
      block.u32(narrowed<std::uint32_t>(value, slot.field));
      return;
    case ParameterKind::i64:
      block.i64(value);
      return;
    default:
      block.u64(static_cast<std::uint64_t>(value));
      return;
  }
}

/// Puts `given` in the place of a planned number. Returns whether it did.
bool replace(Index& planned, const std::optional<Index>& given) {
  if (given) planned = *given;
  return given.has_value();
}

/// The planned problem with the numbers of `args`, its rules checked again if there are any.
Problem problem_of_run(const Problem& planned, const GemmArgs& args) {
  Problem problem = planned;
  bool changed = replace(problem.m, args.m);
  changed |= replace(problem.n, args.n);
  changed |= replace(problem.k, args.k);
  changed |= replace(problem.batch, args.batch);
  changed |= replace(problem.a.ld_elems, args.lda);
  changed |= replace(problem.b.ld_elems, args.ldb);
  changed |= replace(problem.c.ld_elems, args.ldc);
  changed |= replace(problem.d.ld_elems, args.ldd);
  changed |= replace(problem.a.batch_stride_elems, args.batch_stride_a);
  changed |= replace(problem.b.batch_stride_elems, args.batch_stride_b);
  changed |= replace(problem.c.batch_stride_elems, args.batch_stride_c);
  changed |= replace(problem.d.batch_stride_elems, args.batch_stride_d);
  return changed ? completed(problem) : problem;
}

}  // namespace

std::string_view name(Field field) { return row_of(field).name; }
Field swapped(Field field) { return row_of(field).swapped; }

RunValues run_values(const Problem& planned, const GemmArgs& args) {
  const Problem problem = problem_of_run(planned, args);
  const auto address = [](DevicePointer pointer) { return static_cast<std::int64_t>(pointer); };
  RunValues values;
  values.integers = {address(args.a),
                     address(args.b),
                     address(args.c),
                     address(args.d),
                     problem.m,
                     problem.n,
                     problem.k,
                     problem.batch,
                     problem.a.ld_elems,
                     problem.b.ld_elems,
                     problem.c.ld_elems,
                     problem.d.ld_elems,
                     problem.a.batch_stride_elems,
                     problem.b.batch_stride_elems,
                     problem.c.batch_stride_elems,
                     problem.d.batch_stride_elems};
  values.alpha = args.alpha;
  values.beta = args.beta;
  return values;
}

std::vector<Slot> slots(const Signature& signature, bool transposed) {
  std::vector<Slot> result;
  for (const Parameter& parameter : signature.parameters) {
    const FieldRow* const row = find_row(parameter.name);
    if (row == nullptr || !fits(parameter.kind, row->field))
      throw Exception(
          {.code = ErrorCode::signature_mismatch,
           .operand = parameter.name,
           .value = std::string(jute::name(parameter.kind)),
           .violated_rules = {"a kernel's parameters are pointers, extents, strides and scale "
                              "factors of the problem, each in a type that holds it"}});
    result.push_back({transposed ? row->swapped : row->field, parameter.kind});
  }
  return result;
}

void pack(ArgumentBlock& block, const std::vector<Slot>& slots, const RunValues& values) {
  for (const Slot& slot : slots) {
    if (is_scale(slot.field))
      pack_scale(block, slot.kind, slot.field == Field::alpha ? values.alpha : values.beta);
    else
      pack_integer(block, slot, values[slot.field]);
  }
}

}  // namespace jute::gemm
