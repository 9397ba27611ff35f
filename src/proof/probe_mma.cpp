// One probe emitter for each form of MMA instruction.
#include <jute/atom/asm_operands.hpp>
#include <jute/atom/gmma_descriptor.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emit/instruction.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/cast.hpp>

#include <algorithm>

#include "base/format.hpp"
#include "proof/probe_buffers.hpp"

namespace jute {
namespace {

using proof::ProbeText;

/// Lanes from the first to the last that the atom names, in whole warps where it needs warps.
int block_threads(const MmaAtom& atom) {
  Index last = 0;
  for (Index i = 0; i < size(atom.thr_id); ++i) last = std::max(last, atom.thr_id(i));
  if (atom.form == MmaForm::dp || atom.form == MmaForm::fma) return static_cast<int>(last + 1);
  return static_cast<int>((last / 32 + 1) * 32);
}

std::string layouts_text(const MmaAtom& atom) {
  return base::format("A {}  B {}  C {}", to_string(atom.a_layout), to_string(atom.b_layout),
                      to_string(atom.c_layout));
}

/// The widest pattern that fits the tile's contiguous extent: 2:4 sparse A stores half of K.
GmmaSwizzle widest_swizzle(Index contiguous_elems, int bits) {
  for (const auto& [swizzle, span] :
       {std::pair(GmmaSwizzle::bytes128, 1024), std::pair(GmmaSwizzle::bytes64, 512),
        std::pair(GmmaSwizzle::bytes32, 256)})
    if (contiguous_elems * bits % span == 0) return swizzle;
  return GmmaSwizzle::none;
}

/// The dense type of what is stored: f16 for `sparse2:f16`.
ValueType stored_type(const ValueType& type) {
  const auto colon = type.name.find(':');
  return colon == std::string_view::npos ? type : parse_value_type(type.name.substr(colon + 1));
}

void read_operand(ProbeText& text, const MmaAtom& atom, Operand operand, const char* name) {
  const RegisterType type = register_of(atom, operand);
  const ValueType& value = type_of(atom, operand);
  if (type != RegisterType::smem_descriptor)
    return text.read_registers(name, cuda_type(type), proof::word_bytes(type, value),
                               registers(atom, operand));
  const ComposedLayout tile = probe_tile(atom, operand);
  const ValueType stored = stored_type(value);
  const Major major = operand == Operand::a ? atom.a_major : atom.b_major;
  text.read_tile(name, to_string(tile), cosize(tile) * stored.bits / 8,
                 to_string(gmma_descriptor(tile, major, stored)));
}

/// Nibbles of metadata in one quad of lanes, over the eight that one register holds: the share of
/// the quad that supplies them. 16-bit floats at half the greatest depth: one lane of four.
int selector_count(const MmaAtom& atom) {
  if (!atom.metadata) return 1;
  const int group = atom.metadata->type.values_per_element / 2;
  return std::max(1, 16 * group / atom.shape.k);
}

/// Adds the instruction's function, once for each value of the immediate that selects who supplies
/// metadata; the text that calls it.
std::string add_instruction(ProbeText& text, const MmaAtom& atom, Accumulate accumulate) {
  const int selectors = selector_count(atom);
  std::string calls;
  for (int i = 0; i < selectors; ++i) {
    const std::string name = selectors == 1 ? "mma" : base::format("mma_{}", i);
    const InstructionFunction function =
        instruction_function(atom, {accumulate, name, i}, text.templates());
    text.add_function(function.types + function.text);
    const std::string call = call_on_registers(function);
    calls += selectors == 1 ? call : base::format("if (selector[block] == {}) {}", i, call);
  }
  return calls;
}

void read_extras(ProbeText& text, const MmaAtom& atom) {
  if (atom.metadata) {
    text.read_registers("metadata", "unsigned", 4, metadata_registers(atom));
    text.read_block_word("selector");
  }
  if (atom.scale) {
    text.read_registers("scale_a", "unsigned", 4, 1);
    text.read_registers("scale_b", "unsigned", 4, 1);
  }
}

Probe register_probe(const MmaAtom& atom, Arch target, const TemplateSet& templates) {
  ProbeText text(templates, target);
  read_operand(text, atom, Operand::a, "a");
  read_operand(text, atom, Operand::b, "b");
  read_operand(text, atom, Operand::c, "c");
  read_extras(text, atom);
  text.execute(add_instruction(text, atom, Accumulate::apart));
  text.write_registers("d", cuda_type(atom.d_register),
                       proof::word_bytes(atom.d_register, atom.d_type), registers(atom, Operand::d),
                       ProbeText::Declared::here);
  return text.finish(atom.name, layouts_text(atom), block_threads(atom));
}

/// The sum is C, accumulated in place; D is a copy.
Probe wgmma_probe(const MmaAtom& atom, Arch target, const TemplateSet& templates) {
  ProbeText text(templates, target);
  read_operand(text, atom, Operand::a, "a");
  read_operand(text, atom, Operand::b, "b");
  read_operand(text, atom, Operand::c, "c");
  read_extras(text, atom);
  const int count = registers(atom, Operand::d);
  const std::string type(cuda_type(atom.d_register));
  text.execute(Piece(templates, "probe/wgmma.cu")
                   .fill("multiply", add_instruction(text, atom, Accumulate::in_place))
                   .text());
  text.execute(
      base::format("{0} d_reg[{1}];\n#pragma unroll\nfor (int i = 0; i < {1}; ++i) "
                   "d_reg[i] = c_reg[i];\n",
                   type, count));
  text.write_registers("d", type, proof::word_bytes(atom.d_register, atom.d_type), count,
                       ProbeText::Declared::elsewhere);
  return text.finish(atom.name, layouts_text(atom), block_threads(atom));
}

/// The instruction of which a complex product is made.
MmaAtom real_part(MmaAtom atom) {
  atom.form = MmaForm::mma;
  atom.d_type = atom.a_type = atom.b_type = atom.c_type = value_type(DType::f64);
  atom.ptx = base::format("mma.sync.aligned.m{}n{}k{}.row.col.f64.f64.f64.f64", atom.shape.m,
                          atom.shape.n, atom.shape.k);
  return atom;
}

Probe complex_probe(const MmaAtom& atom, Arch target, const TemplateSet& templates) {
  ProbeText text(templates, target);
  const MmaAtom real = real_part(atom);
  const InstructionFunction product = instruction_function(real, {}, templates);
  text.add_function(product.types + product.text);
  text.add_function(Piece(templates, "probe/real_values.cu")
                        .fill("values_a", registers(real, Operand::a))
                        .fill("values_b", registers(real, Operand::b))
                        .fill("values_c", registers(real, Operand::c))
                        .text());
  read_operand(text, atom, Operand::a, "a");
  read_operand(text, atom, Operand::b, "b");
  read_operand(text, atom, Operand::c, "c");
  const bool three_parts = atom.d_type.bits == 3 * 64;
  const char* const parts = three_parts ? "probe/complex_gauss.cu" : "probe/complex_four.cu";
  text.execute(Piece(templates, parts).text());
  text.write_registers("d", "double", 8, registers(atom, Operand::d),
                       ProbeText::Declared::elsewhere);
  return text.finish(atom.name, layouts_text(atom), block_threads(atom));
}

}  // namespace

ComposedLayout probe_tile(const MmaAtom& atom, Operand operand) {
  const ValueType& value = type_of(atom, operand);
  const ValueType stored = stored_type(value);
  const Major major = operand == Operand::a ? atom.a_major : atom.b_major;
  const Index mn = operand == Operand::a ? atom.shape.m : atom.shape.n;
  const Index k = atom.shape.k / value.values_per_element;
  const GmmaSwizzle swizzle = widest_swizzle(major == Major::k ? k : mn, stored.bits);
  return tile_to_shape(gmma_layout_atom(major, stored, swizzle), IntTuple{mn, k});
}

Probe make_probe(const MmaAtom& atom, Arch target, const TemplateSet& templates) {
  Probe probe;
  switch (atom.form) {
    case MmaForm::fma:
      probe = proof::fma_probe(atom, target, templates);
      break;
    case MmaForm::dp:
    case MmaForm::mma:
    case MmaForm::mma_sparse:
    case MmaForm::mma_scaled:
    case MmaForm::mma_sparse_scaled:
      probe = register_probe(atom, target, templates);
      break;
    case MmaForm::mma_complex:
      probe = complex_probe(atom, target, templates);
      break;
    case MmaForm::wgmma_ss:
    case MmaForm::wgmma_rs:
    case MmaForm::wgmma_sparse_ss:
    case MmaForm::wgmma_sparse_rs:
      probe = wgmma_probe(atom, target, templates);
      break;
    default:
      jute::refuse(ErrorCode::unsupported, "form", std::string(name(atom.form)),
                   "a probe needs a form whose results are in registers, "
                   "not in tensor memory");
  }
  probe.selectors = selector_count(atom);
  return probe;
}

}  // namespace jute
