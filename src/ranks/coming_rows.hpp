#pragma once
// What comes to an emulator's memory while its kernel runs, as late as it can.
#include <jute/launch/communicator.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ranks/emulated_windows.hpp"

namespace jute::ranks {

/// Transfers whose regions have flags: each region lands when a kernel waits for nothing else, or
/// when the host does.
class ComingRows {
 public:
  /// The bytes of a transfer; none: they are not there, and nobody waits for them.
  using Fetch = std::function<std::optional<std::vector<std::byte>>(const std::string& step,
                                                                    const PeerTransfer& transfer)>;

  void add_window(DevicePointer at, Index bytes, ShownMemory memory) {
    windows_.push_back({at, bytes, std::move(memory)});
  }
  void expect(std::string step, PeerTransfer transfer);
  /// The next region. False: there is none, or its bytes are not there.
  bool land_one(const Fetch& fetch);
  [[nodiscard]] bool is_empty() const { return transfers_.empty(); }
  /// Who brings the next one.
  [[nodiscard]] Index next_peer() const { return transfers_.front().transfer.peer; }

 private:
  struct Coming {
    std::string step;
    PeerTransfer transfer;
    std::optional<std::vector<std::byte>> bytes{};
    std::size_t landed = 0, at = 0;  ///< regions, bytes
  };
  std::deque<Coming> transfers_;
  struct OwnWindow {
    DevicePointer at;
    Index bytes;
    ShownMemory memory;
  };
  std::vector<OwnWindow> windows_;
};

}  // namespace jute::ranks
