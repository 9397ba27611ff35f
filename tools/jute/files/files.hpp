#pragma once
// Whole files in, whole files out: a file is written completely or not at all.
#include <jute/base/error.hpp>
#include <jute/base/retold.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jute::command {

/// What `make` gives; of what it refuses, `prefix` tells where it stands: "k.ptx: ".
template <class Make>
auto told_at(const std::string& prefix, const Make& make) {
  return retold(make, [&](Error& error) { error.operand.insert(0, prefix); });
}

/// throws  file_not_found, file_unreadable
[[nodiscard]] std::vector<std::byte> read_bytes(const std::string& path);
/// The first ones, at most so many.
[[nodiscard]] std::vector<std::byte> read_bytes(const std::string& path, std::size_t most);
/// Is it a file that can be read again, and no pipe?
[[nodiscard]] bool is_regular_file(const std::string& path);
/// throws  file_not_found: there is no such folder, with the nearest name that there is
void require_folder(const std::string& what, const std::string& path);
[[nodiscard]] std::string read_text(const std::string& path);

/// `k.ptx` -> `k.1.ptx`
[[nodiscard]] std::string step_path(const std::string& path, size_t step);

/// The option that writes a file, as messages call it, and where.
struct PlannedFile {
  std::string writer;  ///< "--report", "-o g"
  std::string path;
};
/// Two that lead to one place, whatever they are called: only the later would be left. Devices and
/// pipes take both.
struct SharedPlace {
  std::size_t first = 0, second = 0;
};
[[nodiscard]] std::optional<SharedPlace> shared_place(const std::vector<PlannedFile>& files);
///   throws  UsageError: two lead to one place; names both
void require_distinct(const std::vector<PlannedFile>& files);

/// A file in the making. It has no place under its name until `commit`; without that nothing is
/// left behind. Constructing it tells whether the name can be written, before any work is done.
class OutputFile {
 public:
  /// throws  unwritable; UsageError: `-`, which is no file
  explicit OutputFile(std::string path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  /// Appends.   throws  unwritable
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Puts the file in place.   throws  unwritable
  void commit();
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Does it go to a device or a pipe, which has the bytes at once?
  [[nodiscard]] bool is_in_place() const { return in_place_; }

 private:
  [[noreturn]] void refuse(int error_number) const;
  void open_beside(const std::string& folder);
  void name_temporary();

  std::string path_;
  std::string temporary_;  ///< name of the file so far; empty while it has none
  int file_ = -1;
  bool in_place_ = false;  ///< a device or pipe: written directly
};

/// The kind of a file goes by its name; standard output has none.
///   throws  wrong_type: a suffix of no kind that is known; offers `p.svg` for `p.sgv` and `p.png`
void check_suffix(const std::string& path, const std::vector<std::string>& known,
                  const std::string& option = "-o");
/// A matrix has no text.
///   throws  UsageError: `-`, which is standard output
void refuse_standard_output(const std::string& path);
/// A file for a matrix. Devices and pipes take its bytes, whatever their names are.
///   throws  as refuse_standard_output and check_suffix do; unwritable
[[nodiscard]] OutputFile matrix_file(const std::string& path);

}  // namespace jute::command
