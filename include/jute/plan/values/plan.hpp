#pragma once
// A plan: everything that decides the kernels of a problem, as data.
#include <jute/atom/catalogue.hpp>
#include <jute/atom/tiled.hpp>
#include <jute/base/export.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/launch/launch_spec.hpp>
#include <jute/launch/tensor_map_spec.hpp>
#include <jute/layout/address.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/schedule.hpp>
#include <jute/plan/values/block.hpp>
#include <jute/plan/values/extent.hpp>
#include <jute/plan/values/family.hpp>
#include <jute/plan/values/gated_halves.hpp>
#include <jute/plan/values/kernel_groups.hpp>
#include <jute/plan/values/move.hpp>
#include <jute/plan/values/operand_plan.hpp>
#include <jute/plan/values/parameter.hpp>
#include <jute/plan/values/product_scales.hpp>
#include <jute/plan/values/term_product.hpp>
#include <jute/plan/values/view_map.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace JUTE_API jute {

/// How accumulators become D.
enum class Store : std::uint8_t {
  direct,       ///< every thread stores what it holds
  staged_rows,  ///< through shared memory, then whole rows
  subtiles,     ///< through shared memory, then as boxes of a tensor map
};

/// Who carries a subtile of D from shared memory to its place.
enum class SubtileExit : std::uint8_t {
  boxes,         ///< TMA
  rows_at_edge,  ///< TMA, but threads where N ends inside 16 bytes, which TMA would write whole
  rows,          ///< threads, row by row: D's rows begin anywhere, or inside sectors of memory
};

/// The subtile of D in shared memory that a group of threads drains at a time.
struct SubtileDrain {
  ComposedLayout subtile;          ///< (m, n) -> element of D
  int groups = 1;                  ///< each with subtiles of its own
  int copies = 1;                  ///< of a group's subtile: one is filled while others are stored
  Index stride_elems = 0;          ///< from one copy to the next
  CopyAtom store_atom;             ///< a matrix store
  std::optional<CopyAtom> c_atom;  ///< a matrix load: TMA has put C there; none: threads read C
  std::optional<int> input;        ///< that TMA puts into the subtile in C's place, by its place
  bool apart = false;  ///< subtiles of a block's only tile that do not lie where its stages were
  int by_ring = 0;     ///< of a tile's last turns: C lands in a stage behind its last k-tile
  Address write;       ///< (thread of a group, store) -> element that a lane points at
  Address m, n;        ///< (group, turn) -> row, column of the tile where the subtile begins
  int turns = 1;
  SubtileExit exit = SubtileExit::boxes;
  std::optional<TmaBoxes> boxes;          ///< none where all leaves by rows and nothing lands
  std::optional<ViewMap> map{}, c_map{};  ///< of D's View and of C's, which the boxes are of
  Address edge;                           ///< (row, column) -> element, of subtiles that go by rows
  bool operator==(const SubtileDrain&) const = default;
};
/// Do threads store all of D, row by row?
[[nodiscard]] inline bool leaves_by_rows(const SubtileDrain& d) {
  return d.exit == SubtileExit::rows;
}

/// How a sum along the rows or the columns of D is formed: a thread adds what it has of each of its
/// lines, lanes add what they have of the same, and every warp leaves its part of a line.
struct GatherLines {
  Layout slot;    ///< a thread's value -> which of its lines it belongs to
  Layout line;    ///< which of its lines -> line of the tile, from the thread's first
  int lanes = 0;  ///< bits of a lane's number: lanes that differ in no others have equal lines
  Layout part;    ///< thread -> which part of its lines its warp has
  int parts = 1;  ///< of a line of the tile
  bool operator==(const GatherLines&) const = default;
};

/// How the largest magnitudes of blocks of D are found, each of which lies in one tile: as those of
/// lines of a tile that have the block's whole extent across, several of which may be a block's.
struct BlockLines {
  EpilogueBlock block;  ///< as the kernel sees D
  bool of_rows = true;  ///< the tile has a block's columns, and lines are rows; else its rows
  GatherLines lines;    ///< blocks in the place of lines
  bool operator==(const BlockLines&) const = default;
};

