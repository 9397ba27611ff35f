#pragma once
// Pieces of launch files that several keys share.
#include <jute/base/json_object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulate/launch/launch_file.hpp"

namespace jute::command {

[[nodiscard]] bool is_object(const JsonValue& json);
/// A path that stands in a file is one beside it.
[[nodiscard]] std::string beside(const JsonObject& object, const std::string& name);

/// A number that JSON has no spelling for: nan, inf, -inf.
[[nodiscard]] std::optional<Number> floating_word(std::string_view word);
/// As read_number reads it.
[[nodiscard]] Json spelled(const Number& number);
/// An argument that is an address inside memory.
[[nodiscard]] Json address_json(const std::string& buffer, Index offset_bytes);

/// Each throws bad_file at the place of what is wrong.
[[nodiscard]] Dim3 read_extents(JsonObject& object, const std::string& key);
[[nodiscard]] const ElementType& read_type(JsonObject& object, const std::string& key);
/// A number, or "nan", "inf", "-inf".
[[nodiscard]] Number read_number(JsonObject& object, const std::string& key);
[[nodiscard]] Number number_of(const JsonValue& json, const JsonObject& object,
                               const std::string& key);
[[nodiscard]] std::vector<Index> read_shape(JsonObject& object, const std::string& key);
/// Where memory is saved afterwards, as a matrix; empty: nowhere.
[[nodiscard]] std::string read_save(JsonObject& object);
/// One of the words; a refusal offers the nearest.
[[nodiscard]] std::string read_word(JsonObject& object, const std::string& key,
                                    const std::vector<std::string>& words);
/// "zeros", "iota" or an object with one of fill, iota, random, values, npy, bin.
[[nodiscard]] Contents read_contents(JsonObject& object, const std::string& key);
[[nodiscard]] NamedBuffer read_buffer(JsonObject object, const std::string& name);
/// The same of a module's variable, which has its own extent.
[[nodiscard]] NamedBuffer read_global(JsonObject object, const std::string& name);
/// The arguments of a launch over named buffers.
[[nodiscard]] std::vector<Argument> read_arguments(JsonObject& object);
[[nodiscard]] ScalarArgument read_scalar(JsonObject& object);
/// All but `of`.
[[nodiscard]] TensorMapSpec read_tensor_map(JsonObject& object);

}  // namespace jute::command
