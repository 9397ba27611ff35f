/* The part of the CUDA driver API that these programs use: own declarations, no SDK.
   Source: CUDA Driver API. */
#ifndef DRIVER_H
#define DRIVER_H
#include <stddef.h>

typedef int Status;
typedef unsigned long long Address;
typedef struct Context *Context;
typedef struct Module *Module;
typedef struct Function *Function;
typedef struct Stream *Stream;
typedef struct Event *Event;
typedef struct Graph *Graph;
typedef struct GraphExec *GraphExec;

typedef struct {
  int id;
  char padding[4];
  union {
    char bytes[64];
    struct {
      unsigned x, y, z;
    } cluster;
  } value;
} Attribute;

typedef struct {
  unsigned grid[3], block[3], smem_bytes;
  Stream stream;
  Attribute *attributes;
  unsigned attribute_count;
} Launch;

Status cuInit(unsigned flags);
Status cuGetErrorName(Status status, const char **name);
Status cuDeviceGet(int *device, int ordinal);
Status cuDeviceGetCount(int *count);
Status cuDeviceGetName(char *name, int capacity, int device);
Status cuDeviceGetAttribute(int *value, int attribute, int device);
Status cuCtxCreate_v2(Context *context, unsigned flags, int device);
Status cuCtxDestroy_v2(Context context);
Status cuCtxSetCurrent(Context context);
Status cuCtxGetCurrent(Context *context);
Status cuCtxSynchronize(void);
Status cuMemAlloc_v2(Address *address, size_t bytes);
Status cuMemFree_v2(Address address);
Status cuMemAllocManaged(Address *address, size_t bytes, unsigned flags);
Status cuMemcpyHtoD_v2(Address target, const void *source, size_t bytes);
Status cuMemcpyDtoH_v2(void *target, Address source, size_t bytes);
Status cuMemcpyDtoD_v2(Address target, Address source, size_t bytes);
Status cuMemcpyHtoDAsync_v2(Address target, const void *source, size_t bytes, Stream stream);
Status cuMemcpyDtoHAsync_v2(void *target, Address source, size_t bytes, Stream stream);
Status cuMemcpy(Address target, Address source, size_t bytes);
Status cuMemsetD8_v2(Address target, unsigned char value, size_t count);
Status cuMemsetD32_v2(Address target, unsigned value, size_t count);
Status cuMemGetInfo_v2(size_t *free_bytes, size_t *all_bytes);
Status cuModuleLoadData(Module *module, const void *image);
Status cuModuleLoadDataEx(Module *module, const void *image, unsigned count, int *options, void **values);
Status cuModuleUnload(Module module);
Status cuModuleGetFunction(Function *function, Module module, const char *name);
Status cuModuleGetGlobal_v2(Address *address, size_t *bytes, Module module, const char *name);
Status cuFuncGetAttribute(int *value, int attribute, Function function);
Status cuFuncSetAttribute(Function function, int attribute, int value);
Status cuLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned smem_bytes,
                      Stream stream, void **parameters, void **extra);
Status cuLaunchKernelEx(const Launch *launch, Function function, void **parameters, void **extra);
Status cuLaunchHostFunc(Stream stream, void (*function)(void *), void *data);
Status cuStreamCreate(Stream *stream, unsigned flags);
Status cuStreamDestroy_v2(Stream stream);
Status cuStreamSynchronize(Stream stream);
Status cuStreamWaitEvent(Stream stream, Event event, unsigned flags);
Status cuStreamBeginCapture_v2(Stream stream, int mode);
Status cuStreamEndCapture(Stream stream, Graph *graph);
Status cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph, unsigned long long flags);
Status cuGraphLaunch(GraphExec exec, Stream stream);
Status cuGraphDestroy(Graph graph);
Status cuGraphExecDestroy(GraphExec exec);
Status cuEventCreate(Event *event, unsigned flags);
Status cuEventRecord(Event event, Stream stream);
Status cuEventSynchronize(Event event);
Status cuEventElapsedTime(float *milliseconds, Event from, Event to);
Status cuEventDestroy_v2(Event event);
Status cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long long flags,
                           int *result);
#endif
