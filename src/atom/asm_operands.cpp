// The operands of an instruction of each form, in PTX's order.
#include <jute/atom/asm_operands.hpp>

#include <algorithm>

#include "atom/tables.hpp"
#include "base/format.hpp"

namespace jute {
namespace {

using Operands = std::vector<AsmOperand>;

AsmOperand immediate(std::string_view name) { return {name, AsmRole::immediate}; }
AsmOperand address(std::string_view name) { return {name, AsmRole::address}; }

AsmOperand fragment(const MmaAtom& atom, std::string_view name, Operand operand, AsmRole role) {
  const RegisterType type = register_of(atom, operand);
  const bool in_brackets = type == RegisterType::tmem_address;
  return {name, in_brackets ? AsmRole::address : role, type, registers(atom, operand)};
}

bool is_scaled(MmaForm form) {
  return form == MmaForm::mma_scaled || form == MmaForm::mma_sparse_scaled ||
         form == MmaForm::tcgen05_scaled_ss || form == MmaForm::tcgen05_sparse_scaled_ss;
}

/// A factor register, and which of its bytes and which lanes of a quad count.
void add_scale(Operands& list, std::string_view data, std::string_view byte,
               std::string_view thread) {
  list.push_back({data, AsmRole::input, RegisterType::b32});
  list.push_back({byte, AsmRole::immediate, RegisterType::b16});
  list.push_back({thread, AsmRole::immediate, RegisterType::b16});
}

Operands warp_operands(const MmaAtom& atom) {
  Operands list = {fragment(atom, "d", Operand::d, AsmRole::output),
                   fragment(atom, "a", Operand::a, AsmRole::input),
                   fragment(atom, "b", Operand::b, AsmRole::input),
                   fragment(atom, "c", Operand::c, AsmRole::input)};
  if (is_sparse(atom)) {
    list.push_back({"metadata", AsmRole::input, RegisterType::b32, metadata_registers(atom)});
    list.push_back(immediate("selector"));
  }
  if (is_scaled(atom.form)) {
    add_scale(list, "scale_a", "byte_a", "thread_a");
    add_scale(list, "scale_b", "byte_b", "thread_b");
  }
  return list;
}

/// D is accumulated in place; scale_d false drops what it held. Integers have no negation, and only
/// 16-bit operands come in either major.
Operands wgmma_operands(const MmaAtom& atom) {
  Operands list = {fragment(atom, "d", Operand::d, AsmRole::in_out),
                   fragment(atom, "a", Operand::a, AsmRole::input),
                   fragment(atom, "b", Operand::b, AsmRole::input)};
  if (is_sparse(atom)) {
    list.push_back({"metadata", AsmRole::input, RegisterType::b32, metadata_registers(atom)});
    list.push_back(immediate("selector"));
  }
  list.push_back({"scale_d", AsmRole::predicate});
  if (atom.d_type.dtype == DType::s32) return list;
  list.push_back(immediate("negate_a"));
  list.push_back(immediate("negate_b"));
  if (atom.b_type.bits != 16) return list;
  if (!in_registers(atom.a_register)) list.push_back(immediate("transpose_a"));
  list.push_back(immediate("transpose_b"));
  return list;
}

Operands tcgen05_operands(const MmaAtom& atom) {
  Operands list = {fragment(atom, "d", Operand::d, AsmRole::address),
                   fragment(atom, "a", Operand::a, AsmRole::input),
                   fragment(atom, "b", Operand::b, AsmRole::input)};
  if (is_sparse(atom)) list.push_back(address("metadata"));
  list.push_back({"instruction_descriptor", AsmRole::input, RegisterType::b32});
  if (is_scaled(atom.form)) {
    list.push_back(address("scale_a"));
    list.push_back(address("scale_b"));
  }
  list.push_back({"scale_d", AsmRole::predicate});
  return list;
}

int b32_registers(Index bits) { return static_cast<int>(bits / 32); }

}  // namespace

std::vector<AsmOperand> asm_operands(const MmaAtom& atom) {
  switch (atom.form) {
    case MmaForm::fma:
    case MmaForm::mma_complex:
      return {};
    case MmaForm::dp:
    case MmaForm::mma:
    case MmaForm::mma_sparse:
    case MmaForm::mma_scaled:
    case MmaForm::mma_sparse_scaled:
      return warp_operands(atom);
    case MmaForm::wgmma_ss:
    case MmaForm::wgmma_rs:
    case MmaForm::wgmma_sparse_ss:
    case MmaForm::wgmma_sparse_rs:
      return wgmma_operands(atom);
    default:
      return tcgen05_operands(atom);
  }
}

std::vector<AsmOperand> asm_operands(const CopyAtom& atom) {
  const AsmOperand loaded{"dst", AsmRole::output, RegisterType::b32, b32_registers(dst_bits(atom))};
  const AsmOperand stored{"src", AsmRole::input, RegisterType::b32, b32_registers(src_bits(atom))};
  const AsmOperand global{"src", AsmRole::address, RegisterType::b64};
  switch (atom.form) {
    case CopyForm::universal:
    case CopyForm::auto_vectorize:
    case CopyForm::shuffle:
      return {};
    case CopyForm::movmatrix:
      return {loaded, stored};
    case CopyForm::ldmatrix:
    case CopyForm::tmem_load:
      return {loaded, address("src")};
    case CopyForm::tmem_load_reduce:
      return {loaded, {"reduced", AsmRole::output, RegisterType::b32}, address("src")};
    case CopyForm::ld_global:
      return {loaded, global};
    case CopyForm::st_global:
      return {{"dst", AsmRole::address, RegisterType::b64}, stored};
    case CopyForm::stmatrix:
    case CopyForm::tmem_store:
      return {address("dst"), stored};
    case CopyForm::cp_async:
      return {address("dst"), global, immediate("bytes")};
    case CopyForm::cp_async_zfill:
      return {address("dst"), global, immediate("bytes"), {"src_bytes", AsmRole::input}};
    case CopyForm::tmem_copy:
      return {address("dst"), {"src", AsmRole::input, RegisterType::smem_descriptor}};
    case CopyForm::tma_load:
    case CopyForm::tma_load_multicast:
    case CopyForm::tma_store:
    case CopyForm::tma_reduce:
      return box_operands(atom.form, 2);
  }
  return {};
}

std::vector<AsmOperand> box_operands(CopyForm form, int dimensions) {
  const AsmOperand map{"map", AsmRole::address, RegisterType::b64};
  const AsmOperand place{"coordinates", AsmRole::coordinates, RegisterType::b32, dimensions};
  if (form == CopyForm::tma_store || form == CopyForm::tma_reduce)
    return {map, place, address("src")};
  std::vector<AsmOperand> load{address("dst"), map, place, address("barrier")};
  if (form == CopyForm::tma_load_multicast)
    load.push_back({"blocks", AsmRole::input, RegisterType::b16});
  return load;
}

std::string box_ptx(CopyForm form, int dimensions) {
  const auto row = std::ranges::find(atom::copy_table(), form, &atom::CopyFamily::form);
  std::string ptx(row->ptx);
  ptx.replace(ptx.find(".2d."), 4, base::format(".{}d.", dimensions));
  return ptx;
}

}  // namespace jute
