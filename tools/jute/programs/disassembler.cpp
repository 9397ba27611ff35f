// Runs nvdisasm or cuobjdump on a file that vanishes afterwards.
#include "programs/disassembler.hpp"

#include <jute/base/error.hpp>
#include <jute/base/settings.hpp>
#include <jute/jit/compile.hpp>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "command/command_line.hpp"
#include "programs/child_program.hpp"
#include "tree/words.hpp"

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
  for (std::string& folder : folders_of_path()) folders.push_back(std::move(folder));
  Settings all = settings;
  all.nvrtc.clear();
  for (const std::string& place : cuda_places(all)) {
    folders.push_back(place + "/bin");
    add_wheels(place, folders);
  }
  return folders;
}

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
  refuse(ErrorCode::no_disassembler, "nvdisasm", "",
         "nvdisasm or cuobjdump must be in PATH, CUDA_HOME/bin or VIRTUAL_ENV; " +
             std::string(kDisassemblerRemedy));
}

std::string disassembled(const Disassembler& tool, const std::vector<std::byte>& cubin,
                         CodeLines lines) {
  const TemporaryFile file(cubin);
  std::vector<std::string> words{tool.program, tool.flag};
  if (lines == CodeLines::yes && !tool.lines_flag.empty()) words.push_back(tool.lines_flag);
  words.push_back(file.path());
  if (auto text = output_of_program(words)) return std::move(*text);
  refuse(ErrorCode::internal, tool.program, "", "the disassembler must read the machine code");
}

std::vector<int> source_lines_of_sass(const std::string& text) {
  constexpr std::string_view kFile = "//## File \"", kLine = "\", line ";
  std::vector<int> result;
  int line = 0;
  for (const std::string& each : lines_of(text)) {
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
