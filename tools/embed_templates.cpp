// Writes files as a C++ table; the build runs it: embed_templates OUTPUT LAYER TYPE TABLE ROOT
// FILE…
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

// The terminator of the raw string literals below; a file that holds it is refused.
constexpr std::string_view kDelimiter = "jute_text";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string raw_literal(std::string_view text) {
  const std::string delimiter(kDelimiter);
  return "R\"" + delimiter + "(" + std::string(text) + ")" + delimiter + "\"";
}

/// The names of the table: `TYPE` and `std::span<const TYPE> TABLE()` of LAYER/TABLE.hpp.
struct Names {
  std::string layer, type, table;
};

std::string opening(const Names& names) {
  return "// Files as data, written by tools/embed_templates.cpp.\n#include \"" + names.layer +
         "/" + names.table + ".hpp\"\n\n#include <array>\n\nnamespace jute::" + names.layer +
         " {\nnamespace {\n\n";
}

std::string table_of(const Names& names, const std::filesystem::path& root,
                     std::vector<std::filesystem::path> files) {
  std::ranges::sort(files, {}, [](const auto& file) { return file.generic_string(); });
  std::string rows;
  for (const auto& file : files) {
    const std::string text = read_file(file);
    if (text.find(")" + std::string(kDelimiter)) != std::string::npos)
      throw std::runtime_error(file.string() + " holds the text ')" + std::string(kDelimiter) +
                               "', which ends a literal of the table");
    // The view carries its length, so that a file may hold any byte.
    rows += "    {\"" + file.lexically_relative(root).generic_string() + "\",\n     {" +
            raw_literal(text) + ", " + std::to_string(text.size()) + "}},\n";
  }
  return opening(names) + "constexpr std::array<" + names.type + ", " +
         std::to_string(files.size()) + "> k" + names.type + "s = {{\n" + rows +
         "}};\n\n}  // namespace\n\nstd::span<const " + names.type + "> " + names.table +
         "() { return k" + names.type + "s; }\n\n}  // namespace jute::" + names.layer + "\n";
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 6)
    throw std::runtime_error("usage: embed_templates OUTPUT LAYER TYPE TABLE ROOT FILE...");
  const std::string table = table_of({argv[2], argv[3], argv[4]}, argv[5], {argv + 6, argv + argc});
  std::ofstream out(argv[1], std::ios::binary);
  out << table;
  out.close();
  if (!out) throw std::runtime_error(std::string("cannot write ") + argv[1]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "embed_templates: %s\n", error.what());
  return 1;
}
