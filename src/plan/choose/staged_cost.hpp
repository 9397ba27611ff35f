#pragma once
// What kernels that bring tiles to shared memory are expected to take, beside those that do not.
#include "plan/choose/ranked/best_staged.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The best of the other kernels: those of a producer and consumers, those whose threads copy, or
/// either without tensor cores.
enum class Others : std::uint8_t { specialised, staged, threads };

/// Clocks of the best of them, with the copies of operands that it reads, as far as a rival that
/// takes so many needs them: more than it takes, at least, where the best do.
[[nodiscard]] double other_clocks(const KernelProblem& problem, const DeviceInfo& device,
                                  BestStaged& staged, Others others, double rival);

/// Do kernels that bring tiles to shared memory asynchronously read copies, as rows of an operand
/// begin anywhere?
[[nodiscard]] bool needs_copies(const KernelProblem& problem);
/// What those copies take.
[[nodiscard]] double copies_clocks(const KernelProblem& problem, const DeviceInfo& device);

/// By tensor cores of warps: is what a producer loads, of copies where it must, faster than what
/// threads copy?
[[nodiscard]] bool is_for_warp_groups(const KernelProblem& problem, const DeviceInfo& device,
                                      BestStaged& staged);

/// Likewise: is a kernel that reads copies faster than one that reads rows where they begin?
[[nodiscard]] bool copies_pay_for_warps(const KernelProblem& problem, const DeviceInfo& device,
                                        BestStaged& staged);

/// Without tensor cores: is what a producer loads of copies faster than what threads load as it
/// lies?
[[nodiscard]] bool copies_pay_for_threads(const KernelProblem& problem, const DeviceInfo& device,
                                          BestStaged& staged);

/// Clocks of a kernel whose threads bring operands to shared memory element by element, where K is
/// short.
[[nodiscard]] double gathered_clocks(const KernelProblem& problem, const DeviceInfo& device);

}  // namespace jute::plan
