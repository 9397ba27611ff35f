// From a row of the tables to the sets that its holes range over, and to one atom.
#include "atom/family.hpp"

#include "atom/value_types.hpp"

namespace jute::atom {
namespace {

/// The form that has A in registers decides how its operands travel; B follows the form too.
void pass_operands(MmaAtom& atom) {
  atom.d_register = default_register(atom.form, Operand::d, atom.d_type);
  atom.a_register = default_register(atom.form, Operand::a, atom.a_type);
  atom.b_register = default_register(atom.form, Operand::b, atom.b_type);
  atom.c_register = default_register(atom.form, Operand::c, atom.c_type);
}

/// A type written as a pattern over the binding: "{A.name}", "sparse2:{A.name}", "u8".
ValueType filled_type(std::string_view pattern, const Binding& binding) {
  return type_named(fill(pattern, binding));
}

bool is_boxed(const CopyFamily& family) { return family.y.has(family.y.first); }

}  // namespace

HoleSets MmaFamily::sets() const {
  HoleSets sets;
  const auto numbers = [&](char letter, Range first, Range second = {}) {
    sets.numbers[Binding::slot(letter)] = {first, second};
  };
  numbers('M', m);
  numbers('N', n, more_n);
  numbers('K', k);
  numbers('V', v);
  sets.types[Binding::slot('D')] = d;
  sets.types[Binding::slot('A')] = a;
  sets.types[Binding::slot('B')] = b;
  sets.types[Binding::slot('C')] = c;
  sets.types[Binding::slot('S')] = s;
  sets.modifiers = modifiers;
  sets.any_major_a = any_major_a;
  sets.any_major_b = any_major_b;
  return sets;
}

HoleSets CopyFamily::sets() const {
  HoleSets sets;
  // Boxes have any extent, all other X are powers of two.
  sets.numbers[Binding::slot('X')][0] = {x.first, x.last, is_boxed(*this) ? x.step : 0};
  sets.numbers[Binding::slot('Y')][0] = y;
  sets.types[Binding::slot('T')] = t;
  if (!t.empty()) sets.types[Binding::slot('S')] = s;
  sets.modifiers = modifiers;
  return sets;
}

MmaAtom instantiate(const MmaFamily& family, const Binding& binding) {
  const auto layout = [&](std::string_view text) { return Layout(fill_layout(text, binding)); };
  MmaAtom atom;
  atom.name = fill(family.name, binding);
  atom.template_args = fill(family.template_args, binding);
  atom.arch = family.arch;
  atom.shape = {binding.number('M'), binding.number('N'), binding.number('K')};
  atom.thr_id = Layout(family.thr_id);
  atom.a_layout = layout(family.a_tv);
  atom.b_layout = layout(family.b_tv);
  atom.c_layout = layout(family.c_tv);
  atom.d_type = *binding.type('D');
  atom.a_type = filled_type(family.a_value, binding);
  atom.b_type = filled_type(family.b_value, binding);
  atom.c_type = *binding.type('C');
  atom.form = family.form;
  pass_operands(atom);
  const bool fixed = family.a_major != Major::k || family.b_major != Major::k;
  atom.a_major = fixed ? family.a_major : binding.major_a;
  atom.b_major = fixed ? family.b_major : binding.major_b;
  atom.ptx = fill(family.ptx, binding);
  atom.isa = family.isa;
  atom.source = family.source;
  if (!family.e_tv.empty())
    atom.metadata = SparseMetadata{layout(family.e_tv), type_named(family.e_type)};
  if (!family.sfa_tv.empty())
    atom.scale = ScaleFactors{layout(family.sfa_tv), layout(family.sfb_tv), *binding.type('S'),
                              binding.number('V')};
  return atom;
}

CopyAtom instantiate(const CopyFamily& family, const Binding& given) {
  Binding binding = given;
  if (is_boxed(family))
    binding.numbers[Binding::slot('Z')] =
        binding.number('X') * binding.number('Y') * binding.type('T')->bits;
  const auto layout = [&](std::string_view text) { return Layout(fill_layout(text, binding)); };
  CopyAtom atom;
  atom.name = fill(family.name, binding);
  atom.arch = family.arch;
  atom.thr_id = Layout(family.thr_id);
  atom.src_layout = layout(family.src);
  atom.dst_layout = layout(family.dst);
  atom.ref_layout = layout(family.ref);
  atom.form = family.form;
  atom.ptx = fill(family.ptx, binding);
  atom.isa = family.isa;
  atom.source = family.source;
  if (!family.executed_dst.empty()) atom.executed_dst_layout = layout(family.executed_dst);
  if (is_boxed(family))
    atom.box = TmaBox{*binding.type('T'), binding.number('X'), binding.number('Y'),
                      Swizzle(binding.modifier.ptx)};
  return atom;
}

}  // namespace jute::atom
