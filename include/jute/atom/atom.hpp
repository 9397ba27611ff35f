#pragma once
// Atoms: what one matrix or copy instruction does, as data.
#include <jute/atom/value_type.hpp>
#include <jute/base/arch.hpp>
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace JUTE_API jute {

/// How an MMA instruction is written: one emitter per form, none per name.
enum class MmaForm : std::uint8_t {
  fma,                ///< plain C++ multiply-add in one thread
  dp,                 ///< dp4a, dp2a: a dot product in one thread
  mma,                ///< mma.sync: all operands in registers
  mma_sparse,         ///< mma.sync with 2:4 sparse A: metadata register and selector
  mma_scaled,         ///< mma.sync with block scale factors
  mma_sparse_scaled,  ///< both
  mma_complex,        ///< complex product of several real mma.sync
  wgmma_ss,           ///< A and B through shared-memory descriptors
  wgmma_rs,           ///< A in registers, B through a descriptor
  wgmma_sparse_ss,
  wgmma_sparse_rs,
  tcgen05_ss,  ///< A and B through descriptors, C in tensor memory
  tcgen05_ts,  ///< A in tensor memory
  tcgen05_sparse_ss,
  tcgen05_scaled_ss,
  tcgen05_sparse_scaled_ss,
};

enum class CopyForm : std::uint8_t {
  universal,       ///< an assignment of one value
  auto_vectorize,  ///< as wide as the layouts allow
  shuffle,         ///< shfl between lanes
  ldmatrix,
  stmatrix,
  movmatrix,
  cp_async,        ///< global to shared memory, completes in a group
  cp_async_zfill,  ///< the same with a source size operand: 0 writes zeros
  ld_global,
  st_global,
  tmem_load,           ///< tcgen05.ld
  tmem_load_reduce,    ///< tcgen05.ld.red
  tmem_store,          ///< tcgen05.st
  tmem_copy,           ///< tcgen05.cp: shared to tensor memory
  tma_load,            ///< a box of a tensor map to shared memory
  tma_load_multicast,  ///< to several blocks of a cluster
  tma_store,
  tma_reduce,  ///< adds to what is in global memory
};

/// How an operand is passed to the instruction.
enum class RegisterType : std::uint8_t {
  value,  ///< a C++ variable of the value type itself, one value each
  b16,
  b32,
  b64,
  f32,
  f64,
  smem_descriptor,  ///< one 64-bit descriptor, no fragment
  tmem_address,     ///< one 32-bit address in tensor memory, no fragment
};

enum class Major : std::uint8_t { mn, k };

struct ShapeMnk {
  int m = 1;
  int n = 1;
  int k = 1;
  bool operator==(const ShapeMnk&) const = default;
};

struct PtxVersion {
  int major = 0;
  int minor = 0;
  auto operator<=>(const PtxVersion&) const = default;
};

/// 2:4 metadata: (thread,value) -> offset in the column-major (M,K) tile.
struct SparseMetadata {
  Layout layout;
  ValueType type;
  bool operator==(const SparseMetadata&) const = default;
};

/// Block scale factors: (thread,value) -> offset in the column-major (M,K) and (N,K) tiles. One
/// factor serves `vector_elems` values along K; a thread stride of 0 means that lanes share it.
struct ScaleFactors {
  Layout a_layout;
  Layout b_layout;
  ValueType type;
  int vector_elems = 0;
  bool operator==(const ScaleFactors&) const = default;
};

enum class Operand : std::uint8_t { d, a, b, c };

/// One MMA instruction (or a fixed handful that acts as one). A regular value.
///   shapes  a_layout: (thread,value) -> m + M*k; b_layout: -> n + N*k; c_layout: -> m + M*n
///   units   offsets and values count elements
///   source  PTX ISA, chapters on mma, wgmma and tcgen05; names and layouts as in CuTe
struct MmaAtom {
  std::string name;           ///< CuTe's: "SM80_16x8x16_F32F16F16F32_TN"
  std::string template_args;  ///< those that the name leaves out: "GMMA::Major::K,GMMA::Major::K"
  Arch arch;                  ///< the first that has it; number 0: every one
  ShapeMnk shape;
  Layout thr_id;  ///< logical thread -> lane
  Layout a_layout, b_layout, c_layout;
  ValueType d_type, a_type, b_type, c_type;
  RegisterType d_register = RegisterType::value;
  RegisterType a_register = RegisterType::value;
  RegisterType b_register = RegisterType::value;
  RegisterType c_register = RegisterType::value;
  MmaForm form = MmaForm::fma;
  Major a_major = Major::k;  ///< how descriptors and the mnemonic see A and B
  Major b_major = Major::k;
  std::string ptx;  ///< mnemonic; empty when plain C++ or several instructions
  PtxVersion isa;
  std::string source;  ///< where the row comes from
  std::optional<SparseMetadata> metadata;
  std::optional<ScaleFactors> scale;
  bool operator==(const MmaAtom&) const = default;
};

/// The box that one TMA instruction moves. Extents count elements.
///   source  PTX ISA, tensors: swizzling modes
struct TmaBox {
  ValueType type;
  int inner = 0;  ///< of the contiguous dimension
  int outer = 0;
  Swizzle smem_swizzle;  ///< on bits: where shared memory keeps bit b of the box is swizzle(b)
  bool operator==(const TmaBox&) const = default;
};

/// One copy instruction. The layouts map (thread,value) to *bits*, as CuTe defines.
struct CopyAtom {
  std::string name;
  Arch arch;
  Layout thr_id;
  Layout src_layout, dst_layout, ref_layout;
  CopyForm form = CopyForm::universal;
  std::string ptx;
  PtxVersion isa;
  std::string source;
  /// The layout that the instruction writes, where CuTe's dst_layout says something else.
  std::optional<Layout> executed_dst_layout;
  std::optional<TmaBox> box;  ///< of the TMA forms
  bool operator==(const CopyAtom&) const = default;
};

// Derived facts, never typed into a row.

[[nodiscard]] int threads(const MmaAtom& atom);
[[nodiscard]] int threads(const CopyAtom& atom);
[[nodiscard]] const Layout& tv_layout(const MmaAtom& atom, Operand operand);
[[nodiscard]] const ValueType& type_of(const MmaAtom& atom, Operand operand);
[[nodiscard]] RegisterType register_of(const MmaAtom& atom, Operand operand);
/// Values that one thread holds; of an operand in memory the whole tile.
[[nodiscard]] int values_per_thread(const MmaAtom& atom, Operand operand);
/// Registers that one thread passes: values × bits / register bits; 1 for a descriptor or address.
///   example  SM80_16x8x16_F32F16F16F32_TN, A: 8 values × 16 bits / 32 = 4
[[nodiscard]] int registers(const MmaAtom& atom, Operand operand);
/// Registers for sparse metadata and one operand's scale factors; 0 when the atom has none.
[[nodiscard]] int metadata_registers(const MmaAtom& atom);
/// Values in one register; value v sits in register v / packing, low bits first.
[[nodiscard]] int packing(const MmaAtom& atom, Operand operand);
[[nodiscard]] bool in_registers(RegisterType type);
/// Width of a register of that type for values of a type.
[[nodiscard]] int register_bits(RegisterType type, const ValueType& value);
/// The letter of an inline-assembly constraint: 'h', 'r', 'l', 'f' or 'd'; 0 for `value`.
[[nodiscard]] char constraint_letter(RegisterType type);
/// How the emitted CUDA declares such a register: "unsigned", "float", …
[[nodiscard]] std::string_view cuda_type(RegisterType type);
/// How the PTX ISA passes values of that type to instructions of that form.
[[nodiscard]] RegisterType default_register(MmaForm form, Operand operand, const ValueType& type);
/// Bits that one thread moves.
[[nodiscard]] Index src_bits(const CopyAtom& atom);
[[nodiscard]] Index dst_bits(const CopyAtom& atom);
[[nodiscard]] bool is_sparse(const MmaAtom& atom);
[[nodiscard]] bool is_wgmma(MmaForm form);

[[nodiscard]] std::string_view name(MmaForm form);
[[nodiscard]] std::string_view name(CopyForm form);
[[nodiscard]] std::string_view name(RegisterType type);
[[nodiscard]] std::string_view name(Major major);  ///< "MN" or "K"
[[nodiscard]] std::optional<MmaForm> find_mma_form(std::string_view name);
[[nodiscard]] std::optional<CopyForm> find_copy_form(std::string_view name);
[[nodiscard]] std::optional<RegisterType> find_register_type(std::string_view name);
/// "sm80", "sm90a", "any"
[[nodiscard]] std::string arch_text(Arch arch);
[[nodiscard]] std::string to_string(const ShapeMnk& shape);  ///< "(16,8,16)"
[[nodiscard]] std::string to_string(PtxVersion version);     ///< "7.0"
/// The name.
[[nodiscard]] std::string to_string(const MmaAtom& atom);
[[nodiscard]] std::string to_string(const CopyAtom& atom);
std::ostream& operator<<(std::ostream& out, const MmaAtom& atom);
std::ostream& operator<<(std::ostream& out, const CopyAtom& atom);

/// A field for a reader: `text` is printed as it stands; `quoted` says that JSON wants it in
/// quotes; no text is `null`.
struct AtomField {
  std::string key;
  std::optional<std::string> text;
  bool quoted = true;
  bool operator==(const AtomField&) const = default;
};
/// The fields of `jute atom show`, in order: name, shape_mnk, thr_id, a_layout, …, arch, then
/// jute's own: form, registers, isa, source.
[[nodiscard]] std::vector<AtomField> fields(const MmaAtom& atom);
[[nodiscard]] std::vector<AtomField> fields(const CopyAtom& atom);

}  // namespace jute

/// By name: a catalogue has each name once.
template <>
struct std::hash<jute::MmaAtom> {
  std::size_t operator()(const jute::MmaAtom& atom) const noexcept {
    return std::hash<std::string>{}(atom.name);
  }
};
template <>
struct std::hash<jute::CopyAtom> {
  std::size_t operator()(const jute::CopyAtom& atom) const noexcept {
    return std::hash<std::string>{}(atom.name);
  }
};
