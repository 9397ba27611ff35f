// Extents, types, numbers and memory contents of launch files.
#include "emulate/launch/launch_words.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace jute::command {
namespace {

constexpr Index kMostExtent = std::numeric_limits<std::int32_t>::max();

/// A number alone is a list of one.
std::vector<Index> one_or_more(JsonObject& object, const std::string& key) {
  return object.value(key).as<JsonValue::Array>() != nullptr ? object.integers(key)
                                                             : std::vector{object.integer(key)};
}

Iota read_iota(JsonObject& object) {
  if (!is_object(object.value("iota"))) return {read_number(object, "iota"), std::int64_t{1}};
  JsonObject inner = object.object("iota");
  Iota iota{std::int64_t{0}, std::int64_t{1}};
  if (inner.has("start")) iota.start = read_number(inner, "start");
  if (inner.has("step")) iota.step = read_number(inner, "step");
  inner.refuse_unknown_keys();
  return iota;
}

std::uint64_t read_seed(JsonObject& object, const std::string& key) {
  const auto* number = object.value(key).as<JsonNumber>();
  const auto seed = number == nullptr ? std::nullopt : encode(*find_element_type("u64"), *number);
  if (!seed || std::holds_alternative<double>(*number))
    object.refuse(key, "it must be a seed from 0 to 2^64-1", "0");
  return *seed;
}

/// A bound of numbers that lie evenly, which they cannot up to an infinity.
Number read_finite(JsonObject& object, const std::string& key) {
  const Number number = read_number(object, key);
  if (!std::isfinite(as_double(number))) object.refuse(key, "it must be a finite number");
  return number;
}

Random read_random(JsonObject& object) {
  if (!is_object(object.value("random"))) return {read_seed(object, "random"), {}, {}};
  JsonObject inner = object.object("random");
  Random random{read_seed(inner, "seed"), {}, {}};
  if (inner.has("low") || inner.has("high")) {
    random.low = read_finite(inner, "low");
    random.high = read_finite(inner, "high");
    if (as_double(*random.low) > as_double(*random.high))
      inner.refuse("high", "it must not be below low");
  }
  inner.refuse_unknown_keys();
  return random;
}

Listed read_list(JsonObject& object) {
  const auto* items = object.value("values").as<JsonValue::Array>();
  if (items == nullptr || items->empty())
    object.refuse("values", "it must be an array of at least one number");
  Listed listed;
  for (const JsonValue& each : *items) listed.values.push_back(number_of(each, object, "values"));
  return listed;
}

const std::vector<std::string>& content_keys() {
  static const std::vector<std::string> keys{"fill", "iota", "random", "values", "npy", "bin"};
  return keys;
}

Contents contents_of(JsonObject object) {
  const std::vector<std::string> given = object.keys();
  std::optional<std::string> nearest;
  if (given.size() == 1) nearest = nearest_name(given.front(), content_keys());
  if (given.size() != 1 || std::ranges::find(content_keys(), given.front()) == content_keys().end())
    object.refuse("", "it must have one key, of " + joined(content_keys()), nearest);
  const std::string& key = given.front();
  if (key == "fill") return FillNumber{read_number(object, key)};
  if (key == "iota") return read_iota(object);
  if (key == "random") return read_random(object);
  if (key == "values") return read_list(object);
  return FromFile{beside(object, object.text(key)), key == "npy"};
}

}  // namespace

bool is_object(const JsonValue& json) { return json.as<JsonValue::Object>() != nullptr; }

std::string beside(const JsonObject& object, const std::string& name) {
  if (name.empty() || name.starts_with('/')) return name;
  return object.file().substr(0, object.file().rfind('/') + 1) + name;
}

std::optional<Number> floating_word(std::string_view word) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return kInfinity;
  if (word == "-inf") return -kInfinity;
  return std::nullopt;
}

Json spelled(const Number& number) {
  const auto* value = std::get_if<double>(&number);
  if (value == nullptr || std::isfinite(*value))
    return std::visit([](const auto each) { return Json(each); }, number);
  return std::isnan(*value) ? "nan" : *value > 0 ? "inf" : "-inf";
}

Json address_json(const std::string& buffer, Index offset_bytes) {
  if (offset_bytes == 0) return buffer;
  return {{"kind", "buffer"}, {"of", buffer}, {"offset_bytes", offset_bytes}};
}

Dim3 read_extents(JsonObject& object, const std::string& key) {
  std::vector<Index> extents = one_or_more(object, key);
  const auto legal = [](Index extent) { return 1 <= extent && extent <= kMostExtent; };
  if (extents.empty() || extents.size() > 3 || !std::ranges::all_of(extents, legal))
    object.refuse(key, "it must have one to three extents [x,y,z], each from 1 to 2^31-1");
  extents.resize(3, 1);
  return {extents[0], extents[1], extents[2]};
}

const ElementType& read_type(JsonObject& object, const std::string& key) {
  const std::string word = object.text(key);
  if (const ElementType* type = find_element_type(word)) return *type;
  const std::vector<std::string> names = element_type_names();
  object.refuse(key, "'" + word + "' must be an element type: " + joined(names),
                nearest_name(word, names));
}

Number number_of(const JsonValue& json, const JsonObject& object, const std::string& key) {
  const auto* word = json.as<std::string>();
  if (word != nullptr)
    if (const auto number = floating_word(*word)) return *number;
  if (const auto* flag = json.as<bool>()) return std::int64_t{*flag ? 1 : 0};
  if (const auto* number = json.as<JsonNumber>()) return *number;
  object.refuse(key, "it must be a number, \"nan\", \"inf\" or \"-inf\"",
                word == nullptr
                    ? std::nullopt
                    : nearest_name(*word, std::vector<std::string>{"nan", "inf", "-inf"}));
}

Number read_number(JsonObject& object, const std::string& key) {
  return number_of(object.value(key), object, key);
}

std::vector<Index> read_shape(JsonObject& object, const std::string& key) {
  std::vector<Index> shape = one_or_more(object, key);
  Index bytes = 8;  // the widest element
  for (const Index extent : shape) {
    if (extent < 0) object.refuse(key, "every extent must be at least 0");
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      object.refuse(key, "its bytes must fit 63 bits");
  }
  return shape;
}

std::string read_word(JsonObject& object, const std::string& key,
                      const std::vector<std::string>& words) {
  const std::string word = object.text(key);
  if (std::ranges::find(words, word) != words.end()) return word;
  object.refuse(key, "'" + word + "' must be one of " + joined(words), nearest_name(word, words));
}

std::string read_save(JsonObject& object) {
  if (!object.has("save")) return {};
  const std::string name = object.text("save");
  if (name.empty()) object.refuse("save", "it must not be empty");
  if (name.ends_with(".npy")) return beside(object, name);
  object.refuse("save", "'" + name + "' must end with .npy",
                std::filesystem::path(name).replace_extension(".npy").string());
}

Contents read_contents(JsonObject& object, const std::string& key) {
  const JsonValue& json = object.value(key);
  if (is_object(json)) return contents_of(object.object(key));
  if (json.as<std::string>() == nullptr)
    object.refuse(
        key, "it must be \"zeros\", \"iota\" or an object with one of " + joined(content_keys()));
  if (read_word(object, key, {"zeros", "iota"}) == "zeros") return FillNumber{std::int64_t{0}};
  return Iota{std::int64_t{0}, std::int64_t{1}};
}

}  // namespace jute::command
