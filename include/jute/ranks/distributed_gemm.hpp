#pragma once
// One rank's side of a distributed product: prepare once, run often.
#include <jute/base/export.hpp>
#include <jute/dist/distributed_plan.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/communicator.hpp>
#include <jute/race/tune.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace JUTE_API jute {

/// The values of one run, on one rank: its parts.
struct DistributedArgs {
  DevicePointer a = 0, b = 0, c = 0, d = 0;  ///< what the rank has no elements of may be 0
  DevicePointer workspace = 0;
  double alpha = 1.0, beta = 0.0;
  /// The inputs of the plan's epilogue, by their places: the rank's part, or a number.
  std::vector<EpilogueArg> inputs{};
  Stream stream{};
  /// Where steps of the lane comm run, beside the others; the same as `stream`: one after the
  /// other. A run begins after all that is in `stream`, which then holds its end.
  Stream comm_stream{};
  std::optional<Lane> only{};  ///< for measuring: steps of one lane, on whatever lies there
};

/// Regular to copy; copies share the loaded kernels.
class DistributedGemm {
 public:
  [[nodiscard]] const DistributedPlan& plan() const;
  [[nodiscard]] Index rank() const;
  [[nodiscard]] Index workspace_bytes() const;
  /// Makes a fresh workspace ready for runs, in the stream's order.
  void clear_workspace(DevicePointer workspace, Stream stream = {}) const;
  /// Where one of the plan's kernels has its own workspace in runs by this end: for read_stamps,
  /// where the kernel is stamped. One that waits for rows has it in memory that other ranks reach,
  /// from the first run on.   throws  out_of_range: no such kernel
  [[nodiscard]] DevicePointer kernel_workspace(Communicator& communicator, std::size_t kernel,
                                               DevicePointer workspace) const;
  /// All steps in the plan's order; every rank calls it, with the same alpha and beta. C stays
  /// where it is where beta is 0. Steps may still run when it returns: Communicator::finish waits
  /// for them.
  ///   throws  CommunicationFailed; illegal_problem: alpha or beta is none of the problem's, or an
  ///           input is missing; what Gemm::run throws
  void run(Communicator& communicator, const DistributedArgs& args) const;

  struct Impl;
  explicit DistributedGemm(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

/// The kernels of one rank, in its own Context.
///   throws  illegal_config: broken_rules(plan) has something to say; out_of_range: no such rank;
///           what prepare of a plan throws
[[nodiscard]] DistributedGemm prepare(Context& context, const DistributedPlan& plan, Index rank);

/// The plan with the choices that are the fastest for its largest product where rank 0 measured
/// them, among those that sum as it does: it leaves the same bits. The plan itself where no other
/// serves the mesh. Every rank of `ranks` calls it, and waits until rank 0 has raced.
///   throws  on all ranks what tune() throws on rank 0; CommunicationFailed
[[nodiscard]] DistributedPlan tune(Rendezvous& ranks, Context& context, const DistributedPlan& plan,
                                   const TuneOptions& options = {});
/// The same where one rank decides for ranks that are threads of its process.
[[nodiscard]] DistributedPlan tune(Context& context, const DistributedPlan& plan,
                                   const TuneOptions& options = {});

/// Compares the plan with the other ranks'.   throws  CommunicationFailed: it differs
void require_same_plan(Communicator& communicator, const DistributedPlan& plan);

/// A rank's part of a matrix of the caller's that lies whole in the host's memory, with that
/// leading dimension, in the order of the buffer; as the buffer is to hold it.
[[nodiscard]] std::vector<std::byte> part_of_whole(const DistributedPlan& plan, std::size_t buffer,
                                                   Index rank, std::span<const std::byte> whole,
                                                   Index ld_elems);
/// The other way: the part's elements to their places in the whole.
void put_into_whole(const DistributedPlan& plan, std::size_t buffer, Index rank,
                    std::span<const std::byte> part, std::span<std::byte> whole, Index ld_elems);
/// The buffer of the caller's that has this name, A to D, `input bias`.   throws  unknown_name
[[nodiscard]] std::size_t buffer_of(const DistributedPlan& plan, std::string_view name);

}  // namespace jute
