// The lines of CuTe's print(MMA_Atom) and print(Copy_Atom).
#include "atom/atom_print.hpp"

#include <jute/atom/catalogue.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/cute_text.hpp>

#include <variant>

namespace jute::command {
namespace {

std::string lines(const MmaAtom& atom) {
  const ShapeMnk& shape = atom.shape;
  return "MMA_Atom\n  ThrID:      " + cute_text(atom.thr_id) + "\n  Shape_MNK:  (_" +
         std::to_string(shape.m) + ",_" + std::to_string(shape.n) + ",_" + std::to_string(shape.k) +
         ")\n  LayoutA_TV: " + cute_text(atom.a_layout) +
         "\n  LayoutB_TV: " + cute_text(atom.b_layout) +
         "\n  LayoutC_TV: " + cute_text(atom.c_layout) + "\n";
}

std::string lines(const CopyAtom& atom, int bits) {
  const auto values = [bits](const Layout& layout) {
    return cute_text(recast_layout(layout, 1, bits));
  };
  return "Copy_Atom\n  ThrID:        " + cute_text(atom.thr_id) +
         "\n  ValLayoutSrc: " + values(atom.src_layout) +
         "\n  ValLayoutDst: " + values(atom.dst_layout) +
         "\n  ValLayoutRef: " + values(atom.ref_layout) +
         "\n  ValueType:    " + std::to_string(bits) + "b\n";
}

}  // namespace

std::string cute_print(const std::string& name, const std::string& type,
                       const Catalogue& catalogue) {
  const int bits = parse_value_type(type.empty() ? "f16" : type).bits;
  const auto found = catalogue.find(name);
  const auto* copy = std::get_if<CopyAtom>(&found);
  if (copy != nullptr) return lines(*copy, bits);
  if (!type.empty()) throw UsageError("--type", "it needs a copy atom; a product has types");
  return lines(std::get<MmaAtom>(found));
}

}  // namespace jute::command
