#pragma once
// Compiles kernel cases and runs them on a back end.
#include <jute/emulator/emulator.hpp>
#include <jute/jit/compile.hpp>

#include <map>
#include <string>
#include <vector>

#include "kernels/kernel_case.hpp"

namespace jute::test {

/// The case's whole text: the words, its prelude, its kernels.
[[nodiscard]] std::string cuda_text(const KernelCase& kernel_case);

/// One binary a launch, all of one compilation.
[[nodiscard]] std::vector<Binary> compile(const Compiler& compiler, const KernelCase& kernel_case,
                                          Output output);

/// What every array holds after the launches.
[[nodiscard]] std::vector<std::vector<std::byte>> run(Backend& backend,
                                                      const KernelCase& kernel_case,
                                                      const std::vector<Binary>& binaries);

/// Where arrays first differ from what they must hold; empty when they do not.
[[nodiscard]] std::string first_difference(const KernelCase& kernel_case,
                                           const std::vector<std::vector<std::byte>>& arrays);

/// The ways in which the emulator may order what runs behind a program's back.
struct NamedSchedule {
  std::string name;
  Schedule schedule;
  std::uint64_t seed;
};
[[nodiscard]] std::vector<NamedSchedule> schedules(int random_seeds);

/// One run under all checks.
struct Emulation {
  std::string difference;
  Report report;
  [[nodiscard]] bool is_right_and_silent() const { return difference.empty() && report.clean(); }
};
[[nodiscard]] Emulation emulate(const KernelCase& kernel_case, const std::vector<Binary>& binaries,
                                const NamedSchedule& schedule,
                                Index warp_instructions_per_block = Index{1} << 24);

/// What the emulator makes of a case over all schedules.
struct Verdict {
  std::string found;  ///< `silent`; `refused`, where it does not run; `wrong`; or codes of findings
  std::string details;  ///< reports and differences
};
[[nodiscard]] Verdict judge(const KernelCase& kernel_case, const std::vector<Binary>& binaries,
                            int random_seeds);

/// Lines `key: text` of a file in tests/kernels; `#` opens a remark.
[[nodiscard]] std::map<std::string, std::string> read_list(const std::string& file);

}  // namespace jute::test
