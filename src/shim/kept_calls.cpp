// The file of measured calls: JSON, as jute.torch keeps its own.
#include <fcntl.h>
#include <jute/base/json_object.hpp>
#include <jute/base/refuse.hpp>
#include <jute/jit/disk_cache.hpp>
#include <jute/shim/kept_calls.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <unordered_set>

#include "base/whole_file.hpp"
#include "shim/call_numbers.hpp"
#include "shim/private_file.hpp"

namespace jute {
namespace {

Json json_of(const KeptCall& kept) {
  constexpr double kDigits = 1e4;
  CublasCall any = kept.call;
  rows_in(any) = 0;
  Json json{{"line", to_line(kept.call)},
            {"ratio", std::round(kept.ratio * kDigits) / kDigits},
            {"choices", to_string(kept.config)}};
  if (!kept.over) return json;
  json.add("range", to_line(any));
  json.add("first", kept.first);
  json.add("last", kept.last);
  json.add("over", Json::array({kept.over->first, kept.over->last}));
  return json;
}

KeptCall kept_call_of(JsonObject& json) {
  KeptCall kept{.call = parse_cublas_call(json.text("line")),
                .config = parse_config(json.text("choices"))};
  if (const auto* number = json.value("ratio").as<JsonNumber>())
    kept.ratio = std::visit([](auto value) { return static_cast<double>(value); }, *number);
  kept.first = json.integer_or("first", rows_in(kept.call));
  kept.last = json.integer_or("last", rows_in(kept.call));
  (void)json.text_or("range", {});
  if (json.has("over")) {
    const std::vector<Index> over = json.integers("over");
    if (over.size() != 2 || over[0] > kept.first || kept.first > kept.last || kept.last > over[1])
      json.refuse("over", "it must be two numbers, with first and last between them");
    kept.over = MRange{over[0], over[1]};
  }
  json.refuse_unknown_keys();
  return kept;
}

}  // namespace

std::vector<CublasCall> read_record(const std::string& path) {
  std::istringstream lines(shim::read_private(path));
  std::unordered_set<CublasCall, shim::CallHash> known;
  std::vector<CublasCall> calls;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      const CublasCall call = parse_cublas_call(line);
      if (known.insert(call).second) calls.push_back(call);
    } catch (const Exception& exception) {
      Error error = exception.error();
      error.code = ErrorCode::bad_file;
      error.position = SourcePosition{number, 1};
      throw Exception(std::move(error));
    }
  }
  return calls;
}

KeptCalls read_kept(const std::string& path) {
  const JsonValue json = parse_json(shim::read_private(path), path);
  JsonObject file(json, path, {});
  KeptCalls kept{.device = file.text("device"), .cublas = file.text("cublas")};
  for (JsonObject& row : file.objects("calls")) kept.calls.push_back(kept_call_of(row));
  file.refuse_unknown_keys();
  const DiskCache kernels(settings_of_kept(path).cache_dir, CacheAccess::read_only);
  if (const std::string fault = kernels.problem(); !fault.empty() && !kept.calls.empty())
    refuse(ErrorCode::bad_file, "kernels", kernels.path(), fault);
  return kept;
}

void write_kept(const std::string& path, const KeptCalls& kept) {
  Json calls = Json::array();
  for (const KeptCall& call : kept.calls) calls.push_back(json_of(call));
  const std::string text =
      indented(Json{{"device", kept.device}, {"cublas", kept.cublas}, {"calls", calls}});
  const int fault =
      base::write_whole({.folder = AT_FDCWD, .name = path, .part_prefix = path + ".", .mode = 0600},
                        std::as_bytes(std::span(text)));
  if (fault != 0) refuse(ErrorCode::unwritable, "file", path, std::strerror(fault));
}

Settings settings_of_kept(const std::string& path) {
  Settings settings;
  settings.cache_dir = path + ".kernels";
  settings.cache = "readonly";
  settings.compile = "forbidden";
  settings.tuned = "off";
  return settings;
}

}  // namespace jute
