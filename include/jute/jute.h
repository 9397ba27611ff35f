/* jute for C99 and whatever calls C: layouts, problems, plans, kernels, runs, the emulator.
 *
 *   Status     What can fail returns an int32_t: JUTE_OK, or what went wrong; jute_last_error() then says
 *              what, which value, which rule and what would do. What returns a text returns NULL then.
 *   Handles    Pointers to types that are never defined. Each is freed by the function that its type
 *              names; NULL may be freed. A handle that was freed, is NULL or of another kind is refused.
 *              What a handle was made of may be freed before it.
 *   Texts      UTF-8 that ends with a zero byte. A text that a function returns belongs to its handle,
 *              and is there until that is freed.
 *   Structs    Of options begin with `size`, the sizeof that the caller was compiled with. All zeros mean
 *              what is usual. A caller of another version is understood: what it does not know is usual,
 *              and what this library does not know must be zero.
 *   Threads    Every function may be called from several threads at once, also with one handle; but a
 *              handle must not be freed while another thread uses it. Two contexts share nothing.
 *   fork()     In the child, handles without a GPU work on. A context on a GPU refuses all but being
 *              freed, as CUDA does: the child opens one of its own.
 *
 * docs/c-api.md tells it as a story; examples/c_embed is a whole program. */
#ifndef JUTE_JUTE_H
#define JUTE_JUTE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* "0.1.0" */
const char* jute_version(void);

/* ---- Errors ---------------------------------------------------------------------------------- */

enum jute_status {
  JUTE_OK = 0,
  JUTE_CHECK_FAILED = 1, /* it was done, and the answer is no: the emulator found something */
  JUTE_REFUSED = 2,      /* the request breaks a rule */
  JUTE_LACKING = 3,      /* the environment lacks something: GPU, NVRTC, memory, a writable place */
  JUTE_FAILED = 4,       /* a compilation, launch or driver failed, or jute itself */
  JUTE_CANCELLED = 5     /* a progress callback wanted no more */
};

/* Of the last call on this thread that failed: {"code", "message", "operand", "value",
 * "violated_rules", "nearest_legal", "position", "detail"}. NULL where none did. Until the next call that
 * fails on this thread. */
const char* jute_last_error(void);
/* The same as one line for people. */
const char* jute_last_error_text(void);

/* ---- Texts without another handle ---------------------------------------------------------------- */

typedef struct jute_text jute_text;
const char* jute_text_data(const jute_text* text);
/* In bytes, without the zero byte; 0 of what is no text. */
size_t jute_text_size(const jute_text* text);
int32_t jute_text_free(jute_text* text);

/* ---- Layouts: CuTe's algebra -------------------------------------------------------------------- */

/* The value of an expression, as `jute eval` prints it: "composition((4,8):(8,1),(2,4):(4,1))". */
int32_t jute_eval(const char* expression, jute_text** value);

typedef struct jute_layout jute_layout;
/* "(4,8):(8,1)", and behind a swizzle "Sw<3,3,3>o0o(8,64):(64,1)"; an expression does, too. */
int32_t jute_layout_create(const char* text, jute_layout** layout);
int32_t jute_layout_free(jute_layout* layout);
const char* jute_layout_text(const jute_layout* layout);
/* Elements; one more than the greatest offset; modes. */
int32_t jute_layout_size(const jute_layout* layout, int64_t* size);
int32_t jute_layout_cosize(const jute_layout* layout, int64_t* cosize);
int32_t jute_layout_rank(const jute_layout* layout, int64_t* rank);
/* The offset, in elements, of the element of this number, the first mode fastest. */
int32_t jute_layout_offset(const jute_layout* layout, int64_t index, int64_t* offset);
/* The first `count` offsets in that order. */
int32_t jute_layout_offsets(const jute_layout* layout, int64_t* offsets, size_t count);

/* ---- Contexts: a GPU or the emulator, compiled kernels, settings ----------------------------------- */

enum jute_device {
  JUTE_DEVICE_AUTOMATIC = 0, /* the GPU where there is one, else the emulator */
  JUTE_DEVICE_CUDA = 1,
  JUTE_DEVICE_EMULATOR = 2
};
enum jute_check { /* of the emulator */
  JUTE_CHECK_USUAL = 0, /* memory */
  JUTE_CHECK_NONE = 1,
  JUTE_CHECK_MEMORY = 2,
  JUTE_CHECK_FULL = 3
};

