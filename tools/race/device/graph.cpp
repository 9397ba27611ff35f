// Capturing, and making programmatic edges plain.
#include "race/device/graph.hpp"

#include <utility>
#include <vector>

namespace jute::bench {
namespace {

/// A captured graph until it is instantiated.
class Captured {
 public:
  Captured(const Gpu& gpu, int launches, const std::function<void(int)>& launch) : gpu_(gpu) {
    const DriverApi& api = gpu.api();
    api.require("cuStreamBeginCapture", api.begin_capture(gpu.stream(), kCaptureThreadLocal));
    try {
      for (int i = 0; i < launches; ++i) launch(i);
    } catch (...) {
      (void)api.end_capture(gpu.stream(), &graph_);
      if (graph_ != nullptr) (void)api.graph_destroy(graph_);
      throw;
    }
    api.require("cuStreamEndCapture", api.end_capture(gpu.stream(), &graph_));
  }
  ~Captured() { (void)gpu_.api().graph_destroy(graph_); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  [[nodiscard]] GraphHandle handle() const { return graph_; }

 private:
  const Gpu& gpu_;
  GraphHandle graph_ = nullptr;
};

/// The edges of a graph that are no plain ones, in three lists of one length.
struct SpecialEdges {
  std::vector<NodeHandle> from, to;
  std::vector<EdgeData> data;
};

SpecialEdges special_edges(const DriverApi& api, GraphHandle graph) {
  size_t count = 0;
  if (api.graph_edges == nullptr || api.remove_edges == nullptr || api.add_edges == nullptr)
    return {};
  api.require("cuGraphGetEdges", api.graph_edges(graph, nullptr, nullptr, nullptr, &count));
  std::vector<NodeHandle> from(count), to(count);
  std::vector<EdgeData> data(count);
  if (count > 0)
    api.require("cuGraphGetEdges",
                api.graph_edges(graph, from.data(), to.data(), data.data(), &count));
  SpecialEdges special;
  for (size_t i = 0; i < count; ++i) {
    if (data[i].type != kProgrammaticEdge && data[i].from_port == 0) continue;
    special.from.push_back(from[i]);
    special.to.push_back(to[i]);
    special.data.push_back(data[i]);
  }
  return special;
}

void make_plain(const DriverApi& api, GraphHandle graph, const SpecialEdges& edges) {
  const size_t count = edges.from.size();
  if (count == 0) return;
  api.require(
      "cuGraphRemoveDependencies",
      api.remove_edges(graph, edges.from.data(), edges.to.data(), edges.data.data(), count));
  api.require("cuGraphAddDependencies",
              api.add_edges(graph, edges.from.data(), edges.to.data(), nullptr, count));
}

}  // namespace

Graph::Graph(const Gpu& gpu, int launches, const std::function<void(int)>& launch, Edges edges)
    : gpu_(&gpu), launches_(launches) {
  const DriverApi& api = gpu.api();
  const Captured captured(gpu, launches, launch);
  const SpecialEdges special = special_edges(api, captured.handle());
  if (edges == Edges::plain)
    make_plain(api, captured.handle(), special);
  else
    overlaps_ = static_cast<int>(special.from.size());
  api.require("cuGraphInstantiate", api.instantiate(&executable_, captured.handle(), 0));
}

Graph::Graph(Graph&& other) noexcept
    : gpu_(other.gpu_),
      executable_(std::exchange(other.executable_, nullptr)),
      launches_(other.launches_),
      overlaps_(other.overlaps_) {}

Graph& Graph::operator=(Graph&& other) noexcept {
  std::swap(gpu_, other.gpu_);
  std::swap(executable_, other.executable_);
  std::swap(launches_, other.launches_);
  std::swap(overlaps_, other.overlaps_);
  return *this;
}

Graph::~Graph() {
  if (executable_ != nullptr) (void)gpu_->api().executable_destroy(executable_);
}

void Graph::replay() const {
  gpu_->api().require("cuGraphLaunch", gpu_->api().graph_launch(executable_, gpu_->stream()));
}

}  // namespace jute::bench
