// Prepared products of the C interface: workspaces, runs, packing.
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/format.hpp"
#include "c/objects.hpp"

namespace jute::c {
namespace {

constexpr std::size_t kFirstRun = offsetof(jute_run, workspace);

/// A number of a run that counts where its bit is set.
struct GivenNumber {
  std::uint64_t bit = 0;
  int64_t jute_run::*number = nullptr;
  std::optional<Index> GemmArgs::*place = nullptr;
};
constexpr GivenNumber kGivenExtents[] = {{JUTE_GIVEN_M, &jute_run::m, &GemmArgs::m},
                                         {JUTE_GIVEN_N, &jute_run::n, &GemmArgs::n},
                                         {JUTE_GIVEN_K, &jute_run::k, &GemmArgs::k},
                                         {JUTE_GIVEN_BATCH, &jute_run::batch, &GemmArgs::batch}};

/// A tensor of a run, and what else may be said of it.
struct GivenTensor {
  std::uint64_t jute_run::*address;
  DevicePointer GemmArgs::*base;
  GivenNumber ld = {}, batch_stride = {};
  const char* jute_run::*view = nullptr;
  const View* GemmArgs::*view_place = nullptr;
};
// clang-format off
constexpr GivenTensor kGivenTensors[] = {
    {&jute_run::a, &GemmArgs::a, {JUTE_GIVEN_LDA, &jute_run::lda, &GemmArgs::lda},
     {JUTE_GIVEN_BATCH_STRIDE_A, &jute_run::batch_stride_a, &GemmArgs::batch_stride_a},
     &jute_run::view_a, &GemmArgs::view_a},
    {&jute_run::b, &GemmArgs::b, {JUTE_GIVEN_LDB, &jute_run::ldb, &GemmArgs::ldb},
     {JUTE_GIVEN_BATCH_STRIDE_B, &jute_run::batch_stride_b, &GemmArgs::batch_stride_b},
     &jute_run::view_b, &GemmArgs::view_b},
    {&jute_run::c, &GemmArgs::c, {JUTE_GIVEN_LDC, &jute_run::ldc, &GemmArgs::ldc},
     {JUTE_GIVEN_BATCH_STRIDE_C, &jute_run::batch_stride_c, &GemmArgs::batch_stride_c},
     &jute_run::view_c, &GemmArgs::view_c},
    {&jute_run::d, &GemmArgs::d, {JUTE_GIVEN_LDD, &jute_run::ldd, &GemmArgs::ldd},
     {JUTE_GIVEN_BATCH_STRIDE_D, &jute_run::batch_stride_d, &GemmArgs::batch_stride_d},
     &jute_run::view_d, &GemmArgs::view_d},
    {&jute_run::scale_a, &GemmArgs::scale_a}, {&jute_run::scale_b, &GemmArgs::scale_b},
    {&jute_run::zero_a, &GemmArgs::zero_a},   {&jute_run::zero_b, &GemmArgs::zero_b},
    {&jute_run::ends, &GemmArgs::ends},
    {&jute_run::rows_a, &GemmArgs::rows_a},   {&jute_run::rows_d, &GemmArgs::rows_d},
    {&jute_run::workspace, &GemmArgs::workspace},
    {&jute_run::packed_a, &GemmArgs::packed_a}, {&jute_run::packed_b, &GemmArgs::packed_b},
};
// clang-format on
constexpr std::uint64_t kAllGiven = 2 * std::uint64_t{JUTE_GIVEN_BATCH_STRIDE_D} - 1;

/// Copied for each run: that is quicker than making its many members anew.
constexpr GemmArgs kAsPrepared{};

[[noreturn]] void refuse_count(const char* name, std::size_t given, std::size_t most) {
  refuse(ErrorCode::out_of_range, name, std::to_string(given),
         base::format("{} must be at most {}", name, most), std::to_string(most));
}

template <std::size_t Most>
void put(std::array<EpilogueArg, Most>& places, const jute_epilogue_argument* given,
         std::size_t count, const char* name) {
  require_list(given, count, name);
  if (count > Most) refuse_count(name, count, Most);
  for (std::size_t i = 0; i < count; ++i)
    places[i] = {.base = given[i].address, .value = given[i].value};
}

/// The run's Views, kept until the thread's next.
void put_views(GemmArgs& args, const jute_run& run) {
  thread_local std::array<View, kViewedTensors> kept;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const char* const text = run.*kGivenTensors[i].view;
    if (text == nullptr) continue;
    kept[i] = parse_view(text);
    args.*kGivenTensors[i].view_place = &kept[i];
  }
}

void put(GemmArgs& args, const jute_run& run, const GivenNumber& given) {
  if ((run.given & given.bit) != 0) args.*given.place = run.*given.number;
}

GemmArgs args_of(const jute_run& run) {
  if ((run.given & ~kAllGiven) != 0)
    refuse(ErrorCode::out_of_range, "run.given", base::format("{:#x}", run.given),
           "it must be a sum of JUTE_GIVEN_…");
  GemmArgs args = kAsPrepared;
  bool has_views = false;
  for (const GivenTensor& row : kGivenTensors) {
    args.*row.base = run.*row.address;
    has_views |= row.view != nullptr && run.*row.view != nullptr;
  }
  args.stream = {run.stream};
  if ((run.given & JUTE_GIVEN_ALPHA) != 0) args.alpha = run.alpha;
  if ((run.given & JUTE_GIVEN_BETA) != 0) args.beta = run.beta;
  if (run.given > JUTE_GIVEN_BETA) {
    for (const GivenNumber& extent : kGivenExtents) put(args, run, extent);
    for (const GivenTensor& row : kGivenTensors)
      put(args, run, row.ld), put(args, run, row.batch_stride);
  }
  if (has_views) put_views(args, run);
  put(args.inputs, run.inputs, run.input_count, "run.input_count");
  put(args.outputs, run.outputs, run.output_count, "run.output_count");
  return args;
}

GemmArgs args_of(const jute_run* run) {
  // A caller of this very version is read where it stands.
  if (run != nullptr && run->size == sizeof *run) return args_of(*run);
  return args_of(read_struct(run, "run", kFirstRun));
}

const Gemm& usable(const jute_gemm* gemm) {
  const GemmObject& object = object_of(gemm);
  (void)object.context->usable();
  return object.gemm;
}

TensorRole operand_of(int32_t operand) {
  require_enumerator(operand, JUTE_OPERAND_B, "operand");
  return operand == JUTE_OPERAND_A ? TensorRole::a : TensorRole::b;
}

}  // namespace

