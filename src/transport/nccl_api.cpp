// Looks for NCCL and fills its table.
#include "transport/nccl_api.hpp"

#include <dlfcn.h>
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/rank_settings.hpp>
#include <jute/base/refuse.hpp>
#include <jute/launch/communicator.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/format.hpp"

namespace jute::transport {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNcclFile = "libnccl.so.2";

std::string version_text(int version) {
  return base::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

[[noreturn]] void refuse_nccl(std::string value, std::string rule, std::string detail) {
  throw Exception({.code = ErrorCode::unsupported,
                   .operand = "nccl",
                   .value = std::move(value),
                   .violated_rules = {std::move(rule)},
                   .detail = std::move(detail)});
}

std::shared_ptr<const NcclLibrary> usable(void* library, const std::string& path,
                                          const base::LibraryLoader& loader) {
  auto result = std::make_shared<NcclLibrary>(
      NcclLibrary{NcclApi(base::Functions(library, loader)), path, {}});
  int version = 0;
  if (result->api.version == nullptr || result->api.version(&version) != kNcclSuccess)
    refuse_nccl(path, "the library must say its version", {});
  result->version = version_text(version);
  if (version < kOldestNccl)
    refuse_nccl(path + " (" + result->version + ")", "NCCL must be 2.18 or newer", {});
  if (const auto& missing = result->api.missing(); !missing.empty())
    refuse_nccl(path, "the library must have " + joined(missing), {});
  return result;
}

/// lib/python3*/site-packages/nvidia/nccl/lib below a folder.
std::vector<std::string> wheels_below(const fs::path& root) {
  std::vector<std::string> result;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "lib", error)) {
    if (!entry.path().filename().string().starts_with("python3")) continue;
    for (const char* packages : {"site-packages", "dist-packages"})
      result.push_back((entry.path() / packages / "nvidia/nccl/lib" / kNcclFile).string());
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace

std::string text_of(const NcclId& id) { return {id.bytes, sizeof id.bytes}; }

NcclId nccl_id_of(const std::string& text) {
  NcclId id;
  if (text.size() != sizeof id.bytes)
    throw CommunicationFailed(
        {.step = "id of NCCL",
         .what = base::format("it must have {} bytes, as an ncclUniqueId, not {}", sizeof id.bytes,
                              text.size())});
  std::memcpy(id.bytes, text.data(), sizeof id.bytes);
  return id;
}

/// ncclDataType_t.
int nccl_type(DType type) {
  struct Row {
    DType type;
    int value;
  };
  constexpr std::array<Row, 5> kRows{
      {{DType::s32, 2}, {DType::f16, 6}, {DType::f32, 7}, {DType::f64, 8}, {DType::bf16, 9}}};
  const auto found = std::ranges::find(kRows, type, &Row::type);
  if (found == kRows.end())
    jute::refuse(ErrorCode::unsupported, "wire", std::string(name(type)),
                 "NCCL's summands must be s32, f16, f32, f64 or bf16");
  return found->value;
}

NcclPlaces nccl_places() {
  const RankSettings settings = rank_settings_from_environment();
  // NOLOAD: only what the process has already.
  NcclPlaces places{.library = settings.nccl, .folders = {}, .loaded = [] {
                      return ::dlopen(kNcclFile, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
                    }};
  std::vector<std::string> roots;
  if (!settings.virtual_env.empty()) roots.push_back(settings.virtual_env);
  // A Python that comes first on PATH, as an environment's does when it is active.
  for (const std::string& folder : settings.path) {
    std::error_code error;
    if (!fs::exists(fs::path(folder) / "python3", error)) continue;
    roots.push_back(fs::path(folder).parent_path().string());
    break;
  }
  roots.emplace_back("/usr/local");
  for (const std::string& root : roots)
    for (std::string& wheel : wheels_below(root))
      if (std::ranges::find(places.folders, wheel) == places.folders.end())
        places.folders.push_back(std::move(wheel));
  return places;
}

std::shared_ptr<const NcclLibrary> load_nccl(const NcclPlaces& places,
                                             const base::LibraryLoader& loader) {
  // Multicast can put the GPUs of a shared host out of service, and sums would vary with it.
  ::setenv("NCCL_NVLS_ENABLE", "0", 1);
  // Two copies in one process would not know of each other.
  if (void* const library = places.loaded != nullptr ? places.loaded() : nullptr)
    return usable(library, loader.path_of(library), loader);
  if (!places.library.empty()) {
    void* const library = loader.open(places.library);
    if (library == nullptr)
      refuse_nccl(places.library, "JUTE_NCCL must name a loadable libnccl: " + loader.error(), {});
    return usable(library, places.library, loader);
  }
  std::string looked;
  std::vector<std::string> files = places.folders;
  files.emplace_back(kNcclFile);
  files.emplace_back("/usr/local/cuda/lib/libnccl.so.2");
  files.emplace_back("/usr/local/cuda/lib64/libnccl.so.2");
  for (const std::string& file : files) {
    if (void* const library = loader.open(file)) {
      std::string path = loader.path_of(library);
      return usable(library, path.empty() ? file : path, loader);
    }
    looked += "  " + file + "\n";
  }
  refuse_nccl("", "NCCL must be installed: `pip install nvidia-nccl-cu13`, or set JUTE_NCCL",
              "looked for\n" + looked);
}

}  // namespace jute::transport
