#pragma once
// Strict reading of JSON objects: every key is known, every refusal says where it stands.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/base/json_value.hpp>
#include <jute/base/types.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// One object of a file. The json must outlive it.
class JsonObject {
 public:
  /// `place` is where it stands: "args[2]"; empty for the whole file.
  ///   throws  bad_file: it is no object
  JsonObject(const JsonValue& json, std::string file, std::string place);

  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] std::string text(const std::string& key);
  [[nodiscard]] std::string text_or(const std::string& key, const std::string& otherwise);
  [[nodiscard]] Index integer(const std::string& key);
  [[nodiscard]] Index integer_or(const std::string& key, Index otherwise);
  [[nodiscard]] bool flag(const std::string& key);  ///< absent: false
  [[nodiscard]] std::vector<Index> integers(const std::string& key);
  [[nodiscard]] std::vector<std::string> texts(const std::string& key);
  [[nodiscard]] JsonObject object(const std::string& key);
  /// The objects of an array.
  [[nodiscard]] std::vector<JsonObject> objects(const std::string& key);
  [[nodiscard]] const JsonValue& value(const std::string& key);
  [[nodiscard]] std::vector<std::string> keys() const;
  /// throws  bad_file: a key that nothing asked for
  void refuse_unknown_keys() const;
  /// The same before these are asked for.
  void refuse_unknown_keys_but(const std::vector<std::string>& known) const;
  /// `nearest` is the legal value that was probably meant.
  [[noreturn]] void refuse(const std::string& key, const std::string& rule,
                           const std::optional<std::string>& nearest = std::nullopt) const;
  [[noreturn]] static void refuse_at(const std::string& file, const std::string& place,
                                     const std::string& rule,
                                     const std::optional<std::string>& nearest = std::nullopt);
  /// How messages call the file.
  [[nodiscard]] const std::string& file() const { return file_; }
  /// Where it stands: "args[2]"; empty for the whole file.
  [[nodiscard]] const std::string& place() const { return place_; }
  /// Where what it has under this key stands: "args[2].of".
  [[nodiscard]] std::string place_of(const std::string& key) const;

 private:
  [[noreturn]] void refuse_missing(const std::string& key) const;
  [[noreturn]] void refuse_key(const std::string& key) const;

  const JsonValue* json_;
  std::string file_;
  std::string place_;
  mutable std::set<std::string> asked_;  ///< known keys, for what an unknown one was meant to be
};

}  // namespace jute
