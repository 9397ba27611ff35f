#pragma once
// A library that is opened at run time and stays open: vendors' libraries do not like to be closed.
#include <optional>
#include <string>
#include <vector>

namespace jute::bench {

class SharedLibrary {
 public:
  /// Nothing when it does not open; `why` is told the loader's words.
  [[nodiscard]] static std::optional<SharedLibrary> open(const std::string& path,
                                                         std::string* why = nullptr);
  /// Fills a slot of a table of functions, and remembers a name that the library lacks.
  template <class Function>
  void bind(Function*& slot, const char* name) {
    bind_if_there(slot, name);
    if (slot == nullptr) missing_.emplace_back(name);
  }
  template <class Function>
  void bind_if_there(Function*& slot, const char* name) const {
    slot = reinterpret_cast<Function*>(symbol(name));
  }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
  [[nodiscard]] std::string path() const;  ///< where it lies

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  [[nodiscard]] void* symbol(const char* name) const;

  void* handle_;
  std::vector<std::string> missing_;
};

}  // namespace jute::bench
