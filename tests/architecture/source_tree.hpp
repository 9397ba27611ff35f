#pragma once
// The repository's own files, as the tests of its structure read them.
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace jute::test {

struct Include {
  std::string target;  ///< "jute/base/types.hpp", "vector"
  bool quoted = false;
};

struct SourceFile {
  std::string path;  ///< below the repository's root, as "src/layout/layout.cpp"
  std::vector<std::string> lines;
  std::vector<Include> includes;
};

inline const std::vector<std::string> kNothing;

[[nodiscard]] std::filesystem::path repository();
/// The C++ files below `folder`, in order of path.
[[nodiscard]] std::vector<SourceFile> source_files(const std::string& folder);
/// Those of the library and its tools.
[[nodiscard]] std::vector<SourceFile> all_sources();
/// "layout" for src/layout/…, include/jute/layout/…; empty elsewhere.
[[nodiscard]] std::string layer_of(const SourceFile& file);

/// Who may include whom, themselves among them.
using Table = std::map<std::string, std::set<std::string>>;
/// Rows `name: name name` of a file below the repository's root.
[[nodiscard]] Table read_table(const std::string& path);

}  // namespace jute::test
