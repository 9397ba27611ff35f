#pragma once
// Kernels of all ranks meet in a window: its flags, and the kernel that raises and awaits them.
#include <jute/emit/template_set.hpp>
#include <jute/launch/communicator.hpp>
#include <jute/launch/launch_spec.hpp>
#include <jute/launch/source.hpp>

#include <memory>
#include <optional>

namespace jute::ranks {

/// A window begins with a flag of each rank, at these distances.
inline constexpr Index kFlagBytes = 64;
/// Bytes of all flags; what ranks show lies behind them.
[[nodiscard]] Index flags_bytes(Index ranks);

/// The kernel for so many ranks.
[[nodiscard]] Source barrier_source(const TemplateSet& templates, const Arch& arch, Index ranks);
/// Its launch on one rank: everything that is in the stream by now lies before what other ranks'
/// streams do behind the same turn.
[[nodiscard]] LaunchSpec barrier_launch(const Window& window, Index rank, Index ranks,
                                        std::uint32_t turn);

/// This turn's half of a communicator's window, which all ranks open together.
struct ShownHalf {
  std::shared_ptr<const Window> window;
  std::uint32_t turn = 0;
  Index at = 0;  ///< bytes from the start of each rank's window
};
/// None: the communicator has no windows. The stream waits for the turn before, whichever it ran
/// in.
[[nodiscard]] std::optional<ShownHalf> open_half(Communicator& communicator, Index bytes,
                                                 Stream stream);
/// Behind all that reads the half.
void close_half(Communicator& communicator, Stream stream);

}  // namespace jute::ranks
