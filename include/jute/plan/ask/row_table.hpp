#pragma once
// Rows of a matrix that a table on the device names: gathered rows of A, scattered rows of D.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/plan/ask/groups.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// The fate of a row that is stored where a table says.
enum class RowStore : std::uint8_t {
  put,  ///< it takes the place of what is there
  add,  ///< it is added to that, and to what other rows add there, in any order
};

/// Row m of the product's matrix is the row of memory that element m of a table says. The table has
/// an integer for each row of the product and is read by the kernel alone; matrices of a batch have
/// one. -1 is none: such a row of A counts as zeros, such a row of D is not written. What is no row
/// of memory counts as -1, and is kept as a fault.
struct RowTable {
  GroupIndex index = GroupIndex::i32;
  /// Rows that memory has; 0: as many as the product.
  Index rows = 0;
  RowStore store = RowStore::put;  ///< of D
  bool operator==(const RowTable&) const = default;
};
/// `rows4096`, `rows4096i64`, `rows4096add`, `rows4096i64add`.
[[nodiscard]] std::string to_string(const RowTable& table);
/// Reads it; none where it is none.
[[nodiscard]] std::optional<RowTable> find_row_table(std::string_view text);

}  // namespace jute
