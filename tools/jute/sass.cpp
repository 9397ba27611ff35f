// `jute sass`: the machine code of a problem as nvdisasm or cuobjdump shows it.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ostream>

#include "build_options.hpp"
#include "exit_status.hpp"
#include "json_writer.hpp"

namespace jute::command {
namespace {

struct Disassembler {
  std::string program;
  std::string flag;  ///< print the code alone
};

std::optional<std::string> found_program(const std::string& name, const Settings& settings) {
  std::vector<std::string> folders;
  if (!settings.cuda_home.empty()) folders.push_back(settings.cuda_home + "/bin");
  folders.emplace_back("/usr/local/cuda/bin");
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    folders.push_back(rest.substr(0, colon));
    rest.erase(0, colon + 1);
  }
  for (const std::string& folder : folders) {
    const std::string file = folder + "/" + name;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

std::optional<Disassembler> find_disassembler(const Settings& settings) {
  if (const auto nvdisasm = found_program("nvdisasm", settings))
    return Disassembler{*nvdisasm, "-c"};
  if (const auto cuobjdump = found_program("cuobjdump", settings))
    return Disassembler{*cuobjdump, "-sass"};
  return std::nullopt;
}

[[noreturn]] void refuse_without() {
  throw Exception(
      {.code = ErrorCode::no_disassembler,
       .operand = "nvdisasm",
       .violated_rules = {"nvdisasm or cuobjdump must be in PATH or CUDA_HOME/bin; both come with "
                          "the CUDA toolkit (packages cuda-nvdisasm, cuda-cuobjdump)"}});
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

/// What a program prints; its standard error stays ours.
std::string output_of(const Disassembler& tool, const std::string& file) {
  int ends[2];
  if (pipe(ends) != 0) throw std::bad_alloc();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(tool.program.c_str(), tool.program.c_str(), tool.flag.c_str(), file.c_str(),
          static_cast<char*>(nullptr));
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

int run_sass(const BuildOptions& options, const Session& session) {
  const auto tool = find_disassembler(session.settings());
  if (!tool) refuse_without();
  Delivery delivery(options.output, session);
  std::vector<std::string> texts;
  for (const auto& [binary, launch] : compiled(options, session, Output::ptx_and_cubin)) {
    texts.push_back(output_of(*tool, TemporaryFile(binary.cubin).path()));
    if (session.common.json)
      texts.back() = one_line({{"symbol", binary.symbol},
                               {"arch", to_string(binary.arch)},
                               {"launch", launch},
                               {"sass", texts.back()}}) +
                     "\n";
  }
  deliver(texts, delivery, session);
  return kDone;
}

}  // namespace

void add_sass(Command& jute) {
  auto options = std::make_shared<BuildOptions>();
  Command& sub = add_build_subcommand(jute, *options, "sass",
                                      "Print the machine instructions of a problem's kernels",
                                      "jute sass --m 1024 --n 1024 --k 1024 --arch sm_80");
  sub.reads = {"--atoms", "--templates"};
  sub.run = [options](const Session& session) { return run_sass(*options, session); };
}

}  // namespace jute::command
