// Packed weights of the C interface.
#include <jute/base/refuse.hpp>
#include <jute/packing/weight_formats.hpp>

#include <cstring>
#include <utility>

#include "c/objects.hpp"

namespace jute::c {
namespace {

WeightPart part_of(int32_t part) {
  require_enumerator(part, JUTE_ZEROS, "part");
  return static_cast<WeightPart>(part);
}

Packing packing_as(const char* format, const char* name, int32_t part, const char* type,
                   int64_t k) {
  const WeightPart of = part_of(part);
  const Packing packing = packing_of(required_text(format, name), of, k);
  if (type == nullptr) return packing;
  const DType asked = parse_dtype(type);
  if (of == WeightPart::scales) return with_type(packing, asked);
  if (of == WeightPart::weights && asked == DType::u4) return packing;
  if (of == WeightPart::weights && asked == DType::s4) return with_signs(packing);
  jute::refuse(ErrorCode::wrong_type, "type", type,
               "weights must be u4 or s4, zero points have no type but "
               "their format's and need NULL",
               of == WeightPart::weights ? "u4" : "NULL");
}

}  // namespace
}  // namespace jute::c

using namespace jute;
using namespace jute::c;

int32_t jute_weight_layout(const char* format, int32_t part, int64_t n, int64_t k,
                           jute_layout** layout) {
  return guarded([&] {
    expect(layout, "layout");
    const Packing packing = packing_as(format, "format", part, nullptr, k);
    const Layout made = packed_layout(packing, {n, k});
    give(layout, std::make_shared<LayoutObject>(LayoutObject{made, to_string(made)}));
  });
}

int32_t jute_weight_bytes(const char* format, int32_t part, const char* type, int64_t n, int64_t k,
                          int64_t* bytes) {
  return guarded([&] {
    require(bytes, "bytes");
    *bytes = packed_bytes(packing_as(format, "format", part, type, k), {n, k});
  });
}

int32_t jute_pack_weights(const char* from, const char* to, int32_t part, const char* type,
                          int64_t n, int64_t k, const void* source, size_t source_bytes,
                          void* target, size_t target_bytes) {
  return guarded([&] {
    const Packing here = packing_as(from, "from", part, type, k);
    const Packing there = packing_as(to, "to", part, type, k);
    require(source, "source");
    require(target, "target");
    const int64_t needed = packed_bytes(there, {n, k});
    if (static_cast<int64_t>(target_bytes) != needed)
      jute::refuse(ErrorCode::out_of_range, "target_bytes", std::to_string(target_bytes),
                   "it must be what jute_weight_bytes says, " + std::to_string(needed),
                   std::to_string(needed));
    const std::vector<std::byte> packed =
        repacked({static_cast<const std::byte*>(source), source_bytes}, here, there, {n, k});
    std::memcpy(target, packed.data(), packed.size());
  });
}
