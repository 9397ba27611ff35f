// Answers includes of headers that NVRTC has not.
#include "jit/host_headers.hpp"

#include <jute/base/split_at.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "jit/embedded_headers.hpp"

namespace jute::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHalfTypes =
    "#include <cuComplex.h>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n";
constexpr std::uintmax_t kLargestHeader = std::uintmax_t{16} << 20;

bool is_list(std::string_view path) { return path.ends_with(".txt"); }

std::string_view embedded(std::string_view path) {
  const auto headers = embedded_headers();
  const auto found = std::ranges::find(headers, path, &EmbeddedHeader::path);
  return found == headers.end() ? std::string_view() : found->text;
}

/// The lines of a list that are no comment.
std::vector<std::string_view> names_in(std::string_view list) {
  std::vector<std::string_view> names;
  for (const std::string_view line : split_at('\n', list))
    if (!line.empty() && line.front() != '#') names.push_back(line);
  return names;
}

bool matches_name(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool is_in_a_folder(std::string_view name, const std::vector<std::string>& folders) {
  std::error_code none;
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    return fs::is_regular_file(fs::path(folder) / name, none);
  });
}

std::optional<FoundHeader> read_header(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none) || fs::file_size(path, none) > kLargestHeader)
    return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return FoundHeader{path.string(), {std::istreambuf_iterator<char>(in), {}}};
}

}  // namespace

std::vector<std::string> include_folders(const std::vector<std::string>& options) {
  std::vector<std::string> folders;
  for (size_t i = 0; i < options.size(); ++i)
    for (const std::string_view name : {"--include-path", "-I"}) {
      std::string_view option = options[i];
      if (!option.starts_with(name)) continue;
      option.remove_prefix(name.size());
      if (option.empty() && i + 1 < options.size()) option = options[i + 1];
      if (option.starts_with('=')) option.remove_prefix(1);
      if (!option.empty()) folders.emplace_back(option);
    }
  return folders;
}

HeaderReader header_reader(std::vector<std::string> folders) {
  return [folders = std::move(folders)](const std::string& name, const std::string& from) {
    auto found = read_header(fs::path(from).parent_path() / name);
    if (name.find('/') != std::string::npos) return found;
    for (const std::string& folder : folders)
      if (!found) found = read_header(fs::path(folder) / name);
    return found;
  };
}

std::vector<CudaHeader> stand_ins(const std::vector<std::string>& included,
                                  const std::vector<std::string>& folders) {
  std::map<std::string_view, std::string_view> texts;
  for (const EmbeddedHeader& header : embedded_headers())
    if (!is_list(header.path)) texts.emplace(header.path, header.text);
  for (const std::string_view name : names_in(embedded("half_types.txt")))
    texts.emplace(name, kHalfTypes);
  const std::vector<std::string_view> host_only = names_in(embedded("host_only.txt"));
  for (const auto& list : {names_in(embedded("empty.txt")), host_only})
    for (const std::string_view name : list)
      if (!name.ends_with('*')) texts.emplace(name, "");
  const auto replaces_a_folders = [&](std::string_view name) {
    return std::ranges::find(included, name) != included.end() &&
           std::ranges::any_of(host_only,
                               [&](auto pattern) { return matches_name(pattern, name); });
  };
  for (const std::string& name : included)
    if (replaces_a_folders(name)) texts.emplace(name, "");
  std::vector<CudaHeader> headers;
  for (const auto& [name, text] : texts)
    if (replaces_a_folders(name) || !is_in_a_folder(name, folders))
      headers.push_back({std::string(name), std::string(text)});
  return headers;
}

}  // namespace jute::jit
