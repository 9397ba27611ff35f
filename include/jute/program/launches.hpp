#pragma once
// Launches that a CUDA program makes, as far as its text tells them.
#include <jute/base/export.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/launch/launch_spec.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace JUTE_API jute {

/// The contents of memory when a kernel begins.
enum class LaunchContents : std::uint8_t { unset, zeros, copied };

/// Memory that a launch is given.
struct LaunchMemory {
  std::string name = {};            ///< the variable's
  std::optional<Index> bytes = {};  ///< of its allocation
  LaunchContents contents = LaunchContents::unset;
  std::optional<std::size_t> again = {};  ///< the same as this earlier argument's
  std::optional<Index> offset_bytes = 0;  ///< of the address that is passed; none: not known
};

/// One argument: a number, memory, or nothing that the text tells.
struct LaunchArgument {
  std::string text = {};       ///< as it stands in the launch
  std::string parameter = {};  ///< the kernel's name for it; may be empty
  std::string type = {};       ///< the parameter's, without qualifiers: `float` of `const float* x`
  bool is_pointer = false;
  bool is_constant = false;  ///< a pointer to what the kernel does not write
  std::variant<std::monostate, Index, double, LaunchMemory> value = {};
};

/// `scale<float><<<grid, block, bytes, stream>>>(…)`.
struct LaunchSite {
  std::string kernel = {};  ///< as a launch file may name it: "net::scale<float, 4>"
  int line = 0;             ///< from 1; of a kernel without launches, its own
  bool is_made = true;      ///< false: the text defines the kernel and does not launch it
  bool is_cooperative = false;
  bool is_defined = true;  ///< false: the text launches the kernel and does not define it
  std::optional<Dim3> grid = {}, block = {};
  std::optional<Index> dynamic_smem_bytes = {};
  std::vector<LaunchArgument> arguments = {};
  std::vector<std::string> missing = {};  ///< text of the grid and block that are not known
};

/// The questions that a program asks while it runs.
struct ProgramSurroundings {
  std::optional<DeviceInfo> device = {};  ///< whose properties the runtime tells; none: not known
  std::vector<std::string> input = {};    ///< words of standard input, in the order they are read
};

/// A variable that is read from standard input.
struct InputRead {
  std::string name = {};
  int line = 0;  ///< from 1
  bool operator==(const InputRead&) const = default;
};

struct ProgramLaunches {
  std::vector<LaunchSite> sites = {};       ///< in the order of the text
  std::vector<std::string> constants = {};  ///< variables that the host copies into
  std::vector<InputRead> unread = {};       ///< for which the input has no word
  Index words_read = 0;                     ///< of the input
  bool asks_device = false;                 ///< properties or attributes of it
};

/// Every launch of a text and every kernel that it does not launch. Variables have the values that
/// statements before the launch give them, read from `main` on without running it: of branches and
/// loops, the first way through. `argc` is 1.
[[nodiscard]] ProgramLaunches launches_of(std::string_view text,
                                          const ProgramSurroundings& around = {});

}  // namespace jute
