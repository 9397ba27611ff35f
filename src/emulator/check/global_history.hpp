#pragma once
// What the race detector remembers of global memory: 128 bytes at a time where whole rows of
// threads touch them, as streaming kernels do, and 16 bytes at a time elsewhere.
#include "emulator/check/access_history.hpp"

#include <jute/launch/launch_spec.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace jute::emulator {

struct Program;

/// 128 bytes that lie together. Chunks take the place of rows as soon as somebody touches the line
/// in another way.
class LineHistory {
 public:
  static constexpr std::uintptr_t kBytes = 128;
  /// Threads one behind the other that touch all of the line; `first` is what the first of them
  /// did.
  struct Row {
    Touch first;
    std::uint8_t each = 0;  ///< bytes of a thread, 4, 8 or 16; 0: nobody touched the line

    [[nodiscard]] bool is_by(const Row& other) const {
      return each == other.each && first.is_by(other.first);
    }
    [[nodiscard]] size_t threads() const { return kBytes / each; }
  };

  [[nodiscard]] bool has_chunks() const { return chunks_ != nullptr; }
  [[nodiscard]] const Row& writes() const { return writes_; }
  [[nodiscard]] std::span<const Row> reads() const { return reads_; }
  /// Accesses before it no longer count.
  void write(const Row& row) {
    writes_ = row;
    reads_.clear();
  }
  /// In the place of what the same threads have read before. Where there are many those go for
  /// which `is_over` holds, and at the last those that are oldest, as in Touches.
  template <class IsOver>
  void read(const Row& row, IsOver is_over) {
    constexpr size_t kMost = 64, kForgotten = 16;
    const auto same =
        std::ranges::find_if(reads_, [&](const Row& before) { return before.is_by(row); });
    if (same != reads_.end()) {
      *same = row;
      return;
    }
    if (reads_.size() >= kMost) std::erase_if(reads_, is_over);
    if (reads_.size() >= kMost) reads_.erase(reads_.begin(), reads_.begin() + kForgotten);
    reads_.push_back(row);
  }
  /// Would a row beside those that are there read parts of what they do?
  [[nodiscard]] bool overlaps_reads(const Row& row) const {
    const auto last = [](const Row& any) { return any.first.actor + any.threads(); };
    return std::ranges::any_of(reads_, [&](const Row& before) {
      return before.first.block == row.first.block && !before.is_by(row) &&
             before.first.actor < last(row) && row.first.actor < last(before);
    });
  }

  /// The chunk of this byte of the line.
  ChunkHistory& chunk(std::uintptr_t at) {
    if (chunks_ == nullptr) {
      chunks_ = std::make_unique<Chunks>();
      for (std::uintptr_t i = 0; i < chunks_->size(); ++i) (*chunks_)[i] = made_chunk(i);
    }
    return (*chunks_)[at / ChunkHistory::kBytes];
  }
  [[nodiscard]] ChunkHistory copy_of_chunk(std::uintptr_t at) const {
    const std::uintptr_t index = at / ChunkHistory::kBytes;
    return chunks_ != nullptr ? (*chunks_)[index] : made_chunk(index);
  }

 private:
  using Chunks = std::array<ChunkHistory, kBytes / ChunkHistory::kBytes>;

  static void add_part(Touches& touches, const Row& row, std::uintptr_t index) {
    if (row.each == 0) return;
    Touch touch = row.first;
    const auto skipped = index * ChunkHistory::kBytes / row.each;
    touch.thread = touch.actor = static_cast<std::uint16_t>(touch.actor + skipped);
    touch.bytes = 0xFFFF;
    touch.each = row.each == ChunkHistory::kBytes ? 0 : row.each & 0xF;
    touches.add(touch);
  }
  [[nodiscard]] ChunkHistory made_chunk(std::uintptr_t index) const {
    ChunkHistory chunk;
    add_part(chunk.writes, writes_, index);
    for (const Row& row : reads_) add_part(chunk.reads, row, index);
    return chunk;
  }

  Row writes_;
  std::vector<Row> reads_;
  std::unique_ptr<Chunks> chunks_;
};

/// State that the blocks of a launch, which run on one thread, share.
struct GlobalHistory {
  static constexpr std::uintptr_t kPageBytes = 4096;
  using Page = std::vector<LineHistory>;
  std::unordered_map<std::uintptr_t, Page> pages;
  std::uintptr_t last_number = 0;  ///< of the page that was asked for last
  Page* last_page = nullptr;
  /// Knowledge that a block's ordered accesses have left at a place of memory for who looks there.
  struct Publication {
    std::int32_t block = 0;
    ProxyClocks proxied;
    std::array<Clocks, kScopes> known;  ///< by how far the reader is
  };
  std::unordered_map<std::uintptr_t, std::vector<Publication>> publications;
  bool released_early = false;  ///< griddepcontrol.launch_dependents before .wait

  LineHistory& line(std::uintptr_t address) {
    if (last_page == nullptr || last_number != address / kPageBytes) {
      last_number = address / kPageBytes;
      last_page = &pages[last_number];
      if (last_page->empty()) last_page->resize(kPageBytes / LineHistory::kBytes);
    }
    return (*last_page)[address % kPageBytes / LineHistory::kBytes];
  }
  ChunkHistory& at(std::uintptr_t address) {
    return line(address).chunk(address % LineHistory::kBytes);
  }
  /// Empty where nobody touched the chunk.
  [[nodiscard]] ChunkHistory copy_at(std::uintptr_t address) const {
    const auto page = pages.find(address / kPageBytes);
    if (page == pages.end()) return {};
    const LineHistory& line = page->second[address % kPageBytes / LineHistory::kBytes];
    return line.copy_of_chunk(address % LineHistory::kBytes);
  }
};
/// A launch that may still run beside the one that has been started after it.
struct EarlierGrid {
  std::shared_ptr<const void> kernel;  ///< keeps the program
  const Program* program = nullptr;
  Dim3 size;
  GlobalHistory history;
};

}  // namespace jute::emulator
