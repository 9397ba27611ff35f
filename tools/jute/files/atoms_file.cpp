// Reading a user's atoms.
#include "files/atoms_file.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "files/files.hpp"
#include "files/json_reader.hpp"

namespace jute::command {
namespace {

[[noreturn]] void refuse_atoms(const std::string& path, const std::string& rule) {
  refuse(ErrorCode::bad_file, path, "", rule);
}

AtomText row_of(const JsonValue& object, const std::string& path) {
  if (!object.is_object())
    refuse_atoms(path, "a row must be a JSON object with the keys of jute atom show");
  AtomText row;
  for (const auto& [key, value] : object.items()) {
    if (value.is_null()) continue;
    row.fields.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return row;
}

std::vector<JsonValue> rows_of(const std::string& text, const std::string& path) {
  JsonValue whole = JsonValue::parse(text, nullptr, false);
  if (whole.is_array()) return {whole.begin(), whole.end()};
  if (!whole.is_discarded()) return {std::move(whole)};
  // Not one JSON value: one object a line.
  std::vector<JsonValue> rows;
  int number = 0;
  for (size_t at = 0; at < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    rows.push_back(JsonValue::parse(line, nullptr, false));
    if (rows.back().is_discarded())
      refuse_atoms(path, "line " + std::to_string(number + 1) + " must be a JSON object");
  }
  return rows;
}

}  // namespace

Catalogue with_atoms_of_file(Catalogue catalogue, const std::string& path) {
  for (const JsonValue& row : rows_of(read_text(path), path))
    catalogue = std::move(catalogue).with(row_of(row, path));
  return catalogue;
}

}  // namespace jute::command
