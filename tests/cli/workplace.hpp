#pragma once
// Where lines with mistakes are run.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"

namespace jute::test {

/// A folder as a user has one, in which the lines are run.
class Workplace {
 public:
  Workplace() {
    write("atoms.json", "[]");
    write("matrix.npy", npy("<f4", 64));
    write("bf16.npy", npy("<V2", 32));
    write("matrix-1.npy", npy("<f4", 64));
    write("floats.npy", npy("<f4", 16, "(4,)"));
    write("ends.npy", npy("<i4", 8, "(2,)"));
    write("images.npy", npy("<f4", 128, "(1, 4, 4, 2)"));
    write("filters.npy", npy("<f4", 144, "(2, 3, 3, 2)"));
    write("kernel.ptx",
          ".version 8.0\n.target sm_80\n.address_size 64\n"
          ".visible .entry kernel(.param .u32 n)\n{\n  ret;\n}\n");
    write("launch.json", launch("kernel"));
    write("wrong.json", launch("kernl"));
    write("empty", "");
    write("bytes", "\xff\xfe(4,8)");
    write("overflow.json", R"({"kernel": 1e400})");
    for (const char* folder : {"templates", "folder", "run-3"})
      std::filesystem::create_directory(folder_.path() / folder);
    write("run-3/matrix.npy", npy("<f4", 64));
    std::filesystem::copy(JUTE_SOURCE_DIR "/kernels_templates/epilogue",
                          folder_.path() / "templates/epilogue");
    std::filesystem::create_directory(folder_.path() / "examples");
    std::filesystem::copy(JUTE_SOURCE_DIR "/examples/emulate", folder_.path() / "examples/emulate");
    for (const auto& file : std::filesystem::directory_iterator(folder_.path()))
      files_.insert(file.path().filename());
  }

  [[nodiscard]] ProcessResult run(std::vector<std::string> words) const {
    const std::string own = folder_.path().string();
    return run_jute(words, {.environment = {{"JUTE_CACHE_DIR", own + "/../jute-wrong-lines-cache"}},
                            .folder = own});
  }

  /// Files that were not there at the start, which are removed.
  [[nodiscard]] std::vector<std::string> new_files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder_.path()))
      if (!files_.contains(file.path().filename())) names.push_back(file.path().filename());
    for (const std::string& name : names) std::filesystem::remove_all(folder_.path() / name);
    return names;
  }

 private:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name), std::ios::binary) << text;
  }
  static std::string launch(const std::string& kernel) {
    return R"({"kernel": ")" + kernel +
           R"(", "grid": [1,1,1], "block": [32,1,1],
           "args": [{"kind": "scalar", "dtype": "u32", "value": 3}]})";
  }
  static std::string npy(const std::string& descr, int bytes, const std::string& shape = "(4, 4)") {
    const std::string header =
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
    return std::string("\x93NUMPY\x01", 7) + '\0' + static_cast<char>(header.size()) + '\0' +
           header + std::string(static_cast<size_t>(bytes), '\0');
  }

  TemporaryFolder folder_;
  std::set<std::string> files_;
};

/// The line that a refusal offers, without the program's name; empty where there is none.
inline std::string offer_in(const std::string& err) {
  constexpr std::string_view kTry = "\ntry: jute ";
  const size_t at = err.rfind(kTry);
  if (at == std::string::npos) return {};
  const size_t start = at + kTry.size();
  return err.substr(start, err.find('\n', start) - start);
}

/// P is a problem's shape.
inline std::vector<std::string> words_of(std::string line) {
  if (const size_t shape = line.find(" P");
      shape != std::string::npos && (shape + 2 == line.size() || line[shape + 2] == ' '))
    line.replace(shape + 1, 1, "--m 64 --n 64 --k 64");
  return command_words(line);
}

}  // namespace jute::test
