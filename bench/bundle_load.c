/* How long an exported bundle takes to be opened, all its kernels loaded, once the context is there:

     jute export bench/model.problems -o model --name model --arch sm_90a --later none
     cc -std=c99 -O2 -DBUNDLE=model -Imodel bench/bundle_load.c model/model.c -l:libcuda.so.1 -ldl -o load
     ./load model 21

   The first opening, and the median of further ones. `jute run -- ./load model 3` runs it without a
   GPU, where loading reads PTX. */
#define _POSIX_C_SOURCE 199309L
#include "../tests/stand_in/programs/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define BUNDLED(name) PASTE(BUNDLE, name)
#define QUOTE2(text) #text
#define QUOTE(text) QUOTE2(text)
#include QUOTE(BUNDLE.h)

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int ascending(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

int main(int count, char **words) {
  enum { most = 1000 };
  static double times[most];
  const int turns = count > 2 ? atoi(words[2]) : 21;
  Context context;
  BUNDLED(_error) error;
  if (count < 2 || turns < 1 || turns > most) {
    fprintf(stderr, "usage: load FOLDER [TURNS, at most %d]\n", most);
    return 2;
  }
  if (cuInit(0) != 0 || cuCtxCreate_v2(&context, 0, 0) != 0) {
    fprintf(stderr, "no context\n");
    return 3;
  }
  for (int turn = 0; turn < turns; ++turn) {
    const double begun = milliseconds();
    BUNDLED(_bundle) *bundle = BUNDLED(_open)(words[1], &error);
    times[turn] = milliseconds() - begun;
    if (bundle == NULL) {
      fprintf(stderr, "%s\n", error.text);
      return 4;
    }
    if (turn == 0) printf("%s: first %.3f ms", BUNDLED(_target)(bundle), times[0]);
    BUNDLED(_close)(bundle);
  }
  qsort(times, (size_t)turns, sizeof times[0], ascending);
  printf(", median %.3f ms of %d\n", times[turns / 2], turns);
  return 0;
}
