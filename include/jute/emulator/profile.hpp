#pragma once
// What a kernel cost, instruction by instruction, counted while the emulator ran it.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/launch/launch_spec.hpp>

#include <string>
#include <vector>

namespace JUTE_API jute {

/// Counts of one instruction. Bytes count every lane's own; copies and products count where they
/// are issued.
struct InstructionCounts {
  Index warps = 0;    ///< times a warp executed it, guards that let no lane pass included
  Index threads = 0;  ///< lanes that did
  Index global_bytes = 0, shared_bytes = 0, local_bytes = 0, parameter_bytes = 0;
  Index global_requests = 0;   ///< warp-wide accesses to global memory
  Index global_sectors = 0;    ///< of 32 bytes, which these touch
  Index least_sectors = 0;     ///< that the same bytes would need side by side
  Index wavefronts = 0;        ///< passes through the 32 banks of shared memory
  Index least_wavefronts = 0;  ///< without conflicts
  Index tensor_flops = 0;      ///< 2 m n k of each matrix product

  InstructionCounts& operator+=(const InstructionCounts& other);
  bool operator==(const InstructionCounts&) const = default;
};

/// Which bytes of shared memory a matrix instruction's operand holds: where layouts show.
struct OperandSources {
  std::string operand;  ///< "A" and "B" of mma, "D" of ldmatrix
  int value_bits = 16;  ///< below 8, a value stands for all those of its byte
  /// By lane, in the order of its values: the offset in the block's shared memory; -1: it was
  /// computed, or comes from elsewhere.
  std::vector<std::vector<Index>> lanes;
  bool operator==(const OperandSources&) const = default;
};

struct InstructionProfile {
  std::string opcode;
  int ptx_line = 0;
  std::string source;  ///< "file:line" of the CUDA text; may be empty
  InstructionCounts counts;
  /// The sources of mma and ldmatrix, when the first warp of the grid first executed it.
  std::vector<OperandSources> operands;
  bool operator==(const InstructionProfile&) const = default;
};

/// Blocks that fit on a multiprocessor together, as far as threads and shared memory decide;
/// registers are the assembler's to know.
struct Occupancy {
  int blocks = 0;
  int warps = 0;
  int most_warps = 0;
  std::string limit;  ///< "threads", "shared memory" or "blocks"
  bool operator==(const Occupancy&) const = default;
};
[[nodiscard]] Occupancy occupancy_of(const LaunchSpec& spec, Index static_smem_bytes,
                                     const DeviceInfo& device);

/// One launch. Instructions that no warp reached are listed with zeros.
struct LaunchProfile {
  std::string kernel;
  Dim3 grid, block, cluster;
  Index static_smem_bytes = 0, dynamic_smem_bytes = 0;
  Occupancy occupancy;
  std::vector<InstructionProfile> instructions;  ///< in the order of the PTX
};

[[nodiscard]] InstructionCounts sum_of(const LaunchProfile& profile);

}  // namespace jute
