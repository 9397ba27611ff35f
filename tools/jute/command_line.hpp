#pragma once
// The command line: what all subcommands share, and how each adds itself.
#include <jute/atom/catalogue.hpp>
#include <jute/base/settings.hpp>
#include <jute/codegen/generate.hpp>
#include <jute/draw/picture.hpp>

#include <functional>
#include <iosfwd>
#include <map>
#include <string>

namespace CLI {
class App;
}

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

/// What a run has to work with. Results go to `out`, everything else to `err`.
struct Session {
  const CommonOptions& common;
  std::ostream& out;
  std::ostream& err;

  [[nodiscard]] Settings settings() const;
  /// The built-in atoms and the rows of --atoms.
  [[nodiscard]] Catalogue catalogue() const;
  /// The templates of --templates, else of JUTE_TEMPLATE_DIR, else the built-in ones.
  [[nodiscard]] TemplateSet templates(const Settings& settings) const;
  /// --color, NO_COLOR and whether standard output is a terminal.
  [[nodiscard]] Color color() const;
  /// A line on `err`, unless --quiet.
  void note(const std::string& text) const;
  /// A line on `err` with --verbose.
  void detail(const std::string& text) const;
};

/// Does the work of a subcommand; the result is the exit status.
using Run = std::function<int(const Session&)>;

/// What the arguments asked for.
struct Invocation {
  CommonOptions common;
  Run run;                                          ///< set by the subcommand that was named
  std::map<const CLI::App*, std::string> examples;  ///< a command that works, for each
};

/// A subcommand with its one-line description, the common flags and an example.
CLI::App& add_subcommand(CLI::App& parent, Invocation& invocation, const std::string& name,
                         const std::string& description, const std::string& example);

void add_common_flags(CLI::App& app, CommonOptions& common);

void add_atom(CLI::App& app, Invocation& invocation);
void add_cache(CLI::App& app, Invocation& invocation);
void add_cubin(CLI::App& app, Invocation& invocation);
void add_doctor(CLI::App& app, Invocation& invocation);
void add_draw(CLI::App& app, Invocation& invocation);
void add_emulate(CLI::App& app, Invocation& invocation);
void add_eval(CLI::App& app, Invocation& invocation);
void add_gemm(CLI::App& app, Invocation& invocation);
void add_plan(CLI::App& app, Invocation& invocation);
void add_ptx(CLI::App& app, Invocation& invocation);
void add_sass(CLI::App& app, Invocation& invocation);
void add_source(CLI::App& app, Invocation& invocation);

}  // namespace jute::command
