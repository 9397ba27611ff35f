// Writes the C++ table of kernel templates; the build runs it: embed_templates OUTPUT ROOT FILE…
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

constexpr std::string_view kOpening =
    R"(// The kernel templates as data, written by tools/embed_templates.cpp.
#include "emit/embedded_templates.hpp"

#include <array>

namespace jute::emit {
namespace {

)";

// The terminator of the raw string literals below; a template that holds it is refused.
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

std::string table_of(const std::filesystem::path& root, std::vector<std::filesystem::path> files) {
  std::ranges::sort(files, {}, [](const auto& file) { return file.generic_string(); });
  std::string rows;
  for (const auto& file : files) {
    const std::string text = read_file(file);
    if (text.find(")" + std::string(kDelimiter)) != std::string::npos)
      throw std::runtime_error(file.string() + " holds the text ')" + std::string(kDelimiter) +
                               "', which ends a literal of the table");
    // The view carries its length, so that a template may hold any byte.
    rows += "    {\"" + file.lexically_relative(root).generic_string() + "\",\n     {" +
            raw_literal(text) + ", " + std::to_string(text.size()) + "}},\n";
  }
  return std::string(kOpening) + "constexpr std::array<EmbeddedTemplate, " +
         std::to_string(files.size()) + "> kTemplates = {{\n" + rows +
         "}};\n\n}  // namespace\n\n"
         "std::span<const EmbeddedTemplate> embedded_templates() { return kTemplates; }\n\n"
         "}  // namespace jute::emit\n";
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) throw std::runtime_error("usage: embed_templates OUTPUT ROOT FILE...");
  const std::string table = table_of(argv[2], {argv + 3, argv + argc});
  std::ofstream out(argv[1], std::ios::binary);
  out << table;
  out.close();
  if (!out) throw std::runtime_error(std::string("cannot write ") + argv[1]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "embed_templates: %s\n", error.what());
  return 1;
}