typedef struct jute_context_options {
  size_t size;
  int32_t device; /* enum jute_device */
  int32_t check;  /* enum jute_check */
  /* The chip that the emulator stands for, as planned_chip has it. NULL: JUTE_ARCH, else an H200. */
  const char* chip;
  /* A CUcontext of the caller's, of any device; 0: the primary one of device `ordinal`. */
  uint64_t cuda_context;
  int32_t ordinal;
  int32_t reserved; /* 0 */
  /* "NAME=VALUE", as in the environment, which they go before: "JUTE_COMPILE=forbidden". */
  const char* const* settings;
  size_t setting_count;
  /* Folders that `jute cache pack` has written: only read, in order, behind the cache itself. */
  const char* const* cache_layers;
  size_t cache_layer_count;
  /* A line about what is prepared. Called by any thread that prepares, by one at a time. */
  void (*log)(void* user, const char* line);
  void* log_user;
  /* Where jute_workspace_create has its memory from: an address of the device, aligned to 256 bytes, or
   * 0 where there is none. Both or neither. */
  uint64_t (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, uint64_t address);
  void* allocator_user;
  /* The chip that kernels are planned and compiled for in place of the device, which must run its code and have
   * what it has: "a100", "sm_80", or the text of a file that `jute tune --chip` keeps. NULL: the device itself. */
  const char* planned_chip;
} jute_context_options;

typedef struct jute_context jute_context;
/* NULL options are all usual. */
int32_t jute_context_create(const jute_context_options* options, jute_context** context);
int32_t jute_context_free(jute_context* context);
/* {"backend", "name", "arch", "sms", …} */
const char* jute_context_device(const jute_context* context);
/* Kernels compiled so far, not counting those that a cache had. */
int32_t jute_context_compile_count(const jute_context* context, int64_t* count);

/* Memory of the device, for those who have no other way to it. Addresses are aligned to 256 bytes.
 * Each is freed once, by the context that allocated it. */
int32_t jute_memory_allocate(jute_context* context, int64_t bytes, uint64_t* address);
int32_t jute_memory_free(jute_context* context, uint64_t address);
int32_t jute_memory_copy_in(jute_context* context, uint64_t target, const void* source, size_t bytes);
int32_t jute_memory_copy_out(jute_context* context, void* target, uint64_t source, size_t bytes);
int32_t jute_memory_fill(jute_context* context, uint64_t target, uint8_t value, int64_t bytes);
/* Waits for all launches. What went wrong in one is told here; JUTE_CHECK_FAILED: the emulator found
 * something, which the error's detail says. */
int32_t jute_synchronize(jute_context* context);

/* ---- Problems and plans -------------------------------------------------------------------------- */

typedef struct jute_problem jute_problem;
/* docs/problem-text.md: "M=1:8192 N=4096 K=4096 A=bf16 B=bf16:col". What is left out is as usual. Parts of
 * one D, as a strided gradient has them, have semicolons between them: a plan and a prepared product have
 * the steps of all. */
int32_t jute_problem_create(const char* text, jute_problem** problem);
int32_t jute_problem_free(jute_problem* problem);
/* With all that was left out. */
const char* jute_problem_text(const jute_problem* problem);

/* An array of so many axes, outermost first. */
typedef struct jute_array {
  const int64_t* extents;
  const int64_t* strides; /* elements between neighbours along each axis; NULL: packed, the last fastest */
  size_t axes;
} jute_array;
/* What einsum's letters say of one or two arrays: "abk,kcd->acdb" (docs/contractions.md). `words` are a
 * problem's without M, N, K and batch, in which A and B are the first and the second operand:
 * "A=bf16 epilogue=\"relu(acc)\"", or NULL. `result` has the result's strides, or is NULL: packed. */
int32_t jute_problem_contract(const char* letters, const jute_array* operands, size_t count,
                              const jute_array* result, const char* words, jute_problem** problem);
/* Which operand of the letters a run's `a` (JUTE_OPERAND_A) or `b` must be, from 0 on. One behind the last
 * is an array of a single 1. Of a problem that is no contraction they are 0 and 1. */
int32_t jute_problem_operand(const jute_problem* problem, int32_t operand, size_t* place);

