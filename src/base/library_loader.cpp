// The dynamic loader of the system.
#include "base/library_loader.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

namespace jute::base {

LibraryLoader system_loader() {
  LibraryLoader loader;
  loader.open = [](const std::string& path) -> void* {
    // A pipe or a device would be waited for.
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return nullptr;
    return ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  };
  loader.symbol = [](void* library, const char* name) { return ::dlsym(library, name); };
  loader.error = [] {
    const char* text = ::dlerror();
    return std::string(text == nullptr ? "it is no regular file" : text);
  };
  loader.path_of = [](void* library) {
    link_map* map = nullptr;
    if (::dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return std::string();
    return std::string(map->l_name);
  };
  return loader;
}

}  // namespace jute::base
