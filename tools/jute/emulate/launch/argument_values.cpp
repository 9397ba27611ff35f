// Each argument becomes bytes, and each parameter takes exactly its own.
#include "emulate/launch/argument_values.hpp"

#include <jute/base/joined.hpp>
#include <jute/base/json_object.hpp>
#include <jute/emulator/emulated_gpu.hpp>
#include <jute/emulator/kernel_name.hpp>

#include <algorithm>
#include <cstring>

namespace jute::command {
namespace {

/// An argument in memory order.
struct Piece {
  std::vector<std::byte> bytes;
  size_t alignment = 1;
  std::string what;  ///< "a buffer's address", for messages
};

std::vector<std::byte> low_bytes(std::uint64_t bits, size_t count) {
  std::vector<std::byte> bytes(count);
  std::memcpy(bytes.data(), &bits, count);
  return bytes;
}

/// A structure's next field, behind those before it, aligned as C++ does.
void append(Piece& whole, const Piece& part) {
  whole.bytes.resize((whole.bytes.size() + part.alignment - 1) / part.alignment * part.alignment);
  whole.bytes.insert(whole.bytes.end(), part.bytes.begin(), part.bytes.end());
  whole.alignment = std::max(whole.alignment, part.alignment);
}
void pad(Piece& whole) {
  whole.bytes.resize((whole.bytes.size() + whole.alignment - 1) / whole.alignment *
                     whole.alignment);
  whole.what = "a struct of " + std::to_string(whole.bytes.size()) + " bytes";
}

/// Turns arguments of one launch into pieces.
class Evaluator {
 public:
  explicit Evaluator(const ArgumentContext& context) : context_(context) {}

  [[nodiscard]] Piece piece(const Argument& argument) const {
    return std::visit([&](const auto& value) { return piece_of(value, argument.place); },
                      argument.value);
  }

 private:
  static Piece piece_of(const NullPointer& /*null*/, const std::string& /*place*/) {
    return {low_bytes(0, 8), 8, "a null pointer"};
  }
  [[nodiscard]] Piece piece_of(const BufferAddress& address, const std::string& place) const {
    return {low_bytes(pointer(address, place), 8), 8, "the address of " + address.buffer};
  }
  [[nodiscard]] Piece piece_of(const PlainNumber& /*number*/, const std::string& place) const {
    JsonObject::refuse_at(context_.file, place, "a number must have a type here");
  }
  static Piece piece_of(const ScalarArgument& scalar, const std::string& /*place*/) {
    const auto width = static_cast<size_t>(scalar.type->bytes);
    return {low_bytes(scalar.bits, width), width,
            std::string(scalar.type->name) + ", " + std::to_string(width) + " bytes"};
  }
  static Piece piece_of(const RawBytes& raw, const std::string& /*place*/) {
    return {raw.bytes, 1, std::to_string(raw.bytes.size()) + " bytes"};
  }
  [[nodiscard]] Piece piece_of(const FieldsArgument& fields, const std::string& /*place*/) const {
    Piece whole;
    for (const Argument& field : fields.fields) append(whole, piece(field));
    pad(whole);
    return whole;
  }
  [[nodiscard]] Piece piece_of(const TensorMapArgument& map, const std::string& place) const {
    return told_at(below(place), [&]() -> Piece {
      const EncodedTensorMap encoded =
          context_.backend.encode(map.spec, pointer(map.of, place + ".of"));
      return {{encoded.bytes.begin(), encoded.bytes.end()}, 64, "a tensor map of 128 bytes"};
    });
  }
  [[nodiscard]] Piece piece_of(const TextureArgument& texture, const std::string& place) const {
    return told_at(below(place), [&]() -> Piece {
      const std::uint64_t object =
          context_.backend.make_texture(texture.spec, pointer(texture.of, place + ".of"));
      return {low_bytes(object, 8), 8, "a texture object of 8 bytes"};
    });
  }
  [[nodiscard]] std::string below(const std::string& place) const {
    return context_.file + ": " + place + ".";
  }

