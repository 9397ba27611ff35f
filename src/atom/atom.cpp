// Everything that follows from an atom's row: threads, values, registers, spellings.
#include <jute/atom/atom.hpp>
#include <jute/layout/detail/profile.hpp>

#include <array>
#include <ostream>

namespace jute {
namespace {

// clang-format off
constexpr std::array<std::string_view, 16> kMmaForms = {
    "fma", "dp", "mma", "mma_sparse", "mma_scaled", "mma_sparse_scaled", "mma_complex",
    "wgmma_ss", "wgmma_rs", "wgmma_sparse_ss", "wgmma_sparse_rs",
    "tcgen05_ss", "tcgen05_ts", "tcgen05_sparse_ss", "tcgen05_scaled_ss", "tcgen05_sparse_scaled_ss"};
constexpr std::array<std::string_view, 18> kCopyForms = {
    "universal", "auto_vectorize", "shuffle", "ldmatrix", "stmatrix", "movmatrix", "cp_async",
    "cp_async_zfill", "ld_global", "st_global", "tmem_load", "tmem_load_reduce", "tmem_store", "tmem_copy",
    "tma_load", "tma_load_multicast", "tma_store", "tma_reduce"};

struct RegisterFacts {
  std::string_view name;
  int bits = 0;  ///< 0: as wide as the value
  char letter = 0;
  std::string_view cuda;
};
constexpr std::array<RegisterFacts, 8> kRegisters = {{
    {"value", 0, 0, ""},
    {"b16", 16, 'h', "unsigned short"},
    {"b32", 32, 'r', "unsigned"},
    {"b64", 64, 'l', "unsigned long long"},
    {"f32", 32, 'f', "float"},
    {"f64", 64, 'd', "double"},
    {"smem_descriptor", 64, 'l', "unsigned long long"},
    {"tmem_address", 32, 'r', "unsigned"},
}};
// clang-format on

const RegisterFacts& facts(RegisterType type) { return kRegisters[static_cast<std::size_t>(type)]; }

template <class Enum, class Names>
std::optional<Enum> find_in(const Names& names, std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

bool is_tcgen05(MmaForm form) {
  return form >= MmaForm::tcgen05_ss && form <= MmaForm::tcgen05_sparse_scaled_ss;
}
/// A goes through a shared-memory descriptor.
bool has_descriptor_a(MmaForm form) {
  return form == MmaForm::wgmma_ss || form == MmaForm::wgmma_sparse_ss ||
         (is_tcgen05(form) && form != MmaForm::tcgen05_ts);
}

}  // namespace

int threads(const MmaAtom& atom) { return static_cast<int>(size(atom.thr_id)); }
int threads(const CopyAtom& atom) { return static_cast<int>(size(atom.thr_id)); }

const Layout& tv_layout(const MmaAtom& atom, Operand operand) {
  if (operand == Operand::a) return atom.a_layout;
  return operand == Operand::b ? atom.b_layout : atom.c_layout;
}

const ValueType& type_of(const MmaAtom& atom, Operand operand) {
  switch (operand) {
    case Operand::d:
      return atom.d_type;
    case Operand::a:
      return atom.a_type;
    case Operand::b:
      return atom.b_type;
    case Operand::c:
      break;
  }
  return atom.c_type;
}

RegisterType register_of(const MmaAtom& atom, Operand operand) {
  switch (operand) {
    case Operand::d:
      return atom.d_register;
    case Operand::a:
      return atom.a_register;
    case Operand::b:
      return atom.b_register;
    case Operand::c:
      break;
  }
  return atom.c_register;
}

int values_per_thread(const MmaAtom& atom, Operand operand) {
  // No copy of the mode is made: planning asks thousands of times.
  const Layout& layout = tv_layout(atom, operand);
  layout::Modes modes(layout.view());
  modes.next();
  return static_cast<int>(modes.done() ? size(layout[1]) : size(modes.next()));
}

bool in_registers(RegisterType type) {
  return type != RegisterType::smem_descriptor && type != RegisterType::tmem_address;
}

int register_bits(RegisterType type, const ValueType& value) {
  return type == RegisterType::value ? value.bits : facts(type).bits;
}

int registers(const MmaAtom& atom, Operand operand) {
  const RegisterType type = register_of(atom, operand);
  if (!in_registers(type)) return 1;
  const ValueType& value = type_of(atom, operand);
  return storage_bits(value, values_per_thread(atom, operand)) / register_bits(type, value);
}

int metadata_registers(const MmaAtom& atom) {
  if (!atom.metadata) return 0;
  const int values = static_cast<int>(size(atom.metadata->layout[1]));
  return storage_bits(atom.metadata->type, values) / 32;
}

int packing(const MmaAtom& atom, Operand operand) {
  const int count = registers(atom, operand);
  return count == 0 ? 0 : values_per_thread(atom, operand) / count;
}

char constraint_letter(RegisterType type) { return facts(type).letter; }
std::string_view cuda_type(RegisterType type) { return facts(type).cuda; }

RegisterType default_register(MmaForm form, Operand operand, const ValueType& type) {
  if (form == MmaForm::fma) return RegisterType::value;
  const bool accumulator = operand == Operand::d || operand == Operand::c;
  if (is_tcgen05(form)) {
    if (accumulator || (operand == Operand::a && form == MmaForm::tcgen05_ts))
      return RegisterType::tmem_address;
    return RegisterType::smem_descriptor;
  }
  if (is_wgmma(form) &&
      (operand == Operand::b || (operand == Operand::a && has_descriptor_a(form))))
    return RegisterType::smem_descriptor;
  if (type.bits % 64 == 0) return RegisterType::f64;  // f64, and complex numbers as several
  return accumulator && type.dtype == DType::f32 ? RegisterType::f32 : RegisterType::b32;
}

Index src_bits(const CopyAtom& atom) { return size(atom.src_layout[1]); }
Index dst_bits(const CopyAtom& atom) { return size(atom.dst_layout[1]); }

bool is_sparse(const MmaAtom& atom) {
  switch (atom.form) {
    case MmaForm::mma_sparse:
    case MmaForm::mma_sparse_scaled:
    case MmaForm::wgmma_sparse_ss:
    case MmaForm::wgmma_sparse_rs:
    case MmaForm::tcgen05_sparse_ss:
    case MmaForm::tcgen05_sparse_scaled_ss:
      return true;
    default:
      return false;
  }
}

bool is_wgmma(MmaForm form) {
  return form >= MmaForm::wgmma_ss && form <= MmaForm::wgmma_sparse_rs;
}

std::string_view name(MmaForm form) { return kMmaForms[static_cast<std::size_t>(form)]; }
std::string_view name(CopyForm form) { return kCopyForms[static_cast<std::size_t>(form)]; }
std::string_view name(RegisterType type) { return facts(type).name; }
std::string_view name(Major major) { return major == Major::k ? "K" : "MN"; }

std::optional<MmaForm> find_mma_form(std::string_view text) {
  return find_in<MmaForm>(kMmaForms, text);
}
std::optional<CopyForm> find_copy_form(std::string_view text) {
  return find_in<CopyForm>(kCopyForms, text);
}
std::optional<RegisterType> find_register_type(std::string_view text) {
  for (std::size_t i = 0; i < kRegisters.size(); ++i)
    if (kRegisters[i].name == text) return static_cast<RegisterType>(i);
  return std::nullopt;
}

std::string arch_text(Arch arch) {
  if (arch.number == 0) return "any";
  std::string text = "sm" + std::to_string(arch.number);
  if (arch.suffix != '\0') text += arch.suffix;
  return text;
}

std::string to_string(const ShapeMnk& shape) {
  return "(" + std::to_string(shape.m) + "," + std::to_string(shape.n) + "," +
         std::to_string(shape.k) + ")";
}
std::string to_string(PtxVersion version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

std::string to_string(const MmaAtom& atom) { return atom.name; }
std::string to_string(const CopyAtom& atom) { return atom.name; }
std::ostream& operator<<(std::ostream& out, const MmaAtom& atom) { return out << atom.name; }
std::ostream& operator<<(std::ostream& out, const CopyAtom& atom) { return out << atom.name; }

}  // namespace jute
