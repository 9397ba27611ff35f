// JSON from people: strict keys, types and ranges.
#include "files/json_reader.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "tree/command_tree.hpp"

namespace jute::command {

JsonObject::JsonObject(const JsonValue& json, std::string file, std::string place)
    : json_(json), file_(std::move(file)), place_(std::move(place)) {
  if (!json_.is_object()) refuse("", "it must be a JSON object");
}

bool JsonObject::has(const std::string& key) const {
  const bool is_there = json_.contains(key);
  if (!is_there) asked_.insert(key);
  return is_there;
}

const JsonValue& JsonObject::value(const std::string& key) {
  asked_.insert(key);
  const auto found = json_.find(key);
  if (found == json_.end()) refuse_missing(key);
  return *found;
}

std::string JsonObject::text(const std::string& key) {
  const JsonValue& json = value(key);
  if (!json.is_string()) refuse(key, "it must be a string");
  return json.get<std::string>();
}

std::string JsonObject::text_or(const std::string& key, const std::string& otherwise) {
  asked_.insert(key);
  return has(key) ? text(key) : otherwise;
}

namespace {

bool is_index(const JsonValue& json) {
  return json.is_number_integer() &&
         (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX);
}

}  // namespace

Index JsonObject::integer(const std::string& key) {
  const JsonValue& json = value(key);
  if (!is_index(json)) refuse(key, "it must be an integer of 64 bits");
  return json.get<Index>();
}

Index JsonObject::integer_or(const std::string& key, Index otherwise) {
  asked_.insert(key);
  return has(key) ? integer(key) : otherwise;
}

bool JsonObject::flag(const std::string& key) {
  asked_.insert(key);
  if (!has(key)) return false;
  const JsonValue& json = value(key);
  if (!json.is_boolean()) refuse(key, "it must be true or false");
  return json.get<bool>();
}

std::vector<Index> JsonObject::integers(const std::string& key) {
  const JsonValue& json = value(key);
  if (!json.is_array() || !std::ranges::all_of(json, is_index))
    refuse(key, "it must be an array of integers");
  return json.get<std::vector<Index>>();
}

JsonObject JsonObject::object(const std::string& key) {
  return {value(key), file_, place_.empty() ? key : place_ + "." + key};
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, ignored] : json_.items()) keys.push_back(key);
  return keys;
}

void JsonObject::refuse_unknown_keys() const {
  for (const auto& [key, ignored] : json_.items())
    if (!asked_.contains(key)) refuse_key(key);
}

void JsonObject::refuse_unknown_keys_but(const std::vector<std::string>& known) const {
  JsonObject all(json_, file_, place_);
  all.asked_ = asked_;
  all.asked_.insert(known.begin(), known.end());
  all.refuse_unknown_keys();
}

void JsonObject::refuse_missing(const std::string& key) const {
  std::vector<std::string> others;
  for (const auto& [name, ignored] : json_.items())
    if (!asked_.contains(name)) others.push_back(name);
  const auto meant = nearest_name(key, others);
  if (!meant) refuse(key, "it must be given");
  command::refuse(ErrorCode::bad_file, file_, place_.empty() ? *meant : place_ + "." + *meant,
                  "it must be a key that is known here", key);
}

/// A key that was asked for and is not there is what this one may have been meant to be.
void JsonObject::refuse_key(const std::string& key) const {
  std::vector<std::string> known;
  for (const std::string& name : asked_)
    if (!json_.contains(name)) known.push_back(name);
  command::refuse(ErrorCode::bad_file, file_, place_.empty() ? key : place_ + "." + key,
                  "it must be a key that is known here", nearest_name(key, known));
}

void JsonObject::refuse(const std::string& key, const std::string& rule,
                        const std::optional<std::string>& nearest) const {
  std::string where = place_;
  if (!key.empty()) where += (where.empty() ? "" : ".") + key;
  refuse_at(file_, where, rule, nearest);
}

void JsonObject::refuse_at(const std::string& file, const std::string& place,
                           const std::string& rule, const std::optional<std::string>& nearest) {
  command::refuse(ErrorCode::bad_file, file, place, rule, nearest);
}

JsonDocument::JsonDocument(const std::string& text, const std::string& file)
    : file_(file), value_(std::make_unique<const JsonValue>(parse_json(text, file))) {}

JsonDocument::~JsonDocument() = default;

JsonObject JsonDocument::object() const { return {*value_, file_, ""}; }

JsonValue parse_json(const std::string& text, const std::string& file) {
  using Event = JsonValue::parse_event_t;
  std::vector<std::set<std::string>> keys;  // of each object that is open
  const auto once = [&](int, Event event, JsonValue& read) {
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(read.get<std::string>()).second)
      JsonObject::refuse_at(file, read.get<std::string>(), "it must be a key once in its object");
    return true;
  };
  try {
    return JsonValue::parse(text, once);
  } catch (const JsonValue::out_of_range&) {
    command::refuse(ErrorCode::bad_file, file, "", "its numbers must fit 64 bits");
  } catch (const JsonValue::parse_error& error) {
    const size_t at = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const auto begin = text.begin(), end = text.begin() + static_cast<std::ptrdiff_t>(at);
    const auto line = 1 + std::count(begin, end, '\n');
    const auto line_start = text.rfind('\n', at == 0 ? 0 : at - 1);
    const size_t column = line_start == std::string::npos ? at + 1 : at - line_start;
    command::refuse(ErrorCode::bad_file, file, "",
                    "it must be valid JSON, and is not at line " + std::to_string(line) +
                        ", column " + std::to_string(column));
  }
}

}  // namespace jute::command
