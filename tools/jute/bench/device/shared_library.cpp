// dlopen.
#include "bench/device/shared_library.hpp"

#include <dlfcn.h>
#include <link.h>

namespace jute::bench {

std::optional<SharedLibrary> SharedLibrary::open(const std::string& path, std::string* why) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return SharedLibrary(handle);
  const char* words = ::dlerror();
  if (why != nullptr) *why = words == nullptr ? "" : words;
  return std::nullopt;
}

void* SharedLibrary::symbol(const char* name) const { return ::dlsym(handle_, name); }

std::string SharedLibrary::path() const {
  link_map* map = nullptr;
  if (::dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
  return map->l_name;
}

}  // namespace jute::bench
