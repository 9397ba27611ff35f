// The names that Counts give to a run's numbers.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/plan/run_values.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace jute {
namespace {

using enum RunValue::Quantity;

struct NamedValue {
  std::string_view name;
  RunValue value;
};
constexpr std::array<NamedValue, 12> kNames{{
    {"m", {m}},
    {"n", {n}},
    {"k", {k}},
    {"batch", {batch}},
    {"lda", ld_of(TensorRole::a)},
    {"ldb", ld_of(TensorRole::b)},
    {"ldc", ld_of(TensorRole::c)},
    {"ldd", ld_of(TensorRole::d)},
    {"batch_stride_a", batch_stride_of(TensorRole::a)},
    {"batch_stride_b", batch_stride_of(TensorRole::b)},
    {"batch_stride_c", batch_stride_of(TensorRole::c)},
    {"batch_stride_d", batch_stride_of(TensorRole::d)},
}};

}  // namespace

std::string_view name(RunValue value) {
  return std::ranges::find(kNames, value, &NamedValue::value)->name;
}

RunValue parse_run_value(std::string_view name) {
  const auto* const row = std::ranges::find(kNames, name, &NamedValue::name);
  if (row != kNames.end()) return row->value;
  std::vector<std::string> names;
  for (const NamedValue& known : kNames) names.emplace_back(known.name);
  throw Exception({.code = ErrorCode::unknown_name,
                   .operand = "run value",
                   .value = std::string(name),
                   .violated_rules = {"a run has the values " + joined(names)},
                   .nearest_legal = nearest_name(name, names)});
}

Index value_of(const RunValues& run, RunValue value) {
  switch (value.quantity) {
    case m:
      return run.m;
    case n:
      return run.n;
    case k:
      return run.k;
    case batch:
      return run.batch;
    case ld:
      return run[value.tensor].ld;
    case batch_stride:
      break;
  }
  return run[value.tensor].batch_stride;
}

}  // namespace jute
