#pragma once
// Atoms repeated over threads and values: which thread works on which part of a tensor.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>
#include <jute/layout/tiler.hpp>

namespace JUTE_API jute {

/// One thread's part of a tensor: its element i lies at offset + layout(i). A layout behind a
/// swizzle keeps an offset of its own inside the swizzle.
struct Partition {
  ComposedLayout layout;
  Index offset = 0;
  bool operator==(const Partition&) const = default;
};

// ---- MMA

/// An MMA atom repeated over M, N and K. A regular value; the semantics are CuTe's TiledMMA.
///   atom_layout  atoms along (M,N,K) -> which group of the atom's threads: "(2,2,1):(1,2,0)"
///   permutation  for each of M, N, K the tile that the threads share out, as a tiler; `_` is the
///                atom's extent times the atoms along that mode: "(_,(8,2,2):(1,16,8),_)"
///   example      TiledMma(atom, Layout("(2,2,1):(1,2,4)"), Tiler("(32,32,16)"))
///   throws       wrong_arity: more than three modes; wrong_type: a permutation that is no tuple
class TiledMma {
 public:
  TiledMma() : TiledMma(MmaAtom{}) {}
  explicit TiledMma(MmaAtom atom, const Layout& atom_layout = Layout("(1,1,1):(0,0,0)"),
                    const Tiler& permutation = Tiler("(_,_,_)"));

  [[nodiscard]] const MmaAtom& atom() const { return atom_; }
  [[nodiscard]] const Layout& atom_layout() const { return atom_layout_; }
  [[nodiscard]] const Tiler& permutation() const { return permutation_; }
  bool operator==(const TiledMma&) const = default;

 private:
  MmaAtom atom_;
  Layout atom_layout_;
  Tiler permutation_;
};

/// `tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1):(1,2,4),(32,32,16))`: the expression that makes
/// it.
[[nodiscard]] std::string to_string(const TiledMma& tiled);
std::ostream& operator<<(std::ostream& out, const TiledMma& tiled);
/// (atom's thread, atom along M, along N, along K) -> thread index
[[nodiscard]] Layout thr_layout_vmnk(const TiledMma& tiled);
/// The tile that all threads compute together.
[[nodiscard]] ShapeMnk tile_shape(const TiledMma& tiled);
/// Threads.
[[nodiscard]] Index size(const TiledMma& tiled);

/// (thread index, value) -> offset in the column-major (M,K), (N,K) or (M,N) tile.
[[nodiscard]] Layout layoutA_TV(const TiledMma& tiled);
[[nodiscard]] Layout layoutB_TV(const TiledMma& tiled);
[[nodiscard]] Layout layoutC_TV(const TiledMma& tiled);
[[nodiscard]] Layout layout_tv(const TiledMma& tiled, Operand operand);

/// A thread's part of a tensor (M,K,…), (N,K,…) or (M,N,…).
///   shapes  result (value of the atom, atoms along the first mode, along the second, …)
///   throws  out_of_range: no such thread; not_divisible: the tile does not divide the tensor
[[nodiscard]] Partition partition_A(const TiledMma& tiled, const ComposedLayout& tensor,
                                    Index thread);
[[nodiscard]] Partition partition_B(const TiledMma& tiled, const ComposedLayout& tensor,
                                    Index thread);
[[nodiscard]] Partition partition_C(const TiledMma& tiled, const ComposedLayout& tensor,
                                    Index thread);
[[nodiscard]] Partition partition(const TiledMma& tiled, Operand operand,
                                  const ComposedLayout& tensor, Index thread);

/// The layout of the registers that hold a thread's part of such a tensor.
///   throws  wrong_type: the atom reads that operand from memory
[[nodiscard]] Layout fragment_A(const TiledMma& tiled, const ComposedLayout& tensor);
[[nodiscard]] Layout fragment_B(const TiledMma& tiled, const ComposedLayout& tensor);
[[nodiscard]] Layout fragment_C(const TiledMma& tiled, const ComposedLayout& tensor);

// ---- Copy

/// A copy atom repeated over a tile. A regular value; the semantics are CuTe's TiledCopy.
///   layout_tv  (thread, value) -> offset in the column-major tile, in the atom's reference order
///   tiler_mn   the tile: "(128,32)"
class TiledCopy {
 public:
  TiledCopy() = default;
  /// throws  illegal_atom: too few threads or values for the atom, or bits that are no values
  TiledCopy(CopyAtom atom, ValueType type, Layout layout_tv, IntTuple tiler_mn);
  /// From (m,n) -> thread and (m,n) -> value: each thread copies one block of the value layout.
  ///   example  TiledCopy(atom, type, Layout("(32,4):(4,1)"), Layout("(1,8):(1,1)")): tile (32,32)
  TiledCopy(CopyAtom atom, ValueType type, const Layout& thr_layout, const Layout& val_layout);

