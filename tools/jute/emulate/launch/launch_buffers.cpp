// The named buffers of launch files.
#include <cmath>

#include "emulate/launch/launch_words.hpp"

namespace jute::command {
namespace {

double read_bound(JsonObject& object, const std::string& key) {
  const double value = as_double(read_number(object, key));
  if (!(value >= 0) || std::isinf(value))
    object.refuse(key, "it must be a finite number that is not negative");
  return value;
}

Tolerance read_tolerance(JsonObject& object) {
  Tolerance tolerance;
  if (!is_object(object.value("tolerance"))) {
    tolerance.absolute = read_bound(object, "tolerance");
    return tolerance;
  }
  JsonObject inner = object.object("tolerance");
  if (inner.has("absolute")) tolerance.absolute = read_bound(inner, "absolute");
  if (inner.has("relative")) tolerance.relative = read_bound(inner, "relative");
  tolerance.npy = beside(inner, inner.text_or("npy", ""));
  inner.refuse_unknown_keys();
  return tolerance;
}

const FromFile* file_of(const NamedBuffer& buffer) {
  return std::get_if<FromFile>(&buffer.contents);
}

/// Memory whose type and shape no file tells has them here; a variable has its own shape.
enum class Extent : std::uint8_t { given, of_variable };
void read_elements(JsonObject& object, NamedBuffer& buffer, Extent known) {
  const FromFile* file = file_of(buffer);
  if (object.has("dtype") || file == nullptr) buffer.type = &read_type(object, "dtype");
  const auto* listed = std::get_if<Listed>(&buffer.contents);
  if (object.has("shape") || (known == Extent::given && file == nullptr && listed == nullptr))
    buffer.shape = read_shape(object, "shape");
  if (listed == nullptr) return;
  const auto count = static_cast<Index>(listed->values.size());
  if (!buffer.shape) buffer.shape = {{count}};
  if (element_count(*buffer.shape) != count)
    object.refuse("shape", "it must have as many elements as values are listed",
                  "[" + std::to_string(count) + "]");
}

/// Numbers that the type cannot hold are refused where they stand.
void check_numbers(const JsonObject& object, const std::string& key, const Contents& contents,
                   const ElementType* type) {
  if (type == nullptr) return;
  try {
    Index count = 1;
    if (const auto* listed = std::get_if<Listed>(&contents))
      count = static_cast<Index>(listed->values.size());
    (void)made_bytes(contents, *type, count);
  } catch (const Exception& exception) {
    object.refuse(key, exception.error().value + " must be " + range_text(*type));
  }
}

/// A list that is expected has a value for each element.
void check_count(const JsonObject& object, const NamedBuffer& buffer) {
  const auto* listed = std::get_if<Listed>(&*buffer.expect);
  if (listed == nullptr || !buffer.shape) return;
  const Index elements = element_count(*buffer.shape);
  if (elements != static_cast<Index>(listed->values.size()))
    object.refuse("expect", listed_rule(elements, *listed));
}

NamedBuffer read_memory(JsonObject object, const std::string& name, Extent extent) {
  NamedBuffer buffer;
  buffer.name = name;
  buffer.place = object.place();
  if (object.has("init")) buffer.contents = read_contents(object, "init");
  read_elements(object, buffer, extent);
  check_numbers(object, "init", buffer.contents, buffer.type);
  if (object.has("expect")) {
    buffer.expect = read_contents(object, "expect");
    check_count(object, buffer);
    check_numbers(object, "expect", *buffer.expect, buffer.type);
  }
  if (object.has("tolerance")) {
    buffer.tolerance = read_tolerance(object);
    if (!buffer.expect) object.refuse("tolerance", "it needs expect beside it");
  }
  buffer.save = read_save(object);
  object.refuse_unknown_keys();
  return buffer;
}

}  // namespace

NamedBuffer read_buffer(JsonObject object, const std::string& name) {
  return read_memory(std::move(object), name, Extent::given);
}

NamedBuffer read_global(JsonObject object, const std::string& name) {
  return read_memory(std::move(object), name, Extent::of_variable);
}

}  // namespace jute::command
