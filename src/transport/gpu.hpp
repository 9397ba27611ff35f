#pragma once
// One GPU as transports see it: its primary context, events, copies, streams of their own.
#include <jute/launch/communicator.hpp>
#include <jute/transport/transport.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "driver/driver.hpp"

namespace jute::transport {

using namespace driver;

[[nodiscard]] inline StreamHandle stream_of(Stream stream) {
  return reinterpret_cast<StreamHandle>(static_cast<std::uintptr_t>(stream.handle));
}

/// The primary context of a device, held as long as this lives.
class Gpu {
 public:
  ///   throws  no_gpu, driver_failed
  Gpu(std::shared_ptr<const Driver> calls, int ordinal);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  [[nodiscard]] const Driver& calls() const { return *calls_; }
  [[nodiscard]] ContextHandle context() const { return context_; }
  [[nodiscard]] int ordinal() const { return ordinal_; }
  /// Lets copies reach the other's memory.
  ///   throws  unsupported: the two cannot reach each other
  void reach(const Gpu& peer) const;
  /// An event that nobody else has, and back again: made once, used often.
  [[nodiscard]] EventHandle take_event() const;
  void give_event(EventHandle event) const;
  /// A word other than 0 in its memory.   throws  out_of_memory, driver_failed
  [[nodiscard]] DevicePointer raised_word() const;

 private:
  std::shared_ptr<const Driver> calls_;
  int ordinal_, device_ = 0;
  ContextHandle context_ = nullptr;
  mutable std::mutex mutex_;
  mutable std::vector<EventHandle> events_;  // that wait to be used
  mutable DriverAddress raised_word_ = 0;
};

/// Makes the context current for a scope.
class OnGpu {
 public:
  explicit OnGpu(const Gpu& gpu);
  ~OnGpu();
  OnGpu(const OnGpu&) = delete;
  OnGpu& operator=(const OnGpu&) = delete;

 private:
  const Gpu& gpu_;
};

/// A point in a stream. Nothing here needs a current context.
class Mark {
 public:
  Mark(std::shared_ptr<const Gpu> gpu, StreamHandle stream);
  ~Mark();
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;
  /// Has the stream come here?   throws  driver_failed
  [[nodiscard]] bool is_reached() const;
  /// Moves it to another point; streams that wait for the first one still do.
  void move(StreamHandle stream) const;
  /// The stream, of any GPU, waits for it.
  void hold(const Gpu& gpu, StreamHandle stream) const;

 private:
  std::shared_ptr<const Gpu> gpu_;
  EventHandle event_ = nullptr;
};
using SharedMark = std::shared_ptr<const Mark>;

/// A stream of a transport's own.
class SideStream {
 public:
  explicit SideStream(std::shared_ptr<const Gpu> gpu);
  ~SideStream();
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;
  [[nodiscard]] StreamHandle handle() const { return handle_; }

 private:
  std::shared_ptr<const Gpu> gpu_;
  StreamHandle handle_ = nullptr;
};

/// Memory for what lies in pieces; grows, and is never smaller than it was.
class Staging {
 public:
  explicit Staging(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ///   throws  out_of_memory
  [[nodiscard]] DevicePointer of(Index bytes);

 private:
  std::shared_ptr<const Gpu> gpu_;
  DriverAddress address_ = 0;
  Index bytes_ = 0;
};

inline constexpr std::uint32_t kSomebodyFailed = 0xFFFFFFFF;

/// A word of the host's that kernels look at: 0 until somebody ends their waiting.
class FaultWord {
 public:
  ///   throws  out_of_memory, driver_failed
  explicit FaultWord(std::shared_ptr<const Gpu> gpu);
  ~FaultWord();
  FaultWord(const FaultWord&) = delete;
  FaultWord& operator=(const FaultWord&) = delete;
  [[nodiscard]] DevicePointer address() const;
  [[nodiscard]] std::uint32_t value() const;
  /// Unless there is one.
  void raise(std::uint32_t fault) const;

 private:
  std::shared_ptr<const Gpu> gpu_;
  void* word_ = nullptr;
};

/// A rank's part of a window: memory of its GPU, zeros at first, and its word.
class WindowPart {
 public:
  ///   throws  out_of_memory, driver_failed
  WindowPart(std::shared_ptr<const Gpu> gpu, Index bytes);
  [[nodiscard]] DevicePointer bytes() const { return bytes_; }
  [[nodiscard]] const FaultWord& fault() const { return fault_; }

 private:
  std::shared_ptr<const Gpu> gpu_;
  FaultWord fault_;
  Staging memory_;
  DevicePointer bytes_;
};

/// Copies regions to regions of as many bytes, one behind the other.
void copy_regions(const Gpu& gpu, const std::vector<Region>& from, const std::vector<Region>& to,
                  StreamHandle stream);

/// Region by region, each behind it raises the flag of the one that it is copied to. Where the
/// driver writes no words there they are copied.
void copy_announced(const Gpu& gpu, const std::vector<Region>& from, const std::vector<Region>& to,
                    FlagsBy flags, StreamHandle stream);

/// The one region, where it is one without gaps.
[[nodiscard]] std::vector<Region> in_one_piece(DevicePointer base, Index bytes);
[[nodiscard]] bool is_one_piece(const std::vector<Region>& regions);

}  // namespace jute::transport
