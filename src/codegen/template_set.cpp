// The built-in templates, and a directory laid over them.
#include <jute/codegen/generate.hpp>

#include "codegen/embedded_templates.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace jute {

TemplateSet TemplateSet::built_in() {
  TemplateSet set;
  for (const codegen::EmbeddedTemplate& file : codegen::embedded_templates())
    set.files_.emplace(file.path, file.text);
  return set;
}

TemplateSet TemplateSet::from_directory(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code status;
  if (!fs::is_directory(directory, status))
    throw Exception({ErrorCode::file_not_found,
                     "templates",
                     directory,
                     {"a template directory exists and can be read"},
                     {},
                     {},
                     {}});
  TemplateSet set = built_in();
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.path().extension() != ".cu") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    set.files_.insert_or_assign(fs::relative(entry.path(), directory).generic_string(), text.str());
  }
  return set;
}

const std::string& TemplateSet::text(const std::string& path) const {
  const auto found = files_.find(path);
  if (found == files_.end())
    throw Exception({ErrorCode::illegal_template,
                     "template",
                     path,
                     {"the template set has a file of this path"},
                     {},
                     {},
                     {}});
  return found->second;
}

}  // namespace jute
