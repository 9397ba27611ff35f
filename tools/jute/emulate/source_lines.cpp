// Texts cut into lines, once.
#include "emulate/source_lines.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "files/files.hpp"
#include "tree/words.hpp"

namespace jute::command {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{16} << 20;

/// Empty where the file is none that one would read.
std::string text_of_file(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return {};
  if (std::filesystem::file_size(path, none) > kLargestFile) return {};
  try {
    return read_text(path);
  } catch (const Exception&) {
    return {};
  }
}

}  // namespace

std::optional<SourceLine> SourceLines::of(const Party& party) {
  const size_t colon = party.source.rfind(':');
  if (colon != std::string::npos) {
    SourceLine place{as_given(party.source.substr(0, colon)), 0, {}};
    const char* digits = party.source.data() + colon + 1;
    std::from_chars(digits, party.source.data() + party.source.size(), place.line);
    place.text = line_of(place.file, place.line);
    return place;
  }
  const KernelModule* module = module_of(party.kernel);
  if (module == nullptr || party.ptx_line <= 0) return std::nullopt;
  return SourceLine{module->path, party.ptx_line, line_of(module->path, party.ptx_line)};
}

/// The compiler tells whole paths; people gave shorter ones.
std::string SourceLines::as_given(const std::string& file) const {
  std::error_code none;
  for (const KernelModule& module : modules_)
    if (std::filesystem::absolute(module.path, none).lexically_normal() ==
        std::filesystem::path(file).lexically_normal())
      return module.path;
  // Generated kernels are compiled under a folder that does not exist; their text may lie here.
  if (!std::filesystem::exists(file, none))
    for (const KernelModule& module : modules_) {
      const auto beside =
          std::filesystem::path(module.path).parent_path() / std::filesystem::path(file).filename();
      if (std::filesystem::exists(beside, none)) return beside.string();
    }
  return file;
}

const std::vector<std::string>& SourceLines::lines_of(const std::string& file) {
  const auto known = files_.find(file);
  if (known != files_.end()) return known->second;
  const auto module = std::ranges::find(modules_, file, &KernelModule::path);
  std::string text;
  if (module == modules_.end()) {
    text = text_of_file(file);
  } else {
    text = module->cuda.empty() ? module->ptx : module->cuda;
  }
  return files_.emplace(file, command::lines_of(text)).first->second;
}

std::string SourceLines::line_of(const std::string& file, int line) {
  const std::vector<std::string>& lines = lines_of(file);
  if (line < 1 || static_cast<size_t>(line) > lines.size()) return {};
  return lines[static_cast<size_t>(line) - 1];
}

const KernelModule* SourceLines::module_of(const std::string& kernel) const {
  for (const KernelModule& module : modules_)
    if (std::ranges::find(module.kernels, kernel, &PtxKernel::symbol) != module.kernels.end())
      return &module;
  return nullptr;
}

std::string trimmed(const std::string& line) {
  const size_t begin = line.find_first_not_of(" \t");
  const size_t end = line.find_last_not_of(" \t\r");
  return begin == std::string::npos ? std::string() : line.substr(begin, end - begin + 1);
}

}  // namespace jute::command
