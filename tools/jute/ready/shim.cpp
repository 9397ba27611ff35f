// `jute shim`: programs that call cuBLAS, recorded, measured and served.
#include <jute/shim/kept_calls.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>
#include <ostream>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "programs/beside.hpp"
#include "programs/child_program.hpp"

namespace jute::command {
namespace {

constexpr const char* kFront = "libjute_cublas.so";
constexpr const char* kNothingCame =
    "jute: no call of cuBLAS came by: programs that take it by dlsym, as JAX does, or that hold it "
    "in "
    "themselves are not caught";

struct ShimOptions {
  std::string log, file;
  std::vector<std::string> words;
  MeasureOptions measure;
};

void require_program(const ShimOptions& options) {
  if (options.words.empty())
    throw UsageError("PROGRAM", "it must be given behind --: -- ./program arguments");
}

/// Its exit status, with the object in front of cuBLAS and this variable of the two.
int status_behind_front(const ShimOptions& options, const std::string& record,
                        const std::string& serve) {
  const auto absolute = [](const std::string& path) {
    return path.empty() ? path : std::filesystem::absolute(path).string();
  };
  std::string preloaded = folder_beside("shim", kFront, "jute_cublas jute_shim_core");
  preloaded += std::string("/") + kFront;
  if (const char* const before = std::getenv("LD_PRELOAD"); before != nullptr && *before != '\0')
    preloaded += std::string(":") + before;
  return status_of_program(options.words, {{"LD_PRELOAD", preloaded},
                                           {"JUTE_SHIM_RECORD", absolute(record)},
                                           {"JUTE_SHIM_SERVE", absolute(serve)}});
}

int run_record(const ShimOptions& options, const Session& session) {
  require_program(options);
  const int status = status_behind_front(options, options.log, {});
  std::error_code none;
  if (!std::filesystem::exists(options.log, none)) {
    session.note(kNothingCame);
    return status;
  }
  session.note("jute: " + std::to_string(read_record(options.log).size()) + " different calls in " +
               options.log);
  return status;
}

int run_prepare(const ShimOptions& options, const Session& session) {
  const std::vector<CublasCall> calls = read_record(options.log);
  MeasureOptions measure = options.measure;
  measure.progress = [&](const std::string& line) { session.note(line); };
  const std::size_t kept = measure_calls(calls, options.file, measure);
  return session.print({{"path", options.file}, {"recorded", calls.size()}, {"kept", kept}},
                       std::to_string(kept) + " of " + std::to_string(calls.size()) +
                           " calls are jute's in " + options.file + "\n");
}

std::uint64_t all_calls(const ShimReport& report) {
  return std::accumulate(report.reasons.begin(), report.reasons.end(), std::uint64_t{0});
}

int run_serve(const ShimOptions& options, const Session& session) {
  require_program(options);
  const KeptCalls kept = read_kept(options.file);
  const ShimReport before = read_report(options.file, kept);
  const int status = status_behind_front(options, {}, options.file);
  const ShimReport after = read_report(options.file, kept);
  const std::uint64_t came = all_calls(after) - all_calls(before),
                      served = after.reasons.front() - before.reasons.front();
  session.note(came == 0 ? kNothingCame
                         : "jute: " + std::to_string(served) + " of " + std::to_string(came) +
                               " calls were jute's");
  return status;
}

/// `M=1:128 N=…`
std::string text_of(const KeptCall& kept) {
  return short_text(product_of(kept.call, kept.over).problem);
}

Json json_of(const KeptCall& kept, std::uint64_t count) {
  return {{"problem", text_of(kept)},
          {"first", kept.first},
          {"last", kept.last},
          {"ratio", kept.ratio},
          {"calls", count}};
}

int run_report(const ShimOptions& options, const Session& session) {
  const KeptCalls kept = read_kept(options.file);
  const ShimReport report = read_report(options.file, kept);
  Json calls = Json::array(), others = Json::object();
  for (std::size_t i = 0; i < kept.calls.size(); ++i) {
    const KeptCall& call = kept.calls[i];
    calls.push_back(json_of(call, report.calls[i]));
    if (!session.common.json)
      session.out << report.calls[i] << " times " << text_of(call) << ", M from " << call.first
                  << " to " << call.last << ": " << call.ratio << " times cuBLAS's speed\n";
  }
  for (std::size_t i = 1; i < report.reasons.size(); ++i) {
    const std::string why(words(static_cast<ServedBy>(i)));
    if (report.reasons[i] == 0) continue;
    others.add(why, report.reasons[i]);
    if (!session.common.json)
      session.out << report.reasons[i] << " times cuBLAS served: " << why << '\n';
  }
  if (!session.common.json) return kDone;
  return session.print({{"device", kept.device},
                        {"cublas", kept.cublas},
                        {"calls", calls},
                        {"let_through", others}});
}

Command& add_part(Command& shim, const std::shared_ptr<ShimOptions>& options, const char* name,
                  const char* description, const char* example,
                  int (*run)(const ShimOptions&, const Session&)) {
  Command& sub = shim.add(name, description, example);
  sub.run = [options, run](const Session& session) { return run(*options, session); };
  return sub;
}

void add_program(Command& sub, const std::shared_ptr<ShimOptions>& options) {
  sub.option("program PROGRAM", &options->words, "The program and its arguments, behind --")
      .takes(Strays::word);
  sub.judge = [options](const Session&) { require_program(*options); };
}

}  // namespace

void add_shim(Command& jute) {
  auto options = std::make_shared<ShimOptions>();
  Command& shim = jute.add("shim", "jute in front of cuBLAS, in programs that stay as they are",
                           "jute shim record calls.log -- ./program");
  Command& record = add_part(shim, options, "record", "Write each different call to a file",
                             "jute shim record calls.log -- ./program", run_record);
  record.option("log LOG", &options->log, "The file of calls, to which new ones are added")
      .required();
  add_program(record, options);
  Command& prepare = add_part(shim, options, "prepare",
                              "Compile and measure recorded calls, and keep what is faster",
                              "jute shim prepare calls.log -o calls.json", run_prepare);
  prepare.option("log LOG", &options->log, "The file of calls").required();
  prepare.option("-o,--output FILE", &options->file, "The file to serve from").required();
  prepare
      .option("--least RATIO", &options->measure.least,
              "cuBLAS's time over jute's that a call must reach")
      .non_negative()
      .with_default();
  prepare.option("--race COUNT", &options->measure.race, "Candidates of a call that race")
      .limit()
      .with_default();
  prepare.option("--cublas FOLDER", &options->measure.cublas,
                 "Where libcublas lies; else the loader's path, CUDA_HOME and /usr/local/cuda");
  Command& serve = add_part(shim, options, "serve", "Run a program with what was measured faster",
                            "jute shim serve calls.json -- ./program", run_serve);
  serve.option("file FILE", &options->file, "A file of `jute shim prepare`").required();
  add_program(serve, options);
  Command& report = add_part(shim, options, "report", "Print who served how many calls",
                             "jute shim report calls.json", run_report);
  report.option("file FILE", &options->file, "A file of `jute shim prepare`").required();
}

}  // namespace jute::command
