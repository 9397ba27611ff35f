// The names that Counts give to a run's numbers.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace jute {
namespace {

using enum RunValue::Quantity;

constexpr std::array<std::string_view, kTensorRoles> kTensors{
    "a",    "b",    "c",       "d",       "in0",    "in1",   "in2",  "in3",  "in4",
    "in5",  "in6",  "in7",     "in8",     "in9",    "in10",  "in11", "in12", "in13",
    "in14", "in15", "out0",    "out1",    "out2",   "out3",  "out4", "out5", "out6",
    "out7", "ends", "scale_a", "scale_b", "zero_a", "zero_b"};

struct NamedValue {
  std::string name;
  RunValue value;
};

/// `lda`, but `ld_in0`.
std::vector<NamedValue> named_values() {
  std::vector<NamedValue> list{{"m", {m}}, {"n", {n}}, {"k", {k}}, {"batch", {batch}}};
  for (int i = 0; i < kTensorRoles; ++i) {
    const auto role = static_cast<TensorRole>(i);
    const std::string tensor(name(role));
    list.push_back({(tensor.size() == 1 ? "ld" : "ld_") + tensor, ld_of(role)});
    list.push_back({"batch_stride_" + tensor, batch_stride_of(role)});
  }
  for (const TensorRole role : {TensorRole::a, TensorRole::b})
    list.push_back({"copied_" + std::string(name(role)), copied_of(role)});
  list.push_back({"width", {width}});
  list.push_back({"stages", {stages}});
  list.push_back({"slices", {slices}});
  return list;
}
const std::vector<NamedValue>& all_names() {
  static const std::vector<NamedValue> kNames = named_values();
  return kNames;
}

}  // namespace

std::string_view name(TensorRole role) { return kTensors.at(static_cast<size_t>(role)); }

std::string_view name(RunValue value) {
  return std::ranges::find(all_names(), value, &NamedValue::value)->name;
}

RunValue parse_run_value(std::string_view name) {
  const auto row = std::ranges::find(all_names(), name, &NamedValue::name);
  if (row != all_names().end()) return row->value;
  // Offered are the names that every problem has.
  constexpr std::size_t kUsual = 12;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < kUsual; ++i) known.push_back(all_names()[i].name);
  throw Exception({.code = ErrorCode::unknown_name,
                   .operand = "run value",
                   .value = std::string(name),
                   .violated_rules = {"it must be a value of a run: " + joined(known)},
                   .nearest_legal = nearest_name(name, known)});
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
    case copied:
      return run.copies.at(static_cast<size_t>(value.tensor)).is_made ? 0 : 1;
    case RunValue::Quantity::width:
      return run.width;
    case RunValue::Quantity::stages:
      return run.stages;
    case RunValue::Quantity::slices:
      return run.slices;
    case batch_stride:
      break;
  }
  return run[value.tensor].batch_stride;
}

}  // namespace jute
