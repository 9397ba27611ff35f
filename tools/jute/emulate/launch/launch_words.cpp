// Extents, types, numbers and memory contents of launch files.
#include "emulate/launch/launch_words.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

namespace jute::command {
namespace {

constexpr Index kMostExtent = std::numeric_limits<std::int32_t>::max();

Number floating_word(const std::string& word, const JsonObject& object, const std::string& key) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return kInfinity;
  if (word == "-inf") return -kInfinity;
  object.refuse(key, "it must be a number, \"nan\", \"inf\" or \"-inf\"",
                nearest_name(word, std::vector<std::string>{"nan", "inf", "-inf"}));
}

/// A number alone is a list of one.
std::vector<Index> one_or_more(JsonObject& object, const std::string& key) {
  return object.value(key).is_array() ? object.integers(key) : std::vector{object.integer(key)};
}

Iota read_iota(JsonObject& object) {
  if (!object.value("iota").is_object()) return {read_number(object, "iota"), std::int64_t{1}};
  JsonObject inner = object.object("iota");
  Iota iota{std::int64_t{0}, std::int64_t{1}};
  if (inner.has("start")) iota.start = read_number(inner, "start");
  if (inner.has("step")) iota.step = read_number(inner, "step");
  inner.refuse_unknown_keys();
  return iota;
}

std::uint64_t read_seed(JsonObject& object, const std::string& key) {
  const JsonValue& json = object.value(key);
  if (!json.is_number_unsigned()) object.refuse(key, "it must be a seed from 0 to 2^64-1", "0");
  return json.get<std::uint64_t>();
}

/// A bound of numbers that lie evenly, which they cannot up to an infinity.
Number read_finite(JsonObject& object, const std::string& key) {
  const Number number = read_number(object, key);
  if (!std::isfinite(as_double(number))) object.refuse(key, "it must be a finite number");
  return number;
}

Random read_random(JsonObject& object) {
  if (!object.value("random").is_object()) return {read_seed(object, "random"), {}, {}};
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
  const JsonValue& json = object.value("values");
  if (!json.is_array() || json.empty())
    object.refuse("values", "it must be an array of at least one number");
  Listed listed;
  for (const JsonValue& each : json) listed.values.push_back(number_of(each, object, "values"));
  return listed;
}

const std::vector<std::string>& content_keys() {
  static const std::vector<std::string> keys{"fill", "iota", "random", "values", "npy", "bin"};
  return keys;
}

Contents contents_of(JsonObject object, const LaunchFolder& folder) {
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
  return FromFile{folder.beside(object.text(key)), key == "npy"};
}

}  // namespace

LaunchFolder::LaunchFolder(const std::string& path) : file(path) {
  const size_t slash = path.rfind('/');
  if (slash != std::string::npos) folder = path.substr(0, slash + 1);
}

std::string LaunchFolder::beside(const std::string& name) const {
  return name.empty() || name.starts_with('/') ? name : folder + name;
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
  if (json.is_string()) return floating_word(json.get<std::string>(), object, key);
  if (json.is_boolean()) return std::int64_t{json.get<bool>() ? 1 : 0};
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  object.refuse(key, "it must be a number, \"nan\", \"inf\" or \"-inf\"");
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

std::string read_save(JsonObject& object, const LaunchFolder& folder) {
  if (!object.has("save")) return {};
  const std::string name = object.text("save");
  if (name.empty()) object.refuse("save", "it must not be empty");
  if (name.ends_with(".npy")) return folder.beside(name);
  object.refuse("save", "'" + name + "' must end with .npy",
                std::filesystem::path(name).replace_extension(".npy").string());
}

Contents read_contents(JsonObject& object, const std::string& key, const LaunchFolder& folder) {
  const JsonValue& json = object.value(key);
  if (json.is_object()) return contents_of(object.object(key), folder);
  if (!json.is_string())
    object.refuse(
        key, "it must be \"zeros\", \"iota\" or an object with one of " + joined(content_keys()));
  if (read_word(object, key, {"zeros", "iota"}) == "zeros") return FillNumber{std::int64_t{0}};
  return Iota{std::int64_t{0}, std::int64_t{1}};
}

}  // namespace jute::command
