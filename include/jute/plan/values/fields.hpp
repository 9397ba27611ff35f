#pragma once
// Every fact of a plan under its name: what its text, its JSON and the comment at the head of its
// kernels are written from.
#include <jute/base/export.hpp>
#include <jute/base/json.hpp>
#include <jute/plan/ask/run_values.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>
#include <variant>
#include <vector>

namespace JUTE_API jute {

struct Field;
using Fields = std::vector<Field>;

/// Fields of equal kind in their order: steps, regions, parameters. Each has the name of its kind.
struct FieldList {
  Fields items;
  bool operator==(const FieldList&) const;
};

struct Field {
  std::string name;
  std::variant<Index, bool, std::string, std::vector<Index>, Fields, FieldList> value;
  std::string line = {};  ///< of a group: all of it for people, on one line
  bool operator==(const Field&) const = default;
};

/// All of the plan, in the order of its values.
[[nodiscard]] Fields fields(const Plan& plan);
/// Grids and sizes as numbers are those of the run.
[[nodiscard]] Fields fields(const Step& step, const RunValues& planned);
[[nodiscard]] Fields fields(const Problem& problem);
[[nodiscard]] Fields fields(const DeviceInfo& device);
/// `NVIDIA H200 sm_90a 132 SMs, shared memory 232448 a block and …`
[[nodiscard]] std::string line_of(const DeviceInfo& device);

/// The text behind a field's name on one line; nothing of groups that have no line.
[[nodiscard]] std::string to_string(const Field& field);
/// One fact a line, `a.ld 512`; the items of a list are headed by their name and indented.
[[nodiscard]] std::string to_string(const Fields& fields);

/// The value of a field: a group is an object, a list an array.
[[nodiscard]] Json to_json(const Field& field);
/// An object; its members are in the order of the fields.
[[nodiscard]] Json to_json(const Fields& fields);

}  // namespace jute
