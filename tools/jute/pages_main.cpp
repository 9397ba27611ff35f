// jute_pages, a program of the build and of those who change jute: writes what follows from the
// command itself. `man DIR`, `completion DIR`: for the install; `docs DIR`: the generated pages.
#include <jute/version.hpp>

#include <filesystem>
#include <iostream>

#include "atom/atom_page.hpp"
#include "command/command_line.hpp"
#include "files/files.hpp"
#include "pages/completion.hpp"
#include "pages/manual.hpp"

namespace jute::command {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  OutputFile file(path.string());
  file.write(text);
  file.commit();
}

void write_man(const Command& root, const fs::path& folder) {
  for (const auto& [name, text] : man_pages(root, JUTE_VERSION_TEXT)) write(folder / name, text);
}

void write_completion(const fs::path& folder) {
  write(folder / "jute", completion_script("bash"));
  write(folder / "_jute", completion_script("zsh"));
  write(folder / "jute.fish", completion_script("fish"));
}

void write_docs(const Command& root, const fs::path& docs) {
  write(docs / "reference" / "commands.md", commands_page(root));
  write(docs / "reference" / "environment.md", environment_page());
  write(docs / "reference" / "words.md", words_page());
  const fs::path schema = docs / "schemas" / "plan.schema.json";
  write(schema, plan_schema(read_text(schema.string())));
  const fs::path texts = docs / "problem-text.md";
  write(texts, with_words(read_text(texts.string())));
  write(docs / "atoms.md", with_families((docs / "atoms.md").string()));
  for (const auto& [name, svg] : page_pictures()) write(docs / "images" / "atoms" / name, svg);
}

int run(const std::string& what, const fs::path& folder) {
  CommonOptions unused;
  const Command root = jute_command(unused);
  if (what == "man") {
    write_man(root, folder);
  } else if (what == "completion") {
    write_completion(folder);
  } else if (what == "docs") {
    write_docs(root, folder);
  } else {
    std::cerr << "usage: jute_pages man|completion|docs DIR\n";
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace jute::command

int main(int count, char** arguments) try {
  return jute::command::run(count == 3 ? arguments[1] : "", count == 3 ? arguments[2] : "");
} catch (const std::exception& failure) {
  std::cerr << "jute_pages: " << failure.what() << '\n';
  return 1;
}
