// Our declarations against the toolkit's header, on machines that have it.
#include "driver/driver.hpp"
#include "support/catch.hpp"

#if __has_include(<cuda.h>)
#include <cuda.h>

using namespace jute;

TEST_CASE("structures and constants agree with cuda.h", "[device][abi][golden]") {
  CHECK(sizeof(driver::LaunchConfig) == sizeof(CUlaunchConfig));
  CHECK(offsetof(driver::LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
  CHECK(offsetof(driver::LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
  CHECK(offsetof(driver::LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
  CHECK(sizeof(driver::LaunchAttribute) == sizeof(CUlaunchAttribute));
  CHECK(offsetof(driver::LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
  CHECK(driver::kClusterDimension + 0 == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION + 0);
  CHECK(driver::kProgrammaticSerialization + 0 ==
        CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION + 0);

  CHECK(driver::kMultiprocessorCount + 0 == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT + 0);
  CHECK(driver::kL2CacheBytes + 0 == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE + 0);
  CHECK(driver::kMaxThreadsPerMultiprocessor + 0 ==
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR + 0);
  CHECK(driver::kComputeCapabilityMajor + 0 == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR + 0);
  CHECK(driver::kComputeCapabilityMinor + 0 == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR + 0);
  CHECK(driver::kMaxSmemPerMultiprocessor + 0 ==
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR + 0);
  CHECK(driver::kMaxRegistersPerMultiprocessor + 0 ==
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR + 0);
  CHECK(driver::kMaxSmemPerBlockOptin + 0 ==
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN + 0);
  CHECK(driver::kMaxThreadsPerBlock + 0 == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK + 0);
  CHECK(driver::kStaticSmemBytes + 0 == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES + 0);
  CHECK(driver::kMaxDynamicSmemBytes + 0 == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES + 0);
  CHECK(driver::kJitErrorLog + 0 == CU_JIT_ERROR_LOG_BUFFER + 0);
  CHECK(driver::kJitErrorLogBytes + 0 == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES + 0);
  CHECK(sizeof(CUtensorMap) == 128);
}

TEST_CASE("status values agree with cuda.h", "[device][abi][golden]") {
  CHECK(driver::kOutOfMemory + 0 == CUDA_ERROR_OUT_OF_MEMORY + 0);
  CHECK(driver::kNoDevice + 0 == CUDA_ERROR_NO_DEVICE + 0);
  CHECK(driver::kNoBinaryForGpu + 0 == CUDA_ERROR_NO_BINARY_FOR_GPU + 0);
  CHECK(driver::kIllegalAddress + 0 == CUDA_ERROR_ILLEGAL_ADDRESS + 0);
  CHECK(driver::kLaunchTimeout + 0 == CUDA_ERROR_LAUNCH_TIMEOUT + 0);
  CHECK(driver::kAssert + 0 == CUDA_ERROR_ASSERT + 0);
  CHECK(driver::kHardwareStackError + 0 == CUDA_ERROR_HARDWARE_STACK_ERROR + 0);
  CHECK(driver::kLaunchFailed + 0 == CUDA_ERROR_LAUNCH_FAILED + 0);
}
#else
#include "support/skip.hpp"

TEST_CASE("structures and constants agree with cuda.h", "[device][abi][golden]") {
  jute::test::skip("cuda.h is not installed");
}
#endif
