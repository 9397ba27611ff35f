// The tree of all commands, the flags that they share, and what these stand for.
#include "command/command_line.hpp"

#include <jute/atom/catalogue.hpp>
#include <jute/base/json_value.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/settings.hpp>
#include <jute/base/split_at.hpp>
#include <jute/codegen/generate.hpp>
#include <jute/draw/picture.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "command/exit_status.hpp"
#include "files/files.hpp"

namespace jute::command {

namespace {

[[noreturn]] void refuse_atoms(const std::string& path, const std::string& rule) {
  refuse(ErrorCode::bad_file, path, "", rule);
}

AtomText row_of(const JsonValue& object, const std::string& path) {
  const auto* members = object.as<JsonValue::Object>();
  if (members == nullptr)
    refuse_atoms(path, "a row must be a JSON object with the keys of jute atom show");
  AtomText row;
  for (const auto& [key, value] : *members) {
    if (value.as<std::monostate>() != nullptr) continue;
    const auto* text = value.as<std::string>();
    row.fields.emplace_back(key, text != nullptr ? *text : to_json(value).text());
  }
  return row;
}

/// Nothing where the text is no JSON.
std::optional<JsonValue> read_json(const std::string& text) {
  try {
    return parse_json(text, "");
  } catch (const Exception&) {
    return std::nullopt;
  }
}

std::vector<JsonValue> rows_of(const std::string& text, const std::string& path) {
  if (std::optional<JsonValue> whole = read_json(text)) {
    if (auto* items = whole->as<JsonValue::Array>()) return std::move(*items);
    return {*std::move(whole)};
  }
  // Not one JSON value: one object a line.
  std::vector<JsonValue> rows;
  int number = 0;
  for (const std::string& line : split_at<std::string>('\n', text)) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::optional<JsonValue> row = read_json(line);
    if (!row) refuse_atoms(path, "line " + std::to_string(number) + " must be a JSON object");
    rows.push_back(*std::move(row));
  }
  return rows;
}

/// The catalogue and the rows of a file: one object, an array of objects, or one object a line,
/// with the keys that `jute atom show --json` prints.
///   throws  file_not_found, file_unreadable; bad_file: no such JSON; illegal_atom
Catalogue with_atoms_of_file(Catalogue catalogue, const std::string& path) {
  for (const JsonValue& row : rows_of(read_text(path), path))
    catalogue = std::move(catalogue).with(row_of(row, path));
  return catalogue;
}

/// A file that replaces no template would do nothing.
void check_names(const TemplateSet& set) {
  std::vector<std::string> known;
  const TemplateSet built_in = TemplateSet::built_in();
  for (const auto& [path, text] : built_in.pieces()) known.push_back(path);
  for (const auto& [path, text] : set.pieces())
    if (!std::ranges::binary_search(known, path))
      refuse(ErrorCode::illegal_template, "template", path,
             "it must be the path of a built-in template, which it replaces",
             nearest_name(path, known));
}

/// Nor would a folder without any.
void check_has_templates(const std::string& what, const std::string& folder) {
  using Files = std::filesystem::recursive_directory_iterator;
  if (std::none_of(Files(folder), Files(),
                   [](const auto& file) { return file.path().extension() == ".cu"; }))
    refuse(ErrorCode::illegal_template, what, folder,
           "it must hold a template, a .cu file of the path that a "
           "built-in one has, such as epilogue/direct.cu");
}

}  // namespace

Settings Session::settings() const { return settings_from_environment(); }

Catalogue Session::catalogue() const {
  return common.atoms_file.empty() ? Catalogue()
                                   : with_atoms_of_file(Catalogue(), common.atoms_file);
}

std::string Session::templates_folder(const Settings& settings) const {
  return common.templates_dir.empty() ? settings.template_dir : common.templates_dir;
}

TemplateSet Session::templates(const Settings& settings) const {
  const std::string folder = templates_folder(settings);
  if (folder.empty()) return TemplateSet::built_in();
  const std::string what = common.templates_dir.empty() ? "JUTE_TEMPLATE_DIR" : "--templates";
  require_folder(what, folder);
  TemplateSet set = TemplateSet::from_directory(folder);
  check_has_templates(what, folder);
  check_names(set);
  return set;
}

Color Session::color() const {
  if (common.color == "always") return Color::ansi;
  if (common.color == "never") return Color::none;
  // https://no-color.org: any value but an empty one switches colour off.
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return Color::none;
  return isatty(STDOUT_FILENO) != 0 ? Color::ansi : Color::none;
}

int Session::width() const {
  winsize size{};
  return isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                                    : 0;
}

int Session::print(const Json& json) const {
  out << json.text() << '\n';
  return kDone;
}

int Session::print(const Json& json, const std::string& text) const {
  if (common.json) return print(json);
  out << text;
  return kDone;
}

void Session::note(const std::string& text) const {
  if (!common.quiet) err << text << '\n';
}

void Session::detail(const std::string& text) const {
  if (common.verbose || !settings().log.empty()) err << text << '\n';
}

namespace {

void add_common_flags(Command& jute, CommonOptions& common) {
  const OptionGroup group{jute, "Common"};
  group.option("--atoms FILE", &common.atoms_file, "Further atoms: a JSON file of rows")
      .for_readers();
  group
      .option("--templates DIR", &common.templates_dir,
              "Kernel templates laid over the built-in ones")
      .for_readers();
  group.option("--json", &common.json, "Print for programs");
  group.option("-q,--quiet", &common.quiet, "Print results and errors only");
  group
      .option("-v,--verbose", &common.verbose,
              "Say more on standard error: plan, kernels and where they come from, files")
      .for_readers()
      .without({"--quiet"});
  group.option("--color WHEN", &common.color, "auto, always or never")
      .one_of({"auto", "always", "never"});
}

}  // namespace

void check_common(const Command& command, const CommonOptions& common) {
  const auto reads = [&](std::string_view flag) {
    return std::ranges::find(command.reads, flag) != command.reads.end();
  };
  for (const auto& [flag, value] :
       {std::pair{"--atoms", common.atoms_file}, std::pair{"--templates", common.templates_dir}})
    if (!value.empty() && !reads(flag))
      throw UsageError(flag, "it must be left out: " + command.name + " does nothing with it");
  if (common.verbose && !reads("--verbose"))
    throw UsageError("--verbose",
                     "it must be left out: " + command.name + " has nothing more to say");
}

std::function<void(const Session&)> judged_by(std::function<int(const Session&)> run) {
  return [run = std::move(run)](const Session& session) {
    std::ostringstream nowhere;
    (void)run({session.common, nowhere, nowhere});
  };
}

Command jute_of(CommonOptions& common, const CommandGroups& groups) {
  Command jute{
      .name = "jute",
      .description = "jute: plans, writes, compiles and runs matrix products from CuTe layouts",
      .example = "jute gemm --m 256 --n 256 --k 64 --random 1 --type f32 --verify",
      .options = {}};
  add_common_flags(jute, common);
  for (const auto& [group, adds] : groups) {
    for (const auto add : adds) add(jute);
    for (Command& command : jute.commands)
      if (command.group.empty()) command.group = group;
  }
  return jute;
}

}  // namespace jute::command
