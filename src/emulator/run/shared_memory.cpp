// Memory of several ranks: who wrote it, who read it, and which flags lie between.
#include "emulator/run/shared_memory.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>

#include "base/format.hpp"
#include "emulator/check/global_history.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

namespace jute {

SharedMemory::SharedMemory(Index size, Index of)
    : data(static_cast<std::byte*>(::operator new[](
          static_cast<std::size_t>(std::max<Index>(size, 1)), emulator::HostBytesDelete::kAlign))),
      bytes(size),
      owner(of) {
  std::memset(data.get(), 0, static_cast<std::size_t>(size));
}

namespace {

std::uint64_t next_machine() {
  static std::atomic<std::uint64_t> count{0};
  return ++count;
}

/// The rank's copy engine, which does one thing after the other.
emulator::RankTouch& engine_of(SharedMemory& memory, Index sender) {
  emulator::RankTouch& engine = memory.engines[sender];
  if (engine.machine == 0) engine = {next_machine(), 1, sender};
  return engine;
}

}  // namespace

std::shared_ptr<SharedMemory> make_shared_memory(Index bytes, Index owner) {
  return std::make_shared<SharedMemory>(bytes, owner);
}

void write_word(SharedMemory& memory, Index at, std::uint32_t value) {
  const std::lock_guard lock(emulator::shared_memory_mutex());
  std::memcpy(memory.data.get() + at, &value, sizeof value);
  memory.flags.erase(at);  // the host's: nothing lies behind it
}

void land(SharedMemory& memory, Index at, std::span<const std::byte> bytes, Index sender) {
  const std::lock_guard lock(emulator::shared_memory_mutex());
  if (bytes.empty()) return;
  std::memcpy(memory.data.get() + at, bytes.data(), bytes.size());
  constexpr Index kChunk = SharedMemory::kChunkBytes;
  const Index end = at + static_cast<Index>(bytes.size());
  for (Index chunk = at / kChunk * kChunk; chunk < end; chunk += kChunk)
    memory.chunks[chunk] = {{engine_of(memory, sender)}, {}};
}

void land_flag(SharedMemory& memory, Index at, std::uint32_t value, Index sender) {
  const std::lock_guard lock(emulator::shared_memory_mutex());
  std::memcpy(memory.data.get() + at, &value, sizeof value);
  emulator::RankTouch& engine = engine_of(memory, sender);
  memory.flags[at] = {engine, {{engine.machine, engine.launch}}, true};
  ++engine.launch;
}

std::uint32_t read_word(const SharedMemory& memory, Index at) {
  const std::lock_guard lock(emulator::shared_memory_mutex());
  std::uint32_t value = 0;
  std::memcpy(&value, memory.data.get() + at, sizeof value);
  return value;
}

}  // namespace jute

