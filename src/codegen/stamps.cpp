// Fills the pieces of kernels that write stamps.
#include "codegen/stamps.hpp"

#include "base/format.hpp"

namespace jute::codegen {

std::string stamp_piece(const GemmStep& step, Moment moment) {
  if (!is_stamped(step)) return {};
  return base::format("put_stamp(stamp_log, {}, clock_now());  // {}\n", int(moment), name(moment));
}

std::string if_stamped(const Kernel& kernel, const char* path) {
  return is_stamped(kernel.step) ? text(kernel, path) : "";
}

std::string stamp_constants(const GemmStep& step) {
  return is_stamped(step) ? constant("kStamps", kStampsOfRole, "that a role writes at most") : "";
}

std::string stamp_functions(const Kernel& kernel) {
  const bool has_roles = kernel.step.schedule.roles.size() > 1;
  return if_stamped(kernel, "kernel/stamp.cu") +
         if_stamped(kernel, has_roles ? "kernel/stamp.cu (roles)" : "kernel/stamp.cu (warps)");
}

std::string stamped_epilogue(const GemmStep& step, const std::string& epilogue) {
  return stamp_piece(step, Moment::multiplied) + epilogue + stamp_piece(step, Moment::drained) +
         stamp_piece(step, Moment::end);
}

}  // namespace jute::codegen
