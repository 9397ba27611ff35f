// `jute emulate`: launches of kernels on the emulator, from files or from words.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/draw/picture.hpp>
#include <jute/emulator/covered.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/program/launches.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command/command_line.hpp"
#include "command/delivery.hpp"
#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "command/progress.hpp"
#include "emulate/launch/argument_words.hpp"
#include "emulate/launch/launch_file.hpp"
#include "emulate/launch/launch_run.hpp"
#include "emulate/offered_launches.hpp"
#include "emulate/outcome_text.hpp"
#include "files/files.hpp"
#include "files/json_writer.hpp"
#include "options/backend_options.hpp"
#include "programs/interrupt.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

/// `ld` is an opcode and does not mean ldmatrix; `ldmat` is none and does; `ld.global` chooses
/// among the forms of one.
std::vector<CoveredOpcode> chosen(std::string_view begin) {
  std::vector<CoveredOpcode> all = covered_opcodes();
  if (begin.empty()) return all;
  const bool is_opcode = begin.find('.') != std::string_view::npos ||
                         std::ranges::find(all, begin, &CoveredOpcode::head) != all.end();
  std::vector<std::string> heads;
  std::vector<CoveredOpcode> result;
  for (CoveredOpcode& opcode : all) {
    heads.push_back(opcode.head);
    if (is_opcode ? begin.substr(0, begin.find('.')) != opcode.head
                  : !opcode.head.starts_with(begin))
      continue;
    if (is_opcode && begin != opcode.head)
      std::erase_if(opcode.forms, [&](const CoveredForm& form) {
        for (const std::string& spelling : spellings_of(form.spelling))
          if (spelling.starts_with(begin)) return false;
        return true;
      });
    if (!opcode.forms.empty()) result.push_back(std::move(opcode));
  }
  if (result.empty())
    refuse(ErrorCode::unknown_name, "--list", std::string(begin),
           "it must be the beginning of an opcode that the emulator "
           "executes: ldmatrix, or cp.async",
           nearest_name(begin, heads));
  return result;
}

std::string arch_name(Arch arch) { return arch.number == 0 ? "any" : to_string(arch); }

/// A line a form: its first architecture, and how it is spelled. Of opcodes that begin with
/// `begin`; all for an empty one.
///   throws  unknown_name: no opcode begins so, with the nearest that there is
std::string covered_text(std::string_view begin) {
  std::string text;
  for (const CoveredOpcode& opcode : chosen(begin))
    for (const CoveredForm& form : opcode.forms) {
      text += bench::left(arch_name(form.arch), 8) + form.spelling;
      if (!form.operands.empty()) text += "  " + form.operands;
      text += "\n";
    }
  return text;
}

Json covered_json(std::string_view begin) {
  const auto form_json = [](const CoveredForm& form) -> Json {
    return {
        {"spelling", form.spelling}, {"operands", form.operands}, {"arch", arch_name(form.arch)}};
  };
  const auto opcode_json = [&](const CoveredOpcode& opcode) -> Json {
    return {{"head", opcode.head}, {"forms", Json::array(opcode.forms, form_json)}};
  };
  return {{"opcodes", Json::array(chosen(begin), opcode_json)}};
}

struct EmulateOptions {
  std::string file, launch, report, sarif, arch, profile, draft;
  std::optional<std::string> input;
  std::vector<std::string> compile_options;
  std::string preset = "h200";
  LaunchWords words;
  BackendOptions backend;
  bool lists = false;

  [[nodiscard]] bool has_words() const { return !(words == LaunchWords()); }
};

/// The launches that the options describe; the file that a launch file may leave out is FILE.
LaunchFile launches_asked(const EmulateOptions& options) {
  const bool is_launch = options.file.ends_with(".json");
  if (is_launch && !options.launch.empty())
    throw UsageError("--launch", "it must be left out where FILE is a launch file");
  if (!is_launch && options.launch.empty()) return launch_of_words(options.words, options.file);
  if (options.has_words())
    throw UsageError("--launch",
                     "it must stand without --kernel, --grid, --block, --cluster, --smem, "
                     "--cooperative, --arg, --global and -o: the launch file says these");
  LaunchFile file = read_launch_file(is_launch ? options.file : options.launch);
  for (NamedLaunch& launch : file.launches)
    if (launch.module.empty() && !is_launch) launch.module = options.file;
  return file;
}

ModuleCompiler compiler_of(const EmulateOptions& options, const CompileChoices& choices,
                           const DeviceInfo& chip, const Session& session) {
  ModuleCompiler compiler{session.settings(), chip.arch, choices.options};
  const std::string& arch = options.arch.empty() ? choices.arch : options.arch;
  if (!arch.empty()) compiler.arch = parse_arch(arch);
  compiler.options.insert(compiler.options.end(), options.compile_options.begin(),
                          options.compile_options.end());
  return compiler;
}

