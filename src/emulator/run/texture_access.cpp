// Where the texels of a texture or surface object lie, and what is no object.
#include "emulator/run/texture_access.hpp"

#include "base/format.hpp"
#include "emulator/run/memory_access.hpp"

namespace jute::emulator {
namespace {

MemoryAccess access_of(const TextureUse& use, Index bytes) {
  MemoryAccess access;
  access.space = Space::global;
  access.is_read_only = !use.is_store;
  access.element_bytes = static_cast<std::uint8_t>(bytes);
  return access;
}

}  // namespace

Index ObjectAccess::layer(size_t lane) const {
  if (!use_.is_layered) return 0;
  const auto asked = read_register<std::int32_t>(warp_, use_.layer, lane);
  return std::clamp<Index>(asked, 0, spec().layers - 1);
}

void ObjectAccess::resolve_places(const Places& places, std::uint32_t mask, AccessKind kind,
                                  Index bytes, Resolved& where) const {
  // A surface's first coordinate counts bytes, a texture's texels.
  const Index step = use_.coordinates_are_bytes ? 1 : texel_bytes(spec());
  Addresses addresses{};
  for (const size_t lane : lanes_of(mask)) {
    const auto& at = places.at[lane];
    const Index slice = use_.is_layered ? places.layer[lane] : at[2];
    addresses[lane] =
        object_.base + static_cast<std::uint64_t>(slice * spec().slice_bytes +
                                                  at[1] * spec().row_bytes + at[0] * step);
  }
  const auto size = static_cast<int>(bytes);
  const int alignment = std::min(size, static_cast<int>(texel_bytes(spec())));
  resolve_at(warp_, access_of(use_, bytes), addresses, {size, alignment}, mask, kind, where);
}

void ObjectAccess::poison_undefined(std::uint32_t lanes, int bytes) const {
  if (lanes == 0) return;
  const std::string what = describe_undefined(access_of(use_, bytes), bytes);
  for (size_t i = 0; i < static_cast<size_t>(use_.count); ++i)
    warp_.watch.poison(warp_, use_.data[i], {lanes, kWholeLane}, what);
}

void report_object(Warp& warp, std::uint32_t lanes, const std::string& what) {
  for (; lanes != 0; lanes &= lanes - 1)
    warp.block->find("M8", warp, std::countr_zero(lanes), [&] { return what; });
}

std::optional<std::string> object_mismatch(const TextureUse& use, const TextureObject* object,
                                           std::uint64_t handle) {
  if (object == nullptr)
    return base::format("{:#x} is no texture or surface object: it must be made by make_texture",
                        handle);
  const TextureSpec& spec = object->spec;
  if (dimensions(spec) == use.dimensions && (spec.layers > 0) == use.is_layered)
    return std::nullopt;
  const auto text = [](int dimensions, bool is_layered) {
    return base::format("{}{}d", is_layered ? "a" : "", dimensions);
  };
  return base::format("the instruction is .{}, and the object it uses must be, which is .{}",
                      text(use.dimensions, use.is_layered),
                      text(dimensions(spec), spec.layers > 0));
}

void write_zeros(Warp& warp, const TextureUse& use, std::uint32_t mask, size_t register_bytes) {
  for (const size_t lane : lanes_of(mask)) {
    for (size_t i = 0; i < static_cast<size_t>(use.count); ++i)
      std::memset(warp.at(use.data[i]) + lane * register_bytes, 0, register_bytes);
  }
}

}  // namespace jute::emulator
