// The built-in templates, and a directory laid over them.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emit/template_set.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "emit/embedded_templates.hpp"

namespace jute {

namespace {

namespace fs = std::filesystem;

using Texts = std::map<std::string, std::string>;

/// A file's pieces. The first has the file's path; each further one begins with its own first line,
/// `// specialised/subtile_c.cu (next): …`, has the name `specialised/subtile_c.cu (next)`, and
/// stands behind an empty line that belongs to nobody. A file may begin with a named one.
void add_pieces(Texts& texts, const std::string& path, std::string_view text) {
  const std::string opening = "// " + path + " (";
  std::string name = path;
  while (true) {
    if (text.starts_with(opening))
      if (const size_t close = text.find("):"); close != std::string_view::npos)
        name = text.substr(3, close - 2);
    const size_t next = text.find("\n\n" + opening);
    const bool is_last = next == std::string_view::npos;
    texts.insert_or_assign(name, std::string(text.substr(0, is_last ? next : next + 1)));
    if (is_last) return;
    text.remove_prefix(next + 2);
  }
}

[[noreturn]] void refuse(const std::string& path, std::string rule) {
  jute::refuse(ErrorCode::illegal_template, "template", path, std::move(rule));
}

/// Pipes and devices are not waited for.
std::string text_of(const fs::path& file) {
  std::error_code status;
  if (!fs::is_regular_file(file, status)) refuse(file.string(), "it must be a regular file");
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (fs::file_size(file, status) > 0 && !(text << stream.rdbuf()))
    refuse(file.string(), "it must be readable");
  return text.str();
}

}  // namespace

TemplateSet TemplateSet::built_in() {
  TemplateSet set;
  for (const emit::EmbeddedTemplate& file : emit::embedded_templates())
    add_pieces(set.pieces_, std::string(file.path), file.text);
  return set;
}

TemplateSet TemplateSet::from_directory(const std::string& directory) {
  std::error_code status;
  if (!fs::is_directory(directory, status))
    jute::refuse(ErrorCode::file_not_found, "templates", directory,
                 "it must be a folder that can be read");
  TemplateSet set = built_in();
  const fs::recursive_directory_iterator end;
  fs::recursive_directory_iterator entry(directory, status);
  for (; !status && entry != end; entry.increment(status)) {
    if (entry->path().extension() != ".cu") continue;
    const std::string path = fs::relative(entry->path(), directory).generic_string();
    add_pieces(set.pieces_, path, text_of(entry->path()));
  }
  if (status) refuse(directory, "its files must be readable: " + status.message());
  return set;
}

const std::string& TemplateSet::text(const std::string& name) const {
  const auto found = pieces_.find(name);
  if (found == pieces_.end()) refuse(name, "the template set must have a piece of this name");
  return found->second;
}

}  // namespace jute
