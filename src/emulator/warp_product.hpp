#pragma once
// One warp's quarter of a wgmma: its operands are read and its accumulators written when the
// schedule says so.
#include "emulator/diagnostics.hpp"
#include "emulator/program.hpp"
#include "emulator/wgmma_operands.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace jute::emulator {

struct Warp;

class WarpProduct {
 public:
  /// Takes what registers hold at the issue. `number` counts the warp's products from 1.
  WarpProduct(Warp& warp, const WgmmaUse& use, std::uint32_t mask, std::uint32_t number);

  [[nodiscard]] std::uint32_t number() const { return number_; }
  /// Does D take part in the sum?
  [[nodiscard]] bool keeps_d() const { return keeps_d_; }
  /// Takes its operands out of shared memory, once.
  void read();
  /// Computes and writes D, into whatever registers it has been moved to since.
  void finish();
  /// D's register `index` comes from register `from` of the product `number`, which has not written
  /// it yet.
  void take_later(size_t index, std::uint32_t number, std::uint16_t from);
  /// An earlier product has finished: this one's accumulators.
  void inherit(const WarpProduct& earlier);
  /// A `mov` has copied D's register `index` to `slot` while it was on its way.
  void follow(Slot slot, std::uint16_t index) { moved_.emplace_back(slot, index); }

 private:
  using Words = std::array<std::uint32_t, kWarpLanes>;
  [[nodiscard]] std::uint32_t negated(std::uint32_t bits, bool negates) const;
  /// Calls `visit(row, k, address)` for every element that the warp takes from shared memory.
  template <class Visit>
  void each_element(std::uint64_t descriptor, int first, int rows, int depth, Major major,
                    Visit visit) const;
  void take_registers();
  void read_registers();
  void note_reads();
  [[nodiscard]] std::uint32_t element_at(std::uint64_t address, bool negates);
  void check_operand(std::uint64_t address);
  void gather_d(int column);
  void scatter_d(int column);
  void integer(int column);
  void aligned(int column);
  void write_back();
  [[nodiscard]] bool meets_special(int row, int column) const;
  [[nodiscard]] double special_sum(int row, int column, std::uint32_t c) const;
  /// Values of a row of A that are stored.
  [[nodiscard]] int a_depth() const { return use_->is_sparse ? use_->k / 2 : use_->k; }
  /// Is this value of A stored, and so meets one of B?
  [[nodiscard]] bool is_stored(int row, int k) const {
    return stored_.empty() || stored_[static_cast<size_t>(row * use_->k + k)];
  }
  [[nodiscard]] std::uint32_t a_at(int row, int k) const;
  [[nodiscard]] std::uint32_t b_at(int k, int column) const;
  [[nodiscard]] bool packs() const { return use_->d == MmaType::f16; }
  [[nodiscard]] size_t d_register(int column, int value) const;

  Warp* warp_;
  const WgmmaUse* use_;
  std::uint32_t mask_;
  std::uint32_t number_;
  Actor who_;
  int bits_;
  bool keeps_d_;
  bool is_read_ = false;
  std::uint64_t a_descriptor_ = 0;
  std::uint64_t b_descriptor_ = 0;
  std::array<Words, 4> a_registers_{};
  Words metadata_{};
  std::vector<Words> d_registers_;
  struct Later {
    std::uint32_t number = 0;  ///< 0: the value is there
    std::uint16_t index = 0;
  };
  std::vector<Later> later_;
  std::vector<std::pair<Slot, std::uint16_t>> moved_;
  std::vector<std::uint32_t> a_;  ///< (row, k)
  std::vector<bool> stored_;      ///< of sparse A, (row, k)
  std::vector<std::uint32_t> b_;  ///< (block of 8 columns, k, column)
  std::array<std::uint32_t, 16 * 8> d_{};
};

}  // namespace jute::emulator
