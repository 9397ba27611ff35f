// Functions by their names, as programs that link with no driver look for them.
#include "call.hpp"

#include <dlfcn.h>

#include <array>
#include <string_view>

using namespace jute::driver;
using namespace jute::stand_in;

namespace {

/// A function whose symbol is not its name, and the CUDA version since which it is the one meant.
struct VersionRow {
  std::string_view name;
  int since;
  const char* symbol;
};
// Source: CUDA Driver API, cudaTypedefs.h. Of one name the newest stands first.
// clang-format off
constexpr std::array kVersions{
    VersionRow{"cuCtxCreate",               12050, "cuCtxCreate_v4"},
    VersionRow{"cuCtxCreate",               11040, "cuCtxCreate_v3"},
    VersionRow{"cuCtxCreate",                3020, "cuCtxCreate_v2"},
    VersionRow{"cuCtxDestroy",               4000, "cuCtxDestroy_v2"},
    VersionRow{"cuCtxPopCurrent",            4000, "cuCtxPopCurrent_v2"},
    VersionRow{"cuCtxPushCurrent",           4000, "cuCtxPushCurrent_v2"},
    VersionRow{"cuDeviceGetUuid",           11040, "cuDeviceGetUuid_v2"},
    VersionRow{"cuDevicePrimaryCtxRelease", 11000, "cuDevicePrimaryCtxRelease_v2"},
    VersionRow{"cuDevicePrimaryCtxReset",   11000, "cuDevicePrimaryCtxReset_v2"},
    VersionRow{"cuDevicePrimaryCtxSetFlags",11000, "cuDevicePrimaryCtxSetFlags_v2"},
    VersionRow{"cuDeviceTotalMem",           3020, "cuDeviceTotalMem_v2"},
    VersionRow{"cuEventDestroy",             4000, "cuEventDestroy_v2"},
    VersionRow{"cuEventElapsedTime",        12080, "cuEventElapsedTime_v2"},
    VersionRow{"cuGetProcAddress",          12000, "cuGetProcAddress_v2"},
    VersionRow{"cuGraphInstantiate",        12000, "cuGraphInstantiateWithFlags"},
    VersionRow{"cuGraphInstantiate",        11000, "cuGraphInstantiate_v2"},
    VersionRow{"cuMemAlloc",                 3020, "cuMemAlloc_v2"},
    VersionRow{"cuMemAllocHost",             3020, "cuMemAllocHost_v2"},
    VersionRow{"cuMemAllocPitch",            3020, "cuMemAllocPitch_v2"},
    VersionRow{"cuMemFree",                  3020, "cuMemFree_v2"},
    VersionRow{"cuMemGetAddressRange",       3020, "cuMemGetAddressRange_v2"},
    VersionRow{"cuMemGetInfo",               3020, "cuMemGetInfo_v2"},
    VersionRow{"cuMemHostRegister",          6050, "cuMemHostRegister_v2"},
    VersionRow{"cuMemcpy2D",                 3020, "cuMemcpy2D_v2"},
    VersionRow{"cuMemcpy2DAsync",            3020, "cuMemcpy2DAsync_v2"},
    VersionRow{"cuMemcpy2DUnaligned",        3020, "cuMemcpy2DUnaligned_v2"},
    VersionRow{"cuMemcpyDtoD",               3020, "cuMemcpyDtoD_v2"},
    VersionRow{"cuMemcpyDtoDAsync",          3020, "cuMemcpyDtoDAsync_v2"},
    VersionRow{"cuMemcpyDtoH",               3020, "cuMemcpyDtoH_v2"},
    VersionRow{"cuMemcpyDtoHAsync",          3020, "cuMemcpyDtoHAsync_v2"},
    VersionRow{"cuMemcpyHtoD",               3020, "cuMemcpyHtoD_v2"},
    VersionRow{"cuMemcpyHtoDAsync",          3020, "cuMemcpyHtoDAsync_v2"},
    VersionRow{"cuMemsetD16",                3020, "cuMemsetD16_v2"},
    VersionRow{"cuMemsetD2D32",              3020, "cuMemsetD2D32_v2"},
    VersionRow{"cuMemsetD2D8",               3020, "cuMemsetD2D8_v2"},
    VersionRow{"cuMemsetD32",                3020, "cuMemsetD32_v2"},
    VersionRow{"cuMemsetD8",                 3020, "cuMemsetD8_v2"},
    VersionRow{"cuModuleGetGlobal",          3020, "cuModuleGetGlobal_v2"},
    VersionRow{"cuStreamBeginCapture",      10010, "cuStreamBeginCapture_v2"},
    VersionRow{"cuStreamDestroy",            4000, "cuStreamDestroy_v2"},
};
// clang-format on

const char* symbol_of(const char* name, int version) {
  for (const VersionRow& row : kVersions)
    if (row.name == name && row.since <= version) return row.symbol;
  return name;
}

/// This library, whoever has loaded it and however.
void* own_library() {
  static void* const library = [] {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&own_library), &info) == 0)
      return static_cast<void*>(nullptr);
    return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  return library;
}

Status find(const char* name, void** function, int version) {
  if (name == nullptr || function == nullptr) return kInvalidValue;
  *function = own_library() == nullptr || std::string_view(name).substr(0, 2) != "cu"
                  ? nullptr
                  : dlsym(own_library(), symbol_of(name, version));
  return *function == nullptr ? Status{kNotFound} : kSuccess;
}

// CUdriverProcAddressQueryResult.
constexpr int kSymbolFound = 0;
constexpr int kSymbolNotFound = 1;

}  // namespace

JUTE_DRIVER_CALL cuGetProcAddress(const char* name, void** function, int version,
                                  unsigned long long /*flags*/) {
  return find(name, function, version);
}
JUTE_DRIVER_CALL cuGetProcAddress_v2(const char* name, void** function, int version,
                                     unsigned long long /*flags*/, int* result) {
  const Status status = find(name, function, version);
  if (result != nullptr) *result = status == kSuccess ? kSymbolFound : kSymbolNotFound;
  return status;
}
/// The private tables by which a CUDA runtime talks to a driver.
JUTE_DRIVER_CALL cuGetExportTable(const void** /*table*/, const void* /*uuid*/) {
  say("cuGetExportTable",
      "the CUDA runtime inside the program asks for a driver's private tables: linked by nvcc "
      "-cudart shared, jute run serves the program by a runtime of its own");
  return kNotSupported;
}
