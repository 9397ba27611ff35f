#pragma once
// Wall time since construction.
#include <chrono>

namespace jute::gemm {

class Stopwatch {
 public:
  [[nodiscard]] std::chrono::duration<double, std::milli> elapsed() const {
    return std::chrono::steady_clock::now() - start_;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace jute::gemm
