#pragma once
// Prepare a GEMM once, run it often.
#include <jute/base/export.hpp>
#include <jute/gemm/context.hpp>
#include <jute/gemm/gemm_args.hpp>
#include <jute/plan/choose/cover.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/plan.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// How long each stage of preparing took. Zero where the Context had the answer; a kernel from the
/// cache on disk counts as compile. Of kernels that are compiled at once, the longest.
struct PrepareTimes {
  std::chrono::duration<double, std::milli> plan{}, source{}, compile{}, load{};
};

/// The kernel of a run with other rows, and the one that planning would choose for them alone.
struct KernelChoice {
  size_t kernel = 0;   ///< of Gemm::plans()
  Index width = 0;     ///< of its tiles along these rows, where a launch chooses; else 0
  Index split_k = 1;   ///< of K
  Config config = {};  ///< that plans the kernel for these rows alone
  /// The time that the model expects of both; none for kernels that it says nothing of.
  std::optional<Prediction> held{}, best{};

  /// The part of the held one's time that the best one would save; 0: none, or nothing is known.
  [[nodiscard]] double gain() const {
    return held && best && held->clocks > best->clocks ? 1 - best->clocks / held->clocks : 0;
  }
};

/// A prepared GEMM. Regular to copy (copies share the loaded kernels); run is const, allocates
/// nothing, waits for nothing and may be called from several threads.
class Gemm {
 public:
  /// The plan of the kernel of a run whose numbers are the prepared ones; of parts of D the
  /// first's, with the others behind it.
  [[nodiscard]] const Plan& plan() const;
  /// The plan of every kernel that is held: plan() alone, or those of the problem's m_range.
  [[nodiscard]] std::span<const Plan> plans() const;
  /// The choice of run() for so many rows; plans, so it takes a while, but compiles nothing.
  ///   throws  illegal_problem: what completed() throws of such an M; unsupported: of parts of D
  [[nodiscard]] KernelChoice choice(Index m) const;
  [[nodiscard]] const std::vector<Source>& sources() const;
  [[nodiscard]] const std::vector<Binary>& binaries() const;
  /// The assembler's words on kernels that were planned first: `KERNEL spills 92 bytes`. The next
  /// candidate took their place. Empty for most problems, and of back ends that run PTX.
  [[nodiscard]] const std::vector<std::string>& passed_over() const;
  /// Bytes of a workspace, 256-byte aligned, that runs use one after the other.
  [[nodiscard]] Index workspace_bytes() const;
  /// The first of them: every run finds these zero and leaves them zero.
  [[nodiscard]] Index zeroed_bytes() const;
  /// Makes a fresh workspace ready for runs, in the stream's order; nothing where none must be
  /// zero.
  void clear_workspace(DevicePointer workspace, Stream stream = {}) const;
  /// Which group's entry the first list was wrong by that a run got since clear_workspace: it goes
  /// down, or past the bound, and nothing was computed. Waits for the stream; none where all lists
  /// were right, and for problems without groups.
  [[nodiscard]] std::optional<Index> group_fault(DevicePointer workspace, Stream stream = {}) const;
  /// The same of a table of rows, of A or of D: an entry that was no row of memory and not -1, and
  /// counted as -1. None where every entry was right, and for operands without a table.
  ///   throws  unknown_name: no other operand has one
  [[nodiscard]] std::optional<Index> row_fault(TensorRole operand, DevicePointer workspace,
                                               Stream stream = {}) const;
  /// Bytes of A or B as runs read it, with its rows padded or transposed; 0 where runs read the
  /// operand as it lies, and of parts of D, each of which reads it in another way.
  [[nodiscard]] Index packed_bytes(TensorRole operand) const;
  /// Makes that of an operand that stays the same from run to run, in memory of the caller's,
  /// 256-byte aligned, in the stream's order: runs that get it skip the copy. Of `args` it takes
  /// the operand, the sizes and the stream.
  ///   throws  illegal_problem: runs read the operand as it lies; unsupported: of parts of D; what
  ///           run() throws
  void pack(TensorRole operand, DevicePointer packed, const GemmArgs& args) const;
  [[nodiscard]] const PrepareTimes& times() const;
  /// Places of the epilogue's inputs and outputs, for GemmArgs.
  ///   throws  unknown_name: offers the nearest
  [[nodiscard]] std::size_t input(std::string_view name) const;
  [[nodiscard]] std::size_t output(std::string_view name) const;
  /// Launches what the model expects to be the fastest of the kernels that are held and that the
  /// workspace is large enough for; never compiles.
  /// throws  misaligned (a pointer breaks the problem's promise; names the rule), illegal_problem
  ///         (an extent differs from the literal), out_of_range
  void run(const GemmArgs& args) const;

  struct Impl;
  explicit Gemm(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

/// Plans, generates, compiles and loads, or finds all that done before in this Context.
///   throws  what make_plan, generate and Compiler::compile throw
[[nodiscard]] Gemm prepare(Context& context, const Problem& problem, const Config& config = {});
/// The same of the kernels of a cover's problem.
[[nodiscard]] Gemm prepare(Context& context, const CoveredProblem& covered);
/// The same of problems that each write a part of one D, in one Gemm: a run launches the steps of
/// all, one behind the other, and its `m` is the rows of all parts together. Extents and strides
/// else are the prepared ones.
///   throws  what make_plan_of_parts and prepare of each throw
[[nodiscard]] Gemm prepare_parts(Context& context, std::span<const Problem> parts,
                                 const Config& config = {});
/// The same of a plan, as it is.
///   throws  illegal_config: check(plan) has something to say; what the others throw
[[nodiscard]] Gemm prepare(Context& context, const Plan& plan);

}  // namespace jute
