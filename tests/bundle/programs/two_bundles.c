/* Two bundles in one program: `two_bundles FIRST SECOND`, the folders of theirs. */
#include "../../stand_in/programs/driver.h"

#include "first.h"
#include "second.h"

#include <stdio.h>
#include <string.h>

int main(int count, char **folders) {
  Context context;
  first_error error;
  second_error other_error;
  first_args args;
  if (count != 3 || cuInit(0) != 0 || cuCtxCreate_v2(&context, 0, 0) != 0) return 2;
  first_bundle *first = first_open(folders[1], &error);
  second_bundle *second = second_open(folders[2], &other_error);
  if (first == NULL || second == NULL) return 3;
  if (strcmp(first_problem(0), second_problem(0)) == 0) return 4;
  /* What a launcher refuses, it tells in words. */
  first_defaults(0, &args);
  if (first_run(first, 0, &args, NULL, &error) != -1) return 5;
  puts(error.text);
  args.a = args.b = args.d = 8;
  if (first_run(first, 0, &args, NULL, &error) != -1) return 6;
  puts(error.text);
  args.k += 1;
  if (first_run(first, 0, &args, NULL, &error) != -1) return 7;
  puts(error.text);
  if (first_run(first, 7, &args, NULL, &error) != -1) return 8;
  puts(error.text);
  if (first_open("no/such/folder", &error) != NULL) return 9;
  puts(error.text);
  first_close(first);
  second_close(second);
  return 0;
}
