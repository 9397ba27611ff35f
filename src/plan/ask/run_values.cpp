// The names that Counts give to a run's numbers.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/ask/old_words.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace jute {
namespace {

using enum RunValue::Quantity;

constexpr std::array<std::string_view, kTensorRoles> kTensors{
    "a",    "b",    "c",       "d",       "in0",    "in1",    "in2",    "in3",   "in4",
    "in5",  "in6",  "in7",     "in8",     "in9",    "in10",   "in11",   "in12",  "in13",
    "in14", "in15", "out0",    "out1",    "out2",   "out3",   "out4",   "out5",  "out6",
    "out7", "ends", "scale_a", "scale_b", "zero_a", "zero_b", "rows_a", "rows_d"};

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
  list.push_back({"split_k", {split_k}});
  for (int i = 0; i < kViewedTensors; ++i) {
    const auto role = static_cast<TensorRole>(i);
    const std::string tensor(name(role));
    for (int mode = 0; mode < kMostRunTimeModes; ++mode)
      for (const auto& [word, quantity] :
           {std::pair("extent_", view_extent), std::pair("magic_", view_magic),
            std::pair("stride_", view_stride)})
        list.push_back({word + tensor + "_" + std::to_string(mode), {quantity, role, mode}});
    list.push_back({"origin_" + tensor, {view_origin, role}});
  }
  return list;
}

/// Lemire, Kaser, Kurz: Faster remainder by direct computation (2019): the quotient of every 32-bit
/// number by d is the upper half of its product with ceil(2^64 / d).
Index magic_of(Index extent) {
  if (extent <= 1) return 0;
  return static_cast<Index>(~std::uint64_t{0} / static_cast<std::uint64_t>(extent) + 1);
}

const RunView& view_of(const RunValues& run, RunValue value) {
  return run.views.at(static_cast<size_t>(value.tensor));
}

const std::vector<NamedValue>& all_names() {
  static const std::vector<NamedValue> kNames = named_values();
  return kNames;
}

}  // namespace

int run_time_modes(const View& view) {
  const ViewModes modes = modes_of(view);
  return static_cast<int>(modes.rows.size() + modes.columns.size() + modes.batch.size());
}

RunView run_view(const View& view) {
  const ViewModes modes = modes_of(view);
  RunView run{.origin = modes.origin.front()};
  std::size_t place = 0;
  for (const auto* list : {&modes.rows, &modes.columns, &modes.batch})
    for (const ViewMode& mode : *list) {
      run.extents.at(place) = mode.extent;
      run.strides.at(place++) = mode.stride;
    }
  return run;
}

std::string_view name(TensorRole role) { return kTensors.at(static_cast<size_t>(role)); }

std::string_view name(RunValue value) {
  return std::ranges::find(all_names(), value, &NamedValue::value)->name;
}

RunValue parse_run_value(std::string_view name) {
  name = today_of("", name);  // of counts that were kept before
  const auto row = std::ranges::find(all_names(), name, &NamedValue::name);
  if (row != all_names().end()) return row->value;
  // Offered are the names that every problem has.
  constexpr std::size_t kUsual = 12;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < kUsual; ++i) known.push_back(all_names()[i].name);
  refuse(ErrorCode::unknown_name, "run value", std::string(name),
         "it must be a value of a run: " + joined(known), nearest_name(name, known));
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
    case RunValue::Quantity::split_k:
      return run.split_k;
    case view_extent:
      return view_of(run, value).extents.at(static_cast<size_t>(value.mode));
    case view_magic:
      return magic_of(view_of(run, value).extents.at(static_cast<size_t>(value.mode)));
    case view_stride:
      return view_of(run, value).strides.at(static_cast<size_t>(value.mode));
    case view_origin:
      return view_of(run, value).origin;
    case batch_stride:
      break;
  }
  return run[value.tensor].batch_stride;
}

}  // namespace jute
