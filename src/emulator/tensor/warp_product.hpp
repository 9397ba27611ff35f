#pragma once
// One warp's quarter of a wgmma: its operands are read and its accumulators written when the
// schedule says so.
#include "emulator/check/diagnostics.hpp"
#include "emulator/check/register_watch.hpp"
#include "emulator/decode/program.hpp"
#include "emulator/tensor/number_fields.hpp"
#include "emulator/tensor/product_operand.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
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
  [[nodiscard]] const Actor& who() const { return who_; }
  /// Does A come from shared memory?
  [[nodiscard]] bool has_a_descriptor() const { return use_->a_descriptor != kNoSlot; }
  [[nodiscard]] OperandSource a_source() const;  ///< the warp's own rows
  [[nodiscard]] OperandSource b_source() const;
  [[nodiscard]] std::uint64_t a_descriptor() const { return a_descriptor_; }
  [[nodiscard]] std::uint64_t b_descriptor() const { return b_descriptor_; }
  /// Do all lanes give the same descriptors?
  [[nodiscard]] bool is_uniform() const;
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
  void take_registers();
  /// Sums of rows of A and columns of B without a value have none.
  void poison(const UnknownRows& a, const UnknownRows& b);
  void read_registers();
  void note_reads();
  struct ScaledRows;
  void scaled(const ScaledRows& rows, int column);
  void gather_d(int column);
  void scatter_d(int column);
  void integer(const std::vector<std::int32_t>& rows, int column);
  void aligned(int column);
  void write_back();
  [[nodiscard]] std::optional<Factors> factors(int row, int column, int k) const;
  /// Values of a row of A that are stored.
  [[nodiscard]] int a_depth() const { return use_->is_sparse ? use_->k / 2 : use_->k; }
  /// Is this value of A stored, and so meets one of B?
  [[nodiscard]] bool is_stored(int row, int k) const {
    return stored_.empty() || stored_[static_cast<size_t>(row * use_->k + k)];
  }
  [[nodiscard]] std::uint32_t a_at(int row, int k) const;
  [[nodiscard]] std::uint32_t b_at(int k, int column) const;
  [[nodiscard]] bool packs() const { return use_->d == MmaType::f16; }
  /// The first register of a block of 8 columns.
  [[nodiscard]] size_t d_register(int column) const;

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
  std::vector<std::uint32_t> poisoned_;  ///< lanes of D's registers without a value; empty: none
  PoisonCause cause_;                    ///< why
  struct Later {
    std::uint32_t number = 0;  ///< 0: the value is there
    std::uint16_t index = 0;
  };
  std::vector<Later> later_;
  std::vector<std::pair<Slot, std::uint16_t>> moved_;
  std::vector<std::uint32_t> a_;  ///< (row, k)
  std::vector<bool> stored_;      ///< of sparse A, (row, k)
  std::shared_ptr<const ColumnBlocks> b_;
  std::array<std::uint32_t, 16 * 8> d_{};
};

}  // namespace jute::emulator