namespace jute::emulator {
namespace {

const char* scope_name(Scope scope) {
  return scope == Scope::cta ? ".cta" : scope == Scope::cluster ? ".cluster" : ".gpu";
}

/// Later touches of the same machine stand for earlier ones.
void remember(std::vector<RankTouch>& touches, const RankTouch& now) {
  std::erase_if(touches, [&](const RankTouch& it) { return it.machine == now.machine; });
  touches.push_back(now);
}

void add_finding(std::vector<Finding>& findings, const char* code, const std::string& kernel,
                 std::string message) {
  if (!findings.empty()) {
    ++findings.back().count;
    return;
  }
  Finding finding;
  finding.code = code;
  finding.message = std::move(message);
  finding.parties.emplace_back().kernel = kernel;
  findings.push_back(std::move(finding));
}

/// On a GPU the memory may be another's by now.
void tell_left(const SharedMemory& memory, Index rank, Index at, bool writes,
               const std::string& kernel, std::vector<Finding>& findings) {
  add_finding(findings, "R13", kernel,
              base::format("rank {} {} byte {} of the memory that rank {} shared and has freed: it "
                           "must stay until all ranks have met behind their last use of it",
                           rank, writes ? "writes" : "reads", at, memory.owner));
}

}  // namespace

std::mutex& shared_memory_mutex() {
  static std::mutex mutex;
  return mutex;
}

RankWatch::RankWatch() : machine_(next_machine()) {}

void RankWatch::map(std::shared_ptr<SharedMemory> memory, DevicePointer at, Index rank) {
  mapped_[at] = {std::move(memory), rank};
}
void RankWatch::unmap(DevicePointer at) {
  const auto found = mapped_.find(at);
  if (found == mapped_.end()) return;
  const std::lock_guard lock(shared_memory_mutex());
  SharedMemory& memory = *found->second.memory;
  memory.has_left = memory.has_left || memory.owner == found->second.rank;
  mapped_.erase(found);
}

RankWatch::Place RankWatch::place_of(const std::byte* data) const {
  for (const auto& [begin, it] : mapped_) {
    const auto at = reinterpret_cast<std::uintptr_t>(data) -
                    reinterpret_cast<std::uintptr_t>(it.memory->data.get());
    if (at < static_cast<std::uintptr_t>(it.memory->bytes))
      return {it.memory.get(), static_cast<Index>(at), it.rank};
  }
  return {};
}

bool RankWatch::lies_behind(const RankTouch& touch) const {
  if (touch.machine == machine_) return true;
  const auto known = known_.find(touch.machine);
  return known != known_.end() && known->second >= touch.launch;
}

void RankWatch::publish(const Warp& warp, const MemoryAccess& access, const Resolved& where) {
  for (const int lane : lanes_of(where.ok & where.global)) {
    const Place place = place_of(where.data[static_cast<std::size_t>(lane)]);
    if (place.memory == nullptr) continue;
    place.memory->flags[place.at] = {
        {machine_, known_[machine_], place.rank}, known_, access.reaches_ranks && access.releases};
    if (access.reaches_ranks || place.memory->owner == place.rank) continue;
    warp.block->find("R12", warp, lane, [&] {
      return base::format(
          "rank {} raises a flag in the memory of rank {} by scope {}: other ranks see what was "
          "written before it only by .sys",
          place.rank, place.memory->owner, scope_name(access.scope));
    });
  }
}

void RankWatch::observe(const Warp& warp, const MemoryAccess& access, const Resolved& where) {
  for (const int lane : lanes_of(where.ok & where.global)) {
    const Place place = place_of(where.data[static_cast<std::size_t>(lane)]);
    if (place.memory == nullptr) continue;
    const auto flag = place.memory->flags.find(place.at);
    if (flag == place.memory->flags.end() || flag->second.by.machine == machine_) continue;
    if (!access.reaches_ranks) {
      warp.block->find("R12", warp, lane, [&] {
        return base::format(
            "rank {} looks at a flag of rank {} by scope {}: it sees what that rank wrote before "
            "only by .sys",
            place.rank, flag->second.by.rank, scope_name(access.scope));
      });
      continue;
    }
    if (!flag->second.is_system || !access.acquires) continue;
    for (const auto& [machine, launch] : flag->second.known)
      known_[machine] = std::max(known_[machine], launch);
  }
}

void RankWatch::end_chunk(SharedMemory& memory, Index rank, Index at, bool writes, bool reads,
                          const std::string& kernel, std::vector<Finding>& findings) {
  // Flags are what orders the rest.
  const auto flag = memory.flags.lower_bound(at);
  if (flag != memory.flags.end() && flag->first < at + SharedMemory::kChunkBytes) return;
  SharedMemory::Chunk& chunk = memory.chunks[at];
  const auto tell = [&](const RankTouch& other, const char* own, const char* others) {
    add_finding(
        findings, "R11", kernel,
        base::format("rank {} {} byte {} of the memory that rank {} shares, which rank {} {} "
                     "without a flag of system scope between them: st.release.sys there, "
                     "ld.acquire.sys here",
                     rank, own, at, memory.owner, other.rank, others));
  };
  for (const RankTouch& other : chunk.writes)
    if (!lies_behind(other)) tell(other, writes ? "writes" : "reads", "has written");
  if (writes)
    for (const RankTouch& other : chunk.reads)
      if (!lies_behind(other)) tell(other, "writes", "has read");
  const RankTouch now{machine_, known_[machine_], rank};
  if (writes) chunk = {{now}, {}};
  if (reads) remember(chunk.reads, now);
}

std::vector<Finding> RankWatch::end_launch(const GlobalHistory& history,
                                           const std::string& kernel) {
  std::vector<Finding> findings;
  const std::lock_guard lock(shared_memory_mutex());
  constexpr std::uint16_t kAll = 0xFFFF;
  for (const auto& [begin, it] : mapped_) {
    SharedMemory& memory = *it.memory;
    const auto base = reinterpret_cast<std::uintptr_t>(memory.data.get());
    for (Index at = 0; at < memory.bytes; at += SharedMemory::kChunkBytes) {
      const ChunkHistory chunk = history.copy_at(base + static_cast<std::uintptr_t>(at));
      bool writes = false, reads = false;
      chunk.writes.each_row(kAll, [&](const Touch&) { writes = true; });
      chunk.reads.each_row(kAll, [&](const Touch&) { reads = true; });
      if (!writes && !reads) continue;
      if (memory.has_left)
        tell_left(memory, it.rank, at, writes, kernel, findings);
      else
        end_chunk(memory, it.rank, at, writes, reads, kernel, findings);
    }
  }
  return findings;
}

}  // namespace jute::emulator
