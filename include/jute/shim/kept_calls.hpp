#pragma once
// Calls of cuBLAS that were recorded, those that jute serves as it was measured, and who served
// them.
#include <jute/base/export.hpp>
#include <jute/base/settings.hpp>
#include <jute/shim/cublas_call.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Calls that jute serves by one prepared product: those that differ in M alone.
struct KeptCall {
  CublasCall call{};             ///< the first M of its recorded ones
  Index first = 0, last = 0;     ///< the Ms that it serves
  std::optional<MRange> over{};  ///< that were prepared together; none: its own alone
  Config config{};               ///< what won
  double ratio = 0;              ///< cuBLAS's time over jute's, the least of those measured
};

/// What `jute shim prepare` has measured on a device.
struct KeptCalls {
  std::string device, cublas;
  std::vector<KeptCall> calls{};
};

/// The calls of a record, each once.
///   throws  file_not_found, bad_file: with the line
[[nodiscard]] std::vector<CublasCall> read_record(const std::string& path);
///   throws  file_not_found; bad_file: others may write it or its kernels, or it is no such file
[[nodiscard]] KeptCalls read_kept(const std::string& path);
///   throws  unwritable
void write_kept(const std::string& path, const KeptCalls& kept);
/// The settings by which its kernels are found in `PATH.kernels`, and nothing is compiled.
[[nodiscard]] Settings settings_of_kept(const std::string& path);

struct MeasureOptions {
  std::string cublas = {};  ///< a folder; empty: the loader's, then CUDA_HOME's and the usual ones
  double least = 1.02;      ///< cuBLAS's time over jute's that a call must reach
  int race = 8;             ///< candidates of a call
  std::function<void(const std::string&)> progress = {};
};
/// Prepares the calls, measures jute's and cuBLAS's turns on buffers of their own, and keeps those
/// that are jute's, with their kernels in `PATH.kernels`. Gives how many those are.
///   throws  no_gpu; file_not_found: there is no cuBLAS; unwritable
std::size_t measure_calls(const std::vector<CublasCall>& calls, const std::string& path,
                          const MeasureOptions& options);

/// Why cuBLAS served a call, or that jute did.
enum class ServedBy : std::uint8_t {
  jute,
  unknown,
  device_pointers,
  precision,
  emulation,
  sm_target,
  algorithm,
  arguments,
  attributes,
  device,
  failed,  ///< stays last
};
inline constexpr std::size_t kServedBy = static_cast<std::size_t>(ServedBy::failed) + 1;
[[nodiscard]] std::string_view words(ServedBy who);

/// How often since the file was made, of all its programs.
struct ShimReport {
  std::vector<std::uint64_t> calls{};    ///< of each kept one
  std::vector<std::uint64_t> reasons{};  ///< by ServedBy
};
/// Zeros where no program has run.
[[nodiscard]] ShimReport read_report(const std::string& path, const KeptCalls& kept);

}  // namespace jute