/// Refuses options of how a launch runs, or what it found.   throws  UsageError: one is given
void refuse_without_launch(const EmulateOptions& options) {
  const BackendOptions& backend = options.backend;
  const std::pair<const char*, bool> of_launches[] = {
      {"--report", !options.report.empty()},
      {"--sarif", !options.sarif.empty()},
      {"--profile", !options.profile.empty()},
      {"--check", backend.check != "full"},
      {"--schedule", backend.schedule != BackendOptions().schedule},
      {"--resident", backend.resident != 0},
      {"--max-instructions", backend.max_instructions.has_value()},
      {"--max-memory", backend.max_memory.has_value()}};
  for (const auto& [flag, is_given] : of_launches)
    if (is_given) throw UsageError(flag, "it needs a launch: --grid and --block, or --launch");
}

/// throws  UsageError: two reports, or a report and memory that is saved, would go into one file
void check_distinct(const EmulateOptions& options, const LaunchFile& launches) {
  std::vector<PlannedFile> files{{"--report", options.report}, {"--sarif", options.sarif}};
  if (options.profile != "text") files.push_back({"--profile", options.profile});
  for (const PlannedFile& saved : saved_files(launches))
    files.push_back({options.words.output.empty() ? saved.writer : "-o", saved.path});
  require_distinct(files);
}

void write(std::optional<OutputFile>& file, const std::string& text, const Session& session) {
  if (!file) return;
  file->write(text);
  file->commit();
  tell_written(file->path(), session);
}

/// The form that `--profile` asks for, as the name of its file says.
std::string profile_of(const RunOutcome& outcome, const std::string& where) {
  if (where.ends_with(".json")) return indented(profile_json(outcome));
  if (where.ends_with(".html")) return profile_page(outcome);
  return profile_text(outcome);
}

int run_list(const EmulateOptions& options, const Session& session) {
  return session.print(covered_json(options.file), covered_text(options.file));
}

/// A launch file to go on from; nothing is run.
int write_draft(const EmulateOptions& options, const LaunchFile& launches, const Session& session) {
  check_suffix(options.draft, {".json"}, "--write");
  std::optional<OutputFile> file(std::in_place, options.draft);
  write(file, indented(launch_json(launches, options.draft)), session);
  return kDone;
}

/// The launches of a file as its text makes them on this chip, with what was typed for its input.
///   throws  UsageError: the program does not read as many words
ProgramLaunches program_of(const EmulateOptions& options, const DeviceInfo& chip) {
  ProgramSurroundings around{.device = chip};
  std::istringstream words(options.input.value_or(""));
  for (std::string word; words >> word;) around.input.push_back(word);
  if (options.input && around.input.empty()) throw UsageError("--stdin", "it must have a word");
  const std::string cuda = is_cuda_file(options.file) ? read_text(options.file) : std::string();
  ProgramLaunches program = launches_of(cuda, around);
  if (program.words_read < std::ssize(around.input))
    throw UsageError("--stdin", "it must have no more words than the program reads, which are " +
                                    std::to_string(program.words_read));
  return program;
}

/// Without a launch: the file's kernels, and lines that launch them.
int run_offers(const EmulateOptions& options, const Session& session) {
  refuse_without_launch(options);
  const DeviceInfo& chip = device_preset(options.preset);
  const ProgramLaunches program = program_of(options, chip);
  const KernelModule module = read_module(options.file, compiler_of(options, {}, chip, session),
                                          launched_instances(program));
  std::vector<std::string> words;
  if (!options.arch.empty()) words.insert(words.end(), {"--arch", options.arch});
  for (const std::string& option : options.compile_options)
    words.insert(words.end(), {"--nvrtc", option});
  const std::vector<OfferedLaunch> offers = offered_launches(module, program, words);
  if (!options.draft.empty())
    return write_draft(options, launch_of_offers(offers, module.path), session);
  const Offers all{module, program, offers, options.preset};
  return session.print(offers_json(all), offers_text(all));
}

