#pragma once
// Layouts as device functions: the only place where an address of a kernel is written.
#include <cstdint>
#include <jute/layout/swizzle.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/tile_access.hpp"

namespace jute::codegen {

/// The layout whose values at 0, 1, 2, … are the sequence; nothing when there is none.
///   example  layout_of({0, 1, 2, 3, 64, 65, 66, 67}) is (4,2):(1,64)
[[nodiscard]] std::optional<Layout> layout_of(const std::vector<Index>& sequence);

/// The C expression of a flat layout's offset: `(v / 4 % 2) * 64`.
[[nodiscard]] std::string expression(const Layout& layout, std::string_view variable);

/// How an address splits into a part per thread and a part per unrolled value.
enum class AddressForm : std::uint8_t {
  affine,    ///< base(thread) + step(value)
  folded,    ///< (base(thread) ^ flip(value)) + step(value): the swizzle is paid once per thread
  evaluated  ///< swizzle(base(thread) + step(value)): nothing folds
};
[[nodiscard]] std::string_view name(AddressForm form);

/// (thread, value) -> byte offset in shared memory.
struct SmemFunction {
  std::string name;     ///< the functions are `name`_base(thread) and `name`(base, value)
  std::string comment;  ///< what it maps, in words
  AddressForm form = AddressForm::affine;
  Swizzle swizzle;    ///< on bytes
  Index offset = 0;   ///< bytes, inside the swizzle
  Layout thread;      ///< thread -> bytes, before the swizzle
  Layout step, flip;  ///< value -> bytes
};

/// Where `memory` (elements) has what `access`, (thread, value) -> index into its domain, names.
///   throws  unsupported: threads or values follow no layout
[[nodiscard]] SmemFunction smem_function(std::string name, std::string comment,
                                         const plan::TileAccess& access,
                                         const ComposedLayout& memory, int element_bytes);
[[nodiscard]] std::string emit(const SmemFunction& function);

/// One coordinate of a tile: base(thread) + step(value).
struct CoordinateFunction {
  std::string name;  ///< `name`_base(thread) and `name`(value)
  std::string comment;
  Layout thread, step;
};
/// Coordinate `mode` (0: row, 1: column) of the index that `access` gives into a column-major tile
/// with so many rows.
[[nodiscard]] CoordinateFunction coordinate_function(std::string name, std::string comment,
                                                     plan::TileAccess access, Index rows, int mode);
[[nodiscard]] std::string emit(const CoordinateFunction& function);

/// A list of constants as a function of its index, for unrolled loops.
[[nodiscard]] std::string emit_table(std::string_view name, std::string_view comment,
                                     const std::vector<Index>& values);

}  // namespace jute::codegen
