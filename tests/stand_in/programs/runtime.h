/* The part of the CUDA runtime API that a program uses, and what nvcc writes into one: own declarations,
   no SDK. Source: CUDA Runtime API. */
#ifndef RUNTIME_H
#define RUNTIME_H
#include <stddef.h>

typedef int Status;
typedef struct Stream *Stream;
typedef struct Event *Event;
typedef struct Graph *Graph;
typedef struct GraphExec *GraphExec;
typedef struct {
  unsigned x, y, z;
} Shape;

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **unit);
void __cudaUnregisterFatBinary(void **unit);
void __cudaRegisterFunction(void **unit, const void *host, char *device, const char *name, int threads,
                            void *thread, void *block, void *block_size, void *grid_size, int *warp);
void __cudaRegisterVar(void **unit, void *host, char *device, const char *name, int is_external, size_t bytes,
                       int is_constant, int is_global);
unsigned __cudaPushCallConfiguration(Shape grid, Shape block, size_t smem_bytes, Stream stream);
Status __cudaPopCallConfiguration(Shape *grid, Shape *block, size_t *smem_bytes, Stream *stream);

Status cudaLaunchKernel(const void *host, Shape grid, Shape block, void **parameters, size_t smem_bytes, Stream stream);
Status cudaMalloc(void **memory, size_t bytes);
Status cudaFree(void *memory);
Status cudaMallocHost(void **memory, size_t bytes);
Status cudaFreeHost(void *memory);
Status cudaMallocManaged(void **memory, size_t bytes, unsigned flags);
Status cudaMemcpy(void *target, const void *source, size_t bytes, int kind);
Status cudaMemcpyAsync(void *target, const void *source, size_t bytes, int kind, Stream stream);
Status cudaMemcpy2D(void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t bytes,
                    size_t rows, int kind);
Status cudaMemset(void *memory, int value, size_t bytes);
Status cudaMemcpyToSymbol(const void *host, const void *source, size_t bytes, size_t offset, int kind);
Status cudaMemcpyFromSymbol(void *target, const void *host, size_t bytes, size_t offset, int kind);
Status cudaGetSymbolSize(size_t *bytes, const void *host);
Status cudaMemGetInfo(size_t *free_bytes, size_t *all_bytes);
Status cudaStreamCreate(Stream *stream);
Status cudaStreamSynchronize(Stream stream);
Status cudaStreamWaitEvent(Stream stream, Event event, unsigned flags);
Status cudaStreamDestroy(Stream stream);
Status cudaStreamAddCallback(Stream stream, void (*function)(Stream, Status, void *), void *user, unsigned flags);
Status cudaStreamBeginCapture(Stream stream, int mode);
Status cudaStreamEndCapture(Stream stream, Graph *graph);
Status cudaGraphInstantiate(GraphExec *executable, Graph graph, unsigned long long flags);
Status cudaGraphLaunch(GraphExec executable, Stream stream);
Status cudaGraphExecDestroy(GraphExec executable);
Status cudaGraphDestroy(Graph graph);
Status cudaEventCreate(Event *event);
Status cudaEventRecord(Event event, Stream stream);
Status cudaEventSynchronize(Event event);
Status cudaEventElapsedTime(float *ms, Event from, Event to);
Status cudaEventDestroy(Event event);
Status cudaDeviceSynchronize(void);
Status cudaGetDeviceCount(int *count);
Status cudaSetDevice(int device);
Status cudaGetDeviceProperties(void *properties, int device);
Status cudaDeviceGetAttribute(int *value, int attribute, int device);
Status cudaFuncSetAttribute(const void *host, int attribute, int value);
Status cudaFuncGetAttributes(void *attributes, const void *host);
Status cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads, size_t smem_bytes);
Status cudaGetLastError(void);
Status cudaPeekAtLastError(void);
const char *cudaGetErrorName(Status status);
const char *cudaGetErrorString(Status status);
#endif
