#pragma once
// What a program that uses jute owns: a back end, a catalogue, a compiler, compiled kernels.
#include <jute/atom/catalogue.hpp>
#include <jute/base/export.hpp>
#include <jute/base/settings.hpp>
#include <jute/codegen/generate.hpp>
#include <jute/jit/compile.hpp>
#include <jute/launch/backend.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/problem.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// Which back end to open.
enum class DeviceChoice : std::uint8_t {
  automatic,  ///< the GPU when there is one, else the emulator
  cuda,
  emulator,
};
[[nodiscard]] DeviceChoice parse_device_choice(std::string_view text);

struct ContextOptions {
  DeviceChoice device = DeviceChoice::automatic;
  Settings settings = settings_from_environment();
  Catalogue catalogue{};
  std::optional<TemplateSet> templates{};  ///< none: settings.template_dir, else the built-in ones
  /// Kernels are planned and compiled for it in place of the back end's device, which must run its
  /// code and have what it has: SMs, and an SM's shared memory, registers and threads.
  std::optional<DeviceInfo> chip{};
};

/// The folder of the cache that keeps the tables of chips, a file a device.
inline constexpr std::string_view kChipFolder = "chips";

/// A device with what its file says of it, and why that is not used: empty where it is, or where
/// there is none.
struct KnownChip {
  DeviceInfo device;
  std::string fault;
};
/// Reads the device's file, which `jute tune --chip` writes, unless JUTE_TUNED is off.
[[nodiscard]] KnownChip known_chip(const Settings& settings, DeviceInfo device);

/// Two Contexts share nothing. Safe to use from several threads.
class Context {
 public:
  /// throws  no_gpu when `cuda` is asked for and there is none; illegal_config: the device lacks
  ///         what `options.chip` has
  explicit Context(const ContextOptions& options = {});
  /// Adopts a back end that the caller opened.   throws  wrong_type: it is null, and
  ///         illegal_config likewise
  explicit Context(std::unique_ptr<Backend> backend, const ContextOptions& options = {});
  ~Context();
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;

  [[nodiscard]] Backend& backend() const;
  /// The chip that is planned for: the back end's device, with the figures and coefficients that
  /// are kept for it, or `ContextOptions::chip`.
  [[nodiscard]] const DeviceInfo& device_info() const;
  /// Why those are not used; empty where they are, or where there are none.
  [[nodiscard]] const std::string& chip_fault() const;
  [[nodiscard]] const Catalogue& catalogue() const;
  [[nodiscard]] const TemplateSet& templates() const;
  /// A kernel of one's own: compiled unless it was before or a cache has it, and loaded. The
  /// Context keeps it and must outlive it.
  ///   throws  what Compiler::compile and Backend::load throw
  [[nodiscard]] Kernel load(const Source& source) const;
  /// Why what `jute tune` has kept for this device is not used; empty where it is, or where there
  /// is nothing.
  [[nodiscard]] const std::string& tuned_fault() const;
  /// Lets prepare() make these choices for problems of the problem's class, where a caller makes no
  /// others than `asked`: in this Context, and by the device's file in others. Gives the file's
  /// path; empty where there is no cache to keep it.
  ///   throws  unwritable
  std::string keep_choices(const Problem& problem, const Config& asked, const Config& best) const;
  /// Kernels compiled so far (not counting those that a cache had).
  [[nodiscard]] int compile_count() const;

  struct Impl;
  [[nodiscard]] Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace jute
