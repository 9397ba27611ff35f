// Calls of NVRTC around one compilation.
#include "jit/nvrtc_program.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/own_stack.hpp"
#include "jit/signal_guard.hpp"

namespace jute::jit {

std::string status_name(const NvrtcApi& api, int status) {
  const char* text = api.error_string(status);
  return text == nullptr ? "NVRTC status " + std::to_string(status) : std::string(text);
}

void require(const NvrtcApi& api, const char* call, int status) {
  if (status == kNvrtcSuccess) return;
  jute::refuse(status == kNvrtcOutOfMemory ? ErrorCode::out_of_memory : ErrorCode::compile_failed,
               call, status_name(api, status), "the call must succeed");
}

namespace {

std::vector<int> supported_architectures(const NvrtcApi& api) {
  int count = 0;
  require(api, "nvrtcGetNumSupportedArchs", api.num_supported_archs(&count));
  std::vector<int> numbers(static_cast<size_t>(std::max(count, 0)));
  require(api, "nvrtcGetSupportedArchs", api.supported_archs(numbers.data()));
  return numbers;
}

}  // namespace

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

void add_call_options(const NvrtcApi& api, std::vector<std::string>& options) {
  int major = 0;
  int minor = 0;
  require(api, "nvrtcVersion", api.version(&major, &minor));
  if (std::pair(major, minor) >= std::pair(12, 9)) options.emplace_back("--no-cache");
}

NvrtcSession::NvrtcSession(const NvrtcApi& api, const std::string& text, const std::string& file,
                           const std::vector<CudaHeader>& headers)
    : api_(api) {
  std::vector<const char*> texts, names;
  for (const CudaHeader& header : headers) {
    texts.push_back(header.text.c_str());
    names.push_back(header.name.c_str());
  }
  require(api, "nvrtcCreateProgram",
          api.create_program(&program_, text.c_str(), file.c_str(),
                             static_cast<int>(headers.size()), texts.data(), names.data()));
}

NvrtcSession::~NvrtcSession() { api_.destroy_program(&program_); }

void NvrtcSession::want(const std::string& instance) {
  require(api_, "nvrtcAddNameExpression", api_.add_name(program_, instance.c_str()));
}

std::string NvrtcSession::symbol(const std::string& instance) const {
  const char* symbol = nullptr;
  require(api_, "nvrtcGetLoweredName", api_.lowered_name(program_, instance.c_str(), &symbol));
  return symbol == nullptr ? std::string() : symbol;
}

int NvrtcSession::compile(const std::vector<std::string>& options) {
  std::vector<const char*> pointers;
  for (const std::string& option : options) pointers.push_back(option.c_str());
  std::optional<SignalGuard> guard;
  if (!api_.leaves_signals) guard.emplace();
  int status = 0;
  base::on_own_stack([&] {  // it takes more than many threads have
    status = api_.compile_program(program_, static_cast<int>(pointers.size()), pointers.data());
  });
  return status;
}

/// A text whose reported size counts its closing zero.
template <class SizeCall, class TextCall>
std::string NvrtcSession::read(const std::string& call, SizeCall size_call,
                               TextCall text_call) const {
  size_t size = 0;
  require(api_, (call + "Size").c_str(), size_call(program_, &size));
  std::string text(size, '\0');
  require(api_, call.c_str(), text_call(program_, text.data()));
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::string NvrtcSession::log() const {
  return read("nvrtcGetProgramLog", api_.log_size, api_.log);
}

std::string NvrtcSession::ptx() const { return read("nvrtcGetPTX", api_.ptx_size, api_.ptx); }

std::vector<std::byte> NvrtcSession::cubin() const {
  size_t size = 0;
  require(api_, "nvrtcGetCUBINSize", api_.cubin_size(program_, &size));
  std::vector<std::byte> bytes(size);
  require(api_, "nvrtcGetCUBIN", api_.cubin(program_, reinterpret_cast<char*>(bytes.data())));
  return bytes;
}

}  // namespace jute::jit
