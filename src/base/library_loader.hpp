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

/// What a table of a library's functions begins with: each member is what has its name there. Keeps
/// the names that the library lacks.
class Functions {
 public:
  Functions() = default;  ///< of no library: all are null
  Functions(void* library, const LibraryLoader& loader) : library_(library), find_(loader.symbol) {}

  struct Symbol {
    void* at = nullptr;
    template <class Function>
    operator Function*() const {  // NOLINT: it is the member that says which function it is
      return reinterpret_cast<Function*>(at);
    }
  };
  [[nodiscard]] Symbol if_there(const char* name) const {
    return {library_ == nullptr ? nullptr : find_(library_, name)};
  }
  [[nodiscard]] Symbol get(const char* name) {
    const Symbol found = if_there(name);
    if (found.at == nullptr) missing_.emplace_back(name);
    return found;
  }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  void* library_ = nullptr;
  std::function<void*(void* library, const char* name)> find_;
  std::vector<std::string> missing_;
};

}  // namespace jute::base
