#pragma once
// Many launches as one executable graph.
#include <functional>

#include "race/device/gpu.hpp"

namespace jute::bench {

/// How one launch waits for the one before it.
enum class Edges : std::uint8_t {
  as_launched,  ///< programmatic where the launch asked for it
  plain,        ///< for its end, always
};

class Graph {
 public:
  /// `launch(i)` enqueues launch i on the GPU's stream, which is being captured.
  ///   throws  driver_failed; what `launch` throws
  Graph(const Gpu& gpu, int launches, const std::function<void(int)>& launch, Edges edges);
  ~Graph();
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;

  /// Enqueues all of it.
  void replay() const;
  [[nodiscard]] int launches() const { return launches_; }
  /// Programmatic edges between its kernels.
  [[nodiscard]] int overlaps() const { return overlaps_; }

 private:
  const Gpu* gpu_;
  ExecutableHandle executable_ = nullptr;
  int launches_, overlaps_ = 0;
};

}  // namespace jute::bench
