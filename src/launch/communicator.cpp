// What is said of any communicator.
#include <jute/launch/communicator.hpp>

#include "base/format.hpp"

namespace jute {

Index byte_count(const PeerTransfer& transfer) {
  Index bytes = 0;
  for (const Region& region : transfer.regions) bytes += region.rows * region.row_bytes;
  return bytes;
}

void require_agreement(Communicator& communicator, std::string_view what, const std::string& own) {
  const std::vector<std::string> all = communicator.gather_texts(what, own);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Exception(
          {.code = ErrorCode::launch_failed,
           .operand = std::string(what),
           .value = base::format("of rank 0 {}, of rank {} {}", all[0], rank, all[rank]),
           .violated_rules = {"it must be the same on all ranks"}});
}

}  // namespace jute
