// tex, suld, sust, txq, suq: texture and surface objects.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/run/texture.hpp"

#include <algorithm>
#include <array>

namespace jute::emulator {
namespace {

struct Geometry {
  std::string_view name;
  int dimensions;
  bool is_layered;
  size_t items;  ///< coordinates as PTX writes them: three take a fourth that means nothing
};
constexpr std::array kGeometries{Geometry{".1d", 1, false, 1}, Geometry{".2d", 2, false, 2},
                                 Geometry{".3d", 3, false, 4}, Geometry{".a1d", 1, true, 2},
                                 Geometry{".a2d", 2, true, 4}};

const Geometry& geometry_of(const Opcode& opcode) {
  return *std::ranges::find_if(kGeometries,
                               [&](const Geometry& geometry) { return opcode.has(geometry.name); });
}

/// The object in a register, or the one whose handle a variable holds: `.global .texref name`.
void read_handle(Decoder& decoder, const PtxOperand& operand, TextureUse& use) {
  if (operand.kind != OperandKind::address || operand.items.empty())
    decoder.refuse(operand, "a texture or surface in brackets must stand here");
  const PtxOperand& object = operand.items[0];
  if (object.kind == OperandKind::reg) {
    use.handle = decoder.source(object, RegisterClass::b64);
    return;
  }
  const int handle = decoder.make_temporary(RegisterClass::b64);
  MemoryAccess access;
  access.space = Space::global;
  access.element_bytes = access.register_bytes = 8;
  decoder.address(operand, access);
  access.data[0] = decoder.write_temporary(handle);
  decoder.emit_use(&load_memory, access);
  use.handle = decoder.read_temporary(handle);
}

// `[object, {layer, x, y, …}]`
void read_place(Decoder& decoder, const PtxOperand& operand, const Geometry& geometry,
                TextureUse& use) {
  use.dimensions = geometry.dimensions;
  use.is_layered = geometry.is_layered;
  read_handle(decoder, operand, use);
  if (operand.items.size() != 2) decoder.refuse(operand, "[object, {…}] must hold the coordinates");
  const PtxOperand& given = operand.items[1];
  const size_t count = given.listed().size();
  const auto needed = static_cast<size_t>(geometry.dimensions + (geometry.is_layered ? 1 : 0));
  // Older compilers always wrote four.
  if (count != needed && count != geometry.items && count != 4)
    decoder.refuse(given, base::format("{} needs {} coordinates", geometry.name, geometry.items));
  size_t at = 0;
  if (geometry.is_layered) use.layer = decoder.source(given.listed()[at++], RegisterClass::b32);
  for (size_t i = 0; i < static_cast<size_t>(geometry.dimensions); ++i)
    use.coordinates[i] = decoder.source(given.listed()[at++], RegisterClass::b32);
}

}  // namespace

void decode_texture_fetch(Decoder& decoder, Opcode& opcode) {
  TextureUse use;
  // An object has one level of detail, and every level means that one.
  use.coordinates_are_floats = opcode.rest().back() == ".f32";
  read_place(decoder, decoder.operand(1), geometry_of(opcode), use);
  const PtxOperand& data = decoder.operand(0);
  if (data.listed().size() != 4) decoder.refuse(data, "a fetch needs four registers");
  use.count = 4;
  for (size_t i = 0; i < 4; ++i) use.data[i] = decoder.target(data.items[i], RegisterClass::b32);
  decoder.emit_use(use);
}

void decode_surface_access(Decoder& decoder, Opcode& opcode) {
  TextureUse use;
  const bool is_load = opcode.head() == "suld";
  use.is_store = !is_load;
  use.coordinates_are_bytes = true;
  const std::string_view count = opcode.take_one_of({".v2", ".v4"});
  use.count = count.empty() ? 1 : count[2] - '0';
  const std::string_view outside = opcode.take_one_of({".trap", ".clamp", ".zero"});
  use.outside = outside == ".clamp"  ? TextureUse::Outside::clamp
                : outside == ".zero" ? TextureUse::Outside::zero
                                     : TextureUse::Outside::trap;
  use.element_bytes = opcode.has(".b8") ? 1 : opcode.has(".b16") ? 2 : opcode.has(".b32") ? 4 : 8;
  read_place(decoder, decoder.operand(is_load ? 1 : 0), geometry_of(opcode), use);
  const PtxOperand& data = decoder.operand(is_load ? 0 : 1);
  if (data.listed().size() != static_cast<size_t>(use.count))
    decoder.refuse(data, base::format("it must move {} registers", use.count));
  const RegisterClass kind = class_of_bytes(use.element_bytes);
  for (size_t i = 0; i < data.listed().size(); ++i)
    use.data[i] =
        is_load ? decoder.target(data.listed()[i], kind) : decoder.source(data.listed()[i], kind);
  decoder.emit_use(use);
}

void decode_texture_query(Decoder& decoder, Opcode& opcode) {
  constexpr std::array<std::string_view, 3> kExtents{".width", ".height", ".depth"};
  TextureUse use;
  std::uint32_t asked = 0;
  while (!opcode.has(kExtents[asked])) ++asked;
  read_handle(decoder, decoder.operand(1), use);
  const Slot target = decoder.target(decoder.operand(0), RegisterClass::b32);
  Instruction& made = decoder.emit_use(use);
  made.target = asked;
  made.dst = target;
}

}  // namespace jute::emulator
