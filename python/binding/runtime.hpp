#pragma once
// What stays between calls: a Context for each device, and what was prepared in it.
#include <jute/jute.hpp>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "array.hpp"

namespace jute::python {

class Runtime;

/// A prepared product and its memory on each stream.
struct Prepared {
  explicit Prepared(Gemm prepared) : gemm(std::move(prepared)) {}
  Gemm gemm;
  Runtime* runtime = nullptr;  ///< that prepared it, whose memory it runs on
  /// Arrays of the operands' library or Buffers, by stream; runs of one stream follow each other.
  std::unordered_map<std::uint64_t, nb::object> arrays;
  std::unordered_map<std::uint64_t, Buffer> buffers;
};

/// A device, or the emulator, and the chip that kernels are planned for on it, for the life of the
/// process.
class Runtime {
 public:
  Runtime(int device, const std::string& chip);
  [[nodiscard]] Context& context() { return context_; }
  /// The value of `make`, prepared once a key. The caller holds the GIL; `make` runs without it.
  template <class Make>
  std::shared_ptr<Prepared> find(const std::string& key, Make&& make) {
    if (const auto found = prepared_.find(key); found != prepared_.end()) return found->second;
    std::shared_ptr<Prepared> made;
    {
      const nb::gil_scoped_release release;
      made = std::make_shared<Prepared>(make());
    }
    made->runtime = this;
    if (prepared_.size() >= kMost) prepared_.clear();
    return prepared_.emplace(key, std::move(made)).first->second;
  }

  /// What was prepared once may be prepared otherwise.
  void forget(const std::string& key) { prepared_.erase(key); }

 private:
  static constexpr std::size_t kMost = 4096;
  Context context_;
  std::unordered_map<std::string, std::shared_ptr<Prepared>> prepared_;
};

/// kHost is the emulator. For the chip that plan_for named last.   throws  no_gpu; illegal_config:
/// the device lacks what the chip has
[[nodiscard]] Runtime& runtime_of(int device);

/// Lets Ctrl-C end what runs without the GIL: who calls it must hold no lock that a thread with the
/// GIL waits for.   throws  what Python's handlers of signals raise, on its main thread
void see_signals();

/// Plans all that is prepared from now on for the chip, by parse_chip's words; empty: for the
/// device itself. Returns the words of before.   throws  unknown_name; bad_file
std::string plan_for(const std::string& chip);

/// The workspace of one run on a stream, ready for it: kept for the stream, or where a graph is
/// captured the graph's own, which `keep` holds until the launch is recorded.
[[nodiscard]] DevicePointer workspace_of(Runtime& runtime, Prepared& prepared, nb::handle like,
                                         const Array& form, Stream stream, nb::object& keep);

/// The one that is kept for a stream; none where nothing has run there.
[[nodiscard]] std::optional<DevicePointer> kept_workspace(const Prepared& prepared, Stream stream);

}  // namespace jute::python