  [[nodiscard]] const CopyAtom& atom() const { return atom_; }
  [[nodiscard]] const ValueType& type() const { return type_; }
  [[nodiscard]] const Layout& layout_tv() const { return layout_tv_; }
  [[nodiscard]] const IntTuple& tiler_mn() const { return tiler_mn_; }
  bool operator==(const TiledCopy&) const = default;

 private:
  CopyAtom atom_;
  ValueType type_;
  Layout layout_tv_;
  IntTuple tiler_mn_;
};

/// `tiled_copy(UniversalCopy<uint128_t>,f16,((4,32),8):((256,1),32),(32,32))`
[[nodiscard]] std::string to_string(const TiledCopy& tiled);
std::ostream& operator<<(std::ostream& out, const TiledCopy& tiled);

/// A copy of what the threads of a TiledMma need of A or B, or hold of C.
[[nodiscard]] TiledCopy make_tiled_copy_A(CopyAtom atom, ValueType type, const TiledMma& mma);
[[nodiscard]] TiledCopy make_tiled_copy_B(CopyAtom atom, ValueType type, const TiledMma& mma);
[[nodiscard]] TiledCopy make_tiled_copy_C(CopyAtom atom, ValueType type, const TiledMma& mma);

/// Threads.
[[nodiscard]] Index size(const TiledCopy& tiled);
/// (thread, value) -> offset in the column-major tile, on the source's and the destination's side.
[[nodiscard]] Layout layoutS_TV(const TiledCopy& tiled);
[[nodiscard]] Layout layoutD_TV(const TiledCopy& tiled);
/// A thread's part of a source or destination (M,N,…).
///   shapes  result ((values of an atom, atoms), tiles along M, along N, …)
///   throws  out_of_range: no such thread
[[nodiscard]] Partition partition_S(const TiledCopy& tiled, const ComposedLayout& tensor,
                                    Index thread);
[[nodiscard]] Partition partition_D(const TiledCopy& tiled, const ComposedLayout& tensor,
                                    Index thread);
/// A register fragment of the MMA in the order that the copy wants, as its source or destination.
[[nodiscard]] Layout retile_S(const TiledCopy& tiled, const Layout& fragment);
[[nodiscard]] Layout retile_D(const TiledCopy& tiled, const Layout& fragment);

}  // namespace jute

template <>
struct std::hash<jute::TiledMma> {
  std::size_t operator()(const jute::TiledMma& tiled) const noexcept {
    return std::hash<jute::MmaAtom>{}(tiled.atom()) ^
           std::hash<jute::Layout>{}(tiled.atom_layout());
  }
};
template <>
struct std::hash<jute::TiledCopy> {
  std::size_t operator()(const jute::TiledCopy& tiled) const noexcept {
    return std::hash<jute::CopyAtom>{}(tiled.atom()) ^ std::hash<jute::Layout>{}(tiled.layout_tv());
  }
};
