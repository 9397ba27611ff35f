#pragma once
// A bulk copy on its way between global and shared memory: what it still has to do.
#include "emulator/async/bulk_box.hpp"
#include "emulator/check/diagnostics.hpp"
#include "emulator/decode/program.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jute::emulator {

struct Block;

/// A load lands chunk by chunk and credits its mbarrier for each piece; a store first reads, and
/// then lands. Who decides when calls `read` and `land`.
class BulkCopy {
 public:
  BulkUse::Kind kind = BulkUse::Kind::load;
  AtomicUse::Operation reduction = AtomicUse::Operation::add;
  AtomicUse::Type reduced = AtomicUse::Type::u32;
  bool adds_to_shared = false;  ///< a load that reduces where it lands
  BulkBox box;
  std::span<const std::byte> map{};  ///< a tensor map in global memory that it comes by
  Actor who;                         ///< the thread that issued it
  Block* block = nullptr;            ///< of that thread
  Block* owner = nullptr;            ///< of the shared bytes
  Block* source = nullptr;           ///< a load from shared memory: whose
  std::uint64_t barrier = 0;         ///< a load's mbarrier, an offset in the owner's shared memory
  std::uint32_t phase = 0;           ///< how often that had turned at the issue
  int lane = 0;
  std::int64_t group = -1;   ///< a store's; -1: not committed
  std::uint64_t serial = 0;  ///< in order of issue
  bool is_awaited = false;   ///< a store's: a wait says that its source was read

  [[nodiscard]] bool is_read() const { return read_ == box.chunks(); }
  [[nodiscard]] bool is_landed() const { return landed_ == box.chunks(); }
  /// Takes `chunks` more of a store's bytes out of shared memory.
  void read(Index chunks);
  /// Moves `chunks` more to where they belong; of a store, only what was read.
  void land(Index chunks);
  void finish();
  /// The bytes of global memory that a chunk reads or writes, as far as they lie together inside
  /// it.
  [[nodiscard]] std::span<const std::byte> global_bytes(const BoxChunk& chunk) const;
  /// Takes the bytes of a copy whose source is registers.
  void carry(std::vector<std::byte> bytes) { bytes_ = std::move(bytes); }
  [[nodiscard]] bool is_carried() const { return kind == BulkUse::Kind::load && !bytes_.empty(); }
  /// Marks the bytes that a load will write.
  void announce();

 private:
  void report(const char* code, std::string text) const;
  [[nodiscard]] std::byte* global(std::uint64_t address, std::uint64_t bytes, const char* what);
  void load_chunk(const BoxChunk& chunk);
  void reduce_chunk(const BoxChunk& chunk);
  [[nodiscard]] bool check_reduced(const std::byte* defined, Index bytes, const char* space);
  [[nodiscard]] const std::byte* source_of(std::uint64_t address, Index bytes);
  void fill_outside(std::byte* to, Index bytes) const;
  [[nodiscard]] bool leaves(const BoxChunk& chunk) const;
  void check_source(const BoxChunk& chunk);
  void reduce_element(std::byte* to, const std::byte* from) const;
  void store_chunk(const BoxChunk& chunk, const std::byte* from);

  Index read_ = 0;    ///< chunks
  Index landed_ = 0;  ///< chunks
  bool is_source_refused_ = false;
  bool has_overrun_ = false;
  std::vector<std::byte> bytes_;  ///< what a store has read, 16 a chunk; what registers held
};

}  // namespace jute::emulator
