#pragma once
// Layouts and addresses as device functions: the only place where an address of a kernel is
// written.
#include <jute/base/export.hpp>
#include <jute/layout/address.hpp>

#include <string>
#include <string_view>

namespace JUTE_API jute {
namespace JUTE_API emit {

/// The C expression of a flat layout's offset, its modes joined by + or ^: `(v / 4 % 2) * 64`.
[[nodiscard]] std::string expression(const Layout& layout, std::string_view variable,
                                     std::string_view join = " + ");

/// The layout with every offset times so much: bytes instead of elements.
[[nodiscard]] Layout scaled(const Layout& layout, Index factor);

/// `name`_base(thread) and `name`(base, value): an address in shared memory, in bytes.
[[nodiscard]] std::string smem_function(std::string_view name, std::string_view comment,
                                        const Address& address, int element_bytes);

/// `name`_base(thread) and `name`(value), whose sum is one coordinate of a tile.
[[nodiscard]] std::string coordinate_function(std::string_view name, std::string_view comment,
                                              const Address& coordinate);

/// `name`(value): the offset of a layout, for unrolled loops.
[[nodiscard]] std::string layout_function(std::string_view name, std::string_view comment,
                                          const Layout& layout);

}  // namespace emit
}  // namespace jute