/// How a drain moves truth values: in words of bits that are neighbours along the matrix's order,
/// the first in the lowest place. A thread has some of a word's, lanes put theirs together.
struct BitWords {
  int bits = 8;   ///< of a word: 8, 16 or 32
  int lanes = 0;  ///< bits of a lane's number: lanes that differ in no others share words
  Layout slot;    ///< a thread's value -> which of its words it belongs to
  Layout value;   ///< which of its words -> its first value
  bool operator==(const BitWords&) const = default;
};

/// An input or an output of an epilogue beside C and D; rows and columns are the kernel's. Behind
/// the expression's inputs stand the sums of operands that it names, a_sum and b_sum.
struct EpilogueOperandPlan {
  std::string name;  ///< the expression's; the kernel says in0, in1, … and out0, out1, …
  EpilogueExtent extent = EpilogueExtent::elements;
  EpilogueGather gather = EpilogueGather::elements;  ///< of an output
  DType type = DType::f32;
  Order order = Order::row;
  bool by_value = false;  ///< a parameter
  bool is_bits = false;   ///< a matrix of truth values, eight a byte; strides count bytes
  Extent ld, batch_stride;
  int vector_elems = 1;  ///< elements of one access along N; of bits the bytes of a word, at most
  std::optional<GatherLines> lines{};  ///< of sums of rows and columns
  std::optional<BitWords> packed{};    ///< of a matrix of bits
  /// For a vector whose part of a tile comes to shared memory once: where that begins in a group's
  /// part of the region "vectors", in bytes.
  std::optional<Index> staged{};
  bool operator==(const EpilogueOperandPlan&) const = default;
};

/// The place of d among the outputs: a matrix of its own in plans.
[[nodiscard]] inline bool is_d(const EpilogueOperandPlan& operand) { return is_d(operand.name); }

struct EpiloguePlan {
  Store store = Store::direct;
  EpilogueExpression expression;  ///< what becomes of an accumulator; its scale factors may be:
  Factor alpha = Factor::run_time, beta = Factor::run_time;
  DType compute = DType::f32;  ///< what the expression is computed in: f32, f64 or s32
  EpilogueAccuracy accuracy = EpilogueAccuracy::full;  ///< of its functions
  DType c_type = DType::f32, d_type = DType::f32;
  Order c_order = Order::row;
  Order d_order = Order::row;  ///< col: contiguous along the kernel's M, and stored by subtiles
  Extent ldc, ldd, c_batch_stride, d_batch_stride;
  /// That threads walk in their place; of rows and columns as the problem has them.
  std::optional<View> c_view{}, d_view{};
  std::optional<View> c_boxed{}, d_boxed{};  ///< that TMA moves, by the drain's maps; likewise
  std::optional<RowTable> d_rows{};          ///< that says where D's rows lie
  std::vector<EpilogueOperandPlan> inputs, outputs;  ///< by their places; d has one that is unused
  int vector_elems = 1;                              ///< elements of one store to D
  int c_vector_elems = 1;                            ///< elements of one load from C
  int stores_together = 1;  ///< of a thread, which asks for all that they take before the first
  Layout order;             ///< store position -> accumulator: along the rows of D
  Address m, n;             ///< (thread, value) -> row, column in the tile of what a thread stores
  // For staged rows only:
  ComposedLayout stage;       ///< (m, n) -> accumulator in the staging buffer
  Layout row_tv;              ///< (thread, value) -> m + tile_m * n of what a thread stores to D
  int stage_write_elems = 1;  ///< accumulators of one store into the buffer
  int stage_read_elems = 1;   ///< accumulators of one load from it
  Address stage_write;        ///< (thread, store position) -> accumulator in the buffer
  Address stage_read;         ///< the place in a stage, by row_tv
  std::optional<SubtileDrain> drain;   ///< of subtiles
  std::optional<BlockLines> blocks{};  ///< of an expression that names amax of blocks
  bool operator==(const EpiloguePlan&) const = default;
};

