// An atom as the list of named texts that the command prints.
#include <jute/atom/atom.hpp>

namespace jute {
namespace {

AtomField text(std::string key, std::string value) { return {std::move(key), std::move(value)}; }
AtomField bare(std::string key, std::string value) {
  return {std::move(key), std::move(value), false};
}
AtomField text(std::string key, const Layout& layout) {
  return {std::move(key), to_string(layout)};
}
AtomField text(std::string key, const ValueType& type) {
  return {std::move(key), std::string(type.name)};
}
/// null when there is no instruction.
AtomField mnemonic(const std::string& ptx) {
  return {"ptx", ptx.empty() ? std::nullopt : std::optional(ptx)};
}
AtomField isa(PtxVersion version) {
  return {"isa", version == PtxVersion{} ? std::nullopt : std::optional(to_string(version))};
}

/// "4 x b32"
std::string register_text(const MmaAtom& atom, Operand operand) {
  return std::to_string(registers(atom, operand)) + " x " +
         std::string(name(register_of(atom, operand)));
}

void add_scale(std::vector<AtomField>& list, const ScaleFactors& scale) {
  list.push_back(bare("block_scaled", "true"));
  list.push_back(text("sfa_layout", scale.a_layout));
  list.push_back(text("sfb_layout", scale.b_layout));
  list.push_back(text("sf_type", scale.type));
  list.push_back(bare("sf_vec", std::to_string(scale.vector_elems)));
}

}  // namespace

std::vector<AtomField> fields(const MmaAtom& atom) {
  std::vector<AtomField> list = {
      text("name", atom.name),
      text("shape_mnk", to_string(atom.shape)),
      text("thr_id", atom.thr_id),
      text("a_layout", atom.a_layout),
      text("b_layout", atom.b_layout),
      text("c_layout", atom.c_layout),
      text("d_type", atom.d_type),
      text("a_type", atom.a_type),
      text("b_type", atom.b_type),
      text("c_type", atom.c_type),
      mnemonic(atom.ptx),
      text("arch", arch_text(atom.arch)),
  };
  if (is_sparse(atom)) list.push_back(bare("sparse", "true"));
  if (is_wgmma(atom.form)) list.push_back(text("template_args", atom.template_args));
  if (atom.metadata) {
    list.push_back(text("e_layout", atom.metadata->layout));
    list.push_back(text("e_type", atom.metadata->type));
  }
  if (atom.scale) add_scale(list, *atom.scale);
  list.push_back(text("form", std::string(name(atom.form))));
  list.push_back(bare("threads", std::to_string(threads(atom))));
  list.push_back(text("d_registers", register_text(atom, Operand::d)));
  list.push_back(text("a_registers", register_text(atom, Operand::a)));
  list.push_back(text("b_registers", register_text(atom, Operand::b)));
  list.push_back(text("c_registers", register_text(atom, Operand::c)));
  list.push_back(text("a_major", std::string(name(atom.a_major))));
  list.push_back(text("b_major", std::string(name(atom.b_major))));
  list.push_back(isa(atom.isa));
  list.push_back(text("source", atom.source));
  return list;
}

std::vector<AtomField> fields(const CopyAtom& atom) {
  std::vector<AtomField> list = {
      text("name", atom.name),
      text("thr_id", atom.thr_id),
      text("src_layout", atom.src_layout),
      text("dst_layout", atom.dst_layout),
      text("ref_layout", atom.ref_layout),
      mnemonic(atom.ptx),
      text("arch", arch_text(atom.arch)),
      text("form", std::string(name(atom.form))),
      bare("threads", std::to_string(threads(atom))),
      isa(atom.isa),
      text("source", atom.source),
  };
  if (atom.box) {
    list.push_back(text("type", atom.box->type));
    list.push_back(text("box", to_string(IntTuple{atom.box->inner, atom.box->outer})));
    list.push_back(text("smem_swizzle", to_string(atom.box->smem_swizzle)));
  }
  if (atom.executed_dst_layout)
    list.push_back(text("executed_dst_layout", *atom.executed_dst_layout));
  return list;
}

}  // namespace jute
