// Plans, field by field.
#include "plan_json.hpp"

#include <variant>

namespace jute::command {
namespace {

struct ToJson {
  Json operator()(const Fields& group) const { return to_json(group); }
  Json operator()(const FieldList& list) const {
    Json json = Json::array();
    for (const Field& item : list.items) json.push_back(std::visit(*this, item.value));
    return json;
  }
  Json operator()(const std::vector<Index>& numbers) const { return Json::array(numbers); }
  Json operator()(const auto& value) const { return value; }
};

}  // namespace

Json to_json(const Fields& fields) {
  Json json = Json::object();
  for (const Field& field : fields) json.add(field.name, std::visit(ToJson(), field.value));
  return json;
}

}  // namespace jute::command
