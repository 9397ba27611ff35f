// All cases in one list.
#include "kernels/kernel_case.hpp"

#include <utility>

namespace jute::test {

std::vector<KernelCase> kernel_cases() {
  std::vector<KernelCase> all;
  for (std::vector<KernelCase> (*cases)() : {copy_cases, product_cases, cluster_cases, warp_cases})
    for (KernelCase& kernel_case : cases()) all.push_back(std::move(kernel_case));
  return all;
}

}  // namespace jute::test
