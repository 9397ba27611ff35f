// Packed weights: arrays of one format in another's order.
#include <jute/packing/weight_formats.hpp>

#include <nanobind/stl/tuple.h>

#include <array>
#include <span>

#include "convert.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

constexpr Index kSeveral = 2;  ///< groups; an array of one has the same extents

/// The type that keeps the bits of numbers of this width.
Packing of_width(const Packing& packing, int bits) {
  constexpr std::array kTypes{DType::u8, DType::f16, DType::f32, DType::f64};
  for (const DType type : kTypes)
    if (width_bits(type) == bits) return with_type(packing, type);
  refuse(ErrorCode::wrong_type, "array", std::to_string(bits) + " bits",
         "scales must have 8, 16, 32 or 64 bits");
}

Packing packing_as(const std::string& format, WeightPart part, Index groups, int bits,
                   const std::string& type) {
  const Packing packing = packing_of(format, part, groups);
  if (part == WeightPart::scales) return of_width(packing, bits);
  return type == "s4" && part == WeightPart::weights ? with_signs(packing) : packing;
}

/// (bytes, rows, columns, bits of a number, whether it has a sign).
std::tuple<nb::bytes, Index, Index, int, bool> repacked_array(
    const nb::bytes& elements, Index rows, Index columns, int bits, const std::string& from,
    const std::string& to, const std::string& part, const std::string& type) {
  const WeightPart of = parse_weight_part(part);
  const Packing usual = packing_as(from, of, kSeveral, bits, type);
  if (usual.unit_bits != bits)
    refuse(ErrorCode::wrong_type, "array", std::to_string(bits) + " bits",
           "of " + from + " its numbers must have " + std::to_string(usual.unit_bits) + " bits");
  const PackedExtents extents = packed_extents(usual, {rows, columns});
  const Packing here = packing_as(from, of, extents.k, bits, type);
  const Packing there = packing_as(to, of, extents.k, bits, type);
  const std::span<const std::byte> given(reinterpret_cast<const std::byte*>(elements.c_str()),
                                         elements.size());
  const std::vector<std::byte> packed = repacked(given, here, there, extents);
  const PackedArray array = packed_array(there, extents);
  return {nb::bytes(packed.data(), packed.size()), array.rows, array.columns, there.unit_bits,
          there.type == DType::s8};
}

AnyLayout layout_of_packing(const std::string& format, Index n, Index k, const std::string& part) {
  return packed_layout(packing_of(format, parse_weight_part(part), k), {n, k});
}

}  // namespace

void add_packing(nb::module_& core) {
  core.def("repacked", repacked_array, "elements"_a, "rows"_a, "columns"_a, "bits"_a, "from_"_a,
           "to"_a, "part"_a, "type"_a);
  core.def("packed_layout", layout_of_packing, "format"_a, "n"_a, "k"_a, "part"_a = "weights",
           "The layout from (n,k) to the place of its element in a format's array, counted in "
           "elements from its first bits; of part \"scales\" and \"zeros\" k counts groups");
}

}  // namespace jute::python
