#pragma once
// What a program that uses jute owns: a back end, a catalogue, a compiler, compiled kernels.
#include <jute/atom/catalogue.hpp>
#include <jute/base/export.hpp>
#include <jute/base/settings.hpp>
#include <jute/codegen/generate.hpp>
#include <jute/jit/compile.hpp>
#include <jute/launch/backend.hpp>

#include <memory>
#include <optional>
#include <string>

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
};

/// Two Contexts share nothing. Safe to use from several threads.
class Context {
 public:
  /// throws  no_gpu when `cuda` is asked for and there is none
  explicit Context(const ContextOptions& options = {});
  /// Adopts a back end that the caller opened.   throws  wrong_type: it is null
  explicit Context(std::unique_ptr<Backend> backend, const ContextOptions& options = {});
  ~Context();
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;

  [[nodiscard]] Backend& backend() const;
  [[nodiscard]] const Catalogue& catalogue() const;
  [[nodiscard]] const TemplateSet& templates() const;
  /// A kernel of one's own: compiled unless it was before or a cache has it, and loaded. The
  /// Context keeps it and must outlive it.
  ///   throws  what Compiler::compile and Backend::load throw
  [[nodiscard]] Kernel load(const Source& source) const;
  /// Why what `jute tune` has kept for this device is not used; empty where it is, or where there
  /// is nothing.
  [[nodiscard]] const std::string& tuned_fault() const;
  /// Kernels compiled so far (not counting those that a cache had).
  [[nodiscard]] int compile_count() const;

  struct Impl;
  [[nodiscard]] Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace jute