/// The head of every step: a kernel, its parameters and how it is launched.
struct StepHead {
  std::string symbol;
  Arch arch;
  std::vector<KernelParameter> parameters;
  std::array<Count, 3> grid{1, 1, 1};
  int threads = 0;    ///< of a block
  Dim3 cluster = {};  ///< blocks
  Index dynamic_smem_bytes = 0;
  LaunchOrder order = LaunchOrder::after_previous;
  Residency residency = Residency::any;
  bool operator==(const StepHead&) const = default;
};
[[nodiscard]] Signature signature(const StepHead& head);

/// When a region of shared memory holds what it is for.
enum class Alive : std::uint8_t { main_loop, epilogue, whole_kernel };

/// A named part of a block's shared memory. Regions that are never alive together may share bytes.
struct SmemRegion {
  std::string name;     ///< a, b, rows
  Index offset = 0;     ///< bytes
  Index bytes = 0;      ///< of all copies
  Index alignment = 1;  ///< bytes
  int copies = 1;
  Alive alive = Alive::main_loop;
  bool operator==(const SmemRegion&) const = default;
};

/// One GEMM kernel: block tiles through shared memory, fragments in registers.
struct GemmStep : StepHead {
  Family family = Family::warps_registers;
  bool transposed = false;  ///< computes Dᵀ = Bᵀ·Aᵀ: the kernel's M is the problem's N
  Extent m, n, k, batch;    ///< of groups: of a usual one
  std::optional<KernelGroups> groups{};
  std::optional<GatedHalves> gate{};  ///< `tile` is D's: that operand's is twice as large
  DType accumulate = DType::f32;
  int promote_every_k = 0;  ///< of k, whose sum the instructions form and threads then add; 0: all
  /// For split operands, the smallest first: each k-tile is multiplied once for each, and a stage
  /// holds all its terms. None: the operands are what is multiplied.
  std::vector<TermProduct> products;
  TileShape tile;
  TiledMma mma;
  KernelSchedule schedule;
  OperandPlan a, b;
  EpiloguePlan epilogue;
  std::vector<SmemRegion> smem_map;  ///< a, b; rows or subtile; full, free; sums of a straight one
  std::vector<Signal> signals;       ///< of kernels whose warps do different things
  Block block;                       ///< what predictions are made of; it follows from the rest
  bool operator==(const GemmStep&) const = default;
};

/// The tile that a block's instructions multiply for its tile of D.
[[nodiscard]] inline TileShape multiplied(const GemmStep& step) {
  return multiplied(step.tile, step.gate);
}
/// Has the operand, a or b, both halves of a gated product?
[[nodiscard]] inline bool has_halves(const GemmStep& step, Operand operand) {
  return step.gate && step.gate->operand == operand;
}

/// Do stages hold of the operand only boxes in which rows of the tile's group lie?
[[nodiscard]] inline bool leaves_out_rows_of_groups(const GemmStep& step,
                                                    const OperandPlan& operand) {
  return deals_tiles(step.groups) && step.groups->along == GroupedAlong::m && &operand == &step.a &&
         operand.major == Major::k && transfer_of(operand) == Transfer::tma;
}

/// Does a table name rows of an operand or of D?
[[nodiscard]] inline bool has_row_tables(const GemmStep& step) {
  return step.a.rows || step.b.rows || step.epilogue.d_rows;
}

/// Does a block compute a slice of K? Of a generic kernel each launch says how many, 1 too.
[[nodiscard]] bool takes_split_k(const GemmStep& step);

/// Unit roundoff u of the bound (K+2) u (|A||B|) on the error of the step's sums over k elements.
///   source  what the hardware keeps of sums: bit-exact in the emulator, proved on an H200
[[nodiscard]] double sum_roundoff(const GemmStep& step, Index k);

/// The region of that name.
///   throws  unknown_name
[[nodiscard]] const SmemRegion& smem_region(const GemmStep& step, std::string_view name);
/// The role, or the signal, of that name, which the step has.
[[nodiscard]] const Role& role_of(const GemmStep& step, std::string_view name);
[[nodiscard]] const Signal& signal_of(const GemmStep& step, std::string_view name);

