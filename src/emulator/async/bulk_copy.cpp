// Effects of bulk copies on memory, piece by piece: zero fill, clipping, reductions, credits.
#include "emulator/async/bulk_copy.hpp"

#include "base/format.hpp"
#include "emulator/run/barriers.hpp"
#include "emulator/run/global_memory.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace jute::emulator {
namespace {

/// A load of tf32 rounds to nearest even, NaN becomes one NaN (seen on an H200).
void round_to_tf32(std::byte* words, Index count) {
  for (Index i = 0; i < count; ++i) {
    std::byte* const at = words + i * static_cast<Index>(sizeof(std::uint32_t));
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, sizeof(bits));
    const bool is_nan = (bits & 0x7FFFFFFF) > 0x7F800000;
    bits = is_nan ? 0x7FFFE000 : (bits + 0xFFF + ((bits >> 13) & 1)) & ~0x1FFFU;
    std::memcpy(at, &bits, sizeof(bits));
  }
}

}  // namespace

void BulkCopy::report(const char* code, std::string text) const {
  block->find(code, who, [&] { return std::move(text); });
}

std::byte* BulkCopy::global(std::uint64_t address, std::uint64_t bytes, const char* what) {
  const Allocation* place = block->last_allocation;
  if (place == nullptr || address - place->begin >= static_cast<std::uint64_t>(place->bytes))
    place = block->launch.memory.find(address);
  if (place == nullptr || !place->is_live || place->end() - address < bytes) {
    report("M1", base::format("bulk {} of {} bytes at global address {:#x}: {}", what, bytes,
                              address, block->launch.memory.describe(address)));
    return nullptr;
  }
  block->last_allocation = place;
  return place->data.get() + (address - place->begin);
}

std::span<const std::byte> BulkCopy::global_bytes(const BoxChunk& chunk) const {
  const Index row_end = (Index{box.map.last[0]} + 1) * box.element;
  const Index start = box.at[0] * box.element + chunk.first;
  if (source != nullptr || !bytes_.empty() || box.map.steps[0] != 1) return {};
  if (!chunk.inside || start < 0 || start >= row_end) return {};
  const std::uint64_t address = chunk.row + static_cast<std::uint64_t>(start);
  const auto bytes = static_cast<size_t>(std::min(chunk.bytes, row_end - start));
  const Allocation* const place = block->launch.memory.find(address);
  if (place == nullptr || !place->is_live || place->end() - address < bytes) return {};
  return {place->data.get() + (address - place->begin), bytes};
}

void BulkCopy::announce() {
  // Reduced bytes stay readable: others may add to them meanwhile.
  if (!owner->tracks_defined || adds_to_shared) return;
  bool reported = false;
  for (Index i = landed_; i < box.chunks(); ++i) {
    const BoxChunk chunk = box.chunk(i);
    std::byte* const first = owner->shared_defined.data() + chunk.shared;
    if (!reported && std::find(first, first + chunk.bytes, kOnItsWay) != first + chunk.bytes) {
      reported = true;
      report("R6",
             base::format("a bulk copy to shared offset {}, where an earlier asynchronous copy "
                          "is still writing: wait for that one first",
                          chunk.shared));
    }
    std::fill(first, first + chunk.bytes, kOnItsWay);
  }
}

void BulkCopy::land(Index chunks) {
  const Index until =
      std::min(landed_ + chunks, kind == BulkUse::Kind::load ? box.chunks() : read_);
  Index bytes = 0;
  for (; landed_ < until; ++landed_) {
    const BoxChunk chunk = box.chunk(landed_);
    bytes += chunk.bytes;
    if (kind == BulkUse::Kind::load) {
      load_chunk(chunk);
    } else {
      store_chunk(chunk, bytes_.data() + landed_ * kBulkChunk);
    }
  }
  if (kind != BulkUse::Kind::load && is_landed()) bytes_ = {};
  if (kind != BulkUse::Kind::load || bytes == 0) return;
  block->findings.counters.global_bytes_read += source == nullptr && bytes_.empty() ? bytes : 0;
  credit_mbarrier(*this, bytes);
}
void BulkCopy::finish() {
  if (kind != BulkUse::Kind::load) read(box.chunks());
  land(box.chunks());
}

