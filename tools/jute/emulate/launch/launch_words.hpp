#pragma once
// Pieces of launch files that several keys share.
#include <string>
#include <vector>

#include "emulate/launch/launch_file.hpp"
#include "files/json_reader.hpp"

namespace jute::command {

/// A file's folder, and what of it the readers below must know.
struct LaunchFolder {
  std::string file;    ///< how messages call the launch file
  std::string folder;  ///< "a/b/", or empty

  explicit LaunchFolder(const std::string& path);
  /// A path beside the launch file.
  [[nodiscard]] std::string beside(const std::string& name) const;
};

/// Each throws bad_file at the place of what is wrong.
[[nodiscard]] Dim3 read_extents(JsonObject& object, const std::string& key);
[[nodiscard]] const ElementType& read_type(JsonObject& object, const std::string& key);
/// A number, or "nan", "inf", "-inf".
[[nodiscard]] Number read_number(JsonObject& object, const std::string& key);
[[nodiscard]] Number number_of(const JsonValue& json, const JsonObject& object,
                               const std::string& key);
[[nodiscard]] std::vector<Index> read_shape(JsonObject& object, const std::string& key);
/// Where memory is saved afterwards, as a matrix; empty: nowhere.
[[nodiscard]] std::string read_save(JsonObject& object, const LaunchFolder& folder);
/// One of the words; a refusal offers the nearest.
[[nodiscard]] std::string read_word(JsonObject& object, const std::string& key,
                                    const std::vector<std::string>& words);
/// "zeros", "iota" or an object with one of fill, iota, random, values, npy, bin.
[[nodiscard]] Contents read_contents(JsonObject& object, const std::string& key,
                                     const LaunchFolder& folder);
[[nodiscard]] NamedBuffer read_buffer(JsonObject object, const std::string& name,
                                      const LaunchFolder& folder);
/// The same of a module's variable, which has its own extent.
[[nodiscard]] NamedBuffer read_global(JsonObject object, const std::string& name,
                                      const LaunchFolder& folder);
/// An argument of a launch over named buffers.
[[nodiscard]] Argument read_argument(const JsonValue& json, const std::string& place,
                                     const LaunchFolder& folder);
[[nodiscard]] ScalarArgument read_scalar(JsonObject& object);
/// All but `of`.
[[nodiscard]] TensorMapSpec read_tensor_map(JsonObject& object);
/// The keys of a launch but kernel arguments.
[[nodiscard]] NamedLaunch read_launch_shape(JsonObject& object, const LaunchFolder& folder);
/// A file of one launch whose arguments bring their own memory.
void read_single_launch(JsonObject& object, const LaunchFolder& folder, LaunchFile& file);

}  // namespace jute::command
