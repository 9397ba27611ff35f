#pragma once
// A kernel decoded for execution: flat instructions over a register file of 32-lane slots.
#include "emulator/check/clocks.hpp"
#include "emulator/decode/byte_passing.hpp"
#include "emulator/decode/instruction.hpp"
#include "emulator/decode/video_use.hpp"
#include "emulator/ptx/ptx_ast.hpp"

#include <jute/emulator/ptx.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace jute::emulator {

/// Where an instruction came from, for reports.
struct Origin {
  int ptx_line = 0;
  int source_file = 0;
  int source_line = 0;
  std::string opcode;
};

/// A load, store or atomic.
struct MemoryAccess {
  Space space = Space::generic;
  std::uint8_t element_bytes = 4;
  std::uint8_t count = 1;
  std::uint8_t register_bytes = 4;  ///< of each data register
  bool sign_extends = false;
  bool is_read_only = false;  ///< ld.global.nc
  bool is_ordered = false;    ///< volatile, relaxed, acquire, release: other threads look
  bool base_is_64 = true;
  bool releases = false, acquires = false;
  bool makes_barrier = false;    ///< mbarrier.init
  bool reaches_cluster = false;  ///< .shared::cluster
  bool reaches_ranks = false;    ///< .sys: beyond the GPU
  Scope scope = Scope::gpu;      ///< of an ordered access
  Slot base = kNoSlot;           ///< none: the address is `offset` alone
  Index offset = 0;
  std::array<Slot, 8> data{};
  std::uint16_t needed = 0xFFFF;  ///< bytes that a load's kernel uses, one bit a byte
};

/// atom, red.
struct AtomicUse {
  enum class Operation : std::uint8_t { add, min, max, and_, or_, xor_, exch, cas, inc, dec };
  enum class Type : std::uint8_t { u32, s32, u64, s64, f32, f64, f16, bf16, f16x2, bf16x2, b16 };
  MemoryAccess access;
  Operation operation = Operation::add;
  Type type = Type::u32;
  std::array<Slot, 8> operands{};  ///< one an element
  Slot comparand = kNoSlot;        ///< cas: what memory must hold
  std::array<Slot, 8> results{};   ///< kNoSlot where the old value is not asked for
};

/// Element types of mma operands.
enum class MmaType : std::uint8_t {
  f16,
  bf16,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32
};

/// How products and accumulator become a result.
enum class MmaArithmetic : std::uint8_t {
  aligned,    ///< one aligned sum, truncated to f32 (or rounded to f16)
  two_steps,  ///< fp8: two aligned f16 sums from zero, then an f32 addition
  integer,    ///< exact, wrapping or saturating
  bits_and,   ///< popcount of a & b
  bits_xor,   ///< popcount of a ^ b
  fused,      ///< f64: one fma after the other from C, k ascending
  quadpair,   ///< f16 m8n8k4: f32 fmas from zero, k ascending, then plus C
};

struct MmaUse {
  int m = 16, n = 8, k = 16;
  MmaType a = MmaType::f16, b = MmaType::f16, c = MmaType::f32;
  MmaArithmetic arithmetic = MmaArithmetic::aligned;
  bool saturates = false;
  bool a_is_column = false;  ///< quadpair only
  bool b_is_row = false;     ///< quadpair only
  bool is_sparse = false;    ///< mma.sp: A's registers hold k / 2 values a row
  int selector = 0;          ///< which lanes of a quad supply metadata
  Slot metadata_slot = kNoSlot;
  std::array<Slot, 8> a_slots{};
  std::array<Slot, 4> b_slots{};
  std::array<Slot, 8> c_slots{};
  std::array<Slot, 8> d_slots{};
};

/// wmma.load, wmma.store: a fragment that lies in tiles of mma's operands. What has eight rows and
/// 32 columns is multiplied transposed, as mma has 16 rows.
struct WmmaAccess {
  enum class Matrix : std::uint8_t { a, b, c };
  MemoryAccess access;  ///< of the matrix' first element
  Matrix matrix = Matrix::a;
  MmaType type = MmaType::f16;
  bool is_store = false;
  bool is_column_major = false;
  bool is_transposed = false;   ///< A lies as mma's B, B as its A
  bool has_16_rows = true;      ///< mma's A
  bool tiles_are_rows = false;  ///< the second tile lies below the first, not beside it
  int tile_registers = 4;
  int tile_extent = 16;         ///< from one tile to the next
  Slot stride = kNoSlot;        ///< 32-bit: elements from row to row, or column to column
  std::vector<Slot> registers;  ///< those beyond the tiles repeat the first
  size_t distinct = 0;          ///< registers that do not
};

/// ldmatrix, stmatrix: one 32-bit register a matrix, row addresses from the lanes.
struct MatrixUse {
  MemoryAccess access;
  int count = 1;
  bool transposes = false;
  std::array<Slot, 4> slots{};
};

