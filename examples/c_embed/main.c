/* D = A·B from C: on the GPU if there is one, else on the emulator. */
#include <jute/jute.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 48, N = 40, K = 32 };

static void check(int32_t status) {
  if (status == JUTE_OK) return;
  fprintf(stderr, "%s\n", jute_last_error_text());
  exit((int)status);
}

static uint64_t on_device(jute_context* context, const float* values, size_t count) {
  uint64_t address = 0;
  check(jute_memory_allocate(context, (int64_t)(count * sizeof *values), &address));
  check(jute_memory_copy_in(context, address, values, count * sizeof *values));
  return address;
}

int main(void) {
  static float a[M * K], b[K * N], d[M * N];
  jute_context* context = NULL;
  jute_problem* problem = NULL;
  jute_gemm* gemm = NULL;
  jute_workspace* workspace = NULL;
  jute_run run = {0};
  int i, wrong = 0;

  for (i = 0; i < M * K; ++i) a[i] = 0.5F;
  for (i = 0; i < K * N; ++i) b[i] = 2.0F;

  check(jute_context_create(NULL, &context));
  check(jute_problem_create("M=48 N=40 K=32 A=f32:row B=f32:row beta=0", &problem));
  check(jute_gemm_prepare(context, problem, NULL, &gemm)); /* plans, writes, compiles, loads */
  check(jute_workspace_create(gemm, &workspace));

  run.size = sizeof run;
  run.a = on_device(context, a, M * K);
  run.b = on_device(context, b, K * N);
  run.d = on_device(context, d, M * N);
  check(jute_workspace_address(workspace, &run.workspace));
  check(jute_gemm_run(gemm, &run));
  check(jute_synchronize(context));
  check(jute_memory_copy_out(context, d, run.d, sizeof d));

  for (i = 0; i < M * N; ++i) wrong += d[i] != (float)K;
  printf("jute %s: d[0] = %g\n", jute_version(), d[0]);

  check(jute_memory_free(context, run.a));
  check(jute_memory_free(context, run.b));
  check(jute_memory_free(context, run.d));
  check(jute_workspace_free(workspace));
  check(jute_gemm_free(gemm));
  check(jute_problem_free(problem));
  check(jute_context_free(context));
  return wrong == 0 ? 0 : 1;
}
