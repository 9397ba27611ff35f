#pragma once
// A product of a bundle on a back end: what the launcher does, for programs that have jute.
#include <jute/base/export.hpp>
#include <jute/bundle/bundle.hpp>
#include <jute/launch/backend.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <optional>
#include <vector>

namespace JUTE_API jute {

/// The target whose kernels suit a chip best: those made for it alone, then machine code of its
/// generation, then the newest PTX that it runs. None: nothing does.
[[nodiscard]] std::optional<std::size_t> suitable_target(const Bundle& bundle, const Arch& chip);

class BundledProduct {
 public:
  /// Loads the kernels of bundle.problems[problem] for the back end's chip. The back end must
  /// outlive it.
  ///   throws  unsupported: the bundle has none for this chip, says which it has; what
  ///           Backend::load throws
  BundledProduct(Backend& backend, const Bundle& bundle, std::size_t problem);

  /// The problem's own numbers, without addresses.
  [[nodiscard]] RunValues planned() const;
  [[nodiscard]] Index workspace_bytes() const { return product_.workspace_bytes; }
  /// The first of them: every run finds these zero and leaves them zero.
  [[nodiscard]] Index zeroed_bytes() const { return product_.zeroed_bytes; }
  /// Makes a fresh workspace ready, in the stream's order: clears these, and of groups the word
  /// that keeps a wrong list's fault.
  void clear_workspace(DevicePointer workspace, Stream stream = {}) const;
  /// As Gemm::group_fault: which entry of a list was wrong since clear_workspace. Waits for the
  /// stream.
  [[nodiscard]] std::optional<Index> group_fault(DevicePointer workspace, Stream stream = {}) const;
  /// As Gemm::row_fault, of A's table of rows or of D's.
  [[nodiscard]] std::optional<Index> row_fault(TensorRole operand, DevicePointer workspace,
                                               Stream stream = {}) const;
  /// The architecture whose kernels were loaded.
  [[nodiscard]] const Arch& arch() const { return arch_; }
  [[nodiscard]] double roundoff() const { return product_.roundoff; }
  /// Launches; the workspace is one for all kernels. A run without elements of D launches nothing.
  ///   throws  illegal_problem: a number that a kernel rests on differs; out_of_range: it needs
  ///           more workspace than there is; what bind and Backend::launch throw
  void run(RunValues run, Stream stream = {}) const;

 private:
  [[nodiscard]] std::optional<Index> fault_in(Index word, DevicePointer workspace,
                                              Stream stream) const;
  /// As much of a plan as bind needs, and its loaded kernels.
  struct Loaded {
    Plan plan;
    std::vector<Kernel> kernels;
  };

  Backend& backend_;
  Problem problem_;
  BundleProduct product_;
  Arch arch_;
  std::vector<Loaded> loaded_;
};

}  // namespace jute
