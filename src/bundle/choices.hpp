#pragma once
// Which kernel of a product serves which rows, as a table.
#include <jute/bundle/bundle.hpp>

#include <optional>
#include <vector>

namespace jute::bundle {

/// The choices of a prepared Gemm for every M of the range; neighbours with the same choice are
/// one row. Without a range a single row.
[[nodiscard]] std::vector<BundleChoice> choices_of(const std::vector<Plan>& plans,
                                                   const BundleProduct& product,
                                                   const std::optional<MRange>& range);

}  // namespace jute::bundle
