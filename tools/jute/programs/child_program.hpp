#pragma once
// Programs of the machine that jute runs and reads, never links with.
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jute::command {

/// The folders of PATH.
[[nodiscard]] std::vector<std::string> folders_of_path();
/// The file of a program in the first folder that has it.
[[nodiscard]] std::optional<std::string> found_program(const std::string& name,
                                                       const std::vector<std::string>& folders);

/// Bytes in a file that vanishes with this value.
class TemporaryFile {
 public:
  /// throws  unwritable
  explicit TemporaryFile(std::span<const std::byte> bytes);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The standard output of a program with these arguments; nothing where it fails. Its standard
/// error is ours.
[[nodiscard]] std::optional<std::string> output_of_program(const std::vector<std::string>& words);

/// Starts `words.front()`, looked for as a shell does, with the other words. The child begins with
/// `in_child`; `in_parent` hears of it before it is known to run.
///   throws   file_not_found: there is no such program; bad_file: it cannot be executed
pid_t start_program(const std::vector<std::string>& words, const std::function<void()>& in_child,
                    const std::function<void(pid_t)>& in_parent);
/// The exit status in waitpid's word, or 128 and the number of the signal, as shells say.
[[nodiscard]] int exit_status_of(int status);

/// Variables that are set for it, by name.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// The same until its end, with the terminal and interrupts its own.   returns  its exit_status_of
[[nodiscard]] int status_of_program(const std::vector<std::string>& words,
                                    const Variables& variables);

/// Becomes a program that is installed beside this one, under the name `jute` and with the words:
/// its exit status is this one's.
///   throws  file_not_found: there is no such program; bad_file: it cannot be executed
[[noreturn]] void become_beside(const std::string& program, std::span<const std::string> words);

}  // namespace jute::command