WorkspaceObject::~WorkspaceObject() {
  if (address == 0) return;
  const Allocator& allocator = context->allocator;
  if (allocator.release != nullptr)
    allocator.release(allocator.user, address);
  else
    context->context.backend().free(address);
}

}  // namespace jute::c

using namespace jute;
using namespace jute::c;

int32_t jute_gemm_free(jute_gemm* gemm) {
  return guarded([&] { free_handle(gemm); });
}

const char* jute_gemm_plan_text(const jute_gemm* gemm) {
  return guarded_text([&] {
    GemmObject& object = object_of(gemm);
    return object.texts.get("plan", [&] { return to_string(object.gemm.plan()); });
  });
}

int32_t jute_gemm_workspace_bytes(const jute_gemm* gemm, int64_t* bytes) {
  return guarded([&] {
    require(bytes, "bytes");
    *bytes = object_of(gemm).gemm.workspace_bytes();
  });
}
int32_t jute_gemm_zeroed_bytes(const jute_gemm* gemm, int64_t* bytes) {
  return guarded([&] {
    require(bytes, "bytes");
    *bytes = object_of(gemm).gemm.zeroed_bytes();
  });
}
int32_t jute_gemm_clear_workspace(const jute_gemm* gemm, uint64_t workspace, uint64_t stream) {
  return guarded([&] { usable(gemm).clear_workspace(workspace, {stream}); });
}
int32_t jute_gemm_group_fault(const jute_gemm* gemm, uint64_t workspace, uint64_t stream,
                              int64_t* entry) {
  return guarded([&] {
    require(entry, "entry");
    *entry = usable(gemm).group_fault(workspace, {stream}).value_or(-1);
  });
}

int32_t jute_gemm_row_fault(const jute_gemm* gemm, int32_t operand, uint64_t workspace,
                            uint64_t stream, int64_t* entry) {
  return guarded([&] {
    require(entry, "entry");
    require_enumerator(operand, JUTE_OPERAND_D, "operand");
    const auto role = static_cast<TensorRole>(operand);
    *entry = usable(gemm).row_fault(role, workspace, {stream}).value_or(-1);
  });
}

int32_t jute_workspace_create(const jute_gemm* gemm, jute_workspace** workspace) {
  return guarded([&] {
    expect(workspace, "workspace");
    const Gemm& of = usable(gemm);
    auto object = std::make_shared<WorkspaceObject>();
    object->context = object_of(gemm).context;
    const Allocator& allocator = object->context->allocator;
    const Index bytes = of.workspace_bytes();
    if (bytes > 0)
      object->address = allocator.allocate != nullptr
                            ? allocator.allocate(allocator.user, bytes)
                            : object->context->context.backend().alloc(bytes);
    if (bytes > 0 && object->address == 0)
      refuse(ErrorCode::out_of_memory, "workspace", std::to_string(bytes) + " bytes",
             "the context's allocator must have so many bytes");
    if (bytes > 0) of.clear_workspace(object->address);
    give(workspace, std::move(object));
  });
}
int32_t jute_workspace_address(const jute_workspace* workspace, uint64_t* address) {
  return guarded([&] {
    require(address, "address");
    *address = object_of(workspace).address;
  });
}
int32_t jute_workspace_free(jute_workspace* workspace) {
  return guarded([&] { free_handle(workspace); });
}

int32_t jute_gemm_run(const jute_gemm* gemm, const jute_run* run) {
  return guarded([&] { usable(gemm).run(args_of(run)); });
}

int32_t jute_gemm_input(const jute_gemm* gemm, const char* name, size_t* place) {
  return guarded([&] {
    require(place, "place");
    *place = object_of(gemm).gemm.input(required_text(name, "name"));
  });
}
int32_t jute_gemm_output(const jute_gemm* gemm, const char* name, size_t* place) {
  return guarded([&] {
    require(place, "place");
    *place = object_of(gemm).gemm.output(required_text(name, "name"));
  });
}

int32_t jute_gemm_packed_bytes(const jute_gemm* gemm, int32_t operand, int64_t* bytes) {
  return guarded([&] {
    require(bytes, "bytes");
    *bytes = object_of(gemm).gemm.packed_bytes(operand_of(operand));
  });
}
int32_t jute_gemm_pack(const jute_gemm* gemm, int32_t operand, uint64_t packed,
                       const jute_run* run) {
  return guarded([&] { usable(gemm).pack(operand_of(operand), packed, args_of(run)); });
}
