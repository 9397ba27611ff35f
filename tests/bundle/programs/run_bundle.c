/* Runs a product of an exported bundle: `run_bundle FOLDER PROBLEM M ALPHA BETA CASE`. The folder
   CASE holds the operands: a, b, c, d, ends, in0, … out0, …, view0, …; those that are there are copied to the device,
   and d and the outputs come back. Scalars that are passed as numbers stand in value0, … as text.
   Compiled with BUNDLE, the bundle's name. */
#include "../../stand_in/programs/driver.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define BUNDLED(name) PASTE(BUNDLE, name)
#define QUOTE2(text) #text
#define QUOTE(text) QUOTE2(text)
#include QUOTE(BUNDLE.h)

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(9);
}
static void require(Status status, const char *what) {
  const char *name = "?";
  if (status == 0) return;
  cuGetErrorName(status, &name);
  fail(what, name);
}

static void path_of(char *path, size_t size, const char *folder, const char *name, int place) {
  if (place < 0)
    snprintf(path, size, "%s/%s", folder, name);
  else
    snprintf(path, size, "%s/%s%d", folder, name, place);
}

/* The file's bytes in device memory; 0 where there is no such file. */
static uint64_t uploaded(const char *folder, const char *name, int place, size_t *bytes) {
  char path[1024];
  Address address = 0;
  path_of(path, sizeof path, folder, name, place);
  FILE *file = fopen(path, "rb");
  if (file == NULL) return 0;
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  char *host = malloc(*bytes);
  if (fread(host, 1, *bytes, file) != *bytes) fail(path, "cannot be read");
  fclose(file);
  require(cuMemAlloc_v2(&address, *bytes), name);
  require(cuMemcpyHtoD_v2(address, host, *bytes), name);
  free(host);
  return address;
}

static void download(const char *folder, const char *name, int place, uint64_t address,
                     size_t bytes) {
  char path[1024];
  char *host = malloc(bytes);
  path_of(path, sizeof path, folder, name, place);
  require(cuMemcpyDtoH_v2(host, address, bytes), name);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(host, 1, bytes, file) != bytes) fail(path, "cannot be written");
  fclose(file);
  free(host);
}

static void read_value(const char *folder, int place, double *value) {
  char path[1024];
  path_of(path, sizeof path, folder, "value", place);
  FILE *file = fopen(path, "r");
  if (file == NULL) return;
  if (fscanf(file, "%lf", value) != 1) fail(path, "must hold a number");
  fclose(file);
}

/* A View whose numbers the run says: extents, strides, the origin. */
static void read_view(const char *folder, int place, BUNDLED(_view) *view) {
  char path[1024];
  long long number = 0;
  path_of(path, sizeof path, folder, "view", place);
  FILE *file = fopen(path, "r");
  if (file == NULL) return;
  for (int i = 0; i < 17; ++i) {
    if (fscanf(file, "%lld", &number) != 1) fail(path, "must hold 17 numbers");
    *(i < 8 ? &view->extents[i] : i < 16 ? &view->strides[i - 8] : &view->origin) = number;
  }
  fclose(file);
}

/* The entries of groups with operands of their own; in the file their addresses are bytes behind a, b
 * and d. */
static uint64_t uploaded_groups(const char *folder, uint64_t a, uint64_t b, uint64_t d) {
  enum { WORDS = 10, SCALED_WORDS = 18, SCALE_B = 12 };
  size_t bytes = 0, words = WORDS;
  uint64_t list = uploaded(folder, "each", -1, &bytes);
  if (list == 0) list = uploaded(folder, "scaled_each", -1, &bytes), words = SCALED_WORDS;
  if (list == 0) return 0;
  uint64_t *const host = malloc(bytes);
  require(cuMemcpyDtoH_v2(host, list, bytes), "each");
  for (uint64_t *entry = host; entry < host + bytes / sizeof *host; entry += words) {
    entry[0] += a, entry[1] += b, entry[3] += d;
    if (words == SCALED_WORDS) entry[SCALE_B] += b;
  }
  require(cuMemcpyHtoD_v2(list, host, bytes), "each");
  free(host);
  return list;
}