enum jute_convolution { /* what is computed, and from what: a run's d, and its a and b */
  JUTE_CONVOLUTION = 0,        /* y of x and w */
  JUTE_CONVOLUTION_DATA = 1,   /* x's gradient of y's and w */
  JUTE_CONVOLUTION_FILTER = 2  /* w's gradient of y's and x */
};
/* "x=32x56x56x64 w=256x3x3 stride=2 padding=1" (docs/convolution.md); `words` as above. The data's
 * gradient of strides is several problems, which write elements of their own; others are part 0 alone.
 * `part` SIZE_MAX is all of them as one. */
int32_t jute_problem_convolve(const char* convolution, int32_t what, size_t part, const char* words,
                              jute_problem** problem);
int32_t jute_convolution_parts(const char* convolution, int32_t what, size_t* count);

typedef struct jute_plan jute_plan;
/* For the context's device; `choices` as `jute plan` prints them, "tile=128x128x64 stages=4", or NULL. */
int32_t jute_plan_create(const jute_context* context, const jute_problem* problem, const char* choices,
                         jute_plan** plan);
int32_t jute_plan_free(jute_plan* plan);
const char* jute_plan_text(const jute_plan* plan);
const char* jute_plan_json(const jute_plan* plan);
/* Why it is this one: the reasons, and the candidates in order of preference. */
const char* jute_plan_explain(const jute_plan* plan);
/* Kernels, in the order in which a run launches them. */
int32_t jute_plan_steps(const jute_plan* plan, size_t* count);
/* The CUDA text of one, and what it is compiled to: needs NVRTC, or a cache that has it. */
const char* jute_plan_source(const jute_plan* plan, size_t step);
const char* jute_plan_ptx(const jute_plan* plan, size_t step);

/* ---- Prepared products ---------------------------------------------------------------------------- */

typedef struct jute_gemm jute_gemm;
/* Plans, writes, compiles and loads, or finds all that done before. `choices` may be NULL;
 * "fast_accum=on" leaves sums of 8-bit floats to the tensor cores, as torch's use_fast_accum does. */
int32_t jute_gemm_prepare(jute_context* context, const jute_problem* problem, const char* choices,
                          jute_gemm** gemm);
/* The same, of the fastest of the first so many candidates: all are compiled and timed on scratch operands, at
 * least three launches or 2 ms each, and the winner is kept, so that jute_gemm_prepare takes it from then on. It
 * waits for the GPU, which must have twice the operands' bytes free and nothing else to do. It is refused on the
 * emulator. A line of the log says who won. */
int32_t jute_gemm_tune(jute_context* context, const jute_problem* problem, const char* choices,
                       int32_t candidates, jute_gemm** gemm);
int32_t jute_gemm_free(jute_gemm* gemm);

typedef struct jute_prepare_options {
  size_t size;
  int32_t threads;  /* 0: as many as the machine has */
  int32_t reserved; /* 0 */
  /* Told after each problem, by any thread, by one at a time; what is not 0 cancels those that have not
   * begun. `error` is NULL, or what was refused, as jute_last_error has it. */
  int32_t (*progress)(void* user, size_t done, size_t all, const char* problem, const char* error);
  void* progress_user;
} jute_prepare_options;
/* Many at once. `gemms` has `count` places: each is a handle, or NULL where it was refused or not begun.
 * The status is that of the first in their order that was refused. `options` may be NULL. */
int32_t jute_gemm_prepare_many(jute_context* context, const jute_problem* const* problems, size_t count,
                               const jute_prepare_options* options, jute_gemm** gemms);

/* Of the kernel that a run of the prepared numbers launches. */
const char* jute_gemm_plan_text(const jute_gemm* gemm);
/* Bytes of a workspace, aligned to 256 bytes, and how many of them, from its start, every run finds zero
 * and leaves zero. Runs that share a workspace must run one after the other. */
int32_t jute_gemm_workspace_bytes(const jute_gemm* gemm, int64_t* bytes);
int32_t jute_gemm_zeroed_bytes(const jute_gemm* gemm, int64_t* bytes);
/* Makes a fresh workspace ready, in the stream's order. A problem of groups needs this although no bytes
 * must be zero: the word that keeps a wrong list's fault is cleared by it. */
