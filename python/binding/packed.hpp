#pragma once
// Operands that stay: what Gemm::pack has made of one, in place of the array.
#include <memory>
#include <vector>

#include "run.hpp"

namespace jute::python {

/// Freed without the GIL, which a launch that holds the emulator may want.
class FreedUnlocked {
 public:
  FreedUnlocked() = default;
  FreedUnlocked(Buffer buffer) : buffer_(std::move(buffer)) {}  // NOLINT: a buffer is one
  FreedUnlocked(FreedUnlocked&&) noexcept = default;
  FreedUnlocked& operator=(FreedUnlocked&&) noexcept = default;
  ~FreedUnlocked() {
    if (buffer_.pointer() == 0) return;
    const nb::gil_scoped_release released;
    buffer_ = Buffer();
  }

 private:
  Buffer buffer_;
};

/// The packed operand of one prepared product: its copy, and how the array lay.
struct Packed {
  TensorRole role = TensorRole::b;
  Array form;
  std::vector<BoundArray> numbers = {};  ///< of its blocks, as they lay
  nb::object like = {};                  ///< of the array's library and type, without elements
  nb::object memory = {};                ///< of torch's; else the buffer holds it
  FreedUnlocked buffer = {};
  DevicePointer address = 0;
  std::shared_ptr<Prepared> prepared = {};
};

/// Packs an array that lies as the product's operand, with the numbers of its blocks, in the
/// stream's order (None: the current one).
///   throws  illegal_problem: runs read the operand as it lies; check_failed: what the emulator
///   found
[[nodiscard]] Packed packed(TensorRole role, nb::handle array, const Array& form,
                            const std::shared_ptr<Prepared>& prepared, const nb::object& stream,
                            std::vector<BoundArray> numbers = {});

/// Where a or b is a Packed, its form, memory and library in their place.
///   throws  not_compatible: it is another operand's, or of another product
void put_packed(Operands& operands, const std::shared_ptr<Prepared>& prepared);

void add_packed(nb::module_& core);

}  // namespace jute::python
