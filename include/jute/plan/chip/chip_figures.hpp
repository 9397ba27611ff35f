#pragma once
// A chip's work in a clock and its delays: a row of figures, each with where it is from.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/launch/device_info.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// How a figure was found.
enum class FigureSource : std::uint8_t {
  data_sheet,  ///< the vendor's document that the row names, at the clock that it gives
  measured,    ///< by a probe on the chip
  derived,     ///< from a row of the same architecture
  estimate,    ///< nobody has looked yet
};
[[nodiscard]] std::string_view name(FigureSource source);  ///< data sheet, measured, …

/// Who looked, when and how; both empty of what a data sheet says.
struct FigureProbe {
  std::string_view date, method;
  bool operator==(const FigureProbe&) const = default;
};

struct Figure {
  double value = 0;  ///< 0: the chip has no such thing
  FigureSource source = FigureSource::data_sheet;
  FigureProbe probe = {};
  bool operator==(const Figure&) const = default;
};

/// One chip. Rates are multiply-adds that one SM does in a clock, dense; into sums of f32 (of
/// integers s32, of f64 f64) unless the name says otherwise. Bytes are an SM's in a clock, and
/// latencies clocks of an SM, unless the name has another unit.
struct ChipFigures {
  std::string_view chip;      ///< the preset's name
  int arch = 0;               ///< 90 for sm_90
  std::string_view document;  ///< the vendor's, that figures of data sheets are from
  // SM clocks: of the data sheet's rates of tensor cores, of threads; and at which tensor cores are
  // seen to work, which the power limit decides.
  Figure mhz, thread_mhz, seen_mhz;
  Figure watts;
  // From the last block of a kernel to the first of the next one in a graph, and where that one was
  // let begin early; of a block until its threads have met, and from then until the first tile of
  // operands is in shared memory.
  Figure launch_gap, dependent_launch_gap, block_start, first_tile;
  Figure memory_gb_s, memory_seen_gb_s;  ///< 1e9 bytes a second: of the sheet, that kernels read
  Figure l2_bytes, l2_same_bytes;        ///< of lines of their own, of lines that all SMs read
  Figure load_latency;                   ///< from asking for a tile of operands until it has come
  Figure smem_bytes, remote_smem_bytes;  ///< from an SM's own shared memory, a cluster's others'
  Figure tma_issue;                      ///< clocks from one instruction of a thread to its next
  Figure issue_slots;                    ///< instructions of warps
  Figure special_functions;              ///< ex2, rcp, tanh
  // Tensor cores by mma.sync: f16 and bf16, f16 into sums of f16, tf32, 8-bit integers, 8-bit
  // floats, f64.
  Figure mma_halves, mma_halves_f16, mma_words, mma_integers, mma_bytes, mma_doubles;
  // By the instructions that read operands from shared memory, wgmma and tcgen05.
  Figure group_halves, group_words, group_integers, group_bytes;
  // Threads, by the sums: f32 and f16, f64, integers as whole words.
  Figure thread_singles, thread_doubles, thread_integers;
};

/// The chips that there are rows for, in the order of their architectures.
[[nodiscard]] const std::vector<ChipFigures>& known_chips();

/// The row of the chip whose name the device's holds: "NVIDIA H100 80GB HBM3" is an h100. Of a chip
/// in no row the first one of its architecture, else of the architecture before it, as derived. The
/// device's own figures stand in place of the row's.
[[nodiscard]] ChipFigures chip_figures(const DeviceInfo& device);

/// Multiply-adds that an SM does at most in a clock, by an instruction of that form. Nothing where
/// the chip has no such units.
[[nodiscard]] std::optional<double> greatest_rate(const ChipFigures& chip, MmaForm form,
                                                  DType operand, DType accumulate);
/// By whichever instruction is the fastest.
[[nodiscard]] std::optional<double> greatest_rate(const ChipFigures& chip, DType operand,
                                                  DType accumulate);

/// A figure by the name of its field.
struct NamedFigure {
  std::string_view name, unit, meaning;
  Figure figure;
};
/// All of a row, in the order of the struct.
[[nodiscard]] std::vector<NamedFigure> figures(const ChipFigures& chip);

}  // namespace jute
