#pragma once
// What a program of the runtime API has registered, and what every call of it begins and ends with.
#include <string>

#include "runtime/driver.hpp"

/// Declares a function of the runtime API.
#define JUTE_RUNTIME_CALL extern "C" __attribute__((visibility("default"))) int

namespace jute::stand_in {

inline constexpr int kInvalidValue = 1, kNoKernelImage = 209, kNotFound = 500, kNotReady = 600,
                     kInvalidFunction = 98, kInvalidSymbol = 13, kUnsupported = 801;

/// `jute: cudaMalloc: reason` on standard error, each text once.
void say(const char* call, const std::string& reason);

/// Says that the stand-in runtime lacks a function.
int refuse(const char* call);

/// The status, which cudaGetLastError tells where it is an error.
int noted(int status);
/// Gives the thread's last error; `forgets`: there is none afterwards.
int last_error(bool forgets);

/// Makes the device's primary context current, as the first call of a thread does.
int open();
/// What `work` returns in that context.
int in_device(const auto& work) {
  if (const int status = open(); status != 0) return noted(status);
  return noted(work());
}

/// The kernel behind a host function, or a variable of the device behind one of the host, whose
/// module is loaded where nobody has asked for it before.
int kernel_of(const void* host, CUfunction* kernel);
int variable_of(const void* host, CUdeviceptr* address, std::size_t* bytes);

/// The status of `work` with the kernel that the host's address names, in the device's context.
int with_kernel(const void* host, const auto& work) {
  return in_device([&]() -> int {
    CUfunction kernel = nullptr;
    if (const int status = kernel_of(host, &kernel); status != 0) return status;
    return work(kernel);
  });
}

}  // namespace jute::stand_in
