#pragma once
// Matrices as one kernel sees them: majors instead of orders, baked numbers.
#include <jute/plan/values/family.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>

namespace jute::plan {

struct KernelMatrix {
  Base base;
  DType type = DType::f32;
  Major major = Major::k;
  Extent ld, batch_stride;
  int access_bytes = 1;  ///< access_bytes() of the matrix
  int terms = 1;         ///< matrices of a copy for each of the operand
  Count term_stride = 0;
  std::optional<View> view{};             ///< that kernels walk
  std::optional<View> boxed{};            ///< that TMA moves
  std::optional<StoredOperand> stored{};  ///< that becomes `type` in registers
  std::optional<MoveNumbers> scales{};    ///< of its products
  std::optional<RowTable> rows{};         ///< that names its rows
  Transfer carry = Transfer::tma;         ///< what a producer of wgmma's stages brings it by
  Index boxes = 0;                        ///< of `boxed` in a k-tile, once a tile has said
};

/// The part of the bytes of what is multiplied that memory has.
[[nodiscard]] inline double stored_share(const KernelMatrix& matrix) {
  return matrix.stored
             ? static_cast<double>(width_bits(matrix.stored->type)) / width_bits(matrix.type)
             : 1.0;
}

/// The carrier that brings it to kernels of the family: to stages that a producer fills what was
/// chosen.
[[nodiscard]] inline const CarrierRow& carrier_of(const FamilyRow& family,
                                                  const KernelMatrix& matrix) {
  return row_of(family.transfer == Transfer::tma ? matrix.carry : family.transfer);
}

/// Does a step ahead of the kernel make it?
[[nodiscard]] inline bool is_copy(const KernelMatrix& matrix) {
  return std::holds_alternative<InWorkspace>(matrix.base);
}

/// An input or an output of the epilogue; rows and columns are the kernel's.
struct KernelOperand {
  std::string name;  ///< the expression's
  EpilogueExtent extent = EpilogueExtent::elements;
  EpilogueGather gather = EpilogueGather::elements;  ///< of an output
  bool by_value = false;
  bool is_bits = false;
  KernelMatrix matrix;
};

}  // namespace jute::plan
