#pragma once
// What handles name: an object lives until its handle is destroyed and the last call with it ends.
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace jute::stand_in {

template <class Object>
class Handles {
 public:
  Object* add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    Object* const handle = object.get();
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  /// Null where the handle names nothing.
  [[nodiscard]] std::shared_ptr<Object> find(const Object* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<Object> remove(const Object* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    auto object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  template <class Predicate>
  void remove_if(const Predicate& is_gone) {
    std::vector<std::shared_ptr<Object>> gone;  // destroyed when the lock is released
    const std::lock_guard lock(mutex_);
    for (auto each = objects_.begin(); each != objects_.end();) {
      const bool goes = is_gone(*each->second);
      if (goes) gone.push_back(std::move(each->second));
      each = goes ? objects_.erase(each) : std::next(each);
    }
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const Object*, std::shared_ptr<Object>> objects_;
};

}  // namespace jute::stand_in
