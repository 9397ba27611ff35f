#pragma once
// Shared libraries opened at run time, behind functions that tests replace.
#include <functional>
#include <string>
#include <vector>

namespace jute::base {

struct LibraryLoader {
  std::function<void*(const std::string& path)> open;  ///< nullptr when it does not open
  std::function<void*(void* library, const char* name)> symbol;
  std::function<std::string()> error;                 ///< why the last call failed
  std::function<std::string(void* library)> path_of;  ///< where an open library lies
};

/// dlopen, dlsym, dlerror.
[[nodiscard]] LibraryLoader system_loader();

/// Fills slots of a table of function pointers, and keeps the names that the library lacks.
class Binder {
 public:
  Binder(void* library, const LibraryLoader& loader) : library_(library), loader_(loader) {}

  template <class Function>
  void bind(Function*& slot, const char* name) {
    bind_if_there(slot, name);
    if (slot == nullptr) missing_.emplace_back(name);
  }
  template <class Function>
  void bind_if_there(Function*& slot, const char* name) {
    slot = reinterpret_cast<Function*>(loader_.symbol(library_, name));
  }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  void* library_;
  const LibraryLoader& loader_;
  std::vector<std::string> missing_;
};

}  // namespace jute::base