  [[nodiscard]] DevicePointer pointer(const BufferAddress& address,
                                      const std::string& place) const {
    const MemoryPlace& found = context_.places.at(address.buffer);
    if (address.offset_bytes > found.bytes)
      JsonObject::refuse_at(
          context_.file, place + ".offset_bytes",
          "it must be at most the " + std::to_string(found.bytes) + " bytes of " + address.buffer,
          std::to_string(found.bytes));
    return found.address + static_cast<DevicePointer>(address.offset_bytes);
  }

  const ArgumentContext& context_;
};

bool is_float(ParameterKind kind) {
  return kind == ParameterKind::f32 || kind == ParameterKind::f64;
}

/// A kernel's parameter with what PTX says of its type.
struct Declared {
  const PtxParameter& parameter;
  ParameterKind kind;

  [[nodiscard]] std::string text() const {
    return "parameter " + parameter.name + " (" + std::string(name(kind)) + ", " +
           std::to_string(parameter.bytes) + " bytes)";
  }
};

/// The types that a number without one may have among bytes, as the launch would write it.
std::vector<std::string> typed_numbers(const PlainNumber& number, size_t width, bool is_word) {
  std::vector<std::string> typed;
  for (const std::string& name : element_type_names()) {
    const ElementType& type = *find_element_type(name);
    const bool is_second_name = type.is_integer() && name.front() == 's';
    if (static_cast<size_t>(type.bytes) != width || is_second_name) continue;
    const auto bits = encode(type, number.value);
    if (!bits) continue;
    const std::string value = value_text(type, decode(type, low_bytes(*bits, width), 0));
    typed.push_back(is_word ? name + ":" + value
                            : "{\"kind\": \"scalar\", \"dtype\": \"" + name +
                                  "\", \"value\": " + value + "}");
  }
  return typed;
}

/// A parameter that PTX has as bytes tells no type: a half, a structure.
[[noreturn]] void refuse_untyped(const PlainNumber& number, const Declared& declared,
                                 const std::string& file, const std::string& place) {
  const bool is_word = place.starts_with("--arg");
  const auto typed = typed_numbers(number, static_cast<size_t>(declared.parameter.bytes), is_word);
  std::string rule = declared.text() + " must be given ";
  for (size_t i = 0; i < typed.size(); ++i) rule += (i == 0 ? "as " : " or ") + typed[i];
  if (typed.empty())
    rule += is_word ? "as a structure, {TYPE:NUMBER,…}, or its fields, each with a type"
                    : "as a struct, its fields one after the other, bytes or tmap";
  JsonObject::refuse_at(file, place, rule,
                        typed.empty() ? std::nullopt : std::optional(typed.front()));
}

/// A number without a type takes the parameter's; of integers, signed or not.
Piece number_piece(const PlainNumber& number, const Declared& declared, const std::string& file,
                   const std::string& place) {
  const auto width = static_cast<size_t>(declared.parameter.bytes);
  if (declared.parameter.is_array) refuse_untyped(number, declared, file, place);
  std::string digits = "i" + std::to_string(8 * width);
  if (is_float(declared.kind)) digits = "f" + std::to_string(8 * width);
  std::optional<std::uint64_t> bits = encode(*find_element_type(digits), number.value);
  if (!bits && is_float(declared.kind))
    JsonObject::refuse_at(
        file, place,
        "it must fit " + declared.text() + ": " + range_text(*find_element_type(digits)));
  digits[0] = 'u';
  if (!bits) bits = encode(*find_element_type(digits), number.value);
  if (!bits)
    JsonObject::refuse_at(file, place,
                          "it must fit " + declared.text() + ": a whole number of " +
                              std::to_string(8 * width) + " bits");
  return {low_bytes(*bits, width), width, "a number"};
}

/// Mistakes that show as a wild address or a wrong result far from their cause.
void check_kind(const Argument& argument, const Declared& declared, const std::string& file) {
  const auto* scalar = std::get_if<ScalarArgument>(&argument.value);
  const bool is_address = std::holds_alternative<BufferAddress>(argument.value) ||
                          std::holds_alternative<NullPointer>(argument.value);
  const bool is_wrong =
      is_float(declared.kind) && (is_address || (scalar != nullptr && scalar->type->is_integer()));
  if (is_wrong)
    JsonObject::refuse_at(file, argument.place,
                          declared.text() + " must be given a floating-point number",
                          std::string(name(declared.kind)));
}

/// ` (pointer, i32)` of a kernel whose name does not tell its parameters.
std::string kinds_of(const PtxKernel& kernel) {
  if (demangled(kernel.symbol).ends_with(')')) return {};
  const std::string kinds = joined(kernel.signature.parameters,
                                   [](const Parameter& parameter) { return name(parameter.kind); });
  return kinds.empty() ? kinds : " (" + kinds + ")";
}

/// Fills the parameters of one kernel in order.
class ArgumentFiller {
 public:
  ArgumentFiller(const NamedLaunch& launch, const PtxKernel& kernel, const ArgumentContext& context)
      : launch_(launch), kernel_(kernel), context_(context), evaluator_(context) {}

