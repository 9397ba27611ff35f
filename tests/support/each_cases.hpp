#pragma once
// Random groups with operands and extents of their own, on a device, and each of them as a product
// that is judged alone.
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>

#include <optional>
#include <string>
#include <vector>

#include "support/gemm_case.hpp"

namespace jute::test {

/// Memory on the device with poison round what matters, whose address keeps what is promised of it
/// and no more.
struct EachBuffer {
  EachBuffer(Backend& backend, const std::vector<std::byte>& payload, int alignment);
  [[nodiscard]] DevicePointer pointer() const { return buffer.pointer() + front; }
  [[nodiscard]] std::vector<std::byte> now(Backend& backend) const;
  [[nodiscard]] std::vector<std::byte> payload(const std::vector<std::byte>& all) const;

  size_t front, size;
  std::vector<std::byte> image;
  Buffer buffer;
};

/// A group as a product of its own.
struct OwnGroup {
  OwnGroup(Backend& backend, const GemmCase& plain);
  /// What the list has of it.
  [[nodiscard]] ScaledGroup entry() const;
  /// What is wrong with D, its surroundings, or an operand; empty where all is well.
  [[nodiscard]] std::string failure(Backend& backend, double roundoff) const;

  GemmCase one;
  Problem problem;
  CaseData data;
  EachBuffer a, b, c, d;
  EachBuffer scale_a, zero_a, scale_b, zero_b;  ///< of no bytes where it has none
};

/// The problem of the groups together, and what each is alone.
struct EachCase {
  Problem problem;
  std::vector<GemmCase> groups;
  double alpha = 1, beta = 0;
};

[[nodiscard]] EachCase each_case(const CaseTypes& types, int index);
/// Likewise of converted operands: types, scales and orders of scaled_case.
[[nodiscard]] EachCase scaled_each_case(int index);

/// Groups on a device, and their list.
struct EachRun {
  EachRun(Context& owner, const Problem& asked, const std::vector<GemmCase>& cases,
          const Config& config = {});
  /// By the list as it then is.
  void run(double alpha = 1, double beta = 0);
  [[nodiscard]] std::optional<Index> fault() const { return gemm.group_fault(workspace.pointer()); }
  [[nodiscard]] double roundoff() const;
  /// What is wrong behind a run, a line for each group; empty where all is well.
  [[nodiscard]] std::string failures() const;

  Context& context;
  Problem problem;
  Gemm gemm;
  Buffer workspace;
  std::vector<OwnGroup> groups;
  std::vector<ScaledGroup> list;  ///< of which the device gets what the problem's entries have

 private:
  std::vector<Buffer> bring_inputs(GemmArgs& args) const;
};

}  // namespace jute::test
