// `jute export`: the kernels of a list of problems as files, with a launcher of C.
#include <jute/base/split_at.hpp>
#include <jute/bundle/bundle.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <sstream>

#include "command/command_line.hpp"
#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "command/progress.hpp"
#include "files/files.hpp"
#include "files/json_writer.hpp"
#include "options/cover_options.hpp"
#include "options/race_options.hpp"

namespace jute::command {
namespace {

struct ExportOptions {
  std::string file, folder, archs, later = "sm_90", name = "kernels";
  RangeFlags range;
  int race = 0;  ///< candidates; 0: none
};

/// The words of a list, commas between them.
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words = split_at<std::string>(',', list);
  std::erase(words, "");
  return words;
}

BundleOptions bundle_options(const ExportOptions& options) {
  BundleOptions result{.name = options.name};
  result.limits = options.range.limits();
  if (!options.archs.empty()) {
    result.targets.clear();
    for (const std::string& arch : words_of(options.archs))
      result.targets.push_back({.arch = parse_arch(arch)});
  } else {
    std::erase_if(result.targets, [](const BundleTarget& target) { return !target.has_cubins; });
  }
  if (options.later == "none") return result;
  for (const std::string& arch : words_of(options.later)) {
    const BundleTarget target{.arch = parse_arch(arch), .has_cubins = false};
    if (target.arch.suffix != '\0')
      throw UsageError("--later", "PTX of " + arch +
                                      " must not be meant for later chips: it runs "
                                      "on that one alone");
    const auto is_there = [&](const BundleTarget& other) { return other.arch == target.arch; };
    if (std::ranges::none_of(result.targets, is_there)) result.targets.push_back(target);
  }
  return result;
}

void check(const ExportOptions& options) {
  if (options.file.empty())
    throw UsageError("FILE", "it must be given: a file of problems, one a line");
  if (options.folder.empty()) throw UsageError("-o", "it must be given: the folder of the bundle");
  (void)bundle_options(options);
}

/// Bytes of a target on disk.
struct Size {
  size_t kernels = 0;
  size_t cubin_bytes = 0, ptx_bytes = 0;
};
std::vector<Size> sizes_of(const Bundle& bundle, const std::vector<BundleFile>& files) {
  std::vector<Size> sizes(bundle.targets.size());
  const auto bytes_of = [&](const std::string& name) {
    const auto file = std::ranges::find(files, name, &BundleFile::name);
    return file == files.end() ? 0 : file->bytes.size();
  };
  for (const BundleImage& image : bundle.images) {
    Size& size = sizes[image.target];
    ++size.kernels;
    size.cubin_bytes += bytes_of(image.stem + ".cubin.lz4");
    size.ptx_bytes += image.ptx.size();
  }
  return sizes;
}

std::string summary(const Bundle& bundle, const std::vector<BundleFile>& files,
                    const std::string& folder) {
  std::ostringstream text;
  const std::vector<Size> sizes = sizes_of(bundle, files);
  for (size_t i = 0; i < sizes.size(); ++i) {
    text << to_string(bundle.targets[i].arch) << ": " << sizes[i].kernels << " kernels, ";
    if (bundle.targets[i].has_cubins)
      text << sizes[i].cubin_bytes << " bytes of machine code, packed, ";
    text << sizes[i].ptx_bytes << " of PTX\n";
    for (size_t j = 0; j < bundle.problems.size(); ++j)
      if (const std::string& why = bundle.product(i, j).refused; !why.empty())
        text << "  without " << to_string(bundle.problems[j]) << ": " << why << '\n';
  }
  text << bundle.problems.size() << (bundle.problems.size() == 1 ? " problem" : " problems")
       << " in " << folder << ": " << bundle.name << ".h, " << bundle.name << ".c, " << bundle.name
       << ".cmake, manifest.json\n";
  return text.str();
}

/// The manifest last: where it is, all that it names is there.
void write_files(const std::vector<BundleFile>& files, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const BundleFile& each : files) {
    OutputFile file((std::filesystem::path(folder) / each.name).string());
    file.write(each.bytes);
    file.commit();
  }
}

/// Races every problem on the GPU; the chips of its architecture get the winners.
void take_raced(const std::vector<Problem>& problems, int race, BundleOptions& wanted,
                const Session& session) {
  Context context({.settings = session.settings()});
  const Arch here = context.device_info().arch;
  if (std::ranges::none_of(wanted.targets,
                           [&](const BundleTarget& target) { return target.arch == here; }))
    throw UsageError("--race",
                     "the GPU that races must be a chip of the bundle: --arch " + to_string(here));
  std::vector<Config> winners;
  for (const Problem& problem : problems)
    winners.push_back(raced(context, problem, {}, race, session).best().choice.config);
  wanted.choices = [here, winners](std::size_t problem, const BundleTarget& target) {
    return target.arch == here ? winners.at(problem) : Config();
  };
}

int run_export(const ExportOptions& options, const Session& session) {
  check(options);
  const std::vector<Problem> problems = parse_problems(read_text(options.file));
  const Settings settings = session.settings();
  ProgressLine line(session, {.what = "compiling"});
  BundleOptions wanted = bundle_options(options);
  wanted.on_kernel = [&](size_t done, size_t all) {
    line.at(static_cast<Index>(done), static_cast<Index>(all));
  };
  tell_settings(session);
  if (options.race > 0) take_raced(problems, options.race, wanted, session);
  const Bundle bundle = make_bundle(problems, wanted, KernelCache(settings));
  line.wipe();
  std::vector<BundleFile> files = files_of(bundle);
  files.push_back({"manifest.json", indented(manifest_of(bundle))});
  write_files(files, options.folder);
  return session.print(manifest_of(bundle), summary(bundle, files, options.folder));
}

}  // namespace

void add_export(Command& jute) {
  auto options = std::make_shared<ExportOptions>();
  Command& sub = jute.add("export", "Write problems' kernels as files, with a launcher in C",
                          "jute export examples/problems/model.problems -o model --name model");
  sub.option("file FILE.problems", &options->file, "The problems, one a line");
  sub.option("-o,--output DIR", &options->folder, "The folder that takes the files");
  sub.option("--arch ARCHS", &options->archs,
             "Chips that get machine code, commas between them; else sm_80,sm_90a");
  sub.option("--later ARCHS", &options->later,
             "Whose plans later chips get as PTX, commas between them; or none")
      .with_default();
  add_range_flags(sub, options->range);
  add_race_flag(sub, options->race);
  sub.option("--name,--prefix NAME", &options->name, "Of the launcher's files and symbols")
      .with_default();
  sub.reads = {"--verbose"};
  sub.run = [options](const Session& session) { return run_export(*options, session); };
  sub.judge = [options](const Session&) { check(*options); };
}

}  // namespace jute::command
