#pragma once
// What `jute gemm` says in the end.
#include <jute/gemm/gemm.hpp>
#include <jute/host/judging.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/json_writer.hpp"
#include "product/gemm_data.hpp"

namespace jute::command {

struct Scaling {
  double alpha = 1.0, beta = 0.0;
};

/// `u_acc` is the roundoff of the sums.
[[nodiscard]] Judged judged(const GemmData& data, const std::vector<std::byte>& d, Scaling scale,
                            double u_acc);
/// The epilogue's other outputs, where the reference is quick enough to judge them whole.
[[nodiscard]] std::vector<JudgedOutput> judged_outputs(
    const GemmData& data, const std::vector<std::vector<std::byte>>& written, Scaling scale,
    double u_acc);
[[nodiscard]] std::string judgement_text(const Judged& judgement, const Problem& problem);
[[nodiscard]] std::string judgement_text(const JudgedOutput& output);
[[nodiscard]] Json judged_json(const Judged& judged);

/// As the reference takes them.
[[nodiscard]] HostOperands host_operands(const GemmData& data);
/// Unit roundoff of the accumulator that a plan's product runs on.
[[nodiscard]] double roundoff(const Plan& plan);

struct GemmOutcome {
  /// `asked` is what was run: a Gemm for a range of M was planned for other rows.
  GemmOutcome(const Backend& backend, const Gemm& prepared, const Problem& asked);

  void judge(const GemmData& data, const std::vector<std::byte>& d, Scaling scale);
  void judge_outputs(const GemmData& data, const std::vector<std::vector<std::byte>>& outputs,
                     Scaling scale);
  /// Does all that was compared lie within its bound?
  [[nodiscard]] bool is_right() const;

  /// Judges parts of one D, `data.problem` among them.
  void judge(const GemmData& data, std::span<const Problem> parts, const std::vector<std::byte>& d);

  Gemm gemm;
  Problem problem;                ///< completed
  std::vector<Problem> behind{};  ///< of further parts of D
  std::string backend;
  DeviceInfo device;
  double run_ms = 0.0;
  std::optional<Judged> judgement;
  std::vector<JudgedOutput> outputs;
  std::string output;
  std::vector<Conversion> conversions;
};

/// A line a fact.
[[nodiscard]] std::string to_string(const GemmOutcome& outcome);
/// The lines of it that say whether the result is right; empty without --verify.
[[nodiscard]] std::string judgement_text(const GemmOutcome& outcome);
[[nodiscard]] Json to_json(const GemmOutcome& outcome);
void print(const GemmOutcome& outcome, const Session& session);

}  // namespace jute::command
