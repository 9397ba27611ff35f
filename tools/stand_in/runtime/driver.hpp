#pragma once
// The functions of the driver that the runtime API is made of here, by their public declarations.
#include <cstddef>
#include <cstdint>

extern "C" {
using CUresult = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphExec = struct CUgraphExec_st*;

/// A launch with its attributes, which both interfaces lay out alike.
struct CUlaunchConfig {
  unsigned grid[3], block[3], smem_bytes;
  CUstream stream;
  void* attributes;
  unsigned attribute_count;
};
/// A rectangle to be copied; kinds of memory are 1 of the host, 2 of the device, 4 by its address.
struct CUDA_MEMCPY2D {
  std::size_t source_x, source_y;
  int source_kind;
  const void* source_host;
  CUdeviceptr source_device;
  void* source_array;
  std::size_t source_pitch, target_x, target_y;
  int target_kind;
  void* target_host;
  CUdeviceptr target_device;
  void* target_array;
  std::size_t target_pitch, bytes, rows;
};

CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuGetErrorName(CUresult status, const char** name);
CUresult cuGetErrorString(CUresult status, const char** text);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int bytes, int device);
CUresult cuDeviceTotalMem_v2(std::size_t* bytes, int device);
CUresult cuDeviceGetAttribute(int* value, int attribute, int device);
CUresult cuDeviceCanAccessPeer(int* can, int device, int peer);
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, int device);
CUresult cuDevicePrimaryCtxReset_v2(int device);
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxSynchronize();
CUresult cuCtxSetLimit(int limit, std::size_t value);
CUresult cuCtxGetLimit(std::size_t* value, int limit);
CUresult cuCtxSetCacheConfig(int config);
CUresult cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags);
CUresult cuFuncSetCacheConfig(CUfunction function, int config);
CUresult cuMemAlloc_v2(CUdeviceptr* address, std::size_t bytes);
CUresult cuMemAllocAsync(CUdeviceptr* address, std::size_t bytes, CUstream stream);
CUresult cuMemAllocPitch_v2(CUdeviceptr* address, std::size_t* pitch, std::size_t bytes,
                            std::size_t rows, unsigned element_bytes);
CUresult cuMemFree_v2(CUdeviceptr address);
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream);
CUresult cuMemAllocHost_v2(void** memory, std::size_t bytes);
CUresult cuMemHostAlloc(void** memory, std::size_t bytes, unsigned flags);
CUresult cuMemFreeHost(void* memory);
CUresult cuMemHostRegister_v2(void* memory, std::size_t bytes, unsigned flags);
CUresult cuMemHostUnregister(void* memory);
CUresult cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* all_bytes);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void* source, std::size_t bytes,
                              CUstream stream);
CUresult cuMemcpyDtoHAsync_v2(void* target, CUdeviceptr source, std::size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source, std::size_t bytes,
                              CUstream stream);
CUresult cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, std::size_t bytes, CUstream stream);
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream);
CUresult cuMemsetD8_v2(CUdeviceptr address, unsigned char value, std::size_t bytes);
CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, std::size_t bytes,
                         CUstream stream);
CUresult cuMemsetD2D8_v2(CUdeviceptr address, std::size_t pitch, unsigned char value,
                         std::size_t bytes, std::size_t rows);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUmodule module,
                              const char* name);
CUresult cuFuncGetAttribute(int* value, int attribute, CUfunction function);
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int threads, std::size_t smem_bytes,
                                                              unsigned flags);
CUresult cuLaunchKernelEx(const CUlaunchConfig* launch, CUfunction function, void** parameters,
                          void** extra);
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned smem_bytes, CUstream stream,
                                   void** parameters);
CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void*), void* user);
CUresult cuStreamCreate(CUstream* stream, unsigned flags);
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority);
CUresult cuStreamDestroy_v2(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags);
CUresult cuStreamGetPriority(CUstream stream, int* priority);
CUresult cuStreamAddCallback(CUstream stream, void (*function)(CUstream, CUresult, void*),
                             void* user, unsigned flags);
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph);
CUresult cuStreamIsCapturing(CUstream stream, int* status);
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                     unsigned long long flags);
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream);
CUresult cuGraphExecDestroy(CUgraphExec executable);
CUresult cuGraphDestroy(CUgraph graph);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest);
CUresult cuEventCreate(CUevent* event, unsigned flags);
CUresult cuEventDestroy_v2(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventQuery(CUevent event);
CUresult cuEventElapsedTime(float* ms, CUevent from, CUevent to);
}
