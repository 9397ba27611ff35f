// The arguments of launches over named buffers.
#include <algorithm>

#include "emulate/launch/launch_words.hpp"

namespace jute::command {
namespace {

constexpr int kDeepest = 16;

std::vector<Argument> read_list(JsonObject& object, const std::string& key, int depth);

BufferAddress read_address(JsonObject& object) {
  BufferAddress address{object.text("of")};
  address.offset_bytes = object.integer_or("offset_bytes", 0);
  if (address.offset_bytes < 0) object.refuse("offset_bytes", "it must not be negative", "0");
  return address;
}

int digit_of(char letter) {
  if ('0' <= letter && letter <= '9') return letter - '0';
  if ('a' <= letter && letter <= 'f') return letter - 'a' + 10;
  return 'A' <= letter && letter <= 'F' ? letter - 'A' + 10 : -1;
}

RawBytes read_bytes(JsonObject& object) {
  const std::string text = object.text("hex");
  RawBytes raw;
  for (size_t at = 0; at + 1 < text.size(); at += 2) {
    const int high = digit_of(text[at]), low = digit_of(text[at + 1]);
    if (high < 0 || low < 0) break;
    raw.bytes.push_back(static_cast<std::byte>(16 * high + low));
  }
  if (text.empty() || 2 * raw.bytes.size() != text.size())
    object.refuse("hex", "it must be two hexadecimal digits for each byte, the first byte first");
  return raw;
}

FieldsArgument read_fields(JsonObject& object, int depth) {
  const auto* items = object.value("fields").as<JsonValue::Array>();
  if (items == nullptr || items->empty())
    object.refuse("fields", "it must be an array of at least one argument");
  FieldsArgument argument{read_list(object, "fields", depth + 1)};
  for (const Argument& field : argument.fields)
    if (std::holds_alternative<PlainNumber>(field.value))
      JsonObject::refuse_at(object.file(), field.place,
                            "the number of a field must have a type: {\"kind\": \"scalar\", "
                            "\"dtype\": \"i32\", \"value\": 1}");
  return argument;
}

/// The value beside a word; the first where the key is absent.
template <class Value>
Value pick(JsonObject& object, const std::string& key, const std::vector<std::string>& words,
           const std::vector<Value>& values) {
  if (!object.has(key)) return values.front();
  const std::string word = read_word(object, key, words);
  return values[static_cast<size_t>(std::ranges::find(words, word) - words.begin())];
}

TextureArgument read_texture(JsonObject& object) {
  TextureArgument texture{read_address(object), {}};
  TextureSpec& spec = texture.spec;
  spec.type =
      pick<TexelType>(object, "texel", {"u8", "i8", "u16", "i16", "u32", "i32", "f16", "f32"},
                      {TexelType::u8, TexelType::s8, TexelType::u16, TexelType::s16, TexelType::u32,
                       TexelType::s32, TexelType::f16, TexelType::f32});
  const Index channels = object.integer_or("channels", 1);
  if (channels != 1 && channels != 2 && channels != 4)
    object.refuse("channels", "it must be 1, 2 or 4", "1");
  spec.channels = static_cast<int>(channels);
  const std::vector<Index> extents = object.integers("extents");
  if (extents.empty() || extents.size() > spec.extents.size())
    object.refuse("extents", "it must have one to three extents: width, height, depth");
  std::ranges::copy(extents, spec.extents.begin());
  spec.layers = object.integer_or("layers", 0);
  spec.row_bytes = object.integer_or("row_bytes", 0);
  spec.slice_bytes = object.integer_or("slice_bytes", 0);
  spec.filter = pick<TextureFilter>(object, "filter", {"point", "linear"},
                                    {TextureFilter::point, TextureFilter::linear});
  spec.addressing.fill(
      pick<TextureAddressing>(object, "addressing", {"clamp", "border", "wrap", "mirror"},
                              {TextureAddressing::clamp, TextureAddressing::border,
                               TextureAddressing::wrap, TextureAddressing::mirror}));
  spec.normalizes_coordinates = object.flag("normalized");
  spec.normalizes_values = object.flag("fractions");
  return texture;
}

Argument read_object(JsonObject object, int depth) {
  Argument argument{object.place(), NullPointer{}};
  const std::string kind =
      read_word(object, "kind", {"buffer", "scalar", "bytes", "struct", "tmap", "texture"});
  if (kind == "buffer") argument.value = read_address(object);
  if (kind == "scalar") argument.value = read_scalar(object);
  if (kind == "bytes") argument.value = read_bytes(object);
  if (kind == "struct") argument.value = read_fields(object, depth);
  if (kind == "texture") {
    (void)object.text("texel");
    argument.value = read_texture(object);
  }
  if (kind == "tmap") {
    TensorMapArgument map{read_address(object), {}};
    map.spec = read_tensor_map(object);
    argument.value = std::move(map);
  }
  object.refuse_unknown_keys();
  return argument;
}

Argument read_at(const JsonValue& json, const std::string& file, const std::string& place,
                 int depth) {
  if (depth > kDeepest)
    JsonObject::refuse_at(file, place,
                          "structures must nest at most " + std::to_string(kDeepest) + " deep");
  if (json.as<std::monostate>() != nullptr) return {place, NullPointer{}};
  if (const auto* name = json.as<std::string>()) return {place, BufferAddress{*name}};
  if (const auto* number = json.as<JsonNumber>()) return {place, PlainNumber{*number}};
  if (const auto* flag = json.as<bool>()) return {place, PlainNumber{std::int64_t{*flag ? 1 : 0}}};
  if (!is_object(json))
    JsonObject::refuse_at(file, place,
                          "it must be the name of a buffer, a number, null or an object");
  return read_object(JsonObject(json, file, place), depth);
}

std::vector<Argument> read_list(JsonObject& object, const std::string& key, int depth) {
  const auto* items = object.value(key).as<JsonValue::Array>();
  if (items == nullptr) object.refuse(key, "it must be an array");
  std::vector<Argument> list;
  for (const JsonValue& item : *items)
    list.push_back(read_at(item, object.file(),
                           object.place_of(key) + "[" + std::to_string(list.size()) + "]", depth));
  return list;
}

}  // namespace

std::vector<Argument> read_arguments(JsonObject& object) { return read_list(object, "args", 0); }

ScalarArgument read_scalar(JsonObject& object) {
  const ElementType* const type = &read_type(object, "dtype");
  const auto bits = encode(*type, read_number(object, "value"));
  if (!bits) object.refuse("value", "it must be " + range_text(*type));
  return {type, *bits};
}

namespace {

/// Tensor maps move bytes as they lie: one type of them has no sign, and neither have 16 bits.
void take_element(const ElementType& type, TensorMapSpec& spec) {
  const bool is_signed = type.kind == ElementType::Kind::signed_integer;
  if (type.dtype) spec.type = *type.dtype;
  if (!type.is_integer()) return;
  if (type.bytes == 1) spec.type = is_signed ? DType::s8 : DType::u8;
  if (type.bytes == 2) spec.integer = TmaInteger::u16;
  if (type.bytes == 4 && is_signed) spec.type = DType::s32;
  if (type.bytes == 4 && !is_signed) spec.integer = TmaInteger::u32;
  if (type.bytes == 8) spec.integer = is_signed ? TmaInteger::s64 : TmaInteger::u64;
}

}  // namespace

TensorMapSpec read_tensor_map(JsonObject& object) {
  TensorMapSpec spec;
  take_element(read_type(object, "dtype"), spec);
  spec.dims = object.integers("dims");
  spec.strides_bytes = object.integers("strides_bytes");
  // A stride for the innermost dimension may lead; it can only be the element's size.
  if (spec.strides_bytes.size() == spec.dims.size() && !spec.dims.empty() &&
      spec.strides_bytes.front() == width_bytes(spec))
    spec.strides_bytes.erase(spec.strides_bytes.begin());
  spec.box = object.integers("box");
  spec.element_strides = object.has("elem_strides") ? object.integers("elem_strides")
                                                    : std::vector<Index>(spec.dims.size(), 1);
  spec.swizzle =
      pick<TmaSwizzle>(object, "swizzle", {"none", "32B", "64B", "128B"},
                       {TmaSwizzle::none, TmaSwizzle::b32, TmaSwizzle::b64, TmaSwizzle::b128});
  spec.out_of_bounds = pick<TmaOutOfBounds>(object, "oob", {"zero", "nan"},
                                            {TmaOutOfBounds::zero, TmaOutOfBounds::nan});
  return spec;
}

}  // namespace jute::command
