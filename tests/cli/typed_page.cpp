// Reading pages, and a shell for what they say to type.
#include "cli/typed_page.hpp"

#include <filesystem>
#include <sstream>

namespace jute::test {
namespace {

constexpr std::string_view kIndent = "    ", kPrompt = "$ ", kStatus = "(exit status ",
                           kOnGpu = "On a machine with a GPU";

/// What comes line by line; `said` is the last line of prose.
class PageReader {
 public:
  void read(const std::string& line) {
    if (line.starts_with("```")) {
      if (!is_fenced_) code_.blocks.push_back({line.substr(3), {}});
      is_fenced_ = !is_fenced_;
    } else if (is_fenced_) {
      code_.blocks.back().text += line + "\n";
    } else if (line.starts_with(kIndent)) {
      read_code(line.substr(kIndent.size()));
    } else {
      is_printed_ = false;
      if (!line.empty()) said_ = line;
    }
  }
  [[nodiscard]] PageCode take() { return std::move(code_); }

 private:
  void read_code(const std::string& line) {
    const bool has_prompt = line.starts_with(kPrompt);
    if (has_prompt || line.starts_with("jute ")) {
      code_.typed.push_back({.line = has_prompt ? line.substr(kPrompt.size()) : line,
                             .output = {},
                             .needs_gpu = said_.starts_with(kOnGpu)});
      is_printed_ = has_prompt;
    } else if (is_printed_ && line.starts_with(kStatus)) {
      code_.typed.back().status = std::stoi(line.substr(kStatus.size()));
    } else if (is_printed_) {
      code_.typed.back().output.push_back(line);
    } else {
      code_.others.push_back(line.substr(0, line.find("  #")));
    }
  }

  PageCode code_;
  std::string said_;
  bool is_fenced_ = false;
  bool is_printed_ = false;  ///< does code go on that a command prints?
};

}  // namespace

PageCode code_of(const std::string& text) {
  PageReader reader;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) reader.read(line);
  return reader.take();
}

ProcessResult type_line(const std::string& line, const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path programs = fs::path(folder) / ".programs";
  if (!fs::exists(programs)) {
    fs::create_directory(programs);
    fs::create_symlink(JUTE_COMMAND, programs / "jute");
    for (const char* name : {"examples", "bench"})
      fs::create_directory_symlink(fs::path(JUTE_SOURCE_DIR) / name, fs::path(folder) / name);
  }
  // As a command of its own: `jute` is found where the folder is named first.
  ProcessInput input = without_own_environment({.folder = folder});
  return run_process(
      {"/bin/bash", "-c",
       "export CUDA_VISIBLE_DEVICES=; PATH=" + programs.string() + ":$PATH; " + line},
      input);
}

}  // namespace jute::test
