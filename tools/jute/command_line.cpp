// Common flags and what they stand for.
#include "command_line.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <ostream>

#include "atoms_file.hpp"

namespace jute::command {

Settings Session::settings() const { return settings_from_environment(); }

Catalogue Session::catalogue() const {
  return common.atoms_file.empty() ? Catalogue()
                                   : with_atoms_of_file(Catalogue(), common.atoms_file);
}

TemplateSet Session::templates(const Settings& settings) const {
  const std::string& folder =
      common.templates_dir.empty() ? settings.template_dir : common.templates_dir;
  return folder.empty() ? TemplateSet::built_in() : TemplateSet::from_directory(folder);
}

Color Session::color() const {
  if (common.color == "always") return Color::ansi;
  if (common.color == "never") return Color::none;
  // https://no-color.org: any value but an empty one switches colour off.
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return Color::none;
  return isatty(STDOUT_FILENO) != 0 ? Color::ansi : Color::none;
}

void Session::note(const std::string& text) const {
  if (!common.quiet) err << text << '\n';
}

void Session::detail(const std::string& text) const {
  if (common.verbose) err << text << '\n';
}

CLI::App& add_subcommand(CLI::App& parent, Invocation& invocation, const std::string& name,
                         const std::string& description, const std::string& example) {
  CLI::App& app = *parent.add_subcommand(name, description);
  app.footer("Example:\n  " + example);
  invocation.examples[&app] = example;
  add_common_flags(app, invocation.common);
  return app;
}

void add_common_flags(CLI::App& app, CommonOptions& common) {
  const std::string group = "Common";
  app.add_option("--atoms", common.atoms_file, "Further atoms: a JSON file of rows")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--templates", common.templates_dir,
                 "Kernel templates laid over the built-in ones")
      ->type_name("DIR")
      ->group(group);
  app.add_flag("--json", common.json, "Print for programs")->group(group);
  auto* quiet = app.add_flag("-q,--quiet", common.quiet, "Print results and errors only");
  quiet->group(group);
  app.add_flag("-v,--verbose", common.verbose, "Say more on standard error")
      ->group(group)
      ->excludes(quiet);
  app.add_option("--color", common.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN")
      ->group(group);
}

}  // namespace jute::command