const std::byte* BulkCopy::source_of(std::uint64_t address, Index bytes) {
  if (source != nullptr) return source->shared.data() + address;
  const std::byte* const from = global(address, static_cast<std::uint64_t>(bytes), "load");
  const Allocation* const place = block->last_allocation;
  if (from == nullptr || place->defined == nullptr) return from;
  const std::byte* const first = place->defined.get() + (address - place->begin);
  const std::byte* const unset = std::find(first, first + bytes, std::byte{0});
  if (unset != first + bytes)
    report("M3",
           base::format("a bulk load of {} bytes at {:#x}, of which byte {} was never written",
                        bytes, address, unset - first));
  return from;
}

void BulkCopy::reduce_chunk(const BoxChunk& chunk) {
  std::byte* const target = owner->shared.data() + chunk.shared;
  const std::byte* const from =
      bytes_.empty() ? source_of(chunk.row + static_cast<std::uint64_t>(chunk.first), chunk.bytes)
                     : bytes_.data() + chunk.first;
  if (owner->tracks_defined)
    (void)check_reduced(owner->shared_defined.data() + chunk.shared, chunk.bytes, "shared");
  const Index element = atomic_bytes(reduced);
  for (Index i = 0; i < chunk.bytes; i += element) reduce_element(target + i, from + i);
}

// A reduction of what was never written leaves what has no value.
bool BulkCopy::check_reduced(const std::byte* defined, Index bytes, const char* space) {
  const std::byte* const unset = std::find(defined, defined + bytes, kNeverWritten);
  if (unset == defined + bytes) return true;
  report("M3", base::format("a bulk reduction to {} bytes of {} memory, of which byte {} was never "
                            "written",
                            bytes, space, unset - defined));
  return false;
}

void BulkCopy::load_chunk(const BoxChunk& chunk) {
  if (adds_to_shared) return reduce_chunk(chunk);
  std::byte* const target = owner->shared.data() + chunk.shared;
  if (owner->tracks_defined)
    std::fill_n(owner->shared_defined.data() + chunk.shared, chunk.bytes, kWritten);
  if (!bytes_.empty()) {
    std::memcpy(target, bytes_.data() + chunk.first, static_cast<size_t>(chunk.bytes));
    return;
  }
  const Index first = chunk.first / box.element, count = chunk.bytes / box.element;
  const Index step = box.map.steps[0], last = Index{box.map.last[0]};
  const Index begin = box.at[0] + first * step;
  const bool is_tf32 = box.type == MapElement::tf32 || box.type == MapElement::tf32_ftz;
  if (chunk.inside && step == 1 && begin >= 0 && begin + count - 1 <= last) {
    const std::uint64_t address = chunk.row + static_cast<std::uint64_t>(begin * box.element);
    const std::byte* const from = source_of(address, chunk.bytes);
    if (from == nullptr) return;
    std::memcpy(target, from, static_cast<size_t>(chunk.bytes));
    if (is_tf32) round_to_tf32(target, count);
    return;
  }
  for (Index i = 0; i < count; ++i) {
    const Index coordinate = begin + i * step;
    std::byte* const to = target + i * box.element;
    if (!chunk.inside || coordinate < 0 || coordinate > last) {
      fill_outside(to, box.element);
      continue;
    }
    const std::uint64_t address = chunk.row + static_cast<std::uint64_t>(coordinate * box.element);
    const std::byte* const from = source_of(address, box.element);
    if (from != nullptr) std::memcpy(to, from, static_cast<size_t>(box.element));
    if (is_tf32) round_to_tf32(to, 1);
  }
}
// Zeros, or the NaN that an H200 writes: 0x7ff7 over and over, whatever the type.
void BulkCopy::fill_outside(std::byte* to, Index bytes) const {
  const bool is_nan = static_cast<TmaOutOfBounds>(box.map.out_of_bounds) == TmaOutOfBounds::nan;
  const std::uint64_t bits = is_nan ? 0x7FF77FF77FF77FF7 : 0;
  std::memcpy(to, &bits, static_cast<size_t>(bytes));
}

