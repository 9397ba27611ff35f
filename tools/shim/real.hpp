#pragma once
// The libraries behind the object: which one a call is meant for, and where its functions are.
#include <dlfcn.h>
#include <link.h>
#include <string.h>

namespace jute::front {

inline constexpr int kVersions = 2;
inline constexpr int kVersionNumbers[kVersions] = {13, 12};
/// By whether it is cuBLASLt.
inline constexpr const char* kSonames[2][kVersions] = {{"libcublas.so.13", "libcublas.so.12"},
                                                       {"libcublasLt.so.13", "libcublasLt.so.12"}};

/// The library that is loaded by this name; null: none is.
inline void* loaded(bool is_lt, int version) {
  static void* libraries[2][kVersions];
  void*& library = libraries[is_lt ? 1 : 0][version];
  void* known = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
  if (known != nullptr) return known;
  known = dlopen(kSonames[is_lt ? 1 : 0][version], RTLD_LAZY | RTLD_NOLOAD);
  __atomic_store_n(&library, known, __ATOMIC_RELEASE);
  return known;
}

/// Who calls.
struct Caller {
  int version;     ///< place in kVersionNumbers of what it needs
  bool is_inside;  ///< a library whose own calls are none of jute's
};

/// The version that a library is linked with; kVersions: none of both.
inline int needed_version(const link_map& map) {
  const char* strings = nullptr;
  for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  if (strings == nullptr) return kVersions;
  for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry)
    for (int version = 0; entry->d_tag == DT_NEEDED && version < kVersions; ++version)
      for (const auto& names : kSonames)
        if (strcmp(strings + entry->d_un.d_val, names[version]) == 0) return version;
  return kVersions;
}

inline Caller looked_up(const void* address) {
  constexpr const char* kInside[] = {"libcublas", "libcusolver"};
  Dl_info info;
  link_map* map = nullptr;
  Caller caller{kVersions, false};
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 &&
      map != nullptr) {
    const char* const slash = strrchr(map->l_name, '/');
    const char* const name = slash == nullptr ? map->l_name : slash + 1;
    for (const char* head : kInside)
      if (strncmp(name, head, strlen(head)) == 0) caller.is_inside = true;
    caller.version = needed_version(*map);
  }
  for (int version = kVersions - 1; caller.version == kVersions && version >= 0; --version)
    if (loaded(false, version) != nullptr || loaded(true, version) != nullptr)
      caller.version = version;
  return caller;
}

/// Places of calls are few: each is looked up once, or a few times where two share a slot.
inline Caller caller_of(const void* address) {
  constexpr size_t kSlots = 512;
  constexpr int kBits = 3;
  static uintptr_t known[kSlots];  // address, version, is inside
  const auto at = reinterpret_cast<uintptr_t>(address);
  uintptr_t& slot = known[(at ^ (at >> 9)) % kSlots];
  const uintptr_t found = __atomic_load_n(&slot, __ATOMIC_RELAXED);
  if (found >> kBits == at) return {static_cast<int>(found >> 1 & 3), (found & 1) != 0};
  const Caller caller = looked_up(address);
  const uintptr_t bits =
      at << kBits | static_cast<uintptr_t>(caller.version) << 1 | (caller.is_inside ? 1 : 0);
  if (caller.version < kVersions) __atomic_store_n(&slot, bits, __ATOMIC_RELAXED);
  return caller;
}

/// A function of cuBLAS's, in each version.
struct Real {
  const char* name;
  bool is_lt;
  void* functions[kVersions + 1];

  void* of(const Caller& caller) {
    void*& place = functions[caller.version];
    void* function = __atomic_load_n(&place, __ATOMIC_ACQUIRE);
    if (function != nullptr) return function;
    void* const library = caller.version < kVersions ? loaded(is_lt, caller.version) : nullptr;
    function = dlsym(library != nullptr ? library : RTLD_NEXT, name);
    __atomic_store_n(&place, function, __ATOMIC_RELEASE);
    return function;
  }
};

}  // namespace jute::front
