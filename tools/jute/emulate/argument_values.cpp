// Each argument becomes bytes, and each parameter takes exactly its own.
#include "emulate/argument_values.hpp"

#include <jute/emulator/emulated_gpu.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

#include "json_reader.hpp"

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
    for (const Argument& field : fields.fields) {
      const Piece part = piece(field);
      whole.bytes.resize((whole.bytes.size() + part.alignment - 1) / part.alignment *
                         part.alignment);
      whole.bytes.insert(whole.bytes.end(), part.bytes.begin(), part.bytes.end());
      whole.alignment = std::max(whole.alignment, part.alignment);
    }
    whole.bytes.resize((whole.bytes.size() + whole.alignment - 1) / whole.alignment *
                       whole.alignment);
    whole.what = "a struct of " + std::to_string(whole.bytes.size()) + " bytes";
    return whole;
  }
  [[nodiscard]] Piece piece_of(const TensorMapArgument& map, const std::string& place) const {
    return made_at(place, [&]() -> Piece {
      const EncodedTensorMap encoded =
          context_.backend.encode(map.spec, pointer(map.of, place + ".of"));
      return {{encoded.bytes.begin(), encoded.bytes.end()}, 64, "a tensor map of 128 bytes"};
    });
  }
  [[nodiscard]] Piece piece_of(const TextureArgument& texture, const std::string& place) const {
    return made_at(place, [&]() -> Piece {
      const std::uint64_t object =
          context_.backend.make_texture(texture.spec, pointer(texture.of, place + ".of"));
      return {low_bytes(object, 8), 8, "a texture object of 8 bytes"};
    });
  }
  /// What `make` gives; its refusals name the place in the file.
  template <class Make>
  [[nodiscard]] Piece made_at(const std::string& place, Make make) const {
    try {
      return make();
    } catch (const Exception& exception) {
      Error error = exception.error();
      error.operand = context_.file + ": " + place + "." + error.operand;
      throw Exception(std::move(error));
    }
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

/// A number without a type takes the parameter's; of integers, signed or not.
Piece number_piece(const PlainNumber& number, const Declared& declared, const std::string& file,
                   const std::string& place) {
  const auto width = static_cast<size_t>(declared.parameter.bytes);
  if (declared.parameter.is_array)
    JsonObject::refuse_at(file, place,
                          declared.text() + " must be given as a struct, bytes or tmap");
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

/// What shows as a wild address or a wrong result far from its cause.
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

}  // namespace

ArgumentBlock argument_block(const NamedLaunch& launch, const PtxKernel& kernel,
                             const ArgumentContext& context) {
  const size_t count = kernel.parameters.size();
  if (launch.arguments.size() != count) {
    const std::string place = (launch.place.empty() ? "" : launch.place + ".") + "args";
    JsonObject::refuse_at(context.file, place,
                          "there must be one argument for each of the kernel's " +
                              std::to_string(count) + " parameters " + to_string(kernel.signature) +
                              ", and " + std::to_string(launch.arguments.size()) + " are given");
  }
  const Evaluator evaluator(context);
  std::vector<std::vector<std::byte>> values;
  for (size_t i = 0; i < count; ++i) {
    const Argument& argument = launch.arguments[i];
    const Declared declared{kernel.parameters[i], kernel.signature.parameters[i].kind};
    check_kind(argument, declared, context.file);
    const auto* number = std::get_if<PlainNumber>(&argument.value);
    const Piece piece = number != nullptr
                            ? number_piece(*number, declared, context.file, argument.place)
                            : evaluator.piece(argument);
    if (static_cast<Index>(piece.bytes.size()) != declared.parameter.bytes)
      JsonObject::refuse_at(context.file, argument.place,
                            piece.what + ": it must have the size of " + declared.text());
    values.push_back(piece.bytes);
  }
  return packed_arguments(kernel, values);
}

}  // namespace jute::command