/// tex, suld, sust: a place in a texture or surface object and the registers of its texel.
struct TextureUse {
  enum class Outside : std::uint8_t { trap, clamp, zero };
  int dimensions = 1;
  bool is_layered = false;
  bool is_store = false;
  bool coordinates_are_floats = false;
  bool coordinates_are_bytes = false;  ///< the first one of a surface
  int element_bytes = 4;               ///< of a surface: of each register
  int count = 4;
  Outside outside = Outside::trap;
  Slot handle = kNoSlot;  ///< 64-bit
  Slot layer = kNoSlot;
  std::array<Slot, 3> coordinates{};  ///< 32-bit
  std::array<Slot, 4> data{};
};

/// cp.async: `bytes` to shared memory, of which the source gives fewer where asked; the rest is
/// zero.
struct AsyncCopyUse {
  MemoryAccess to;
  MemoryAccess from;
  int bytes = 16;
  Slot source_bytes = kNoSlot;    ///< 32-bit
  Slot ignores_source = kNoSlot;  ///< a predicate
};

/// mbarrier: operands of every form.
struct MbarrierUse {
  enum class Kind : std::uint8_t {
    init,
    invalidate,
    arrive,
    arrive_drop,
    expect_tx,
    complete_tx,
    test_wait,
    pending_count,
    arrive_on_copies,
  };
  Kind kind = Kind::arrive;
  MemoryAccess access;
  bool has_parity = false;       ///< waits for a parity instead of a token
  bool is_no_increment = false;  ///< arrive_on_copies: the arrival was counted in advance
  bool releases = true;
  Scope scope = Scope::cta;  ///< of the release or acquire; the operation itself reaches everybody
  bool drops = false;
  bool polls = false;
  Slot count = kNoSlot;   ///< 32-bit: threads, or pending arrivals
  Slot bytes = kNoSlot;   ///< 32-bit: expected bytes
  Slot phase = kNoSlot;   ///< 64-bit token or 32-bit parity
  Slot result = kNoSlot;  ///< token, predicate or count
};

/// cp.async.bulk, with and without a tensor map.
struct BulkUse {
  enum class Kind : std::uint8_t { load, store, reduce };
  Kind kind = Kind::load;
  AtomicUse::Operation reduction = AtomicUse::Operation::add;
  AtomicUse::Type reduced = AtomicUse::Type::u32;  ///< of plain bytes; a tensor map knows its own
  bool adds_to_shared = false;                     ///< a load that reduces where it lands
  int rank = 0;                                    ///< of the tensor; 0: plain bytes
  MemoryAccess shared;
  MemoryAccess other;  ///< the tensor map, or the bytes in global memory (or a peer's shared)
  MemoryAccess barrier;
  std::array<Slot, 5> coordinates{};  ///< 32-bit
  Slot bytes = kNoSlot;               ///< 32-bit, of plain copies
  Slot ranks = kNoSlot;               ///< 16-bit: blocks of the cluster that receive a multicast
  /// st.async, red.async: the registers that are copied, which have this many bytes each.
  std::vector<Slot> data;
  int data_bytes = 0;
};

/// wgmma.mma_async: one warp's quarter of a warpgroup's 64 rows.
struct WgmmaUse {
  int n = 8, k = 16;  ///< k counts logical values, of which sparse A stores half
  MmaType a = MmaType::f16, b = MmaType::f16, d = MmaType::f32;
  bool saturates = false;
  bool negates_a = false, negates_b = false;
  bool transposes_a = false, transposes_b = false;
  Slot a_descriptor = kNoSlot;  ///< 64-bit; none: A comes from registers
  std::array<Slot, 4> a_slots{};
  Slot b_descriptor = kNoSlot;
  Slot scale_d = kNoSlot;  ///< predicate: D takes part
  bool is_sparse = false;  ///< A stores two of four values
  Slot metadata = kNoSlot;
  int selector = 0;
  std::vector<Slot> d_slots;
};

/// bar, barrier: operands beside the flow.
struct BarrierUse {
  enum class Kind : std::uint8_t { sync, arrive, red_and, red_or, red_popc };
  Kind kind = Kind::sync;
  bool is_aligned = true;
  Slot id = kNoSlot;         ///< 32-bit
  Slot count = kNoSlot;      ///< 32-bit; none: every thread of the block
  Slot predicate = kNoSlot;  ///< what a reduction reads
  bool predicate_negated = false;
};

/// brx.idx: an instruction for each entry.
using BranchTargets = std::vector<std::uint32_t>;

/// A call's copies between call-frame bytes (offsets into a thread's local memory).
struct CallCopy {
  Index from = 0;
  Index to = 0;
  Index bytes = 0;
};
struct Call {
  std::vector<CallCopy> arguments;
  std::vector<CallCopy> results;
};
/// A call through a pointer: where each function begins that it may mean.
struct PointerCall {
  struct Target {
    std::uint32_t pc = 0;
    std::uint32_t call = 0;  ///< index into Program::calls
  };
  std::map<std::uint64_t, Target> targets;  ///< by address
};