void BulkCopy::reduce_element(std::byte* to, const std::byte* from) const {
  const auto bytes = static_cast<size_t>(atomic_bytes(reduced));
  std::uint64_t old = 0;
  std::uint64_t operand = 0;
  std::memcpy(&old, to, bytes);
  std::memcpy(&operand, from, bytes);
  const std::uint64_t result = reduced_value(reduction, reduced, old, operand);
  std::memcpy(to, &result, bytes);
}

void BulkCopy::read(Index chunks) {
  const Index until = std::min(read_ + chunks, box.chunks());
  if (read_ == until) return;
  bytes_.resize(static_cast<size_t>(until * kBulkChunk));
  for (; read_ < until; ++read_) {
    const BoxChunk chunk = box.chunk(read_);
    check_source(chunk);
    std::memcpy(bytes_.data() + read_ * kBulkChunk, owner->shared.data() + chunk.shared,
                static_cast<size_t>(chunk.bytes));
  }
}
// Values that do not reach memory may be any.
bool BulkCopy::leaves(const BoxChunk& chunk) const {
  return chunk.inside &&
         box.at[0] * box.element + chunk.first < (Index{box.map.last[0]} + 1) * box.element;
}
void BulkCopy::check_source(const BoxChunk& chunk) {
  if (!owner->tracks_defined || is_source_refused_ || !leaves(chunk)) return;
  const std::byte* const first = owner->shared_defined.data() + chunk.shared;
  const std::byte* const last = first + chunk.bytes;
  const std::byte* const wrong =
      std::find_if(first, last, [](std::byte state) { return state != kWritten; });
  if (wrong == last) return;
  const bool on_its_way = *wrong == kOnItsWay;
  is_source_refused_ = true;
  report(on_its_way ? "R9" : "M3",
         base::format("a bulk store of {} bytes, of which the one at shared offset {} {}",
                      box.bytes(), wrong - owner->shared_defined.data(),
                      on_its_way ? "an asynchronous copy is still writing" : "was never written"));
}

// Outer dimensions clip exactly; the innermost one at the next 16 bytes, which really are written.
void BulkCopy::store_chunk(const BoxChunk& chunk, const std::byte* from) {
  const Index row_end = (Index{box.map.last[0]} + 1) * box.element;
  const Index start = box.at[0] * box.element + chunk.first;
  if (!leaves(chunk)) return;
  if (start + chunk.bytes > row_end && !has_overrun_) {
    has_overrun_ = true;
    report("P14", base::format("a tensor store whose rows end at byte {} wrote on to the next "
                               "multiple of 16",
                               row_end));
  }
  const std::uint64_t to = chunk.row + static_cast<std::uint64_t>(start);
  std::byte* const target = global(to, static_cast<std::uint64_t>(chunk.bytes), "store");
  if (target == nullptr) return;
  const Allocation* const place = block->last_allocation;
  std::byte* const defined =
      place->defined == nullptr ? nullptr : place->defined.get() + (to - place->begin);
  bool has_value = true;
  if (kind == BulkUse::Kind::store) {
    std::memcpy(target, from, static_cast<size_t>(chunk.bytes));
  } else {
    const Index element = atomic_bytes(reduced);
    for (Index i = 0; i < chunk.bytes; i += element) reduce_element(target + i, from + i);
    const Index inside = std::min(chunk.bytes, row_end - start);
    has_value = defined == nullptr || check_reduced(defined, inside, "global");
  }
  if (defined != nullptr && has_value) std::fill_n(defined, chunk.bytes, kWritten);
  block->findings.counters.global_bytes_written += chunk.bytes;
}

}  // namespace jute::emulator
