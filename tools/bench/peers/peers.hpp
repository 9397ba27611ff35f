#pragma once
// NVIDIA's libraries as contestants.
#include <string>
#include <vector>

#include "bench/peers/cublas_api.hpp"
#include "race/operands/contestant.hpp"

namespace jute::bench {

/// cuBLASLt and cuBLAS, loaded, with a workspace.
class Peers {
 public:
  /// `library`: what find_cublas gave.
  ///   throws  launch_failed: a library does not start
  Peers(Backend& backend, Cublas library);
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  /// "cuBLASLt 13.1.0 (/usr/local/cuda/lib/libcublasLt.so.13)"
  [[nodiscard]] std::string description() const;

  /// Every way they have to compute a case: each candidate of cuBLASLt's heuristic in each of its
  /// forms, and cublasGemmEx with and without workspace. Float32 never runs as tf32, 8-bit floats
  /// accumulate as the case says. Of an own epilogue those that compute it too; of groups, whose
  /// list no call reads, loops of cuBLASLt's calls by sizes that the host knows. `example`:
  /// operands that lie as those of every launch do. They use `stream`, and live as long as this and
  /// no longer.
  [[nodiscard]] std::vector<Contestant> contestants(const Case& each, const Operands& example,
                                                    Stream stream);

 private:
  struct LtCase;
  struct LtPartOfLoop;
  void add_lt(std::vector<Contestant>& all, const Case& each, const Operands& example,
              BlasStream stream);
  void add_loop(std::vector<Contestant>& all, const Case& each, BlasStream stream);
  void add_blas(std::vector<Contestant>& all, const Case& each, BlasStream stream);

  Backend& backend_;
  Cublas library_;
  LtHandle lt_ = nullptr;
  BlasHandle blas_ = nullptr;
  Buffer workspace_;
  Buffer one_;  ///< scale of 8-bit floats, in device memory
};

/// The libraries that find_cublas finds; empty where it finds none.
[[nodiscard]] OpenPeers find_peers(const CublasPlaces& places);

}  // namespace jute::bench
