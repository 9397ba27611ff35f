#pragma once
// LAUNCH.json: one launch of a kernel with its arguments in files.
#include <jute/launch/launch_spec.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace jute::command {

/// Device memory that a launch reads or writes.
struct BufferArgument {
  enum class Kind : std::uint8_t { in, inout, out };
  Kind kind = Kind::in;
  std::string npy;           ///< in, inout: the file to read
  std::string descr;         ///< out: the elements as numpy spells them
  std::vector<Index> shape;  ///< out
  Index bytes = 0;           ///< out
  std::string save;          ///< inout, out: the file to write; may be empty
  bool hidden = false;       ///< not passed to the kernel
};

struct ScalarArgument {
  ParameterKind kind = ParameterKind::i32;
  std::uint64_t bits = 0;  ///< of the value, in the low bytes
};

struct TensorMapArgument {
  size_t of = 0;  ///< index of the argument whose buffer it describes
  TensorMapSpec spec;
};

using LaunchArgument = std::variant<BufferArgument, ScalarArgument, TensorMapArgument>;

struct LaunchFile {
  std::string kernel;
  Dim3 grid, block, cluster;
  Index dynamic_smem_bytes = 0;
  std::vector<LaunchArgument> arguments;
};

/// Paths inside are made relative to the file's folder.
///   throws  bad_file: where, what and the rule; file_not_found, file_unreadable
[[nodiscard]] LaunchFile read_launch_file(const std::string& path);

/// The kernel's parameters: every argument that is not hidden, in order.
[[nodiscard]] Signature signature_of(const LaunchFile& launch);

}  // namespace jute::command