int32_t jute_gemm_clear_workspace(const jute_gemm* gemm, uint64_t workspace, uint64_t stream);
/* The entry, from 0 on, by which the first wrong list of a run's groups since then breaks its rule: ends go
 * down, or past the bound, and that run computed nothing. -1 where all lists were right, and for problems
 * without groups. Waits for the stream. */
int32_t jute_gemm_group_fault(const jute_gemm* gemm, uint64_t workspace, uint64_t stream, int64_t* entry);
/* Likewise of a table of rows, of JUTE_OPERAND_A or JUTE_OPERAND_D: an entry that was neither a row of memory
 * nor -1, and counted as -1. */
int32_t jute_gemm_row_fault(const jute_gemm* gemm, int32_t operand, uint64_t workspace, uint64_t stream,
                            int64_t* entry);

typedef struct jute_workspace jute_workspace;
/* One of the context's allocator, ready for runs. */
int32_t jute_workspace_create(const jute_gemm* gemm, jute_workspace** workspace);
int32_t jute_workspace_address(const jute_workspace* workspace, uint64_t* address);
int32_t jute_workspace_free(jute_workspace* workspace);

/* Where an epilogue's input or output lies: an address, or the number of what is passed by value. */
typedef struct jute_epilogue_argument {
  uint64_t address;
  double value;
} jute_epilogue_argument;

enum jute_given { /* which of a run's numbers count; the others are the prepared ones */
  JUTE_GIVEN_ALPHA = 1, /* else 1 */
  JUTE_GIVEN_BETA = 2,  /* else 0 */
  JUTE_GIVEN_M = 4,
  JUTE_GIVEN_N = 8,
  JUTE_GIVEN_K = 16,
  JUTE_GIVEN_BATCH = 32,
  JUTE_GIVEN_LDA = 64,
  JUTE_GIVEN_LDB = 128,
  JUTE_GIVEN_LDC = 256,
  JUTE_GIVEN_LDD = 512,
  JUTE_GIVEN_BATCH_STRIDE_A = 1024,
  JUTE_GIVEN_BATCH_STRIDE_B = 2048,
  JUTE_GIVEN_BATCH_STRIDE_C = 4096,
  JUTE_GIVEN_BATCH_STRIDE_D = 8192
};

/* A group with operands of its own, as the list of groups=each has it: m, n and k are at most the problem's;
 * addresses and the bytes of leading dimensions are multiples of what the problem promises of the operand.
 * c counts where the product reads one. */
typedef struct jute_each_group {
  uint64_t a, b, c, d;        /* addresses on the device */
  int64_t lda, ldb, ldc, ldd; /* elements */
  int32_t m, n, k, reserved;
} jute_each_group;

/* The same of groups whose operands have scales or zero points, by the problem's blocks and orders: where those
 * of each group lie. Of what the problem has none, nothing is read. */
typedef struct jute_scaled_group {
  jute_each_group group;
  uint64_t scale_a, zero_a, scale_b, zero_b;             /* addresses on the device */
  int64_t ld_scale_a, ld_zero_a, ld_scale_b, ld_zero_b; /* numbers */
} jute_scaled_group;

typedef struct jute_run {
  size_t size;
  uint64_t given;           /* of enum jute_given */
  uint64_t a, b, c, d;      /* addresses on the device; c may be d, and 0 where it is not read */
  uint64_t workspace;       /* 0 where none is needed */
  uint64_t stream;          /* a CUstream, or 0 */
  double alpha, beta;
  int64_t m, n, k, batch;
  int64_t lda, ldb, ldc, ldd; /* elements */
  int64_t batch_stride_a, batch_stride_b, batch_stride_c, batch_stride_d; /* elements */
  uint64_t packed_a, packed_b; /* what jute_gemm_pack has made, in place of a or b */
  /* By the places that jute_gemm_input and jute_gemm_output tell. */
  const jute_epilogue_argument* inputs;
  size_t input_count;
  const jute_epilogue_argument* outputs;
  size_t output_count;
  /* Of groups (docs/how-to/groups.md): the address of their list on the device, an integer of the problem's
   * groups= for each, which the kernel reads and no host does; of groups=each a jute_each_group for each,
   * of scaled operands a jute_scaled_group, and a, b, c and d are those of the list. */
  uint64_t ends;
  /* Of scaled operands (docs/how-to/quantised-weights.md): the addresses of the numbers of their blocks, of
   * the problem's scale_a=, scale_b=, zero_a= and zero_b=; 0 where it has none. */
  uint64_t scale_a, scale_b, zero_a, zero_b;
  /* Of operands whose View has numbers=run-time (docs/views.md): this run's, of as many modes, as text:
   * "((8,4),24):((24,1000),1)". NULL: the prepared ones. */
  const char *view_a, *view_b, *view_c, *view_d;
  /* Of rows by tables (docs/how-to/groups.md): the addresses of the tables of A=…:rowsN and D=…:rowsN on the
   * device, an integer for each row of the product; 0 where the problem has none. */
  uint64_t rows_a, rows_d;
} jute_run;
/* Launches; waits for nothing, allocates nothing, may be captured in a graph. */
int32_t jute_gemm_run(const jute_gemm* gemm, const jute_run* run);

