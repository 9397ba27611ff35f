#pragma once
// Kernels that do one thing in a loop, what a chip's SMs do of it in a clock, and what shows in
// seconds alone.
#include <jute/atom/catalogue.hpp>
#include <jute/base/settings.hpp>
#include <jute/gemm/context.hpp>
#include <jute/launch/backend.hpp>

#include <string>
#include <vector>

namespace jute::tuning {

/// How long a loop is, and on how many SMs. Of the emulator the least will do.
struct LoopSize {
  int rounds = 2000;
  int blocks = 0;  ///< 0: one an SM
};

/// A loop of an atom's instruction, its operands zeros in place: `products(clocks, sink, rounds)`.
///   units   `steps` of it for a warp, of wgmma for a group of four warps, in a round
///   throws  unsupported: a form that is neither mma nor wgmma_ss
struct ProductLoop {
  Source source;
  int threads = 0;
  double multiply_adds = 0;  ///< of a block in a round
};
[[nodiscard]] ProductLoop product_loop(const MmaAtom& atom, Arch arch);

/// The instruction by which a figure of the table is measured: of those of the form that multiply
/// such types the one that does the most. None where the chip has none.
[[nodiscard]] std::optional<MmaAtom> atom_of_figure(std::string_view figure, Arch arch,
                                                    const Catalogue& catalogue);

/// The figures that loops find in clocks of an SM, whatever the frequency: of tensor cores, of
/// threads, of shared memory and of the L2 cache. Where the chip lacks an instruction its figure is
/// left out.
///   throws  no_nvrtc, driver_failed, launch_failed
[[nodiscard]] std::vector<OwnFigure> figures_by_loops(Backend& backend, const Settings& settings,
                                                      const Catalogue& catalogue,
                                                      const LoopSize& size = {});

/// `measured 2026-11-29: how`, by the clock of this machine.
[[nodiscard]] std::string measured_today(const std::string& how);

/// A kernel of chip_loops.cu.
[[nodiscard]] Kernel loop_kernel(Backend& backend, const Settings& settings, const char* symbol,
                                 const char* signature);

/// Measures the GPU that the Context has open: the driver's facts, and kernels' times. Takes some
/// seconds of full load.
///   throws  no_gpu, driver_failed, launch_failed, out_of_memory
[[nodiscard]] std::vector<OwnFigure> figures_by_times(Context& context, const Settings& settings);

/// Bytes of memory that loops over them read in a second, by 1e9; by the back end's own events.
[[nodiscard]] double memory_read_gb_s(Backend& backend, const Settings& settings, Index bytes);

}  // namespace jute::tuning