int main(int count, char **words) {
  if (count != 7) return 2;
  const char *folder = words[1], *of_case = words[6];
  const int problem = atoi(words[2]);
  Context context;
  Stream stream;
  BUNDLED(_error) error;
  BUNDLED(_args) args;
  int64_t fault = 7;
  size_t bytes, d_bytes = 0, output_bytes[8] = {0};
  require(cuInit(0), "cuInit");
  require(cuCtxCreate_v2(&context, 0, 0), "cuCtxCreate");
  require(cuStreamCreate(&stream, 1), "cuStreamCreate");
  BUNDLED(_bundle) *bundle = BUNDLED(_open)(folder, &error);
  if (bundle == NULL) fail("open", error.text);
  BUNDLED(_defaults)(problem, &args);
  args.m = atoll(words[3]);
  args.alpha = atof(words[4]);
  args.beta = atof(words[5]);
  args.a = uploaded(of_case, "a", -1, &bytes);
  args.b = uploaded(of_case, "b", -1, &bytes);
  args.c = uploaded(of_case, "c", -1, &bytes);
  const uint64_t d = args.d = uploaded(of_case, "d", -1, &d_bytes);
  for (int i = 0; i < 4; ++i) read_view(of_case, i, &args.views[i]);
  args.ends = uploaded(of_case, "ends", -1, &bytes);
  if (args.ends == 0) {
    args.ends = uploaded_groups(of_case, args.a, args.b, args.d);
    if (args.ends != 0) args.a = args.b = args.d = 0;
  }
  args.rows_a = uploaded(of_case, "rows_a", -1, &bytes);
  args.rows_d = uploaded(of_case, "rows_d", -1, &bytes);
  for (int i = 0; i < 4; ++i) args.numbers[i].address = uploaded(of_case, "number", i, &bytes);
  for (int i = 0; i < BUNDLED(_most_inputs); ++i) {
    args.inputs[i].address = uploaded(of_case, "in", i, &bytes);
    read_value(of_case, i, &args.inputs[i].value);
  }
  for (int i = 0; i < BUNDLED(_most_outputs); ++i)
    args.outputs[i].address = uploaded(of_case, "out", i, &output_bytes[i]);
  Address workspace = 0;
  const size_t workspace_bytes = BUNDLED(_workspace_bytes)(bundle, problem);
  if (workspace_bytes > 0) require(cuMemAlloc_v2(&workspace, workspace_bytes), "workspace");
  args.workspace = workspace;
  if (workspace_bytes > 0) require(cuMemsetD8_v2(workspace, 0xff, workspace_bytes), "workspace");
  if (BUNDLED(_clear_workspace)(bundle, problem, workspace, stream, &error) != 0)
    fail("clear_workspace", error.text);
  /* Twice: a run leaves the workspace as it found it. */
  for (int run = 0; run < 2; ++run)
    if (BUNDLED(_run)(bundle, problem, &args, stream, &error) != 0) fail("run", error.text);
  if (BUNDLED(_group_fault)(bundle, problem, workspace, stream, &fault, &error) != 0)
    fail("group_fault", error.text);
  require(cuStreamSynchronize(stream), "cuStreamSynchronize");
  download(of_case, "d", -1, d, d_bytes);
  for (int i = 0; i < BUNDLED(_most_outputs); ++i)
    if (args.outputs[i].address != 0)
      download(of_case, "out", i, args.outputs[i].address, output_bytes[i]);
  printf("%s %s workspace %zu fault %lld\n", BUNDLED(_target)(bundle), BUNDLED(_problem)(problem),
         workspace_bytes, (long long)fault);
  BUNDLED(_close)(bundle);
  return 0;
}
