// Compiles a Source with NVRTC.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/jit/compile.hpp>

#include <algorithm>
#include <limits>

#include "jit/compile_log.hpp"
#include "jit/compiler_impl.hpp"
#include "jit/signal_guard.hpp"

namespace jute {
namespace {

using jit::NvrtcApi;

std::string status_name(const NvrtcApi& api, int status) {
  const char* text = api.error_string(status);
  return text == nullptr ? "NVRTC status " + std::to_string(status) : std::string(text);
}

[[noreturn]] void throw_status(const NvrtcApi& api, const char* call, int status) {
  throw Exception({.code = status == jit::kNvrtcOutOfMemory ? ErrorCode::out_of_memory
                                                            : ErrorCode::compile_failed,
                   .operand = call,
                   .value = status_name(api, status),
                   .violated_rules = {"the call must succeed"}});
}

void require(const NvrtcApi& api, const char* call, int status) {
  if (status != jit::kNvrtcSuccess) throw_status(api, call, status);
}

/// One NVRTC program from creation to destruction.
class Program {
 public:
  Program(const NvrtcApi& api, const std::string& text, const std::string& file) : api_(api) {
    require(api, "nvrtcCreateProgram",
            api.create_program(&program_, text.c_str(), file.c_str(), 0, nullptr, nullptr));
  }
  ~Program() { api_.destroy_program(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    const jit::SignalGuard guard;
    return api_.compile_program(program_, static_cast<int>(pointers.size()), pointers.data());
  }
  [[nodiscard]] std::string log() const {
    return read("nvrtcGetProgramLog", api_.log_size, api_.log);
  }
  [[nodiscard]] std::string ptx() const { return read("nvrtcGetPTX", api_.ptx_size, api_.ptx); }
  [[nodiscard]] std::vector<std::byte> cubin() const {
    size_t size = 0;
    require(api_, "nvrtcGetCUBINSize", api_.cubin_size(program_, &size));
    std::vector<std::byte> bytes(size);
    require(api_, "nvrtcGetCUBIN", api_.cubin(program_, reinterpret_cast<char*>(bytes.data())));
    return bytes;
  }

 private:
  /// A text whose reported size counts its closing zero.
  template <class SizeCall, class TextCall>
  std::string read(const std::string& call, SizeCall size_call, TextCall text_call) const {
    size_t size = 0;
    require(api_, (call + "Size").c_str(), size_call(program_, &size));
    std::string text(size, '\0');
    require(api_, call.c_str(), text_call(program_, text.data()));
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }

  const NvrtcApi& api_;
  jit::NvrtcProgram program_ = nullptr;
};

std::vector<int> supported_architectures(const NvrtcApi& api) {
  int count = 0;
  require(api, "nvrtcGetNumSupportedArchs", api.num_supported_archs(&count));
  std::vector<int> numbers(static_cast<size_t>(std::max(count, 0)));
  require(api, "nvrtcGetSupportedArchs", api.supported_archs(numbers.data()));
  return numbers;
}

void check_architecture(const NvrtcApi& api, Arch arch) {
  const std::vector<int> numbers = supported_architectures(api);
  if (std::ranges::find(numbers, arch.number) != numbers.end()) return;
  std::vector<std::string> names;
  int nearest = 0;
  for (const int number : numbers) {
    names.push_back(to_string(Arch{number}));
    if (nearest == 0 || std::abs(number - arch.number) < std::abs(nearest - arch.number))
      nearest = number;
  }
  Error error{.code = ErrorCode::unsupported,
              .operand = "arch",
              .value = to_string(arch),
              .violated_rules = {"it must be one that this NVRTC compiles for: " + joined(names)}};
  if (nearest != 0) error.nearest_legal = to_string(Arch{nearest});
  throw Exception(std::move(error));
}

Error refusal(const Source& source, const std::string& rule, std::string detail = {}) {
  return {.code = ErrorCode::compile_failed,
          .operand = source.symbol,
          .violated_rules = {rule},
          .detail = std::move(detail)};
}

void check_text(const Source& source) {
  if (source.text.find('\0') != std::string::npos)
    throw Exception(refusal(source, "the source holds no zero byte"));
}

/// The PTX of a source whose assembly failed; empty when even that cannot be had.
std::string ptx_for_report(const NvrtcApi& api, const Source& source) {
  Program program(api, source.text, file_name(source));
  const bool compiled = program.compile(compile_options(source, Output::ptx)) == jit::kNvrtcSuccess;
  return compiled ? program.ptx() : std::string();
}

[[noreturn]] void throw_compile_failed(const NvrtcApi& api, const Source& source, int status,
                                       const std::string& log) {
  const jit::FirstError first = jit::find_first_error(log, file_name(source));
  Error error =
      refusal(source, "it compiles for " + to_string(source.arch) + ": " + first.text, log);
  error.operand = "nvrtcCompileProgram";
  error.value = status_name(api, status);
  error.position = first.position;
  error.detail += "\n" + jit::annotated_source(log, file_name(source), source.text);
  if (jit::names_ptx_lines(log))
    error.detail += "\nPTX:\n" + jit::annotated_ptx(log, ptx_for_report(api, source));
  throw Exception(std::move(error));
}

bool defines_kernel(const std::string& ptx, const std::string& symbol) {
  const std::string entry = ".entry " + symbol;
  for (size_t at = ptx.find(entry); at != std::string::npos; at = ptx.find(entry, at + 1)) {
    const size_t end = at + entry.size();
    if (end == ptx.size() || ptx[end] == '(' || ptx[end] == '\n' || ptx[end] == ' ') return true;
  }
  return false;
}

/// "13.0.88" from the line `// Cuda compilation tools, release 13.0, V13.0.88` of any PTX.
std::string build_in_ptx(const NvrtcApi& api) {
  const std::string opening = "release ";
  Program program(api, "extern \"C\" __global__ void probe() {}", "probe.cu");
  if (program.compile({}) != jit::kNvrtcSuccess) return {};
  const std::string ptx = program.ptx();
  const size_t line = ptx.find(opening);
  const size_t start = line == std::string::npos ? line : ptx.find(", V", line);
  if (start == std::string::npos) return {};
  const size_t end = ptx.find('\n', start);
  return ptx.substr(start + 3, end == std::string::npos ? end : end - start - 3);
}

jit::NvrtcPlaces places_of(const Settings& settings) {
  jit::NvrtcPlaces places;
  places.library = settings.nvrtc;
  places.cuda_home = settings.cuda_home;
  places.virtual_env = settings.virtual_env;
  return places;
}

/// The options, and one that changes no output. From 12.9 on NVRTC keeps what it compiles wherever
/// a driver is installed, and then answers without the log that registers and spills are read from.
///   source  NVRTC user guide, Caching
std::vector<std::string> options_of_call(const NvrtcApi& api, const Source& source, Output output) {
  std::vector<std::string> options = compile_options(source, output);
  int major = 0;
  int minor = 0;
  require(api, "nvrtcVersion", api.version(&major, &minor));
  if (std::pair(major, minor) >= std::pair(12, 9)) options.emplace_back("--no-cache");
  return options;
}

}  // namespace

Compiler::Impl::Impl(const jit::NvrtcPlaces& places, base::LibraryLoader library_loader)
    : loader(std::move(library_loader)), file(jit::find_nvrtc(places, loader)) {}

const NvrtcApi& Compiler::Impl::api() const {
  std::call_once(load_once_, [this] { api_ = jit::load_nvrtc(file.path, loader); });
  return api_;
}

Compiler::Compiler(const std::string& library) : Compiler(Settings{.nvrtc = library}) {}

Compiler::Compiler(const Settings& settings)
    : impl_(std::make_shared<Impl>(places_of(settings), base::system_loader())) {}

const std::string& Compiler::version() const {
  std::call_once(impl_->version_once, [this] {
    const NvrtcApi& api = impl_->api();
    impl_->version = build_in_ptx(api);
    if (!impl_->version.empty()) return;
    int major = 0;
    int minor = 0;
    require(api, "nvrtcVersion", api.version(&major, &minor));
    impl_->version = std::to_string(major) + "." + std::to_string(minor);
  });
  return impl_->version;
}

std::string Compiler::build() const {
  return impl_->file.build_id.empty() ? version() : impl_->file.build_id;
}

const std::string& Compiler::path() const { return impl_->file.path; }

Binary Compiler::compile(const Source& source, Output output) const {
  const NvrtcApi& api = impl_->api();
  check_text(source);
  check_architecture(api, source.arch);
  Program program(api, source.text, file_name(source));
  const int status = program.compile(options_of_call(api, source, output));
  const std::string log = jit::stable_log(program.log());
  if (status != jit::kNvrtcSuccess) throw_compile_failed(api, source, status, log);
  Binary binary{.symbol = source.symbol,
                .arch = source.arch,
                .signature = source.signature,
                .ptx = program.ptx(),
                .log = log,
                .source_text = source.text};
  if (!defines_kernel(binary.ptx, source.symbol))
    throw Exception(
        refusal(source, "the source defines the kernel extern \"C\" " + source.symbol, log));
  if (output == Output::ptx_and_cubin) {
    binary.cubin = program.cubin();
    binary.resources = jit::find_resources(log, source.symbol);
  }
  return binary;
}

}  // namespace jute
