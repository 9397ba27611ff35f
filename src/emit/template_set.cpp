// The built-in templates, and a directory laid over them.
#include <jute/base/error.hpp>
#include <jute/emit/template_set.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "emit/embedded_templates.hpp"

namespace jute {

TemplateSet TemplateSet::built_in() {
  TemplateSet set;
  for (const emit::EmbeddedTemplate& file : emit::embedded_templates())
    set.files_.emplace(file.path, file.text);
  return set;
}

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, std::string rule) {
  throw Exception({.code = ErrorCode::illegal_template,
                   .operand = "template",
                   .value = path,
                   .violated_rules = {std::move(rule)}});
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

TemplateSet TemplateSet::from_directory(const std::string& directory) {
  std::error_code status;
  if (!fs::is_directory(directory, status))
    throw Exception({.code = ErrorCode::file_not_found,
                     .operand = "templates",
                     .value = directory,
                     .violated_rules = {"it must be a folder that can be read"}});
  TemplateSet set = built_in();
  const fs::recursive_directory_iterator end;
  fs::recursive_directory_iterator entry(directory, status);
  for (; !status && entry != end; entry.increment(status)) {
    if (entry->path().extension() != ".cu") continue;
    const std::string path = fs::relative(entry->path(), directory).generic_string();
    set.files_.insert_or_assign(path, text_of(entry->path()));
  }
  if (status) refuse(directory, "its files must be readable: " + status.message());
  return set;
}

const std::string& TemplateSet::text(const std::string& path) const {
  const auto found = files_.find(path);
  if (found == files_.end()) refuse(path, "the template set must have a file of this path");
  return found->second;
}

}  // namespace jute
