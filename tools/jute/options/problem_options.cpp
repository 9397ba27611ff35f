// Problem flags: from text to Problem, Config and DeviceInfo.
#include "options/problem_options.hpp"

#include <jute/atom/value_type.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/batch_invariant.hpp>
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <sstream>

#include "files/files.hpp"
#include "options/mesh_options.hpp"
#include "options/notation_options.hpp"
#include "options/read_flag.hpp"

namespace jute::command {
namespace {

DType read_type(const std::string& flag, const std::string& text) {
  return read_flag(flag, text, [](const std::string& name) { return parse_dtype(name); });
}

Index required(const std::optional<Index>& extent, const std::string& flag) {
  if (extent) return *extent;
  throw UsageError(flag, "it must be given, for example " + flag + " 256");
}

/// A choice of a Config as the command asks for it.
struct ChoiceFlag {
  std::string_view choice;
  std::string_view flag;
  std::string_view type;
  std::string_view about;
  std::string_view offers = {};  ///< words between blanks
};
// clang-format off
constexpr std::array<ChoiceFlag, 29> kChoiceFlags{{
    {"specialize",   "--specialize",  "", "Which numbers become literals of the kernel"},
    {"tile",         "--tile",        "MxNxK", "Block tile in elements"},
    {"stages",       "--stages",      "INT", "k-tiles in shared memory"},
    {"mma_atom",     "--mma",         "ATOM", "MMA atom by CuTe's name"},
    {"atom_layout",  "--atom-layout", "LAYOUT", "Atoms along (M,N,K): \"(2,4,1)\""},
    {"permutation",  "--permutation", "TILER", "The TiledMma's permutation: \"(32,32,_)\""},
    {"smem_a",       "--smem-a",      "LAYOUT", "A in shared memory: \"Sw<2,3,3>o0o(128,32):(32,1)\""},
    {"smem_b",       "--smem-b",      "LAYOUT", "B likewise"},
    {"raster_width", "--raster",      "INT", "Tiles along M that run together"},
    {"pad",          "--pad",         "", "Copy operands with unaligned rows first: auto, on or off"},
    {"transpose",    "--transpose",   "", "Copy operands along K first that wgmma cannot read along M or N: auto, on or off"},
    {"main_loop",    "--main-loop",   "WORD", "Who loads and who multiplies: straight, register_staged, multistage, warp_specialised",
                     "straight register_staged multistage warp_specialised"},
    {"cluster",      "--cluster",     "MxN", "Blocks that share what they load"},
    {"blocks",       "--blocks",      "INT", "Of a grid that walks over the tiles, at most"},
    {"ping_pong",        "--ping-pong",       "INT", "Teams of consumers that take turns: one multiplies its tile while the other drains"},
    {"producer_warps", "--producer-warps", "INT", "Of the producer: 4, which give registers to the consumers, or 1"},
    {"split_k",       "--split-k",      "INT", "Slices of K, each a block's; their sums are added afterwards"},
    {"whole_tiles",  "--whole-tiles", "INT", "The first of the grid, which slices of K leave whole"},
    {"reduction",      "--reduction",     "WORD", "Who adds the sums of slices: last_adds, all_add or distributed",
                     "last_adds all_add distributed"},
    {"k_starts",     "--k-starts",    "INT", "Places of K at which blocks begin in turn; 1: all at 0"},
    {"matrices_per_block", "--matrices", "INT", "Of a batch, side by side in a block; 0: one, of a grid whose third axis is the batch"},
    {"promote",      "--promote",     "INT", "Of k, after which wgmma's sums are added in full; 0: never"},
    {"read_once",    "--read-once",   "WORD", "What leaves the L2 cache first: none, a, b, both",
                     "none a b both"},
    {"edge_rows",    "--edge-rows",   "WORD", "What stages hold of rows past the edge: zeros or left_out",
                     "zeros left_out"},
    {"widths",       "--widths",      "", "Kernels of a range of M may take their tiles' columns from the launch; auto: they may"},
    {"swapped",      "--swapped",     "", "Compute the transpose, so that tiles lie the other way: auto, on or off"},
    {"first_stages", "--first-stages","WORD", "Who asks for the first k-tiles: after_barrier, by_initialiser or prefetched",
                     "after_barrier by_initialiser prefetched"},
    {"release",      "--release",     "WORD", "When the next kernel may begin: never, after_main_loop, at_start, after_previous",
                     "never after_main_loop at_start after_previous"},
    {"launches",     "--launches",    "WORD", "What runs on the stream beside them: behind_others, or alone on an idle chip"},
}};
// clang-format on
constexpr std::string_view kPlanners = "auto";  // what a choice says that is left to the planner

void add_operand_flags(Command& command, ProblemOptions& options) {
  const Words order{"row", "col"};
  const OptionGroup group{command, "Memory"};
  group.option("--order-a", &options.order_a, "A's last (row) or first (col) index is contiguous")
      .one_of(order);
  group.option("--order-b", &options.order_b, "B likewise").one_of(order);
  group.option("--order-c", &options.order_c, "C and D likewise").one_of(order);
  group.option("--lda", &options.lda,
               "Elements between A's rows (row) or columns (col); 0: packed");
  group.option("--ldb", &options.ldb, "B likewise");
  group.option("--ldc", &options.ldc, "C likewise");
  group.option("--ldd", &options.ldd, "D likewise");
  group.option("--layout-a VIEW", &options.layout_a,
               "Where A's (M,K) lies in place of order and strides: a layout, the batch last");
  group.option("--layout-b VIEW", &options.layout_b, "B's (N,K) likewise");
  group.option("--layout-c VIEW", &options.layout_c, "C's (M,N) likewise");
  group.option("--layout-d VIEW", &options.layout_d, "D's (M,N) likewise");
  group.option("--align-a", &options.align_a, "A's base address is a multiple of this many bytes")
      .with_default();
  group.option("--align-b", &options.align_b, "B likewise").with_default();
  group.option("--align-c", &options.align_c, "C likewise").with_default();
  group.option("--align-d", &options.align_d, "D likewise").with_default();
}

/// The flags that --problem stands for.
const Words kSaidByText{"--m",         "--n",        "--k",          "--batch",       "--m-range",
                        "--type",      "--type-a",   "--type-b",     "--out-type",    "--acc",
                        "--precision", "--order-a",  "--order-b",    "--order-c",     "--lda",
                        "--ldb",       "--ldc",      "--ldd",        "--layout-a",    "--layout-b",
                        "--layout-c",  "--layout-d", "--align-a",    "--align-b",     "--align-c",
                        "--align-d",   "--epilogue", "--input-type", "--output-type", "--contract",
                        "--extents",   "--conv",     "--gradient",   "--part",        "--groups",
                        "--count",     "--bound",    "--expected",   "--scale-a",     "--scale-b",
                        "--zero-a",    "--zero-b",   "--block-a",    "--block-b",     "--stage-as",
                        "--gate",      "--rows-a",   "--rows-d",     "--quantise-d",  "--round-d"};
/// The flags that letters, and shapes of images, stand for.
const Words kSaidByNotation{"--m",        "--n",       "--k",        "--batch",    "--m-range",
                            "--lda",      "--order-a", "--order-b",  "--order-c",  "--ldb",
                            "--ldc",      "--ldd",     "--layout-a", "--layout-b", "--layout-c",
                            "--layout-d", "--groups",  "--gate",     "--rows-a",   "--rows-d",
                            "--count",    "--bound",   "--expected"};

}  // namespace

void add_chip_flags(Command& command, ProblemOptions& options) {
  const OptionGroup group{command, "Problem"};
  Words arches, chips;
  for (const Arch arch : known_arches()) arches.push_back(to_string(arch));
  for (const DeviceInfo& chip : device_presets()) chips.push_back(chip.name);
  group.option("--arch", &options.arch, "Architecture: sm_90a, sm_80, …").offers(arches);
  group
      .option("--device-preset", &options.preset,
              "Chip to plan for: h200, a100, l40s, …, or its file")
      .offers(chips);
}

void add_type_flags(Command& command, ProblemOptions& options) {
  const OptionGroup group{command, "Problem"};
  Words types;
  for (const ValueType& type : value_types())
    if (type.dtype && find_dtype(type.name)) types.emplace_back(type.name);
  for (const DType type : {DType::s4, DType::u4, DType::e2m1}) types.emplace_back(name(type));
  group.option("--type", &options.type, "Elements of A and B: f32, f16, bf16, … (default f32)")
      .offers(types)
      .usual();
  group.option("--type-a", &options.type_a, "Elements of A when they differ from B's")
      .offers(types);
  group.option("--type-b", &options.type_b, "Elements of B likewise").offers(types);
  group.option("--out-type", &options.out_type, "Elements of C and D").offers(types);
  group.option("--acc", &options.accumulate, "Accumulator: f32, f64, f16 or s32")
      .offers({"f32", "f64", "f16", "s32"});
  group
      .option(
          "--precision", &options.precision,
          "Of f32 products: f32 by threads; tf32x3, bf16x6 or, of 11 bits, tf32 by tensor cores "
          "(default f32)")
      .offers({"f32", "tf32x3", "bf16x6", "tf32"});
}

void add_problem_flags(Command& command, ProblemOptions& options) {
  const OptionGroup group{command, "Problem"};
  group
      .option("--problem", &options.text,
              "All of it in words: \"M=48 N=40 K=32 A=bf16:row\", as jute plan prints it")
      .usual()
      .without(kSaidByText)
      .says = said_of_ranks;
  group
      .option("--contract TEXT", &options.contract,
              "The product that einsum's letters say: \"abk,kcd->acdb\", with --extents")
      .without(kSaidByNotation);
  group.option("--extents a=N,…", &options.extents, "Of --contract's letters: a=64,b=64,k=1024");
  group
      .option("--conv TEXT", &options.conv,
              "A convolution: \"x=32x56x56x64 w=256x3x3 stride=2 padding=1\"")
      .without(kSaidByNotation);
  group.option("--gradient", &options.gradient, "Of --conv: dx or dw instead of y")
      .one_of({"x", "w"});
  group
      .option("--part", &options.part,
              "Of --gradient x with strides: which of its problems, one for each remainder")
      .non_negative();
  group.option("--m", &options.m, "Rows of A and D").usual().takes(Strays::extent);
  group.option("--m-range LO:HI", &options.m_range,
               "Rows from run to run: prepare the few kernels that serve all of them");
  group.option("--n", &options.n, "Columns of B and D").usual().takes(Strays::extent);
  group.option("--k", &options.k, "Columns of A, rows of B").usual().takes(Strays::extent);
  group.option("--batch", &options.batch, "Matrices in a row (default 1)");
  add_type_flags(command, options);
  add_chip_flags(command, options);
  add_operand_flags(command, options);
  add_scale_flags(command, options.scales);
  add_epilogue_flags(command, options.epilogue);
  add_group_flags(command, options.groups);
  add_row_flags(command, options.rows);
}

void add_choice_flags(Command& command, ProblemOptions& options) {
  const OptionGroup group{command, "Choices"};
  group.option("--batch-invariant", &options.batch_invariant,
               "Sum every row in one order and arithmetic, whatever M is");
  options.choices["specialize"] = "usual";
  for (const char* left : {"pad", "transpose", "widths", "swapped"})
    options.choices[left] = kPlanners;
  for (const ChoiceFlag& row : kChoiceFlags) {
    const bool is_of_ranges = row.choice == "widths";
    if (is_of_ranges && command.find("--problem") == nullptr) continue;
    Option& option = group.option(row.flag, &options.choices[row.choice], row.about);
    if (is_of_ranges && command.find("--m-range") != nullptr)
      option.with({"--m-range", "--problem"});
    if (!row.type.empty()) option.type(std::string(row.type));
    if (row.choice == "specialize")
      option.one_of({"usual", "none", "all", "generic"}).with_default();
    std::istringstream offers{std::string(row.offers)};
    option.offers({std::istream_iterator<std::string>(offers), {}});
    if (row.type.empty() && row.choice != "specialize")
      option.one_of({std::string(kPlanners), "on", "off"}).with_default();
  }
}

Order parse_order(const std::string& flag, const std::string& text) {
  if (text.empty() || text == "row") return Order::row;
  if (text == "col") return Order::col;
  refuse(ErrorCode::unknown_name, flag, text, "an order must be row or col");
}

std::optional<MRange> m_range_of(const ProblemOptions& options) {
  if (!options.text.empty()) return problem_of(options).m_range;
  if (options.m_range.empty()) return std::nullopt;
  return read_flag("--m-range", options.m_range, parse_m_range);
}

bool is_whole_range(const ProblemOptions& options) {
  if (options.text.empty()) return !options.m_range.empty() && !options.m;
  const std::vector<Problem> parts = parse_parts(options.text);
  const Problem& problem = parts.front();
  return parts.size() == 1 && problem.m_range && problem.m == problem.m_range->last;
}

std::optional<EpilogueExpression> epilogue_of(const ProblemOptions& options) {
  if (!options.epilogue.text.empty()) return read_epilogue(options.epilogue.text);
  if (options.text.empty()) return std::nullopt;
  const Problem problem = problem_of(options);
  return problem.epilogue ? std::optional(problem.epilogue->expression) : std::nullopt;
}

AskedTypes asked_types(const ProblemOptions& options) {
  const auto read = [](const std::string& flag, const std::string& text) -> std::optional<DType> {
    if (text.empty()) return std::nullopt;
    return read_type(flag, text);
  };
  const auto both = read("--type", options.type), a = read("--type-a", options.type_a),
             b = read("--type-b", options.type_b);
  // A type that is only stored, 4 bits, says nothing of the other operand.
  const auto usual_by = [&](const std::optional<DType>& other) {
    if (both) return both;
    return other && is_stored_only(*other) ? std::nullopt : other;
  };
  return {a ? a : usual_by(b), b ? b : usual_by(a)};
}

/// Other programs say `row` and `col` with this word.
View read_layout(const std::string& flag, const std::string& text) {
  if (std::isalpha(static_cast<unsigned char>(text.front())) != 0) {
    const std::string order = flag == "--layout-d" ? "--order-c" : "--order-" + flag.substr(9);
    refuse_usage(flag, text,
                 "it must be a layout, as (64,32):(32,1); whether rows "
                 "or columns are contiguous " +
                     order + " says",
                 order);
  }
  return read_flag(flag, text, [](const std::string& layout) { return parse_view(layout); });
}

void put_layouts(Problem& problem, const ProblemOptions& options) {
  struct Row {
    const char* flag;
    const std::string& text;
    Matrix& matrix;
  };
  for (const auto& [flag, text, matrix] : {Row{"--layout-a", options.layout_a, problem.a},
                                           Row{"--layout-b", options.layout_b, problem.b},
                                           Row{"--layout-c", options.layout_c, problem.c},
                                           Row{"--layout-d", options.layout_d, problem.d}})
    if (!text.empty()) matrix.view = read_layout(flag, text);
  if (!options.layout_a.empty() && !options.order_a.empty())
    throw UsageError("--order-a", "it must stand without --layout-a, which says it too");
  if (!options.layout_b.empty() && !options.order_b.empty())
    throw UsageError("--order-b", "it must stand without --layout-b, which says it too");
}

Problem typed_problem(const ProblemOptions& options, const AskedTypes& usual) {
  const AskedTypes asked = asked_types(options);
  Problem problem;
  problem.a.type = asked.a.value_or(usual.a.value_or(DType::f32));
  const DType like_a = is_stored_only(problem.a.type) ? DType::f32 : problem.a.type;
  problem.b.type = asked.b.value_or(usual.b.value_or(like_a));
  put_scales(problem, options.scales);
  const DType multiplied =
      problem.staged.value_or(usual_staged_type(problem).value_or(problem.a.type));
  problem.d.type = options.out_type.empty() ? usual_output_type(multiplied)
                                            : read_type("--out-type", options.out_type);
  problem.c.type = problem.d.type;
  if (!options.accumulate.empty()) problem.accumulate = read_type("--acc", options.accumulate);
  if (!options.precision.empty())
    problem.precision = read_flag("--precision", options.precision, parse_precision);
  problem.a.alignment_bytes = options.align_a;
  problem.b.alignment_bytes = options.align_b;
  problem.c.alignment_bytes = options.align_c;
  problem.d.alignment_bytes = options.align_d;
  return problem;
}

Problem problem_of(const ProblemOptions& options) {
  if (!options.text.empty()) return parse_problem(options.text);
  refuse_scale_files(options.scales);
  Problem problem = typed_problem(options);
  if (is_notation(options)) {
    problem = notation_problem(options, problem);
  } else {
    problem.m_range = m_range_of(options);
    const auto extent = [&](const std::optional<Index>& given, const char* flag, bool is_bound) {
      if (!is_bound || !options.groups.bound) return required(given, flag);
      if (given) throw UsageError(flag, "it must be left out: --bound says it of all groups");
      return *options.groups.bound;
    };
    const std::optional<Groups> groups = groups_of(options.groups);
    const auto cuts = [&](std::initializer_list<GroupKind> kinds) {
      return groups && std::ranges::find(kinds, groups->kind) != kinds.end();
    };
    problem.m = problem.m_range && !options.m
                    ? problem.m_range->last
                    : extent(options.m, "--m", cuts({GroupKind::rows, GroupKind::masked_rows}));
    problem.n = extent(options.n, "--n", cuts({GroupKind::cols}));
    problem.k = extent(options.k, "--k", cuts({GroupKind::k}));
    problem.batch = options.batch.value_or(1);
    put_groups(problem, options.groups);
    problem.a.order = parse_order("--order-a", options.order_a);
    problem.a.ld_elems = options.lda;
    problem.b.order = parse_order("--order-b", options.order_b);
    problem.b.ld_elems = options.ldb;
    problem.c.order = problem.d.order = parse_order("--order-c", options.order_c);
    problem.c.ld_elems = options.ldc;
    problem.d.ld_elems = options.ldd;
    put_layouts(problem, options);
    put_rows(problem, options.rows);
    put_scales(problem, options.scales);  // they lie as their operands do
  }
  add_epilogue(problem, options.epilogue);
  return problem;
}

Config config_of(const ProblemOptions& options) {
  Config config;
  for (const ChoiceFlag& row : kChoiceFlags) {
    const auto chosen = options.choices.find(row.choice);
    if (chosen == options.choices.end() || chosen->second.empty() || chosen->second == kPlanners)
      continue;
    read_flag(std::string(row.flag), chosen->second,
              [&](const std::string& value) { choose(config, row.choice, value); });
  }
  if (config.widths && !options.text.empty() && !parse_parts(options.text).front().m_range)
    throw UsageError("--widths", "it needs a range of M, as M=1:64 is one");
  return config;
}

Config config_for(const ProblemOptions& options, const Problem& problem, const DeviceInfo& chip,
                  const Catalogue& catalogue) {
  const Config config = config_of(options);
  return options.batch_invariant ? batch_invariant(problem, chip, config, catalogue).config
                                 : config;
}

std::optional<DeviceInfo> chip_in_place(const ProblemOptions& options, const Settings& settings) {
  if (options.preset.empty()) return std::nullopt;
  return chip_of(options, settings);
}

DeviceInfo chip_of(const ProblemOptions& options, const Settings& settings) {
  const std::string& arch = options.arch.empty() ? settings.arch : options.arch;
  const std::string flag = options.arch.empty() ? "JUTE_ARCH" : "--arch";
  const auto parsed = [&] {
    return read_flag(flag, arch, [](const std::string& text) { return parse_arch(text); });
  };
  if (options.preset.empty()) return arch.empty() ? device_preset("h200") : preset_for(parsed());
  DeviceInfo chip = named_chip(options.preset);
  if (options.arch.empty()) return chip;
  // The chip's code for another target: an H200 that runs plain sm_80 code.
  const Arch target = parsed();
  if (!provides(chip.arch, target))
    refuse(ErrorCode::illegal_config, flag, to_string(target),
           "the chip must run it: " + chip.name + " is " + to_string(chip.arch),
           to_string(chip.arch));
  chip.arch = target;
  return chip;
}

DeviceInfo named_chip(const std::string& name) {
  const bool is_file = name.find('/') != std::string::npos || name.ends_with(".txt");
  return is_file ? device_of_chip_text(read_text(name)) : device_preset(name);
}

}  // namespace jute::command