/// A function that the CUDA driver provides.
enum class SystemFunction : std::uint8_t { assert_fail, print, allocate, release };
/// A call of one: offsets of its arguments and its result in a thread's local memory.
struct SystemCall {
  SystemFunction function = SystemFunction::print;
  std::array<Index, 5> arguments{};
  Index result = -1;  ///< -1: it has none
};

struct Block;
struct Warp;

/// Who reads a special register.
struct PresetPlace {
  const Block& block;
  const Warp& warp;
  int lane;
};
/// A special register that holds one value for a warp's whole life.
struct PresetRow {
  std::string_view name;  ///< `%tid.x`
  std::uint64_t (*value)(PresetPlace at);
  RegisterClass kind = RegisterClass::b32;
};
/// presets.cpp has the rows; null: there is none of this name.
[[nodiscard]] const PresetRow* find_preset(std::string_view name);

struct PresetValue {
  const PresetRow* row = nullptr;  ///< null: the address of `offset` in the block's shared memory
  RegisterClass kind = RegisterClass::b32;
  std::uint64_t offset = 0;
  [[nodiscard]] auto operator<=>(const PresetValue&) const = default;
};
struct PresetSlot {
  PresetValue value;
  Slot slot = 0;
};

/// Registers of one instruction that some path reaches unset, and where their set-masks live.
struct UnsetTracking {
  struct Read {
    Slot mask = kNoSlot;
    Slot slot = kNoSlot;
    Slot only_if = kNoSlot;    ///< lanes in which the register is read at all; none: all
    Slot except_if = kNoSlot;  ///< lanes in which it is not; none: no lane
    bool is_guard = false;     ///< read in every active lane, to know in which it runs
    std::string name;
  };
  std::vector<Read> reads;
  std::vector<Slot> writes;
};

/// A register that an instruction reads or writes.
struct RegisterOperand {
  Slot slot = kNoSlot;
  Slot only_if = kNoSlot;  ///< lanes in which it is read at all; none: all
  std::int32_t reg = 0;    ///< index of Program::register_names
  bool is_write = false;
  bool is_data = false;  ///< what a store or a shuffle moves unseen, and what a product adds to
  RegisterClass kind = RegisterClass::b32;
};

/// A block of storage that lives as long as the module: .global and .const variables.
struct StaticVariable {
  Variable variable;
  DevicePointer address = 0;
};

struct Program {
  std::string name;
  std::vector<PtxParameter> parameters;
  Arch target;
  std::vector<Instruction> code;
  std::vector<Origin> origins;
  /// Uses of instructions beside registers: Instruction::extra is a place in the list of its kind.
  std::tuple<std::vector<MemoryAccess>, std::vector<BarrierUse>, std::vector<AtomicUse>,
             std::vector<AsyncCopyUse>, std::vector<MbarrierUse>, std::vector<BulkUse>,
             std::vector<WgmmaUse>, std::vector<MmaUse>, std::vector<MatrixUse>,
             std::vector<WmmaAccess>, std::vector<TextureUse>, std::vector<VideoUse>,
             std::vector<BranchTargets>, std::vector<Call>, std::vector<PointerCall>,
             std::vector<SystemCall>>
      uses;
  std::vector<BytePassing> byte_passings;  ///< of lane functions; the first: of whole registers
  std::vector<PresetSlot> presets;
  std::vector<std::pair<std::uint32_t, UnsetTracking>> unset;  ///< by instruction, ascending
  std::vector<RegisterOperand> operands;     ///< of all instructions, one after the other
  std::vector<std::uint32_t> first_operand;  ///< by instruction, and the end
  std::vector<std::string> register_names;
  std::vector<std::byte> constants;
  std::map<int, std::string> files;
  std::uint32_t register_bytes = 0;
  std::uint32_t unset_begin = 0;    ///< set-masks: zeroed when a warp starts, to register_bytes
  Index local_bytes = 0;            ///< per thread, call frames and stack included
  Index stack_begin = -1;           ///< where alloca's bytes begin in it; -1: no alloca
  Index static_shared_bytes = 0;    ///< and what is reserved
  Index reserved_shared_bytes = 0;  ///< at the beginning: zeros at first
  int dynamic_shared_align = 16;
  std::array<int, 3> max_threads{0, 0, 0};
  std::array<int, 3> required_threads{0, 0, 0};
  std::array<int, 3> required_cluster{0, 0, 0};
  bool blocks_are_clusters = false;  ///< the grid of a launch counts clusters
  int min_blocks = 0;
  bool uses_grid_workspace = false;  ///< grid.sync of cooperative groups
  bool orders_blocks = false;        ///< has global atomics or ordered accesses: blocks may talk

  template <class Use>
  [[nodiscard]] const std::vector<Use>& all() const {
    return std::get<std::vector<Use>>(uses);
  }
  template <class Use>
  [[nodiscard]] const Use& use_of(const Instruction& instruction) const {
    return all<Use>()[instruction.extra];
  }
  [[nodiscard]] std::span<const RegisterOperand> operands_of(std::uint32_t pc) const {
    return std::span(operands).subspan(first_operand[pc],
                                       first_operand[pc + 1] - first_operand[pc]);
  }
};

}  // namespace jute::emulator
