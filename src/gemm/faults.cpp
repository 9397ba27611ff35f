// Makes workspaces ready for runs, and reads the words in which kernels leave what lists were wrong
// by.
#include <jute/base/refuse.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <optional>
#include <span>
#include <string>

#include "gemm/prepared_gemm.hpp"

namespace jute {
namespace gemm {
namespace {

/// Words that keep the first fault: of lists of groups, of A's table of rows, of D's. Each is one
/// more than the entry.
constexpr Index kFaultWordBytes = 4;
enum class FaultWord : std::uint8_t { ends, rows_a, rows_d };
constexpr Index kFaultWords = 3;
std::optional<Index> fault_place(const Plan& plan) {
  const RunValues planned = jute::run_values(plan);
  Index place = 0;
  for (const WorkspaceRegion& region : plan.workspace) {
    if (region.name == "fault") return place;
    place += region.bytes.evaluate(planned);
  }
  return std::nullopt;
}

/// The entry that was wrong, by a word of a workspace.
std::optional<Index> fault_in(Backend& backend, const Plan& plan, FaultWord word,
                              DevicePointer workspace, Stream stream) {
  const std::optional<Index> place = fault_place(plan);
  if (!place) return std::nullopt;
  std::uint32_t fault = 0;
  static_assert(sizeof fault == kFaultWordBytes);
  const Index at = *place + static_cast<Index>(word) * kFaultWordBytes;
  backend.copy_out(std::as_writable_bytes(std::span(&fault, 1)),
                   workspace + static_cast<DevicePointer>(at), stream);
  return fault == 0 ? std::nullopt : std::optional(Index{fault} - 1);
}

}  // namespace
}  // namespace gemm

void Gemm::clear_workspace(DevicePointer workspace, Stream stream) const {
  Backend& backend = *impl_->prepared->kernels.front().steps->backend;
  if (const Index bytes = zeroed_bytes(); bytes > 0) backend.fill(workspace, 0, bytes, stream);
  if (const std::optional<Index> place = gemm::fault_place(plan()))
    backend.fill(workspace + static_cast<DevicePointer>(*place), 0,
                 gemm::kFaultWords * gemm::kFaultWordBytes, stream);
}

std::optional<Index> Gemm::group_fault(DevicePointer workspace, Stream stream) const {
  if (!plan().problem.groups) return std::nullopt;
  return gemm::fault_in(*impl_->prepared->kernels.front().steps->backend, plan(),
                        gemm::FaultWord::ends, workspace, stream);
}

std::optional<Index> Gemm::row_fault(TensorRole operand, DevicePointer workspace,
                                     Stream stream) const {
  const Problem& problem = plan().problem;
  if (operand != TensorRole::a && operand != TensorRole::d)
    jute::refuse(ErrorCode::unknown_name, "operand", std::string(name(operand)),
                 "only a and d must be asked for the faults of their tables "
                 "of rows",
                 "a");
  const bool is_a = operand == TensorRole::a;
  if (!(is_a ? problem.a : problem.d).rows) return std::nullopt;
  return gemm::fault_in(*impl_->prepared->kernels.front().steps->backend, plan(),
                        is_a ? gemm::FaultWord::rows_a : gemm::FaultWord::rows_d, workspace,
                        stream);
}

}  // namespace jute
