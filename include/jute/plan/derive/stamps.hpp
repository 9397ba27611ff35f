#pragma once
// Where the time of a kernel goes: cycle stamps that it leaves in the workspace.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// The moments that a kernel stamps, in their order within a tile.
enum class Moment : std::uint8_t {
  begin,       ///< the kernel's first instruction
  ready,       ///< barriers are there, the kernel ahead has ended
  first_data,  ///< the first k-tile of a tile has landed; a straight kernel does not know
  multiplied,  ///< the last product of a tile is done
  drained,     ///< D of a tile is on its way
  end,         ///< the kernel's last instruction
};
[[nodiscard]] std::string_view name(Moment moment);

/// How many stamps a role of a block writes at most.
inline constexpr int kStampsOfRole = 64;

/// Stamps of one role in one block. Those of one block are of one clock.
struct StampLane {
  Index block = 0;
  std::string role;  ///< `producer`, `consumer 0`; `warp 3` where all warps do the same
  struct Stamp {
    Moment moment;
    std::uint64_t clock;
    bool operator==(const Stamp&) const = default;
  };
  std::vector<Stamp> stamps;
  bool operator==(const StampLane&) const = default;
};

/// The same plan whose GEMM writes stamps, the first of each role in each block, into a region
/// `stamps` behind the rest of the workspace. They cost some clocks; without this the kernel's text
/// knows nothing of them.
[[nodiscard]] Plan stamped(Plan plan);
[[nodiscard]] bool is_stamped(const StepHead& step);

/// The stamps that a run with the planned numbers, or `run`'s, has left in its workspace, which
/// was zero before: lanes in order of block and role, of roles that wrote any. How many bytes lie
/// ahead of the stamps depends on the run.
///   throws  unsupported: the plan is not stamped; out_of_range: the workspace is too short;
///           bad_file: it holds something else
[[nodiscard]] std::vector<StampLane> read_stamps(const Plan& plan,
                                                 std::span<const std::byte> workspace);
[[nodiscard]] std::vector<StampLane> read_stamps(const Plan& plan,
                                                 std::span<const std::byte> workspace,
                                                 const RunValues& run);

}  // namespace jute
