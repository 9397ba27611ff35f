// An exchange as it becomes where a product stores its result at another rank.
#include <jute/dist/distributed_plan.hpp>

#include <algorithm>

namespace jute {

const Parcel* stored_parcel(const ExchangeStep& exchange, const ProductStep& product, Index rank) {
  if (!product.slice) return nullptr;
  const auto at = static_cast<std::size_t>(rank);
  const std::size_t dim = product.slice->dimension == Dimension::m ? 0 : 1;
  const auto found = std::ranges::find_if(exchange.parcels, [&](const Parcel& parcel) {
    const std::vector<IndexRun>& runs = parcel.runs[dim];
    const std::vector<IndexRun>& others = parcel.runs[1 - dim];
    return parcel.sender == rank && runs.size() == 1 && others.size() == 1 &&
           runs.front().from == product.slice->first[at] &&
           runs.front().count == product.slice->count[at] && others.front().from == 0;
  });
  return found == exchange.parcels.end() ? nullptr : &*found;
}

}  // namespace jute
