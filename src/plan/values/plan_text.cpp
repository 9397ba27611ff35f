// A plan for people, its fields a fact a line, and for programs.
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <variant>

#include "base/format.hpp"

namespace jute {
namespace {

struct OnOneLine {
  std::string operator()(const Fields&) const { return {}; }
  std::string operator()(const FieldList&) const { return {}; }
  std::string operator()(const std::vector<Index>& numbers) const {
    std::string list;
    for (const Index number : numbers) list += (list.empty() ? "" : ",") + std::to_string(number);
    return "(" + list + ")";
  }
  std::string operator()(const auto& value) const { return base::format("{}", value); }
};

/// Writes fields below a prefix of names, or an indentation.
class Writer {
 public:
  void add(const Fields& fields, const std::string& prefix, const std::string& indent) {
    for (const Field& field : fields) {
      const std::string name = prefix + field.name;
      const auto* group = std::get_if<Fields>(&field.value);
      const auto* list = std::get_if<FieldList>(&field.value);
      if (group != nullptr && field.line.empty())
        add(*group, name + ".", indent);
      else if (list != nullptr)
        add_items(*list, indent);
      else
        text_ += base::format("{}{} {}\n", indent, name, to_string(field));
    }
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void add_items(const FieldList& list, const std::string& indent) {
    for (const Field& item : list.items) {
      const auto* group = std::get_if<Fields>(&item.value);
      if (group == nullptr || !item.line.empty()) {
        add({item}, "", indent);
      } else {
        text_ += indent + item.name + "\n";
        add(*group, "", indent + "  ");
      }
    }
  }

  std::string text_;
};

struct ToJson {
  Json operator()(const Fields& group) const { return to_json(group); }
  Json operator()(const FieldList& list) const {
    Json json = Json::array();
    for (const Field& item : list.items) json.push_back(to_json(item));
    return json;
  }
  Json operator()(const std::vector<Index>& numbers) const { return Json::array(numbers); }
  Json operator()(const auto& value) const { return value; }
};

/// The steps of a plan, and what they need of the workspace.
Fields step_fields(const Plan& plan) {
  const RunValues planned = run_values(plan);
  FieldList regions, steps;
  for (const WorkspaceRegion& region : plan.workspace) {
    const Index bytes = region.bytes.evaluate(planned);
    const std::string count = to_string(region.bytes);
    regions.items.push_back(
        {"region",
         Fields{
             {"name", region.name}, {"bytes", bytes}, {"count", count}, {"zeroed", region.zeroed}},
         base::format("{} {} = {}{}", region.name, bytes, count, region.zeroed ? ", zeroed" : "")});
  }
  for (const Step& step : plan.steps)
    steps.items.push_back({step.index() == 0 ? "step move" : "step gemm", fields(step, planned)});
  return {{"workspace_bytes", workspace_bytes(plan)},
          {"workspace", std::move(regions)},
          {"steps", std::move(steps)}};
}

}  // namespace

Fields fields(const Plan& plan) {
  Fields all{{"problem", fields(plan.problem), to_string(plan.problem)},
             {"device", fields(plan.device), line_of(plan.device)}};
  for (Field& field : step_fields(plan)) all.push_back(std::move(field));
  FieldList behind;
  for (const Plan& part : plan.behind) {
    Fields of_part{{"problem", fields(part.problem), to_string(part.problem)}};
    for (Field& field : step_fields(part)) of_part.push_back(std::move(field));
    behind.items.push_back({"part", std::move(of_part)});
  }
  if (!behind.items.empty()) all.push_back({"behind", std::move(behind)});
  return all;
}

bool FieldList::operator==(const FieldList& other) const { return items == other.items; }

std::string to_string(const Field& field) {
  return field.line.empty() ? std::visit(OnOneLine(), field.value) : field.line;
}

std::string to_string(const Fields& fields) {
  Writer writer;
  writer.add(fields, "", "");
  return writer.take();
}

std::string to_string(const Plan& plan) { return to_string(fields(plan)); }

Json to_json(const Field& field) { return std::visit(ToJson(), field.value); }

Json to_json(const Fields& fields) {
  Json json = Json::object();
  for (const Field& field : fields) json.add(field.name, to_json(field));
  return json;
}

Fields fields(const DeviceInfo& device) {
  return {{"name", device.name},
          {"arch", to_string(device.arch)},
          {"sm_count", Index{device.sm_count}},
          {"smem_bytes_per_block", Index{device.smem_bytes_per_block}},
          {"smem_bytes_per_sm", Index{device.smem_bytes_per_sm}},
          {"registers_per_sm", Index{device.registers_per_sm}},
          {"threads_per_sm", Index{device.threads_per_sm}},
          {"l2_bytes", device.l2_bytes},
          {"memory_bytes", device.memory_bytes}};
}

std::string line_of(const DeviceInfo& device) {
  return base::format(
      "{} {} {} SMs, shared memory {} a block and {} an SM, {} registers, {} threads, L2 {}, "
      "memory {}",
      device.name, to_string(device.arch), device.sm_count, device.smem_bytes_per_block,
      device.smem_bytes_per_sm, device.registers_per_sm, device.threads_per_sm, device.l2_bytes,
      device.memory_bytes);
}

}  // namespace jute
