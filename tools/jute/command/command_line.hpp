#pragma once
// The command line: what all subcommands share, and how each adds itself.
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "files/json_writer.hpp"
#include "tree/command_tree.hpp"

namespace jute {
class Catalogue;
class TemplateSet;
enum class Color : std::uint8_t;
struct Settings;
}  // namespace jute

namespace jute::command {

/// Flags that every subcommand takes.
struct CommonOptions {
  std::string atoms_file;     ///< --atoms: the user's rows
  std::string templates_dir;  ///< --templates
  std::string color = "auto";
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

/// The surroundings of a run. Results go to `out`, everything else to `err`.
struct Session {
  const CommonOptions& common;
  std::ostream& out;
  std::ostream& err;
  std::span<const std::string> words{};  ///< the line as it was typed, without the program's name

  [[nodiscard]] Settings settings() const;
  /// The built-in atoms and the rows of --atoms.
  [[nodiscard]] Catalogue catalogue() const;
  /// The folder of --templates, else of JUTE_TEMPLATE_DIR; empty where there is none.
  [[nodiscard]] std::string templates_folder(const Settings& settings) const;
  /// The templates of --templates, else of JUTE_TEMPLATE_DIR, else the built-in ones.
  [[nodiscard]] TemplateSet templates(const Settings& settings) const;
  /// --color, NO_COLOR and whether standard output is a terminal.
  [[nodiscard]] Color color() const;
  /// Characters of a line of the terminal; 0 where standard output is none.
  [[nodiscard]] int width() const;
  /// A line for programs on `out`.   gives  kDone
  int print(const Json& json) const;
  /// The one where results are for programs, else the other, as it is.   gives  kDone
  int print(const Json& json, const std::string& text) const;
  /// A line on `err`, unless --quiet.
  void note(const std::string& text) const;
  /// A line on `err` with --verbose.
  void detail(const std::string& text) const;
};

/// Headings of help, and what adds the commands below each.
using CommandGroups = std::vector<std::pair<const char*, std::vector<void (*)(Command&)>>>;
/// `jute` with these commands, which sets `common`; that must outlive it.
[[nodiscard]] Command jute_of(CommonOptions& common, const CommandGroups& groups);
/// The whole command. Where another program races, `add_bench` starts that.
void add_bench(Command& jute);
[[nodiscard]] Command jute_command(CommonOptions& common, void (*add_bench)(Command&));
[[nodiscard]] Command jute_command(CommonOptions& common);

/// throws  UsageError: a shared option that does nothing for this command
void check_common(const Command& command, const CommonOptions& common);

/// The judge of a command that does little and prints it: it runs, and nothing is printed.
[[nodiscard]] std::function<void(const Session&)> judged_by(std::function<int(const Session&)> run);

void add_atom(Command& jute);
void add_cache(Command& jute);
void add_completion(Command& jute);
void add_contract(Command& jute);
void add_conv(Command& jute);
void add_cover(Command& jute);
void add_chips(Command& jute);
void add_doctor(Command& jute);
void add_draw(Command& jute);
void add_emulate(Command& jute);
void add_ranks(Command& jute);
void add_run(Command& jute);
void add_export(Command& jute);
void add_epilogue(Command& jute);
void add_eval(Command& jute);
void add_explain(Command& jute);
void add_gemm(Command& jute);
void add_kernels(Command& jute);
void add_pack_weights(Command& jute);
void add_plan(Command& jute);
void add_shim(Command& jute);
void add_tune(Command& jute);
void add_view(Command& jute);

void add_atom_verify(Command& atom);

}  // namespace jute::command
