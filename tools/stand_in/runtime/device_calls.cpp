// The runtime API's devices, errors and versions.
#include <cctype>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "runtime/program.hpp"

using namespace jute::stand_in;

namespace {

/// A field of cudaDeviceProp, of four bytes or eight, and the attribute that it holds.
struct Field {
  unsigned at, bytes;
  int attribute;
};
// clang-format off
constexpr Field kFields[] = {
    {296, 8, 8}, {304, 4, 12}, {308, 4, 10}, {312, 8, 11}, {320, 4, 1},    // smem, registers, warp, pitch, threads
    {324, 4, 2}, {328, 4, 3}, {332, 4, 4}, {336, 4, 5}, {340, 4, 6}, {344, 4, 7},  // a block's and a grid's extents
    {352, 8, 9}, {360, 4, 75}, {364, 4, 76}, {384, 4, 16},                 // constants, capability, SMs
    {560, 4, 31}, {584, 4, 40}, {588, 4, 41}, {592, 4, 37}, {596, 4, 38},  // concurrency, copies, addresses, bus, L2
    {604, 4, 39}, {624, 8, 81}, {632, 4, 82}, {668, 4, 95}, {672, 8, 97},  // an SM's threads, smem, registers
    {688, 4, 106}, {696, 8, 111}, {748, 4, 120},                           // blocks, reserved smem, clusters
};
// clang-format on
constexpr std::size_t kPropertiesBytes = 1008, kNameBytes = 256, kTotalMemoryAt = 288;

/// What is not known stays zero.
void fill(unsigned char* into, std::span<const Field> fields, const auto& ask) {
  for (const Field& field : fields) {
    int value = 0;
    if (ask(&value, field.attribute) != 0) continue;
    const auto whole = static_cast<std::size_t>(value);
    std::memcpy(into + field.at, &whole, field.bytes);
  }
}

int properties(unsigned char* into, int device) {
  std::memset(into, 0, kPropertiesBytes);
  if (const int status = cuDeviceGetName(reinterpret_cast<char*>(into), kNameBytes, device);
      status != 0)
    return status;
  std::size_t memory = 0;
  if (const int status = cuDeviceTotalMem_v2(&memory, device); status != 0) return status;
  std::memcpy(into + kTotalMemoryAt, &memory, sizeof memory);
  fill(into, kFields,
       [&](int* value, int attribute) { return cuDeviceGetAttribute(value, attribute, device); });
  return 0;
}

/// The driver's name as the runtime has it: CUDA_ERROR_INVALID_VALUE is cudaErrorInvalidValue.
std::string runtime_name(const char* name) {
  std::string made = "cuda";
  bool begins = true;
  for (const char* at = name + 4; *at != '\0'; ++at) {
    const auto letter = static_cast<unsigned char>(*at);
    if (letter == '_')
      begins = true;
    else
      made += static_cast<char>(std::exchange(begins, false) ? letter : std::tolower(letter));
  }
  return made;
}

/// Statuses that the runtime alone has.
const char* own_text(int status) {
  return status == kInvalidFunction ? "invalid device function"
         : status == kInvalidSymbol ? "invalid device symbol"
                                    : nullptr;
}

}  // namespace

JUTE_RUNTIME_CALL cudaGetLastError() { return last_error(true); }
JUTE_RUNTIME_CALL cudaPeekAtLastError() { return last_error(false); }
extern "C" __attribute__((visibility("default"))) const char* cudaGetErrorString(int status) {
  const char* text = own_text(status);
  if (text == nullptr && cuGetErrorString(status, &text) != 0) text = "unrecognized error code";
  return status == 0 ? "no error" : text;
}
extern "C" __attribute__((visibility("default"))) const char* cudaGetErrorName(int status) {
  static std::mutex mutex;
  static auto* names = new std::map<int, std::string>;
  const std::lock_guard guard(mutex);
  const char* name = nullptr;
  if (status == kInvalidFunction) return "cudaErrorInvalidDeviceFunction";
  if (status == kInvalidSymbol) return "cudaErrorInvalidSymbol";
  if (status == 0 || cuGetErrorName(status, &name) != 0)
    return status == 0 ? "cudaSuccess" : "unrecognized error code";
  return names->try_emplace(status, runtime_name(name)).first->second.c_str();
}

