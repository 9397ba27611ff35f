// Reads C++ files and their #include lines.
#include "architecture/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace jute::test {
namespace {

std::optional<Include> include_of(const std::string& line) {
  const auto hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return std::nullopt;
  const auto word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return std::nullopt;
  const auto open = line.find_first_of("<\"", word + 7);
  if (open == std::string::npos) return std::nullopt;
  const auto close = line.find(line[open] == '<' ? '>' : '"', open + 1);
  if (close == std::string::npos) return std::nullopt;
  return Include{line.substr(open + 1, close - open - 1), line[open] == '"'};
}

SourceFile read_source(const std::filesystem::path& path) {
  SourceFile file;
  file.path = path.lexically_relative(repository()).generic_string();
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + file.path);
  for (std::string line; std::getline(in, line);) {
    if (auto include = include_of(line)) file.includes.push_back(*include);
    file.lines.push_back(std::move(line));
  }
  return file;
}

}  // namespace

std::filesystem::path repository() { return JUTE_SOURCE_DIR; }

std::vector<SourceFile> source_files(const std::string& folder) {
  std::vector<SourceFile> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(repository() / folder)) {
    const auto suffix = entry.path().extension();
    if (suffix == ".hpp" || suffix == ".cpp" || suffix == ".h")
      files.push_back(read_source(entry.path()));
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<SourceFile> all_sources() {
  std::vector<SourceFile> files;
  for (const char* folder : {"include/jute", "src", "tools"})
    std::ranges::move(source_files(folder), std::back_inserter(files));
  return files;
}

std::string layer_of(const SourceFile& file) {
  for (const std::string root : {"include/jute/", "src/"}) {
    if (!file.path.starts_with(root)) continue;
    const auto end = file.path.find('/', root.size());
    if (end != std::string::npos) return file.path.substr(root.size(), end - root.size());
  }
  return {};
}

Table read_table(const std::string& path) {
  Table table;
  std::ifstream in(repository() / path);
  if (!in) throw std::runtime_error("cannot read " + path);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (line.starts_with('#') || colon == std::string::npos) continue;
    const std::string name = line.substr(0, colon);
    table[name] = {name};
    std::istringstream rest(line.substr(colon + 1));
    for (std::string other; rest >> other;) table[name].insert(other);
  }
  return table;
}

}  // namespace jute::test