/// A number of a kernel under the name that the kernel's text gives it.
struct KernelNumber {
  std::string_view name;
  ParameterKind kind;
  Extent extent;
};
/// m, n, k, strides of tensors, what a launch of a generic kernel says; literals and parameters.
[[nodiscard]] std::vector<KernelNumber> numbers(const GemmStep& step);

/// An output of the epilogue that is made of one operand's sums: who forms them stores it.
struct SumOutput {
  EpilogueExpression value;  ///< it alone
  TensorRole tensor = TensorRole::first_output;
  DType type = DType::f32;
  bool operator==(const SumOutput&) const = default;
};

/// One operand's sums over K: one a row of A, one a column of B.
struct OperandSum {
  TensorRole tensor = TensorRole::a;
  DType type = DType::f32;
  DType sum = DType::f32;  ///< what is added in, and stored: f32, f64 or s32
  std::string region;      ///< of the workspace: where the GEMM reads them; empty where it does not
  std::vector<SumOutput> outputs;  ///< that are made of them
  Major major = Major::k;          ///< the dimension along which the operand is contiguous
  Count lines, length;             ///< sums of a matrix, elements of each
  Count matrices;                  ///< of the batch; one of a broadcast operand serves all
  Count batch_stride;              ///< of the sums, in elements
  int vector_elems = 1;            ///< elements of one access
  Count blocks;
  bool operator==(const OperandSum&) const = default;
};

/// Puts into the workspace what the GEMM reads there, all in one launch. Copies of operands: those
/// whose rows start anywhere, and those that lie along M or N where its instruction reads along K.
/// Or sums of operands that the epilogue names: a step of their own, since who has packed an
/// operand before runs without its copy. Sums that the GEMM does not read are formed behind it, and
/// beside it where the chip lets a step begin before the last has ended.
struct MoveStep : StepHead {
  std::vector<Move> moves;
  std::vector<OperandSum> sums;
  /// For operands of the device's list: the region of the workspace for the list that the
  /// product reads, which has their copies in their places.
  std::string list{};
  bool follows = false;  ///< the GEMM; what it reads is there, and it waits for the GEMM at its end
  // For outputs of sums:
  DType compute = DType::f32;
  EpilogueAccuracy accuracy = EpilogueAccuracy::full;
  std::vector<EpilogueOperandPlan> scalars;  ///< inputs that they read
  Release releases = Release::never;
  bool operator==(const MoveStep&) const = default;
};

using Step = std::variant<MoveStep, GemmStep>;
[[nodiscard]] const StepHead& head_of(const Step& step);

/// A named part of the workspace. Regions lie in their order, one behind the other.
struct WorkspaceRegion {
  std::string name;
  Count bytes;          ///< a multiple of 256
  bool zeroed = false;  ///< every run finds it zero and leaves it zero; such regions lie first
  bool operator==(const WorkspaceRegion&) const = default;
};

struct Plan {
  Problem problem;  ///< completed
  DeviceInfo device;
  std::vector<WorkspaceRegion> workspace;
  std::vector<Step> steps;
  std::vector<Plan> behind{};  ///< of further parts of D: their steps run behind these
  bool operator==(const Plan&) const = default;
};

/// The GEMM itself, behind whatever prepares its operands.
[[nodiscard]] const GemmStep& gemm_step(const Plan& plan);

/// Plans a problem for a chip. Pure arithmetic: needs no GPU and no compiler.
///   throws  illegal_problem, unsupported, illegal_config with every broken rule
[[nodiscard]] Plan make_plan(const Problem& problem, const DeviceInfo& device,
                             const Config& config = {}, const Catalogue& catalogue = {});
/// Every broken rule of a plan, also of one changed by hand; empty when it is legal.
[[nodiscard]] std::vector<Error> check(const Plan& plan);
/// Canonical text, one fact a line: what `jute plan` prints.
[[nodiscard]] std::string to_string(const Plan& plan);
/// Why the planner chose what it chose, one sentence a line.
[[nodiscard]] std::string explain(const Plan& plan);
/// Accumulate type, order of operations, rounding, NaN and infinity, the error bound in words.
[[nodiscard]] std::string numerics(const Plan& plan);

}  // namespace jute
