#pragma once
// Files that appear with all their bytes, or not at all.
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace jute::base {

/// The state after the machine stopped at any moment: any, or no name stands for
/// bytes that are not on disk.
enum class Durable : std::uint8_t { no, yes };

struct WholeFile {
  int folder;        ///< a descriptor that names are looked up in, or AT_FDCWD
  std::string name;  ///< what has it is replaced; a link is not followed
  /// Begins the name of the file in the making; process and count follow, so that no other uses it.
  std::string part_prefix;
  mode_t mode = 0666;
  Durable durable = Durable::no;
};

/// 0, or the number of the error that kept it from being written; then nothing is left behind.
[[nodiscard]] int write_whole(const WholeFile& file, std::span<const std::byte> bytes);

}  // namespace jute::base
