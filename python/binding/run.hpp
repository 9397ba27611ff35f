#pragma once
// Runs of bound products: on a GPU as they lie, on the emulator by way of its memory.
#include "product.hpp"
#include "runtime.hpp"

namespace jute::python {

/// Bytes that have crossed since the process began: for tests that hold jute to copying nothing.
struct Traffic {
  Index products = 0;   ///< runs
  Index bytes_in = 0;   ///< into the emulator's memory
  Index bytes_out = 0;  ///< out of it
};
[[nodiscard]] Traffic& traffic();

/// Arrays of the host in the emulator's memory.
class Twins {
 public:
  explicit Twins(Backend& backend) : backend_(backend) {}
  /// A copy of what kernels read.
  DevicePointer in(const Array& array);
  /// Where a result goes, with the array's contents where they must stay: all, or those in gaps.
  DevicePointer out(const Array& array, bool keeps);
  /// Runs and brings the results back; gives the run's workspace.
  ///   throws  what Gemm::run throws; check_failed
  Buffer run(const Gemm& gemm, GemmArgs args);

 private:
  Backend& backend_;
  std::vector<std::pair<Array, Buffer>> read_, written_;
};

/// The kernels for a bound product, found or made.
[[nodiscard]] std::shared_ptr<Prepared> prepared_for(const Wish& wish, const Bound& bound);
/// The same of parts of one D, as one.
[[nodiscard]] std::shared_ptr<Prepared> prepared_for(const Wish& wish, const Bound& bound,
                                                     const std::vector<Problem>& parts);

/// On a GPU it returns once the launch is queued; on the emulator once D is there.
///   throws  what Gemm::run throws; check_failed: what the emulator found; driver_failed: also of
///           earlier launches that failed since
void run(Bound& bound, Prepared& prepared, nb::handle like);

/// The launch alone: on a GPU, of arrays that lie as `form` and `prepared` say, by a's `like`.
///   throws  what Gemm::run throws; driver_failed: also of earlier launches
void launch(GemmArgs& args, const Array& form, Prepared& prepared, nb::handle like);

/// Products are no part of torch's graph: who needs gradients is told where they are.
///   throws  unsupported: gradients are recorded
void refuse_gradients();
/// The same where an operand needs them.
void check_gradients(const Bound& bound, nb::handle a, nb::handle b);

/// D, or D and the epilogue's further outputs by name.
[[nodiscard]] nb::object result_of(const Bound& bound);

}  // namespace jute::python
