// Sequences of calls of the C interface: with handles that were freed, are of another kind or none
// at all, nulls, structs that are too short or too long, texts and addresses that mean nothing.
#include <jute/jute.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/input_bytes.hpp"
#include "fuzz/targets.hpp"

namespace jute::test {
namespace {

constexpr const char* kPtx =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry stored(.param .u64 x, .param .u32 n) {\n"
    ".reg .b32 %n;\n.reg .b64 %a;\nld.param.u64 %a, [x];\nld.param.u32 %n, [n];\n"
    "st.global.u32 [%a], %n;\nret;\n}\n";

constexpr std::array<const char*, 16> kTexts{nullptr,
                                             "",
                                             "(4,8):(8,1)",
                                             "Sw<3,3,3>o0o(8,64):(64,1)",
                                             "composition(8:1,4:2)",
                                             "4:1 +",
                                             "M=48 N=40 K=32 beta=0",
                                             "M=1:64 N=16 K=16 A=bf16",
                                             "M=4 N=4 K=4 A=bf61",
                                             "M=-1 N=4 K=4",
                                             "tile=64x64x32",
                                             "tile=3",
                                             "bias",
                                             kPtx,
                                             "stored",
                                             "sm_80"};

/// What calls are made with, from the bytes of an input.
class Calls {
 public:
  explicit Calls(std::span<const std::uint8_t> input) : bytes_(input) {
    handles_ = {nullptr, reinterpret_cast<void*>(1), buffer_.data(),
                reinterpret_cast<void*>(std::uintptr_t{0x4A55000000000013})};
  }
  ~Calls() { free_all(); }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  void make_all() {
    while (!bytes_.done()) make_one();
  }

 private:
  [[nodiscard]] const char* text() { return kTexts[static_cast<std::size_t>(bytes_.below(16))]; }
  template <class Handle>
  Handle* handle() {
    // The latest ones more often.
    const auto count = static_cast<int>(handles_.size());
    const int back = bytes_.below(2) == 0 ? bytes_.below(count) : bytes_.below(std::min(count, 6));
    return static_cast<Handle*>(handles_[static_cast<std::size_t>(count - 1 - back)]);
  }
  template <class T>
  T* place(T& value) {
    return bytes_.below(8) == 0 ? nullptr : &value;
  }
  [[nodiscard]] std::int64_t number() {
    constexpr std::array<std::int64_t, 8> kNumbers{0,  1,       16,        4096,
                                                   -1, 1 << 30, INT64_MAX, INT64_MIN};
    return kNumbers[static_cast<std::size_t>(bytes_.below(8))];
  }
  [[nodiscard]] std::uint64_t address() {
    if (bytes_.below(2) == 0 && !addresses_.empty())
      return addresses_[static_cast<std::size_t>(bytes_.next()) % addresses_.size()] +
             static_cast<std::uint64_t>(bytes_.below(3) == 0 ? bytes_.next() : 0);
    return static_cast<std::uint64_t>(number());
  }
  /// A struct in memory that is longer than any that it claims to be.
  template <class Struct>
  const Struct* sized(const Struct& known) {
    if (bytes_.below(8) == 0) return nullptr;
    std::fill(struct_.begin(), struct_.end(), std::byte{0});
    std::memcpy(struct_.data(), &known, sizeof known);
    constexpr std::array<std::size_t, 8> kMore{0, 0, 0, 8, 64, 2048, 8000, std::size_t{1} << 40};
    std::size_t size = sizeof known + kMore[static_cast<std::size_t>(bytes_.below(8))];
    if (bytes_.below(4) == 0) size = static_cast<std::size_t>(bytes_.next());
    std::memcpy(struct_.data(), &size, sizeof size);
    if (bytes_.below(16) == 0) struct_[sizeof known + 8] = std::byte{1};
    return reinterpret_cast<const Struct*>(struct_.data());
  }

  /// The status of a call; its handle, if it gave one, is used by later ones.
  template <class Handle>
  void gave(std::int32_t status, Handle* handle) {
    judge(status);
    require_law(handle == nullptr || status == JUTE_OK || status == JUTE_CHECK_FAILED,
                "a call fails and gives a handle");
    if (handle != nullptr) handles_.push_back(handle);
  }
  static void judge(std::int32_t status) {
    require_law(JUTE_OK <= status && status <= JUTE_CANCELLED, "a status is none");
    const bool says_why = status == JUTE_OK || status == JUTE_CANCELLED ||
                          (jute_last_error() != nullptr && jute_last_error_text() != nullptr &&
                           std::strlen(jute_last_error()) > 20);
    require_law(says_why, "a call fails and does not say why");
  }

  void make_one() {
    switch (bytes_.below(7)) {
      case 0:
        return make_texts_and_layouts();
      case 5:
        return make_notation();
      case 1:
        return make_contexts();
      case 2:
        return make_memory();
      case 3:
        return make_plans();
      case 4:
        return make_products();
      default:
        return make_launches_and_frees();
    }
  }

  void make_texts_and_layouts() {
    jute_text* text_handle = nullptr;
    jute_layout* layout = nullptr;
    std::int64_t value = 0;
    std::array<std::int64_t, 64> offsets{};
    switch (bytes_.below(7)) {
      case 0:
        return gave(jute_eval(text(), place(text_handle)), text_handle);
      case 1:
        return gave(jute_layout_create(text(), place(layout)), layout);
      case 2:
        return judge(jute_layout_size(handle<jute_layout>(), place(value)));
      case 3:
        return judge(jute_layout_cosize(handle<jute_layout>(), place(value)));
      case 4:
        return judge(jute_layout_offset(handle<jute_layout>(), number(), place(value)));
      case 5:
        return judge(jute_layout_offsets(handle<jute_layout>(), place(offsets[0]),
                                         static_cast<std::size_t>(bytes_.below(65))));
      default:
        (void)jute_text_data(handle<jute_text>());
        (void)jute_text_size(handle<jute_text>());
        (void)jute_layout_text(handle<jute_layout>());
    }
  }

  void make_contexts() {
    jute_context* context = nullptr;
    jute_context_options options{};
    options.device = bytes_.below(8) == 0 ? bytes_.next() : JUTE_DEVICE_EMULATOR;
    options.check = bytes_.below(5);
    options.chip = bytes_.below(4) == 0 ? text() : nullptr;
    const char* const settings[] = {"JUTE_CACHE=off", "JUTE_COMPILE=forbidden", text()};
    options.settings = settings;
    options.setting_count = bytes_.below(4) == 0 ? 3 : 2;
    // A context without settings might compile for a long time.
    if (const auto* const given = sized(options)) {
      if (given->size >= sizeof options) gave(jute_context_create(given, place(context)), context);
    }
    std::int64_t count = 0;
    judge(jute_context_compile_count(handle<jute_context>(), place(count)));
    (void)jute_context_device(handle<jute_context>());
  }

  void make_memory() {
    std::uint64_t at = 0;
    const std::int32_t status = jute_memory_allocate(
        handle<jute_context>(), bytes_.below(3) == 0 ? number() : 4096, place(at));
    judge(status);
    if (status == JUTE_OK && at != 0) addresses_.push_back(at);
    const auto bytes = static_cast<std::size_t>(bytes_.next());
    auto* const context = handle<jute_context>();
    judge(jute_memory_copy_in(context, address(), place(buffer_[0]), bytes));
    judge(jute_memory_copy_out(context, place(buffer_[0]), address(), bytes));
    judge(jute_memory_fill(context, address(), 7, bytes_.below(2) == 0 ? 256 : number()));
    judge(jute_synchronize(context));
    if (bytes_.below(4) == 0) judge(jute_memory_free(context, address()));
  }

  void make_plans() {
    jute_problem* problem = nullptr;
    gave(jute_problem_create(text(), place(problem)), problem);
    (void)jute_problem_text(handle<jute_problem>());
    jute_plan* plan = nullptr;
    gave(jute_plan_create(handle<jute_context>(), handle<jute_problem>(),
                          bytes_.below(3) == 0 ? text() : nullptr, place(plan)),
         plan);
    std::size_t steps = 0;
    judge(jute_plan_steps(handle<jute_plan>(), place(steps)));
    (void)jute_plan_text(handle<jute_plan>());
    (void)jute_plan_json(handle<jute_plan>());
    if (bytes_.below(4) == 0) (void)jute_plan_explain(handle<jute_plan>());
    (void)jute_plan_source(handle<jute_plan>(), static_cast<std::size_t>(number()));
    (void)jute_plan_ptx(handle<jute_plan>(), static_cast<std::size_t>(bytes_.below(2)));
  }

  void make_notation() {
    constexpr std::array<const char*, 8> kLetters{nullptr, "",    "ij,jk",    "abk,kcd->acdb",
                                                  "ii",    "i->", "...i,i->", "ij,jk->x"};
    constexpr std::array<const char*, 6> kImages{
        nullptr,         "",      "x=1x7x2 w=3x3 stride=2", "x=2x5x5x4 w=6x3x3 padding=1",
        "x=1x7x2 w=9x9", "x=1x-7"};
    std::array<std::array<std::int64_t, 4>, 4> numbers{};
    for (auto& list : numbers)
      for (std::int64_t& one : list) one = bytes_.below(4) == 0 ? number() : bytes_.below(6);
    std::array<jute_array, 2> operands{};
    for (std::size_t i = 0; i < 2; ++i)
      operands[i] = {place(numbers[i][0]),
                     bytes_.below(2) == 0 ? place(numbers[i + 2][0]) : nullptr,
                     static_cast<std::size_t>(bytes_.below(5))};
    jute_problem* problem = nullptr;
    gave(jute_problem_contract(kLetters[static_cast<std::size_t>(bytes_.below(8))],
                               place(operands[0]), static_cast<std::size_t>(bytes_.below(3)),
                               bytes_.below(3) == 0 ? place(operands[1]) : nullptr,
                               bytes_.below(3) == 0 ? text() : nullptr, place(problem)),
         problem);
    std::size_t count = 0;
    judge(jute_problem_operand(handle<jute_problem>(), bytes_.below(3), place(count)));
    const char* const images = kImages[static_cast<std::size_t>(bytes_.below(6))];
    judge(jute_convolution_parts(images, bytes_.below(4), place(count)));
    problem = nullptr;
    gave(jute_problem_convolve(images, bytes_.below(4), static_cast<std::size_t>(bytes_.below(3)),
                               bytes_.below(3) == 0 ? text() : nullptr, place(problem)),
         problem);
  }

  void make_products() {
    jute_gemm* gemm = nullptr;
    gave(jute_gemm_prepare(handle<jute_context>(), handle<jute_problem>(), nullptr, place(gemm)),
         gemm);
    gemm = nullptr;
    gave(jute_gemm_tune(handle<jute_context>(), handle<jute_problem>(), nullptr, bytes_.below(3),
                        place(gemm)),
         gemm);
    const std::array<const jute_problem*, 2> problems{handle<jute_problem>(),
                                                      handle<jute_problem>()};
    std::array<jute_gemm*, 2> many{};
    jute_prepare_options options{};
    options.threads = 2;
    judge(jute_gemm_prepare_many(handle<jute_context>(), place(problems[0]),
                                 static_cast<std::size_t>(bytes_.below(3)), sized(options),
                                 place(many[0])));
    for (jute_gemm* const one : many)
      if (one != nullptr) handles_.push_back(one);
    std::int64_t bytes = 0;
    judge(jute_gemm_workspace_bytes(handle<jute_gemm>(), place(bytes)));
    judge(jute_gemm_packed_bytes(handle<jute_gemm>(), bytes_.below(3), place(bytes)));
    jute_workspace* workspace = nullptr;
    gave(jute_workspace_create(handle<jute_gemm>(), place(workspace)), workspace);
    std::uint64_t at = 0;
    judge(jute_workspace_address(handle<jute_workspace>(), place(at)));
    jute_run run{};
    run.given = bytes_.below(2) == 0 ? 0 : static_cast<std::uint64_t>(number());
    run.a = address(), run.b = address(), run.d = address(), run.workspace = at;
    run.m = number(), run.n = number(), run.lda = number();
    run.input_count = static_cast<std::size_t>(bytes_.below(8) == 0 ? number() : 0);
    run.ends = bytes_.below(4) == 0 ? address() : 0;
    judge(jute_gemm_run(handle<jute_gemm>(), sized(run)));
    std::int64_t entry = 0;
    judge(jute_gemm_group_fault(handle<jute_gemm>(), at, 0, place(entry)));
    judge(jute_gemm_row_fault(handle<jute_gemm>(), JUTE_OPERAND_A, at, 0, place(entry)));
    judge(jute_gemm_pack(handle<jute_gemm>(), bytes_.below(3), address(), sized(run)));
    std::size_t place_of_input = 0;
    judge(jute_gemm_input(handle<jute_gemm>(), text(), place(place_of_input)));
  }

  void make_launches_and_frees() {
    if (bytes_.below(2) == 0) return free_one(handle<void>());
    std::uint32_t value = 5;
    std::array<jute_argument, 2> arguments{};
    arguments[0] = {bytes_.below(3), 0, place(buffer_[0]),
                    static_cast<std::size_t>(bytes_.below(64))};
    arguments[1] = {0, 0, place(value), static_cast<std::size_t>(bytes_.below(5))};
    jute_launch launch{};
    launch.ptx = bytes_.below(4) == 0 ? text() : kPtx;
    launch.kernel = bytes_.below(4) == 0 ? text() : nullptr;
    launch.chip = bytes_.below(8) == 0 ? text() : nullptr;
    launch.grid[0] = static_cast<std::uint32_t>(bytes_.below(3));
    launch.block[0] = static_cast<std::uint32_t>(bytes_.below(8) == 0 ? number() : 1);
    launch.check = bytes_.below(5);
    launch.dynamic_smem_bytes = bytes_.below(4) == 0 ? number() : 0;
    launch.arguments = place(arguments[0]);
    launch.argument_count = static_cast<std::size_t>(bytes_.below(3));
    jute_text* report = nullptr;
    gave(jute_emulate(sized(launch), place(report)), report);
  }

  /// By every function: all but one refuse it.
  static void free_one(void* handle) {
    int freed = 0;
    const auto count = [&](std::int32_t status) {
      judge(status);
      freed += status == JUTE_OK && handle != nullptr ? 1 : 0;
    };
    count(jute_text_free(static_cast<jute_text*>(handle)));
    count(jute_layout_free(static_cast<jute_layout*>(handle)));
    count(jute_context_free(static_cast<jute_context*>(handle)));
    count(jute_problem_free(static_cast<jute_problem*>(handle)));
    count(jute_plan_free(static_cast<jute_plan*>(handle)));
    count(jute_gemm_free(static_cast<jute_gemm*>(handle)));
    count(jute_workspace_free(static_cast<jute_workspace*>(handle)));
    require_law(freed <= 1, "a handle is freed twice");
  }
  void free_all() {
    for (void* const handle : handles_) {
      free_one(handle);
      const std::int32_t again = jute_layout_free(static_cast<jute_layout*>(handle));
      require_law(handle == nullptr || again == JUTE_REFUSED, "a freed handle is taken");
    }
  }

  InputBytes bytes_;
  std::array<std::byte, 4096> buffer_{};
  alignas(16) std::array<std::byte, 16384> struct_{};
  std::vector<void*> handles_;
  std::vector<std::uint64_t> addresses_;
};

}  // namespace

void fuzz_calls(std::span<const std::uint8_t> bytes) { Calls(bytes).make_all(); }

}  // namespace jute::test
