#pragma once
// An operand's way from global memory to the instructions that multiply it: each way has fields of
// its own.
#include <jute/atom/catalogue.hpp>
#include <jute/base/export.hpp>
#include <jute/launch/tensor_map_spec.hpp>
#include <jute/layout/address.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/schedule.hpp>
#include <jute/plan/values/extent.hpp>
#include <jute/plan/values/move.hpp>
#include <jute/plan/values/product_scales.hpp>
#include <jute/plan/values/view_map.hpp>

#include <cstdint>
#include <optional>
#include <variant>

namespace JUTE_API jute {

/// The word to the L2 cache about an operand's lines.
enum class CacheHint : std::uint8_t {
  none,
  evict_first,  ///< of what one block alone reads: it leaves the cache to the rest
};

/// A tile of shared memory as boxes: each lies there without gaps.
struct TmaBoxes {
  int inner = 0, outer = 0;  ///< elements along the contiguous dimension, along the other
  TmaSwizzle swizzle = TmaSwizzle::none;
  int parts = 1;  ///< blocks of a cluster ask for one each, for all of them
  Major parts_along = Major::mn;
  bool parts_at_run_time = false;  ///< a launch says how many there are of the rows of its boxes
  Layout place;  ///< (part, box along inner, box along outer) -> element where it begins
  bool operator==(const TmaBoxes&) const = default;
};

/// How the tensor core finds an operand in shared memory.
struct DescriptorRead {
  std::uint64_t bits = 0;  ///< of every descriptor but for where the matrix begins
  Address start;           ///< (group, (repeat, k-step)) -> element of a stage
  bool operator==(const DescriptorRead&) const = default;
};

/// How threads read their fragments from a stage.
struct FragmentRead {
  int elems = 1;                 ///< that one load gives a thread
  Layout order;                  ///< place -> value of the fragments
  std::optional<CopyAtom> atom;  ///< a matrix load; none: plain loads
  /// For a matrix load that moves bytes in pairs: byte of the fragment's registers -> byte of those
  /// that the load fills. None: they are the same.
  std::optional<Layout> bytes;
  Address address;  ///< (thread, value) -> element of a stage: of its fragments of all k-steps, or
                    ///< of the row for each matrix load
  Address copy_mn, copy_k;  ///< the coordinates of those fragments, where stages have an operand as
                            ///< it is stored
  bool operator==(const FragmentRead&) const = default;
};

/// The elements that threads take from global memory themselves, which they copy or multiply.
struct ThreadCopy {
  Layout copy_tv;           ///< (thread, value) -> mn + tile_mn * k of the tile
  Address copy_mn, copy_k;  ///< the coordinates of what a thread copies
  bool operator==(const ThreadCopy&) const = default;
};

/// A tile in shared memory, and how it is read there.
struct StagedTile {
  ComposedLayout smem;  ///< (mn, k) -> element of one stage; of several terms (mn, k, term)
  Index stage_stride_elems = 0;
  std::variant<FragmentRead, DescriptorRead> read;
  bool operator==(const StagedTile&) const = default;
};

/// Every thread loads its own fragments, in `order`: no stages.
struct StraightWay : ThreadCopy {
  bool shifted = false;     ///< accesses begin anywhere: each is cut out of the chunks of 16 bytes
                            ///< that hold it
  bool from_chunk = false;  ///< rows do: whole chunks, and what is ahead and behind one by one
  Layout order;             ///< place -> value of the fragments; 1:0 is their own
  bool operator==(const StraightWay&) const = default;
};
/// Threads copy a tile into a stage.
struct CopiedWay : ThreadCopy, StagedTile {
  int store_elems = 1;  ///< elements of one store into shared memory
  Address store;        ///< (thread, value) -> element of a stage, of what a thread copies
  bool operator==(const CopiedWay&) const = default;
};
/// By way of registers.
struct RegisterWay : CopiedWay {
  bool operator==(const RegisterWay&) const = default;
};
/// By cp.async.
struct AsyncWay : CopiedWay {
  bool operator==(const AsyncWay&) const = default;
};
/// TMA brings boxes into a stage.
struct TmaWay : StagedTile {
  CacheHint hint = CacheHint::none;
  int edge_unit = 0;              ///< rows past the edge are left out of stages in multiples of so
                                  ///< many; 0: they come as zeros
  std::optional<TmaBoxes> boxes;  ///< none: the layout lets TMA write none
  std::optional<View> boxed{};    ///< what it moves in place of ld and batch_stride, by `map`
  std::optional<ViewMap> map{};   ///< of `boxed`
  bool operator==(const TmaWay&) const = default;
};

/// One operand on its way from global memory to the mma's registers. Coordinates are (mn, k):
/// A is (M,K), B is (N,K).
struct OperandPlan {
  DType type = DType::f32;
  Major major = Major::k;  ///< the dimension along which it is contiguous in global memory
  Extent ld;               ///< elements between neighbours of the other dimension
  Extent batch_stride;
  std::optional<View> view{};             ///< that threads walk in place of ld and batch_stride
  std::optional<StoredOperand> stored{};  ///< in place of `type`, which it becomes in registers
  std::optional<ProductScales> scales{};  ///< of its products
  std::optional<RowTable> rows{};         ///< that says where its rows lie
  int vector_elems = 1;  ///< elements of one global access, along the major dimension; of TMA those
                         ///< at multiples of which rows begin
  /// In the order of Transfer.
  std::variant<StraightWay, RegisterWay, AsyncWay, TmaWay> way = RegisterWay();
  bool operator==(const OperandPlan&) const = default;
};

[[nodiscard]] inline Transfer transfer_of(const OperandPlan& operand) {
  return static_cast<Transfer>(operand.way.index());
}
/// Has it, of what it has, only what that way has as well.
void set_transfer(OperandPlan& operand, Transfer transfer);

// The part of a way; as it begins, empty, of a way that has none.
[[nodiscard]] const StraightWay& straight_of(const OperandPlan& operand);
[[nodiscard]] const ThreadCopy& copy_of(const OperandPlan& operand);
[[nodiscard]] const CopiedWay& copied_of(const OperandPlan& operand);
[[nodiscard]] const StagedTile& stage_of(const OperandPlan& operand);
[[nodiscard]] const TmaWay& tma_of(const OperandPlan& operand);
[[nodiscard]] const FragmentRead& fragments_of(const OperandPlan& operand);
/// Null where no instruction reads stages itself.
[[nodiscard]] const DescriptorRead* descriptor_of(const OperandPlan& operand);

// The same to be changed.
//   throws  std::bad_variant_access where the way has none
[[nodiscard]] ThreadCopy& its_copy(OperandPlan& operand);
[[nodiscard]] CopiedWay& its_copies(OperandPlan& operand);
[[nodiscard]] StagedTile& its_stage(OperandPlan& operand);
[[nodiscard]] TmaWay& its_tma(OperandPlan& operand);
/// They take a descriptor's place.
[[nodiscard]] FragmentRead& its_fragments(OperandPlan& operand);

/// Has the last box ahead of the edge a map of its own, with no more rows than are left?
[[nodiscard]] bool has_edge_map(const OperandPlan& operand);

}  // namespace jute
