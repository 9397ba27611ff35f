// Lands regions one by one, of several ranks in turn.
#include "ranks/coming_rows.hpp"

#include <algorithm>
#include <span>

namespace jute::ranks {

void ComingRows::expect(std::string step, PeerTransfer transfer) {
  if (!transfer.regions.empty()) transfers_.push_back({std::move(step), std::move(transfer)});
}

bool ComingRows::land_one(const Fetch& fetch) {
  for (std::size_t i = 0; i < transfers_.size(); ++i) {
    Coming& coming = transfers_[i];
    if (!coming.bytes) coming.bytes = fetch(coming.step, coming.transfer);
    if (!coming.bytes) continue;
    const Region& region = coming.transfer.regions[coming.landed];
    const auto length = static_cast<std::size_t>(region.rows * region.row_bytes);
    // The newest window that lies there: addresses are given again.
    const auto lies_in = [&](const OwnWindow& it) {
      return region.base >= it.at && region.base - it.at < static_cast<DevicePointer>(it.bytes);
    };
    const auto window = std::ranges::find_if(windows_.rbegin(), windows_.rend(), lies_in);
    land_region(window->memory, window->at, region,
                std::span(*coming.bytes).subspan(coming.at, length), coming.transfer.peer);
    coming.at += length;
    Coming rest = std::move(coming);
    transfers_.erase(transfers_.begin() + static_cast<std::ptrdiff_t>(i));
    if (++rest.landed < rest.transfer.regions.size()) transfers_.push_back(std::move(rest));
    return true;
  }
  return false;
}

}  // namespace jute::ranks
