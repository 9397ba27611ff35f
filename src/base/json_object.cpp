// JSON from people: strict keys, types and ranges.
#include <jute/base/json_object.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>

#include <utility>

namespace jute {
namespace {

std::optional<Index> index_of(const JsonValue& json) {
  const auto* number = json.as<JsonNumber>();
  const auto* value = number == nullptr ? nullptr : std::get_if<std::int64_t>(number);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

}  // namespace

JsonObject::JsonObject(const JsonValue& json, std::string file, std::string place)
    : json_(&json), file_(std::move(file)), place_(std::move(place)) {
  if (json_->as<JsonValue::Object>() == nullptr) refuse("", "it must be a JSON object");
}

bool JsonObject::has(const std::string& key) const {
  const bool is_there = json_->find(key) != nullptr;
  if (!is_there) asked_.insert(key);
  return is_there;
}

const JsonValue& JsonObject::value(const std::string& key) {
  asked_.insert(key);
  const JsonValue* const found = json_->find(key);
  if (found == nullptr) refuse_missing(key);
  return *found;
}

std::string JsonObject::text(const std::string& key) {
  const auto* const text = value(key).as<std::string>();
  if (text == nullptr) refuse(key, "it must be a string");
  return *text;
}

std::string JsonObject::text_or(const std::string& key, const std::string& otherwise) {
  return has(key) ? text(key) : otherwise;
}

Index JsonObject::integer(const std::string& key) {
  const std::optional<Index> number = index_of(value(key));
  if (!number) refuse(key, "it must be an integer of 64 bits");
  return *number;
}

Index JsonObject::integer_or(const std::string& key, Index otherwise) {
  return has(key) ? integer(key) : otherwise;
}

bool JsonObject::flag(const std::string& key) {
  if (!has(key)) return false;
  const bool* const flag = value(key).as<bool>();
  if (flag == nullptr) refuse(key, "it must be true or false");
  return *flag;
}

std::vector<Index> JsonObject::integers(const std::string& key) {
  const auto* const items = value(key).as<JsonValue::Array>();
  std::vector<Index> result;
  for (size_t i = 0; items != nullptr && i < items->size(); ++i)
    if (const std::optional<Index> number = index_of((*items)[i])) result.push_back(*number);
  if (items == nullptr || result.size() < items->size())
    refuse(key, "it must be an array of integers");
  return result;
}

std::vector<std::string> JsonObject::texts(const std::string& key) {
  const auto* const items = value(key).as<JsonValue::Array>();
  std::vector<std::string> result;
  for (size_t i = 0; items != nullptr && i < items->size(); ++i)
    if (const auto* text = (*items)[i].as<std::string>()) result.push_back(*text);
  if (items == nullptr || result.size() < items->size())
    refuse(key, "it must be an array of strings");
  return result;
}

JsonObject JsonObject::object(const std::string& key) { return {value(key), file_, place_of(key)}; }

std::vector<JsonObject> JsonObject::objects(const std::string& key) {
  const auto* const items = value(key).as<JsonValue::Array>();
  if (items == nullptr) refuse(key, "it must be an array");
  std::vector<JsonObject> result;
  for (const JsonValue& item : *items)
    result.emplace_back(item, file_, place_of(key) + "[" + std::to_string(result.size()) + "]");
  return result;
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> keys;
  for (const JsonEntry& member : *json_->as<JsonValue::Object>()) keys.push_back(member.name);
  return keys;
}

void JsonObject::refuse_unknown_keys() const {
  for (const std::string& key : keys())
    if (!asked_.contains(key)) refuse_key(key);
}

void JsonObject::refuse_unknown_keys_but(const std::vector<std::string>& known) const {
  JsonObject all(*this);
  all.asked_.insert(known.begin(), known.end());
  all.refuse_unknown_keys();
}

void JsonObject::refuse_missing(const std::string& key) const {
  std::vector<std::string> others;
  for (const std::string& name : keys())
    if (!asked_.contains(name)) others.push_back(name);
  const auto meant = nearest_name(key, others);
  if (!meant) refuse(key, "it must be given");
  refuse_at(file_, place_of(*meant), "it must be a key that is known here", key);
}

/// A key that was asked for and is not there is what this one may have been meant to be.
void JsonObject::refuse_key(const std::string& key) const {
  std::vector<std::string> known;
  for (const std::string& name : asked_)
    if (json_->find(name) == nullptr) known.push_back(name);
  refuse_at(file_, place_of(key), "it must be a key that is known here", nearest_name(key, known));
}

void JsonObject::refuse(const std::string& key, const std::string& rule,
                        const std::optional<std::string>& nearest) const {
  refuse_at(file_, key.empty() ? place_ : place_of(key), rule, nearest);
}

void JsonObject::refuse_at(const std::string& file, const std::string& place,
                           const std::string& rule, const std::optional<std::string>& nearest) {
  jute::refuse(ErrorCode::bad_file, file, place, rule, nearest);
}

std::string JsonObject::place_of(const std::string& key) const {
  return place_.empty() ? key : place_ + "." + key;
}

}  // namespace jute
