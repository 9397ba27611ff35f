// Finding a library's import of signal() by its dynamic section, and turning it.
#include "jit/host_signals.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

namespace jute::jit {
namespace {

using Handler = void (*)(int);

/// Takes the place of signal() for NVRTC.
Handler signal_of_host(int signal, Handler handler) {
  if (signal == SIGINT || signal == SIGTERM) return SIG_IGN;
  return ::signal(signal, handler);
}

std::uintptr_t address_in(const link_map& library, ElfW(Addr) value) {
  // The loader has made addresses of what the file holds as offsets, but not on every machine.
  return value < library.l_addr ? library.l_addr + value : value;
}

/// The imports that the dynamic section lists.
struct Imports {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::uintptr_t tables[2]{};  ///< of relocations: of calls, of data
  std::size_t bytes[2]{};
};

Imports imports_of(const link_map& library) {
  Imports found;
  for (const ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
    const std::uintptr_t address = address_in(library, entry->d_un.d_ptr);
    switch (entry->d_tag) {
      case DT_SYMTAB:
        found.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
        break;
      case DT_STRTAB:
        found.names = reinterpret_cast<const char*>(address);
        break;
      case DT_JMPREL:
        found.tables[0] = address;
        break;
      case DT_PLTRELSZ:
        found.bytes[0] = entry->d_un.d_val;
        break;
      case DT_RELA:
        found.tables[1] = address;
        break;
      case DT_RELASZ:
        found.bytes[1] = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  return found;
}

/// Where the library keeps the address of the function of that name; null: it imports none.
std::uintptr_t* slot_of(const link_map& library, std::string_view name) {
  const Imports imports = imports_of(library);
  if (imports.symbols == nullptr || imports.names == nullptr) return nullptr;
  for (int table = 0; table < 2; ++table) {
    const auto* rows = reinterpret_cast<const ElfW(Rela)*>(imports.tables[table]);
    for (std::size_t i = 0; rows != nullptr && i < imports.bytes[table] / sizeof *rows; ++i) {
      const std::size_t symbol = ELF64_R_SYM(rows[i].r_info);
      if (symbol == 0 || rows[i].r_addend != 0) continue;
      if (imports.names + imports.symbols[symbol].st_name == name)
        return reinterpret_cast<std::uintptr_t*>(library.l_addr + rows[i].r_offset);
    }
  }
  return nullptr;
}

/// Pages that the loader made read-only once it had filled them, of one library.
struct ReadOnly {
  std::uintptr_t base = 0;  ///< of the library
  std::uintptr_t begin = 0, end = 0;
};
int find_read_only(dl_phdr_info* library, std::size_t /*size*/, void* result) {
  auto& found = *static_cast<ReadOnly*>(result);
  if (library->dlpi_addr != found.base) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = library->dlpi_phdr[i];
    if (part.p_type != PT_GNU_RELRO) continue;
    found.begin = found.base + part.p_vaddr;
    found.end = found.begin + part.p_memsz;
  }
  return 1;
}

/// Writes one word, in a page that may be read-only.
bool put(std::uintptr_t* slot, std::uintptr_t value, const link_map& library) {
  ReadOnly pages{.base = library.l_addr};
  dl_iterate_phdr(&find_read_only, &pages);
  const auto place = reinterpret_cast<std::uintptr_t>(slot);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  void* const start = reinterpret_cast<void*>(place / page * page);
  const bool is_read_only = pages.begin <= place && place < pages.end / page * page;
  if (is_read_only && ::mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return false;
  std::atomic_ref(*slot).store(value);
  if (is_read_only) (void)::mprotect(start, page, PROT_READ);
  return true;
}

}  // namespace

bool leave_signals_to_host(const void* function, std::string_view name) {
  Dl_info info{};
  link_map* library = nullptr;
  if (::dladdr1(function, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) == 0 ||
      library == nullptr || info.dli_fname == nullptr)
    return false;
  const std::string file = std::filesystem::path(info.dli_fname).filename().string();
  if (file.find(name) == std::string::npos) return false;
  std::uintptr_t* const slot = slot_of(*library, "signal");
  return slot != nullptr && put(slot, reinterpret_cast<std::uintptr_t>(&signal_of_host), *library);
}

}  // namespace jute::jit
