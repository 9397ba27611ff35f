// Runs nvdisasm or cuobjdump on a file that vanishes afterwards.
#include "disassembler.hpp"

#include <jute/base/error.hpp>
#include <jute/base/settings.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <sstream>

namespace jute::command {
namespace {

namespace fs = std::filesystem;

/// The folders of programs that wheels from PyPI bring along.
void add_wheels(const fs::path& environment, std::vector<std::string>& folders) {
  std::error_code failed;
  for (const auto& python : fs::directory_iterator(environment / "lib", failed))
    for (const auto& package :
         fs::directory_iterator(python.path() / "site-packages" / "nvidia", failed))
      folders.push_back(package.path() / "bin");
}

std::vector<std::string> folders_of_programs(const Settings& settings) {
  std::vector<std::string> folders;
  if (!settings.cuda_home.empty()) folders.push_back(settings.cuda_home + "/bin");
  folders.emplace_back("/usr/local/cuda/bin");
  const char* path = std::getenv("PATH");
  std::istringstream rest(path == nullptr ? "" : path);
  for (std::string folder; std::getline(rest, folder, ':');) folders.push_back(folder);
  if (!settings.virtual_env.empty()) add_wheels(settings.virtual_env, folders);
  return folders;
}

std::optional<std::string> found_program(const std::string& name,
                                         const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const std::string file = folder + "/" + name;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

/// Code that vanishes with this value.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::vector<std::byte>& bytes) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) + "/jute-XXXXXX";
    const int file = mkstemp(path_.data());
    const bool written =
        file >= 0 && write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    if (file >= 0) close(file);
    if (written) return;
    if (file >= 0) unlink(path_.c_str());
    throw Exception({.code = ErrorCode::unwritable,
                     .operand = path_,
                     .violated_rules = {"the folder must let temporary files be written"}});
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::optional<Disassembler> find_disassembler(const Settings& settings) {
  const std::vector<std::string> folders = folders_of_programs(settings);
  if (const auto nvdisasm = found_program("nvdisasm", folders))
    return Disassembler{*nvdisasm, "-c", "-g"};
  if (const auto cuobjdump = found_program("cuobjdump", folders))
    return Disassembler{*cuobjdump, "-sass", ""};
  return std::nullopt;
}

void refuse_without_disassembler() {
  throw Exception(
      {.code = ErrorCode::no_disassembler,
       .operand = "nvdisasm",
       .violated_rules = {"nvdisasm or cuobjdump must be in PATH, CUDA_HOME/bin or VIRTUAL_ENV; "
                          "both come with the CUDA toolkit (packages cuda-nvdisasm, "
                          "cuda-cuobjdump), the first from PyPI too (nvidia-cuda-nvdisasm)"}});
}

std::string disassembled(const Disassembler& tool, const std::vector<std::byte>& cubin,
                         CodeLines lines) {
  const TemporaryFile file(cubin);
  std::vector<const char*> words{tool.program.c_str(), tool.flag.c_str()};
  if (lines == CodeLines::yes && !tool.lines_flag.empty()) words.push_back(tool.lines_flag.c_str());
  words.push_back(file.path().c_str());
  words.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) throw std::bad_alloc();
  // Its standard error stays ours.
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(words.front(), const_cast<char**>(words.data()));
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 65536> buffer;
  for (ssize_t count = 0; (count = read(ends[0], buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  throw Exception({.code = ErrorCode::internal,
                   .operand = tool.program,
                   .violated_rules = {"the disassembler must read the machine code"}});
}

std::vector<int> source_lines_of_sass(const std::string& text) {
  constexpr std::string_view kFile = "//## File \"", kLine = "\", line ";
  std::vector<int> result;
  int line = 0;
  std::istringstream in(text);
  for (std::string each; std::getline(in, each);) {
    const size_t first = each.find_first_not_of(" \t");
    const bool is_code = first != std::string::npos && each.compare(first, 2, "/*") == 0;
    result.push_back(is_code ? line : 0);
    if (first == std::string::npos) continue;
    if (each.compare(first, kFile.size(), kFile) == 0) {
      const size_t number = each.find(kLine);
      line = number == std::string::npos ? 0 : std::atoi(each.c_str() + number + kLine.size());
    } else if (each.compare(first, 3, "//-") == 0) {
      line = 0;  // another section
    }
  }
  return result;
}

}  // namespace jute::command
