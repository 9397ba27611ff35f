// A plan for people, its fields a fact a line, and for programs.
#include <jute/plan/values/fields.hpp>

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

}  // namespace

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

}  // namespace jute
