#pragma once
// Handles of the C interface: values that are never pointers to anything, so that one that was
// freed, or never was one, is refused and not followed.
#include <jute/base/error.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace jute::c {

enum class HandleKind : std::uint8_t { text = 1, layout, context, problem, plan, gemm, workspace };
[[nodiscard]] const char* name(HandleKind kind);

/// Keeps an object and gives its handle.
///   throws  out_of_memory: there are a million already
[[nodiscard]] std::uint64_t keep(HandleKind kind, std::shared_ptr<void> object);
/// The object of a handle; null where it is none of this kind, or was freed. Takes no lock.
[[nodiscard]] void* find(HandleKind kind, std::uint64_t handle) noexcept;
/// The same, kept for as long as the result lives.
[[nodiscard]] std::shared_ptr<void> share(HandleKind kind, std::uint64_t handle);
/// False: it is no handle of this kind. The object is destroyed here, unless something shares it.
[[nodiscard]] bool drop(HandleKind kind, std::uint64_t handle);

[[noreturn]] void refuse_handle(HandleKind kind, std::uint64_t handle);

/// The object that a handle of jute.h stands for: specialised where it is defined.
template <class Handle>
struct ObjectOf;

template <class Handle>
std::uint64_t value_of(const Handle* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

template <class Handle>
Handle* new_handle(std::shared_ptr<typename ObjectOf<Handle>::type> object) {
  return reinterpret_cast<Handle*>(
      static_cast<std::uintptr_t>(keep(ObjectOf<Handle>::kind, std::move(object))));
}

/// throws  wrong_type: it is no such handle
template <class Handle>
typename ObjectOf<Handle>::type& object_of(const Handle* handle) {
  void* const object = find(ObjectOf<Handle>::kind, value_of(handle));
  if (object == nullptr) refuse_handle(ObjectOf<Handle>::kind, value_of(handle));
  return *static_cast<typename ObjectOf<Handle>::type*>(object);
}

template <class Handle>
std::shared_ptr<typename ObjectOf<Handle>::type> shared_object(const Handle* handle) {
  auto object = share(ObjectOf<Handle>::kind, value_of(handle));
  if (!object) refuse_handle(ObjectOf<Handle>::kind, value_of(handle));
  return std::static_pointer_cast<typename ObjectOf<Handle>::type>(std::move(object));
}

template <class Handle>
void free_handle(Handle* handle) {
  if (handle != nullptr && !drop(ObjectOf<Handle>::kind, value_of(handle)))
    refuse_handle(ObjectOf<Handle>::kind, value_of(handle));
}

}  // namespace jute::c