  [[nodiscard]] std::vector<std::vector<std::byte>> run() {
    std::vector<std::vector<std::byte>> values;
    for (size_t i = 0; i < kernel_.parameters.size(); ++i) values.push_back(next(i));
    if (next_ < launch_.arguments.size()) refuse_count();
    return values;
  }

 private:
  /// One argument, or a structure's fields one after the other.
  std::vector<std::byte> next(size_t index) {
    const Declared declared{kernel_.parameters[index], kernel_.signature.parameters[index].kind};
    const auto bytes = static_cast<size_t>(declared.parameter.bytes);
    if (next_ == launch_.arguments.size()) refuse_count();
    const Argument& first = launch_.arguments[next_];
    Piece piece = taken(declared);
    // A structure's tail may be padding: the parameters behind it need their arguments.
    const size_t behind = kernel_.parameters.size() - index - 1;
    const auto may_go_on = [&] {
      return declared.parameter.is_array && piece.bytes.size() < bytes &&
             launch_.arguments.size() - next_ > behind;
    };
    const bool has_fields = may_go_on();
    while (may_go_on()) append(piece, taken(declared));
    if (has_fields) pad(piece);
    if (piece.bytes.size() != bytes)
      JsonObject::refuse_at(context_.file, first.place,
                            piece.what + ": it must have the size of " + declared.text());
    return piece.bytes;
  }
  [[nodiscard]] Piece taken(const Declared& declared) {
    const Argument& argument = launch_.arguments[next_++];
    check_kind(argument, declared, context_.file);
    const auto* number = std::get_if<PlainNumber>(&argument.value);
    return number != nullptr ? number_piece(*number, declared, context_.file, argument.place)
                             : evaluator_.piece(argument);
  }
  [[noreturn]] void refuse_count() const {
    const std::string place = (launch_.place.empty() ? "" : launch_.place + ".") + "args";
    JsonObject::refuse_at(context_.file, place,
                          "there must be one argument for each of the " +
                              std::to_string(kernel_.parameters.size()) + " parameters of " +
                              demangled(kernel_.symbol) + kinds_of(kernel_) +
                              ", or a structure's fields one after the other, and " +
                              std::to_string(launch_.arguments.size()) +
                              " are given (`jute emulate FILE` alone writes a whole line)");
  }

  const NamedLaunch& launch_;
  const PtxKernel& kernel_;
  const ArgumentContext& context_;
  Evaluator evaluator_;
  size_t next_ = 0;
};

}  // namespace

ArgumentBlock argument_block(const NamedLaunch& launch, const PtxKernel& kernel,
                             const ArgumentContext& context) {
  return packed_arguments(kernel, ArgumentFiller(launch, kernel, context).run());
}

}  // namespace jute::command
