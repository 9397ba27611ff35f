#pragma once
// Random products on a real GPU, judged by the reference: many cases in one child process.
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/gpu.hpp"

namespace jute::test {

/// What is wrong of the cases from `first` to `last` - 1, a line each.
template <class MakeCase>
[[nodiscard]] std::string failures_of_cases(Context& context, int first, int last,
                                            const MakeCase& make) {
  std::string all;
  for (int index = first; index < last; ++index) {
    const GemmCase one = make(index);
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    if (!failure.empty()) all += std::to_string(index) + ": " + failure + "\n";
  }
  return all;
}

/// Fails where one is wrong, or all of them take longer than `seconds`.
template <class MakeCase>
void check_cases(int first, int last, const MakeCase& make, int seconds = 240) {
  const std::string failures = on_gpu(
      [&] {
        Context context(open_device(), with_kept_kernels());
        return failures_of_cases(context, first, last, make);
      },
      seconds);
  CHECK(failures == "");
}

}  // namespace jute::test
