// `jute cache`: the compiled kernels that are kept on disk.
#include <jute/jit/cache.hpp>

#include <ctime>
#include <ostream>

#include "command/command_line.hpp"
#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "ready/cache_folder.hpp"

namespace jute::command {

DiskCache opened_cache(const Session& session, CacheAccess access) {
  tell_settings(session);
  const std::string directory = session.settings().cache_dir;
  if (directory.empty())
    command::refuse(ErrorCode::unwritable, "cache directory", "unknown",
                    "JUTE_CACHE_DIR, XDG_CACHE_HOME or HOME must name a folder");
  return DiskCache(directory, access);
}

namespace {

std::string date(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[32] = "";
  if (gmtime_r(&time, &parts) != nullptr) std::strftime(text, sizeof text, "%FT%TZ", &parts);
  return text;
}

Json entry_json(const CacheEntry& entry) {
  return {{"file", entry.file},
          {"symbol", entry.symbol},
          {"arch", entry.arch},
          {"bytes", entry.bytes},
          {"last_used", date(entry.last_used)},
          {"fault", entry.fault.empty() ? Json() : Json(entry.fault)}};
}

std::string entry_line(const CacheEntry& entry) {
  if (!entry.fault.empty()) return entry.file + "  unusable: " + entry.fault;
  return date(entry.last_used) + "  " + std::to_string(entry.bytes) + " bytes  " + entry.arch +
         "  " + entry.symbol;
}

void print(const CacheEntry& entry, const Session& session) {
  session.print(entry_json(entry), entry_line(entry) + "\n");
}

int run_path(const Session& session) {
  const DiskCache cache = opened_cache(session, CacheAccess::read_only);
  return session.print({{"path", cache.path()}}, cache.path() + "\n");
}

/// A folder that no run would use has no list: an empty one would say that nothing lies there.
///   throws  unwritable: the folder is not to be trusted, or is none
int run_list(const Session& session) {
  const DiskCache cache = opened_cache(session, CacheAccess::read_only);
  if (const std::string problem = cache.problem(); !problem.empty())
    command::refuse(ErrorCode::unwritable, "cache", cache.path(),
                    "the folder must let its entries be used: " + problem);
  for (const CacheEntry& entry : cache.list()) print(entry, session);
  return kDone;
}

/// Damaged entries only cost a compilation, but somebody who asks is told of each.
int run_verify(const Session& session) {
  const DiskCache cache = opened_cache(session, CacheAccess::read_only);
  const std::string problem = cache.problem();
  if (!problem.empty()) session.note("jute: " + cache.path() + ": " + problem);
  Index good = 0, bad = 0;
  for (const CacheEntry& entry : cache.list()) {
    (entry.fault.empty() ? good : bad) += 1;
    if (!entry.fault.empty() && !session.common.json) print(entry, session);
  }
  session.print({{"path", cache.path()}, {"good", good}, {"unusable", bad}, {"problem", problem}},
                std::to_string(good) + " good, " + std::to_string(bad) + " unusable\n");
  return bad == 0 && problem.empty() ? kDone : kAnswerIsNo;
}

int run_clear(const Session& session) {
  const Settings settings = session.settings();
  const auto access =
      settings.cache == "readonly" ? CacheAccess::read_only : CacheAccess::read_write;
  const Index removed = opened_cache(session, access).clear();
  return session.print({{"removed", removed}}, std::to_string(removed) + " removed\n");
}

}  // namespace

void add_cache(Command& jute) {
  struct Row {
    const char* name;
    const char* description;
    int (*run)(const Session&);
  };
  Command& cache = jute.add("cache", "The compiled kernels kept on disk", "jute cache list");
  for (const Row& row : {Row{"path", "Print the cache's folder", run_path},
                         Row{"list", "Print every kernel in it", run_list},
                         Row{"verify", "Check every entry", run_verify},
                         Row{"clear", "Remove every entry", run_clear}}) {
    Command& sub = cache.add(row.name, row.description, std::string("jute cache ") + row.name);
    sub.reads = {"--verbose"};
    sub.run = row.run;
  }
  add_cache_filling(cache);
}

}  // namespace jute::command
