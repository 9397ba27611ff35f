// Contexts, events and copies of the driver.
#include "transport/gpu.hpp"

#include <jute/base/refuse.hpp>

#include <algorithm>
#include <thread>

#include "base/format.hpp"

namespace jute::transport {

Gpu::Gpu(std::shared_ptr<const Driver> calls, int ordinal)
    : calls_(std::move(calls)), ordinal_(ordinal) {
  calls_->require("cuInit", calls_->init(0));
  calls_->require("cuDeviceGet", calls_->device_get(&device_, ordinal));
  calls_->require("cuDevicePrimaryCtxRetain", calls_->primary_retain(&context_, device_));
}

Gpu::~Gpu() {
  (void)calls_->context_push(context_);
  for (EventHandle event : events_) (void)calls_->event_destroy(event);
  if (raised_word_ != 0) (void)calls_->memory_free(raised_word_);
  ContextHandle popped = nullptr;
  (void)calls_->context_pop(&popped);
  (void)calls_->primary_release(device_);
}

EventHandle Gpu::take_event() const {
  {
    const std::lock_guard lock(mutex_);
    if (!events_.empty()) {
      EventHandle event = events_.back();
      events_.pop_back();
      return event;
    }
  }
  EventHandle event = nullptr;
  calls_->require("cuEventCreate", calls_->event_create(&event, kEventWithoutTime));
  return event;
}

void Gpu::give_event(EventHandle event) const {
  const std::lock_guard lock(mutex_);
  events_.push_back(event);
}

DevicePointer Gpu::raised_word() const {
  const std::lock_guard lock(mutex_);
  if (raised_word_ != 0) return raised_word_;
  constexpr std::size_t kBytes = 256;
  const OnGpu current(*this);
  DriverAddress address = 0;
  calls_->require("cuMemAlloc", calls_->memory_alloc(&address, kBytes));
  raised_word_ = address;
  StreamHandle stream = nullptr;
  calls_->require("cuStreamCreate", calls_->stream_create(&stream, kStreamNonBlocking));
  EventHandle filled = nullptr;
  calls_->require("cuEventCreate", calls_->event_create(&filled, kEventWithoutTime));
  calls_->require("cuMemsetD8Async", calls_->fill(address, 1, kBytes, stream));
  calls_->require("cuEventRecord", calls_->event_record(filled, stream));
  while (calls_->event_query(filled) == kNotReady) std::this_thread::yield();
  (void)calls_->event_destroy(filled);
  (void)calls_->stream_destroy(stream);
  return raised_word_;
}

void Gpu::reach(const Gpu& peer) const {
  int can = 0;
  calls_->require("cuDeviceCanAccessPeer", calls_->can_access_peer(&can, device_, peer.device_));
  if (can == 0)
    jute::refuse(ErrorCode::unsupported, "transport",
                 base::format("copies from GPU {} to GPU {}", ordinal_, peer.ordinal_),
                 "each GPU must reach the other's memory", "nccl");
  const OnGpu current(*this);
  const Status status = calls_->enable_peer(peer.context_, 0);
  if (status != kPeerAccessAlreadyEnabled) calls_->require("cuCtxEnablePeerAccess", status);
}

OnGpu::OnGpu(const Gpu& gpu) : gpu_(gpu) {
  gpu.calls().require("cuCtxPushCurrent", gpu.calls().context_push(gpu.context()));
}
OnGpu::~OnGpu() {
  ContextHandle popped = nullptr;
  (void)gpu_.calls().context_pop(&popped);
}

Mark::Mark(std::shared_ptr<const Gpu> gpu, StreamHandle stream) : gpu_(std::move(gpu)) {
  const OnGpu current(*gpu_);
  const Driver& calls = gpu_->calls();
  event_ = gpu_->take_event();
  const Status status = calls.event_record(event_, stream);
  if (status != kSuccess) gpu_->give_event(event_);
  calls.require("cuEventRecord", status);
}
// Streams that wait for it keep what they wait for.
Mark::~Mark() { gpu_->give_event(event_); }

bool Mark::is_reached() const {
  const OnGpu current(*gpu_);
  const Status status = gpu_->calls().event_query(event_);
  if (status == kNotReady) return false;
  gpu_->calls().require("cuEventQuery", status);
  return true;
}

void Mark::move(StreamHandle stream) const {
  const OnGpu current(*gpu_);
  gpu_->calls().require("cuEventRecord", gpu_->calls().event_record(event_, stream));
}

void Mark::hold(const Gpu& gpu, StreamHandle stream) const {
  const OnGpu current(gpu);
  gpu.calls().require("cuStreamWaitEvent", gpu.calls().stream_wait(stream, event_, 0));
}

SideStream::SideStream(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {
  const OnGpu current(*gpu_);
  gpu_->calls().require("cuStreamCreate",
                        gpu_->calls().stream_create(&handle_, kStreamNonBlocking));
}
SideStream::~SideStream() {
  const Driver& calls = gpu_->calls();
  (void)calls.context_push(gpu_->context());
  (void)calls.stream_destroy(handle_);
  ContextHandle popped = nullptr;
  (void)calls.context_pop(&popped);
}

Staging::~Staging() {
  if (address_ == 0) return;
  (void)gpu_->calls().context_push(gpu_->context());
  (void)gpu_->calls().memory_free(address_);
  ContextHandle popped = nullptr;
  (void)gpu_->calls().context_pop(&popped);
}

DevicePointer Staging::of(Index bytes) {
  if (bytes <= bytes_) return address_;
  const OnGpu current(*gpu_);
  const Driver& calls = gpu_->calls();
  // The driver waits for what is on its way through the old memory.
  if (address_ != 0) calls.require("cuMemFree", calls.memory_free(address_));
  address_ = 0;
  bytes_ = 0;
  calls.require("cuMemAlloc", calls.memory_alloc(&address_, static_cast<std::size_t>(bytes)));
  bytes_ = bytes;
  return address_;
}

namespace {

/// Walks through regions row by row.
struct RegionCursor {
  const std::vector<Region>& regions;
  std::size_t region = 0;
  Index row = 0, byte = 0;

  [[nodiscard]] bool is_at_end() const { return region == regions.size(); }
  [[nodiscard]] const Region& at() const { return regions[region]; }
  [[nodiscard]] bool is_at_start_of_row() const { return byte == 0; }
  [[nodiscard]] Index rest_of_row() const { return at().row_bytes - byte; }
  [[nodiscard]] DevicePointer pointer() const {
    return at().base + static_cast<DevicePointer>(row * at().pitch_bytes + byte);
  }
  void skip_empty() {
    while (!is_at_end() && (at().rows == 0 || at().row_bytes == 0)) ++region;
  }
  void advance_rows(Index rows) {
    row += rows;
    if (row == at().rows) next_region();
  }
  void advance_bytes(Index bytes) {
    byte += bytes;
    if (byte < at().row_bytes) return;
    byte = 0;
    advance_rows(1);
  }
  void next_region() {
    ++region;
    row = 0;
    skip_empty();
  }
};

void copy_rows(const Gpu& gpu, DevicePointer to, Index to_pitch, DevicePointer from,
               Index from_pitch, Index rows, Index row_bytes, StreamHandle stream) {
  const Driver& calls = gpu.calls();
  if (rows == 1 || (to_pitch == row_bytes && from_pitch == row_bytes)) {
    calls.require("cuMemcpyDtoDAsync",
                  calls.copy(to, from, static_cast<std::size_t>(rows * row_bytes), stream));
    return;
  }
  Copy2d copy;
  copy.source = from;
  copy.source_pitch = static_cast<std::size_t>(from_pitch);
  copy.target = to;
  copy.target_pitch = static_cast<std::size_t>(to_pitch);
  copy.row_bytes = static_cast<std::size_t>(row_bytes);
  copy.rows = static_cast<std::size_t>(rows);
  calls.require("cuMemcpy2DAsync", calls.copy_2d(&copy, stream));
}

/// Rows without gaps as one row, so that regions of other shapes meet.
std::vector<Region> merged(const std::vector<Region>& regions) {
  std::vector<Region> result;
  for (Region region : regions) {
    if (region.pitch_bytes == region.row_bytes)
      region = {region.base, 1, region.rows * region.row_bytes, region.rows * region.row_bytes};
    const bool follows =
        !result.empty() && region.rows == 1 && result.back().rows == 1 &&
        result.back().base + static_cast<DevicePointer>(result.back().row_bytes) == region.base;
    if (follows) {
      result.back().row_bytes += region.row_bytes;
      result.back().pitch_bytes = result.back().row_bytes;
    } else {
      result.push_back(region);
    }
  }
  return result;
}

}  // namespace

void copy_regions(const Gpu& gpu, const std::vector<Region>& from, const std::vector<Region>& to,
                  StreamHandle stream) {
  const OnGpu current(gpu);
  const std::vector<Region> sources = merged(from), targets = merged(to);
  RegionCursor source{sources}, target{targets};
  source.skip_empty();
  target.skip_empty();
  while (!source.is_at_end() && !target.is_at_end()) {
    const bool by_rows = source.is_at_start_of_row() && target.is_at_start_of_row();
    const Index width = std::min(source.rest_of_row(), target.rest_of_row());
    const bool is_same = by_rows && source.at().row_bytes == target.at().row_bytes;
    if (is_same) {
      const Index rows = std::min(source.at().rows - source.row, target.at().rows - target.row);
      copy_rows(gpu, target.pointer(), target.at().pitch_bytes, source.pointer(),
                source.at().pitch_bytes, rows, width, stream);
      source.advance_rows(rows);
      target.advance_rows(rows);
      continue;
    }
    // A long row against many short ones: as many of them as the long one has left.
    const bool is_long_source = source.rest_of_row() > target.at().row_bytes;
    RegionCursor& lengthy = is_long_source ? source : target;
    RegionCursor& rows_of = is_long_source ? target : source;
    const Index rows = rows_of.is_at_start_of_row()
                           ? std::min(rows_of.at().rows - rows_of.row,
                                      lengthy.rest_of_row() / rows_of.at().row_bytes)
                           : 0;
    if (rows > 0) {
      const Index row_bytes = rows_of.at().row_bytes;
      copy_rows(gpu, target.pointer(), is_long_source ? target.at().pitch_bytes : row_bytes,
                source.pointer(), is_long_source ? row_bytes : source.at().pitch_bytes, rows,
                row_bytes, stream);
      lengthy.advance_bytes(rows * row_bytes);
      rows_of.advance_rows(rows);
      continue;
    }
    copy_rows(gpu, target.pointer(), width, source.pointer(), width, 1, width, stream);
    source.advance_bytes(width);
    target.advance_bytes(width);
  }
}

void copy_announced(const Gpu& gpu, const std::vector<Region>& from, const std::vector<Region>& to,
                    FlagsBy flags, StreamHandle stream) {
  constexpr std::size_t kFlagBytes = 4;
  const Driver& calls = gpu.calls();
  for (std::size_t i = 0; i < to.size(); ++i) {
    copy_regions(gpu, {from.at(i)}, {to[i]}, stream);
    const OnGpu current(gpu);
    if (flags == FlagsBy::words && calls.write_word != nullptr &&
        calls.write_word(stream, to[i].flag, 1, 0) == kSuccess)
      continue;
    calls.require("cuMemcpyDtoDAsync",
                  calls.copy(to[i].flag, gpu.raised_word(), kFlagBytes, stream));
  }
}

std::vector<Region> in_one_piece(DevicePointer base, Index bytes) {
  return {{base, 1, bytes, bytes}};
}

bool is_one_piece(const std::vector<Region>& regions) {
  return merged(regions).size() == 1 && merged(regions).front().rows == 1;
}

}  // namespace jute::transport
