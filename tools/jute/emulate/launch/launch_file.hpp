#pragma once
// LAUNCH.json: launches of kernels over named memory, and what they must leave there.
#include <jute/emulator/texture.hpp>
#include <jute/launch/launch_spec.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "emulate/launch/contents.hpp"
#include "files/files.hpp"
#include "files/json_writer.hpp"

namespace jute::command {

/// How far a result may be from what is expected: the sum of all three.
struct Tolerance {
  double absolute = 0, relative = 0;
  std::string npy;  ///< a bound for each element; empty: none
};

/// Memory that launches read or write.
struct NamedBuffer {
  std::string name;
  std::string place;                        ///< in the file: "buffers.x"
  const ElementType* type = nullptr;        ///< null: what the file of `contents` says
  std::optional<std::vector<Index>> shape;  ///< none: the file's
  Contents contents;
  std::optional<Contents> expect;
  Tolerance tolerance;
  std::string save;  ///< the .npy file to write; may be empty
};

struct Argument;

struct NullPointer {};
struct BufferAddress {
  std::string buffer;
  Index offset_bytes = 0;
};
/// A number of the type that the kernel declares.
struct PlainNumber {
  Number value;
};
struct ScalarArgument {
  const ElementType* type = nullptr;
  std::uint64_t bits = 0;  ///< in the low bytes
};
struct RawBytes {
  std::vector<std::byte> bytes;
};
/// A structure; each field lies behind the one before it, aligned as C++ does.
struct FieldsArgument {
  std::vector<Argument> fields;
};
struct TensorMapArgument {
  BufferAddress of;
  TensorMapSpec spec;
};

/// A texture or surface object over a buffer.
struct TextureArgument {
  BufferAddress of;
  TextureSpec spec;
};

struct Argument {
  std::string place;  ///< in the file: "launches[0].args[2]"
  std::variant<NullPointer, BufferAddress, PlainNumber, ScalarArgument, RawBytes, FieldsArgument,
               TensorMapArgument, TextureArgument>
      value;
};

struct NamedLaunch {
  std::string place;   ///< "launches[0]"; empty for the only one of a file without a list
  std::string module;  ///< a PTX or CUDA file; empty: the one of the command line
  std::string kernel;  ///< empty: the only one of the module
  Dim3 grid, block, cluster;
  Index dynamic_smem_bytes = 0;
  bool is_cooperative = false;
  bool is_dependent = false;  ///< may begin when the launch before it releases it
  std::vector<Argument> arguments;
};

/// How CUDA files are compiled.
struct CompileChoices {
  std::string arch;  ///< empty: the chip's
  std::vector<std::string> options;
};

struct LaunchFile {
  std::string path;
  std::string text;  ///< the JSON that all of it was read from
  CompileChoices compile;
  std::vector<NamedBuffer> buffers;
  std::vector<NamedBuffer> globals;  ///< variables of the modules; shapes may be left out
  std::vector<NamedLaunch> launches;
};

/// Files that are written when the launches have ended, by places in the file: "buffers.y.save".
[[nodiscard]] std::vector<PlannedFile> saved_files(const LaunchFile& file);

/// Paths inside are made relative to the file's folder. Files that it names are not read yet.
///   throws  bad_file: file, place, rule and nearest legal value; file_not_found, file_unreadable
[[nodiscard]] LaunchFile read_launch_file(const std::string& path);
/// `path` is how messages call the text, and its folder is where files lie.
[[nodiscard]] LaunchFile parse_launch_file(const std::string& text, const std::string& path);

/// The same as read_launch_file reads it at `path`, from whose folder it names files.
[[nodiscard]] Json launch_json(const LaunchFile& file, const std::string& path);

}  // namespace jute::command
