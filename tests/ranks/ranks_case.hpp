#pragma once
// A distributed product on emulator ranks, and the same on one: data, run, D.
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/ranks/distributed_gemm.hpp>
#include <jute/ranks/in_process.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace jute::test {

/// Emulators that stay from case to case, so that kernels are compiled once.
class RanksOfEmulators {
 public:
  explicit RanksOfEmulators(Index most, const ContextOptions& options = {},
                            Schedule schedule = Schedule::fixed);
  /// The first `count` of them.
  [[nodiscard]] std::vector<Backend*> backends(Index count) const;
  [[nodiscard]] Context& context(Index rank) const {
    return *contexts_[static_cast<std::size_t>(rank)];
  }

 private:
  std::vector<std::unique_ptr<Context>> contexts_;
};

/// Emulators whose kernels are of another text: one part of a template's file for another.
[[nodiscard]] RanksOfEmulators emulators_with(const std::string& from, const std::string& to,
                                              Index most = 2,
                                              const std::string& piece = "kernel/barrier.cu");

/// The types of a random problem, by its number: f32, bf16, f16 into f32, f64, s8 into s32, e4m3
/// and tf32 into f32.
void put_types(Problem& problem, int number);

/// Whole matrices in the host's memory.
struct WholeData {
  std::vector<std::byte> a, b, c;
  std::vector<std::vector<std::byte>> inputs{};  ///< of the epilogue, by their places
};
/// Small integers, so that sums are exact in any order; or fractions.
enum class Numbers : bool { integers, fractions };
[[nodiscard]] WholeData whole_data(const Problem& problem, std::mt19937& random, Numbers numbers);

struct RanksOutcome {
  std::vector<std::vector<std::byte>> parts;  ///< of D, by ranks
  std::vector<std::byte> d;                   ///< the whole, from the parts
  Index bytes = 0;                            ///< that were sent from rank to rank
};
/// Runs the plan on so many emulators as it has ranks. What the back ends find is thrown.
[[nodiscard]] RanksOutcome run_on_ranks(const RanksOfEmulators& ranks, const DistributedPlan& plan,
                                        const WholeData& data, double alpha, double beta);
/// What a rank of a plan is given where nobody asks for D's values: zeros.
struct RankMemory {
  std::vector<Buffer> buffers;
  DistributedArgs args;
};
[[nodiscard]] RankMemory zeros_for(Context& context, const DistributedPlan& plan,
                                   const DistributedGemm& gemm);

/// Do kernels reach other ranks' memory, where ends have it?
enum class Reach : bool { own, all };
/// The same by ends of another kind, so many times.
[[nodiscard]] RanksOutcome run_on_ranks(const RanksOfEmulators& ranks, const DistributedPlan& plan,
                                        const WholeData& data, double alpha, double beta,
                                        std::vector<std::unique_ptr<Communicator>> given,
                                        Reach reach = Reach::own, int runs = 1);
/// What each rank has thrown, by ranks; nothing where it has not.
[[nodiscard]] std::vector<std::optional<Error>> errors_of(
    std::span<const std::unique_ptr<Communicator>> ends,
    const std::function<void(Communicator&)>& work);
/// D of the same problem by the plan for one rank.
[[nodiscard]] std::vector<std::byte> run_on_one(const RanksOfEmulators& ranks,
                                                const Problem& problem, const WholeData& data,
                                                double alpha, double beta);
/// Do ranks in process, which reach each other's memory, leave of random integers the bits that one
/// rank does? Factors that runs say are 2 and -1.
[[nodiscard]] bool leave_bits_of_one(const RanksOfEmulators& ranks, const DistributedPlan& plan,
                                     std::mt19937& random);

}  // namespace jute::test