/* The place of what the epilogue names. */
int32_t jute_gemm_input(const jute_gemm* gemm, const char* name, size_t* place);
int32_t jute_gemm_output(const jute_gemm* gemm, const char* name, size_t* place);

enum jute_operand { JUTE_OPERAND_A = 0, JUTE_OPERAND_B = 1, JUTE_OPERAND_D = 3 };
/* Bytes of an operand as runs read it, once its rows are padded or it is transposed; 0 where they read it
 * as it lies. */
int32_t jute_gemm_packed_bytes(const jute_gemm* gemm, int32_t operand, int64_t* bytes);
/* Makes that, in memory aligned to 256 bytes; of `run` it takes the operand, the sizes and the stream. */
int32_t jute_gemm_pack(const jute_gemm* gemm, int32_t operand, uint64_t packed, const jute_run* run);

/* ---- Packed weights: the orders that checkpoints have ----------------------------------------------- */

enum jute_weight_part {
  JUTE_WEIGHTS = 0, /* n rows of k elements */
  JUTE_SCALES = 1,  /* n rows of k groups */
  JUTE_ZEROS = 2    /* likewise */
};
/* Formats are "gptq", "gptq_v2", "awq", "marlin", and jute's "jute" (two of a row in a byte, as B=u4:col
 * reads them), "jute-kn", "jute-row", "bytes"; `jute pack-weights --from marlin` tells one.
 * `type` is f16, bf16, f32 … of scales, u4 or s4 of weights; NULL: f16 or u4, and always of zeros. */
/* From element n + N*k to its place in the array, counted in elements from its first bits. */
int32_t jute_weight_layout(const char* format, int32_t part, int64_t n, int64_t k, jute_layout** layout);
/* Bytes of the array. */
int32_t jute_weight_bytes(const char* format, int32_t part, const char* type, int64_t n, int64_t k,
                          int64_t* bytes);
/* Writes an array of host memory in another format's order: composition of its layout with the inverse of
 * the first one's. `target` is not read, and is written only where nothing is refused. */
int32_t jute_pack_weights(const char* from, const char* to, int32_t part, const char* type, int64_t n,
                          int64_t k, const void* source, size_t source_bytes, void* target,
                          size_t target_bytes);

/* ---- The emulator: any PTX, checked while it runs ---------------------------------------------------- */

/* One argument of a kernel. */
typedef struct jute_argument {
  int32_t is_memory; /* 0: the bytes themselves are passed. 1: the address of memory that holds them */
  int32_t reserved;  /* 0 */
  /* Of memory: copied in before the kernel runs, and back afterwards; NULL is memory that was never
   * written. */
  void* data;
  size_t bytes;
} jute_argument;

typedef struct jute_launch {
  size_t size;
  const char* ptx;
  const char* kernel;  /* NULL: the only one */
  const char* chip;    /* NULL: an H200 */
  uint32_t grid[3];    /* zeros are ones */
  uint32_t block[3];
  uint32_t cluster[3];
  int32_t check;       /* enum jute_check; usual: full */
  int64_t dynamic_smem_bytes;
  const jute_argument* arguments;
  size_t argument_count;
} jute_launch;
/* Runs it; `report` is {"clean", "findings": […], "counters": {…}, "printed"}, also where the status is
 * JUTE_CHECK_FAILED. */
int32_t jute_emulate(const jute_launch* launch, jute_text** report);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