JUTE_RUNTIME_CALL cudaGetDeviceCount(int* count) {
  if (const int status = cuInit(0); status != 0) return noted(status);
  return noted(cuDeviceGetCount(count));
}
JUTE_RUNTIME_CALL cudaGetDevice(int* device) {
  *device = 0;
  return 0;
}
JUTE_RUNTIME_CALL cudaSetDevice(int device) {
  return device == 0 ? in_device([] { return 0; }) : noted(101);
}
JUTE_RUNTIME_CALL cudaGetDeviceProperties(unsigned char* into, int device) {
  return in_device([&] { return properties(into, device); });
}
JUTE_RUNTIME_CALL cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return in_device([&] { return cuDeviceGetAttribute(value, attribute, device); });
}
JUTE_RUNTIME_CALL cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return in_device([&] { return cuDeviceCanAccessPeer(can, device, peer); });
}
JUTE_RUNTIME_CALL cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return in_device([&] { return cuCtxGetStreamPriorityRange(least, greatest); });
}
JUTE_RUNTIME_CALL cudaSetDeviceFlags(unsigned flags) {
  return in_device([&] { return cuDevicePrimaryCtxSetFlags_v2(0, flags); });
}
JUTE_RUNTIME_CALL cudaDeviceSetLimit(int limit, std::size_t value) {
  return in_device([&] { return cuCtxSetLimit(limit, value); });
}
JUTE_RUNTIME_CALL cudaDeviceGetLimit(std::size_t* value, int limit) {
  return in_device([&] { return cuCtxGetLimit(value, limit); });
}
JUTE_RUNTIME_CALL cudaDeviceSetCacheConfig(int config) {
  return in_device([&] { return cuCtxSetCacheConfig(config); });
}
JUTE_RUNTIME_CALL cudaFuncSetCacheConfig(const void* host, int config) {
  return with_kernel(host, [&](CUfunction kernel) { return cuFuncSetCacheConfig(kernel, config); });
}
// Nothing profiles an emulator: the parts of a program that are to be are run as the others.
JUTE_RUNTIME_CALL cudaProfilerStart() { return 0; }
JUTE_RUNTIME_CALL cudaProfilerStop() { return 0; }
JUTE_RUNTIME_CALL cudaDeviceSynchronize() {
  return in_device([] { return cuCtxSynchronize(); });
}
JUTE_RUNTIME_CALL cudaDeviceReset() {
  return in_device([] { return cuDevicePrimaryCtxReset_v2(0); });
}
JUTE_RUNTIME_CALL cudaDriverGetVersion(int* version) { return noted(cuDriverGetVersion(version)); }
JUTE_RUNTIME_CALL cudaRuntimeGetVersion(int* version) { return noted(cuDriverGetVersion(version)); }

JUTE_RUNTIME_CALL cudaFuncGetAttributes(unsigned char* into, const void* host) {
  constexpr std::size_t kAttributesBytes = 144;
  constexpr Field kOfFunction[] = {{0, 8, 1},  {8, 8, 2},  {16, 8, 3}, {24, 4, 0}, {28, 4, 4},
                                   {32, 4, 5}, {36, 4, 6}, {40, 4, 7}, {44, 4, 8}, {48, 4, 9}};
  return with_kernel(host, [&](CUfunction kernel) {
    std::memset(into, 0, kAttributesBytes);
    fill(into, kOfFunction,
         [&](int* value, int attribute) { return cuFuncGetAttribute(value, attribute, kernel); });
    return 0;
  });
}