int run_emulate(const EmulateOptions& options, const Session& session) {
  if (options.lists) return run_list(options, session);
  if (options.file.empty())
    throw UsageError("FILE", "it must be given: a PTX or CUDA file, or a launch file");
  if (!options.file.ends_with(".json") && options.launch.empty() && !options.has_words())
    return run_offers(options, session);
  if (options.input)
    throw UsageError("--stdin", "it must stand without a launch: it says what lines to offer");
  const LaunchFile launches = launches_asked(options);
  if (!options.draft.empty()) return write_draft(options, launches, session);
  if (options.profile != "text")
    check_suffix(options.profile, {".txt", ".json", ".html"}, "--profile");
  check_distinct(options, launches);
  std::optional<OutputFile> report, sarif, profile;
  if (!options.profile.empty() && options.profile != "text") profile.emplace(options.profile);
  if (!options.report.empty()) report.emplace(options.report);
  if (!options.sarif.empty()) sarif.emplace(options.sarif);
  const DeviceInfo chip = device_preset(options.preset);
  EmulatorOptions emulator = emulator_options(options.backend, chip);
  emulator.profiles = !options.profile.empty();
  tell_settings(session);
  const Stopwatch stopwatch;
  const RunOutcome outcome = [&] {
    ProgressLine line(session, {.what = "emulating"});
    const InterruptWatch watch;
    emulator.on_block = [&](Index done, Index all) {
      if (InterruptWatch::is_interrupted()) throw Interrupted();
      line.at(done, all);
    };
    const auto backend = open_emulator(emulator);
    return run_launches(launches, compiler_of(options, launches.compile, chip, session), *backend);
  }();
  session.detail("emulated " + std::to_string(launches.launches.size()) +
                 (launches.launches.size() == 1 ? " launch" : " launches") + " as " + chip.name +
                 " in " + stopwatch.text());
  write(report, indented(to_json(outcome)), session);
  write(sarif, indented(to_sarif(outcome)), session);
  if (profile) write(profile, profile_of(outcome, options.profile), session);
  session.print(to_json(outcome), to_text(outcome, session.color() == Color::ansi));
  if (options.profile == "text") session.out << profile_text(outcome);
  if (outcome.is_interrupted) session.err << "jute: interrupted: nothing was compared or saved\n";
  return outcome.is_clean() && !outcome.is_interrupted ? kDone : kAnswerIsNo;
}

void add_launch_words(Command& sub, LaunchWords& words) {
  const OptionGroup group{sub, "A launch without a file"};
  group.option("--kernel NAME", &words.kernel, "Its symbol, C++ name or unique short name");
  group.option("--grid X,Y,Z", &words.grid,
               "Blocks: one to three extents; clusters where .blocksareclusters says so");
  group.option("--block X,Y,Z", &words.block, "Threads of a block");
  group.option("--cluster X,Y,Z", &words.cluster, "Blocks of a cluster");
  group
      .option("--smem BYTES", &words.dynamic_smem_bytes,
              "Shared memory beside the kernel's own, in bytes")
      .non_negative();
  group.option("--cooperative", &words.is_cooperative, "All blocks are on the chip together");
  group.option(
      "--arg ARG", &words.arguments,
      "The next argument: 5, f32:0.5, null, f32[1024]=iota, FILE.npy, @0, @0+4, {f32:0.5,@0}");
  group.option("--global NAME=CONTENTS", &words.globals,
               "A variable of the module: scale=f32:2, table=i32[4]=iota, table=FILE.npy");
  group.option("-o,--output OUT.npy", &words.output,
               "Write the memory; several: out.0.npy, out.1.npy");
}

}  // namespace

void add_emulate(Command& jute) {
  auto options = std::make_shared<EmulateOptions>();
  options->backend.check = "full";
  Command& sub =
      jute.add("emulate", "Run kernels of a PTX or CUDA file on the emulator",
               "jute emulate examples/emulate/iota.ptx --launch examples/emulate/launch.json");
  sub.option("file FILE", &options->file, "A PTX or CUDA file, or a launch file that names some");
  sub.option("--list", &options->lists,
             "Name the instructions that are executed, all or those that begin with FILE")
      .with_nothing_but({"--json", "--quiet", "--color"});
  sub.option("--launch LAUNCH.json", &options->launch,
             "Kernels, grids, memory and what must be in it")
      .takes(Strays::word);
  sub.option("--write LAUNCH.json", &options->draft,
             "Write the launch typed, or the program's first, as a launch file; run nothing");
  sub.option("--report FILE.json", &options->report, "Write what was found");
  sub.option("--sarif FILE", &options->sarif, "Write what was found as SARIF 2.1.0");
  sub.option("--profile text|FILE", &options->profile,
             "Count what it costs: text, or a page or data by suffix: .html, .json, .txt");
  sub.option("--arch ARCH", &options->arch,
             "What CUDA files are compiled for; else the chip's own");
  sub.option("--nvrtc OPTION", &options->compile_options, "A further option for compiling: -DN=4");
  sub.option("--device-preset", &options->preset, "The chip to stand for").with_default();
  sub.option("--stdin WORDS", &options->input,
             "What the program reads from standard input, for the lines that are offered");
  add_launch_words(sub, options->words);
  add_check_flags(sub, options->backend);
  sub.reads = {"--verbose"};
  sub.run = [options](const Session& session) { return run_emulate(*options, session); };
}

}  // namespace jute::command
