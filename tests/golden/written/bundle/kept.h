// The matrix products of this folder, for programs in C and C++. Written by jute 0.1.0.
//
// A program includes this header, is compiled with kept.c and links with libdl. It needs CUDA's
// driver when it runs, and neither jute, nor CUDA's headers, nor a compiler of kernels.
//
//   kept_error error;
//   kept_bundle *bundle = kept_open("folder/of/kept", &error);   // in a current CUcontext
//   kept_args args;
//   kept_defaults(0, &args);
//   args.a = a, args.b = b, args.d = d, args.workspace = workspace;
//   if (kept_run(bundle, 0, &args, stream, &error) != 0) puts(error.text);
//
// The products, by their numbers:
//   0  M=128 N=256 K=1024 batch=1 A=bf16:row:ld1024:batch131072:align16 B=bf16:col:ld1024:batch262144:align16 D=bf16:row:ld256:batch32768:align16 accumulate=f32 alpha=1 beta=0
//   1  M=40 N=40 K=32 batch=1 A=f16:row:ld32:batch1280:align16 B=f16:row:ld40:batch1280:align16 D=f16:row:ld40:batch1600:align16 accumulate=f32 alpha=1 beta=0 m_range=1:40 epilogue="relu(acc + bias[n])" bias=f16:row:ld40:broadcast:align16
#ifndef KEPT
#define KEPT
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kept_problems = 2 };
enum { kept_most_inputs = 16, kept_most_outputs = 8 };

// The loaded kernels of one CUcontext. Any number of threads may run them.
typedef struct kept_bundle kept_bundle;

// Why a call refused: a CUresult, or -1 where the launcher itself did.
typedef struct kept_error {
  int code;
  char text[512];
} kept_error;

// A matrix, a vector or a scalar of an epilogue; the numbers of an operand's blocks.
typedef struct kept_tensor {
  uint64_t address;  // CUdeviceptr
  double value;      // of a scalar that is passed as a number
  int64_t ld, batch_stride;
} kept_tensor;

// Where an operand lies whose View has numbers=run-time: its modes of rows, of columns and of the
// batch, one behind the other, in elements.
typedef struct kept_view {
  int64_t extents[8], strides[8], origin;
} kept_view;

// One run. Addresses are CUdeviceptr; strides count elements. kept_defaults fills in everything
// but addresses: what a kernel holds as a literal may not be changed.
typedef struct kept_args {
  uint64_t a, b, c, d;
  uint64_t workspace;  // kept_workspace_bytes, 256-byte aligned, one for each stream
  uint64_t ends;       // of groups: their list, an integer for each, which the kernel alone reads
  uint64_t rows_a, rows_d;  // of rows by tables: an integer for each of the product's, likewise
  double alpha, beta;
  int64_t m, n, k, batch;
  int64_t lda, ldb, ldc, ldd;
  int64_t batch_stride_a, batch_stride_b, batch_stride_c, batch_stride_d;
  kept_tensor inputs[16], outputs[8];  // by kept_input, _output
  kept_tensor numbers[4];  // of blocks: scales of A and B, zero points of A and B
  kept_view views[4];  // of A, B, C and D, where the product leaves their numbers to runs
} kept_args;

// Loads the driver, and from `folder` the kernels for the device of the current context.
// Returns null and says why: no driver, no current context, a file that is missing, a device that
// the bundle has no kernels for.
kept_bundle *kept_open(const char *folder, kept_error *error);
// In the context that it was opened in.
void kept_close(kept_bundle *bundle);
// The architecture whose kernels were loaded: "sm_90a".
const char *kept_target(const kept_bundle *bundle);

// The text of a product: what it is, as jute reads it.
const char *kept_problem(int problem);
void kept_defaults(int problem, kept_args *args);
// The place of an epilogue's input or output in kept_args; -1: it has none of this name.
int kept_input(int problem, const char *name);
int kept_output(int problem, const char *name);

// Of a workspace for every run within the product's sizes.
size_t kept_workspace_bytes(const kept_bundle *bundle, int problem);
// Makes a fresh workspace ready, in the stream's order. Runs leave it so.
int kept_clear_workspace(const kept_bundle *bundle, int problem, uint64_t workspace,
                            void *stream, kept_error *error);

// Which entry of a list of groups broke its rule first since the workspace was cleared: the run with
// it computed nothing. -1: all were right, or the product has no groups. Waits for the stream.
int kept_group_fault(const kept_bundle *bundle, int problem, uint64_t workspace, void *stream,
                        int64_t *entry, kept_error *error);

// Likewise of a table of rows, of A or, where of_d is not 0, of D: an entry that was neither a row of
// memory nor -1, and counted as -1.
int kept_row_fault(const kept_bundle *bundle, int problem, int of_d, uint64_t workspace,
                      void *stream, int64_t *entry, kept_error *error);

// Launches in the stream's order (a CUstream; null is the default one) and waits for nothing.
// Returns 0, or what error->code holds. The context must be current.
int kept_run(const kept_bundle *bundle, int problem, const kept_args *args, void *stream,
                kept_error *error);

#ifdef __cplusplus
}
#endif
#endif
