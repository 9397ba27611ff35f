#pragma once
// Windows of NCCL's: memory of ranks that may be processes, which kernels of all of them reach.
#include <jute/launch/communicator.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "transport/gpu.hpp"
#include "transport/nccl_api.hpp"

namespace jute::transport {

/// Has NCCL the functions? Registering is 2.27's, other ranks' addresses 2.29's.
[[nodiscard]] bool has_windows(const NcclApi& api);

/// A rank's memory and its registration; freed in the order of its making.
class NcclWindow final : public Window {
 public:
  /// Bytes that are zeros, not registered yet.   throws  out_of_memory, driver_failed
  NcclWindow(std::shared_ptr<const Gpu> gpu, std::shared_ptr<const NcclLibrary> library,
             NcclComm comm, Index bytes, std::chrono::milliseconds deadline);
  ~NcclWindow() override;
  NcclWindow(const NcclWindow&) = delete;
  NcclWindow& operator=(const NcclWindow&) = delete;

  /// All ranks together; it may go on behind the call, as of communicators that do not block.
  [[nodiscard]] NcclResult register_memory();
  /// Where each of so many ranks has its bytes. False: a rank is not reached from here.
  [[nodiscard]] bool find_peers(Index ranks, Index own);
  /// Ends the registration, while the communicator is there.
  void close();
  /// The communicator was given up, and with it the registration.
  void forget() { comm_ = nullptr; }

  [[nodiscard]] DevicePointer peer(Index rank) const override {
    return peers_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] DevicePointer own() const override { return own_; }
  [[nodiscard]] DevicePointer fault() const override { return fault_.address(); }
  [[nodiscard]] std::uint64_t limit_ns() const override {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(deadline_).count());
  }
  [[nodiscard]] const FaultWord& fault_word() const { return fault_; }

 private:
  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<const NcclLibrary> library_;
  NcclComm comm_;
  Index bytes_;
  std::chrono::milliseconds deadline_;
  FaultWord fault_;
  void* memory_ = nullptr;
  NcclWindowHandle handle_ = nullptr;
  DevicePointer own_ = 0;
  std::vector<DevicePointer> peers_;
};

/// The windows of one rank's communicator.
class NcclWindows {
 public:
  void add(std::shared_ptr<NcclWindow> window) { windows_.push_back(std::move(window)); }
  [[nodiscard]] bool is_empty() const { return windows_.empty(); }
  /// Kernels that meet see that they need not any longer.
  void end_waiting() const noexcept;
  /// For whom a kernel of this rank has waited in vain.
  [[nodiscard]] std::optional<Index> missing_peer() const;
  void close();
  void forget() noexcept;

 private:
  std::vector<std::shared_ptr<NcclWindow>> windows_;
};

}  // namespace jute::transport
