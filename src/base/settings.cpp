// The only reader of environment variables.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/base/rank_settings.hpp>
#include <jute/base/refuse.hpp>
#include <jute/base/settings.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

namespace jute {
namespace {

constexpr std::array<std::string_view, 2> kCompile{"allowed", "forbidden"};
constexpr std::array<std::string_view, 3> kCache{"on", "off", "readonly"};
constexpr std::array<std::string_view, 2> kLog{"info", "debug"};
constexpr std::array<std::string_view, 3> kDevice{"auto", "cuda", "emulator"};
constexpr std::array<std::string_view, 4> kSwitch{"on", "off", "1", "0"};

/// A variable and where its value goes; one with a list takes nothing else.
struct VariableRow {
  std::string_view name;
  std::string Settings::*member;
  std::span<const std::string_view> legal = {};
};
constexpr VariableRow kVariables[] = {{"JUTE_CACHE_DIR", &Settings::cache_dir},
                                      {"JUTE_CACHE", &Settings::cache, kCache},
                                      {"JUTE_COMPILE", &Settings::compile, kCompile},
                                      {"JUTE_LOG", &Settings::log, kLog},
                                      {"JUTE_DUMP_DIR", &Settings::dump_dir},
                                      {"JUTE_ARCH", &Settings::arch},
                                      {"JUTE_DEVICE", &Settings::device, kDevice},
                                      {"JUTE_NVRTC", &Settings::nvrtc},
                                      {"CUDA_PATH", &Settings::cuda_home},
                                      {"CUDA_HOME", &Settings::cuda_home},  // the last one counts
                                      {"VIRTUAL_ENV", &Settings::virtual_env},
                                      {"JUTE_PDL", &Settings::pdl, kSwitch},
                                      {"JUTE_TUNED", &Settings::tuned, kSwitch},
                                      {"JUTE_TEMPLATE_DIR", &Settings::template_dir},
                                      {"JUTE_STAND_IN", &Settings::stand_in},
                                      {"JUTE_STAND_IN_FINDINGS", &Settings::stand_in_findings}};
constexpr std::string_view kLayers = "JUTE_CACHE_LAYERS";

std::vector<std::string> folders(std::string_view list) {
  std::vector<std::string> all;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) all.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return all;
}

std::string variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::string() : std::string(value);
}

std::string usual_cache_dir() {
  // XDG Base Directory Specification: a relative path is invalid and is ignored.
  if (const std::string xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/'))
    return xdg + "/jute";
  if (const std::string home = variable("HOME"); home.starts_with('/'))
    return home + "/.cache/jute";
  return {};
}

std::vector<std::string> variable_names() {
  std::vector<std::string> names{std::string(kLayers)};
  for (const VariableRow& row : kVariables) names.emplace_back(row.name);
  return names;
}

}  // namespace

void choose(Settings& settings, std::string_view name, std::string_view value) {
  if (name == kLayers) {
    settings.cache_layers = folders(value);
    return;
  }
  const auto row = std::ranges::find(kVariables, name, &VariableRow::name);
  if (row == std::end(kVariables)) {
    const std::vector<std::string> names = variable_names();
    jute::refuse(ErrorCode::unknown_name, "setting", std::string(name),
                 "a setting must be one of " + joined(names), nearest_name(name, names));
  }
  const std::vector<std::string> legal(row->legal.begin(), row->legal.end());
  if (!legal.empty() && std::ranges::find(legal, value) == legal.end())
    jute::refuse(ErrorCode::illegal_config, std::string(name), std::string(value),
                 "it must be one of " + joined(legal), nearest_name(value, legal));
  settings.*row->member = value;
}

Settings settings_from_environment() {
  Settings settings;
  settings.cache_dir = usual_cache_dir();
  for (const std::string& name : variable_names())
    if (const std::string value = variable(name); !value.empty()) choose(settings, name, value);
  return settings;
}

namespace {

/// The first of the variables that is set.
std::optional<int> number_of(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const std::string text = variable(name);
    if (text.empty()) continue;
    const auto value = parsed_number<int>(text);
    if (!value || *value < 0)
      jute::refuse(ErrorCode::illegal_config, std::string(name), text,
                   "it must be a number, 0 or more");
    return value;
  }
  return std::nullopt;
}

}  // namespace

RankSettings rank_settings_from_environment() {
  return {
      .nccl = variable("JUTE_NCCL"),
      .virtual_env = variable("VIRTUAL_ENV"),
      .path = folders(variable("PATH")),
      .rank = number_of({"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}),
      .world_size = number_of({"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}),
      .local_rank = number_of(
          {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}),
      .rendezvous = variable("JUTE_RENDEZVOUS"),
      .secret = variable("JUTE_RENDEZVOUS_SECRET"),
      .host = variable("MASTER_ADDR")};
}

}  // namespace jute
