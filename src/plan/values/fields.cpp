// The facts of a plan, one table a value.
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/values/promoted_sums.hpp>

#include <array>

#include "base/format.hpp"
#include "plan/values/products.hpp"
#include "plan/values/sums.hpp"

namespace jute {
namespace {

// Spellings in the order of the enumerations.
constexpr std::array kTransfers{"straight", "registers", "cp_async", "tma"};
constexpr std::array kStores{"direct", "staged_rows", "subtiles"};
constexpr std::array kOrders{"after_previous", "overlap_previous"}, kAccuracies{"full", "half"};
constexpr std::array kResidencies{"any", "whole_grid"}, kHints{"none", "evict_first"};
constexpr std::array kSwizzles{"none", "32B", "64B", "128B"};
constexpr std::array kLoopWords{"straight", "register_staged", "multistage", "warp_specialised"};
constexpr std::array kReductionWords{"last_adds", "all_add", "distributed"};
constexpr std::array kFirstStagesWords{"after_barrier", "by_initialiser", "prefetched"};
constexpr std::array kReleaseWords{"never", "after_main_loop", "at_start", "after_previous"};
constexpr std::array kSignals{"mbarrier", "bulk_group", "counter", "named_barrier",
                              "cluster_barrier"};
constexpr std::array kExtentWords{"scalar", "rows", "columns", "elements", "blocks"};
constexpr std::array kGathers{"elements", "amax",     "sum",     "row_sum",
                              "col_sum",  "row_amax", "col_amax"};
constexpr std::array kAliveWords{"main_loop", "epilogue", "whole_kernel"};

std::string word(const auto& words, auto value) { return words.at(static_cast<size_t>(value)); }
std::string named(auto value) { return std::string(name(value)); }

/// A literal as it is; what a run decides as planned, and from what.
Field field_of(const char* name, const Extent& extent) {
  const auto& [expression, value, baked, of] = extent;
  const std::string count = to_string(expression),
                    multiple = of > 1 ? base::format(", a multiple of {}", of) : "";
  return {name,
          Fields{{"value", value}, {"baked", baked}, {"count", count}, {"multiple_of", Index{of}}},
          base::format("{} ({} {}{})", value, baked ? "literal" : "run-time", count, multiple)};
}

void add_text(Fields& list, std::string_view name, const auto& view) {
  if (view) list.push_back({std::string(name), to_string(*view)});
}
Fields fields_of(const Matrix& matrix) {
  Fields list{{"type", named(matrix.type)},    {"order", named(matrix.order)},
              {"ld_elems", matrix.ld_elems},   {"batch_stride_elems", matrix.batch_stride_elems},
              {"broadcast", matrix.broadcast}, {"alignment_bytes", Index{matrix.alignment_bytes}}};
  add_text(list, "view", matrix.view);
  add_text(list, "rows", matrix.rows);
  return list;
}

Fields fields_of(const TiledMma& mma) {
  return {{"atom", mma.atom().name},
          {"ptx", mma.atom().ptx},
          {"atom_layout", to_string(mma.atom_layout())},
          {"permutation", to_string(mma.permutation())},
          {"a_tv", to_string(layoutA_TV(mma))},
          {"b_tv", to_string(layoutB_TV(mma))},
          {"c_tv", to_string(layoutC_TV(mma))}};
}

std::string boxes_text(const TmaBoxes& boxes) {
  return base::format("{}x{} swizzle {}, {} parts along {}, at {}", boxes.inner, boxes.outer,
                      word(kSwizzles, boxes.swizzle), boxes.parts, named(boxes.parts_along),
                      to_string(boxes.place));
}
std::string boxes_text(const DescriptorRead& read) {
  return base::format("{:#018x} from {}", read.bits, to_string(read.start));
}

void add_coordinates(Fields& list, const auto& place) {
  list.push_back({"copy_mn", to_string(place.copy_mn)});
  list.push_back({"copy_k", to_string(place.copy_k)});
}
void add_copy(Fields& list, const ThreadCopy& copy) {
  list.push_back({"copy_tv", to_string(copy.copy_tv)});
  add_coordinates(list, copy);
}

/// A stage, and what threads do with it.
void add_stage(Fields& list, const StagedTile& stage, const CopiedWay* copied) {
  const auto* const read = std::get_if<FragmentRead>(&stage.read);
  if (read != nullptr && read->copy_mn != Address()) add_coordinates(list, *read);
  list.push_back({"smem", to_string(stage.smem)});
  list.push_back({"stage_stride_elems", stage.stage_stride_elems});
  if (copied != nullptr) list.push_back({"smem_store_elems", Index{copied->store_elems}});
  if (read != nullptr) {
    const std::string bytes = read->bytes ? ", bytes " + to_string(*read->bytes) : "";
    list.push_back({"smem_read_elems", Index{read->elems}});
    list.push_back({"read_order", to_string(read->order)});
    list.push_back({"read_atom", (read->atom ? read->atom->name : "none") + bytes});
  }
  if (copied != nullptr) list.push_back({"store_address", to_string(copied->store)});
  if (read != nullptr) list.push_back({"read_address", to_string(read->address)});
}

void add_way(Fields& list, const StraightWay& way) {
  list.insert(list.end(), {{"shifted", way.shifted}, {"from_chunk", way.from_chunk}});
  add_copy(list, way);
  if (way.order != Layout()) list.push_back({"read_order", to_string(way.order)});
}
void add_way(Fields& list, const CopiedWay& way) {
  add_copy(list, way), add_stage(list, way, &way);
}
void add_way(Fields& list, const TmaWay& way) {
  add_stage(list, way, nullptr);
  list.push_back({"boxes", way.boxes ? boxes_text(*way.boxes) : "none"});
  add_text(list, "boxed", way.boxed);
  add_text(list, "map", way.map);
}

Fields fields_of(const OperandPlan& operand) {
  Fields list{{"type", named(operand.type)},
              {"major", named(operand.major)},
              field_of("ld", operand.ld),
              field_of("batch_stride", operand.batch_stride),
              {"transfer", word(kTransfers, transfer_of(operand))}};
  if (const auto* const tma = std::get_if<TmaWay>(&operand.way))
    list.insert(list.end(),
                {{"hint", word(kHints, tma->hint)}, {"edge_unit", Index{tma->edge_unit}}});
  list.push_back({"vector_elems", Index{operand.vector_elems}});
  std::visit([&](const auto& way) { add_way(list, way); }, operand.way);
  if (const DescriptorRead* const read = descriptor_of(operand))
    list.push_back({"descriptor", boxes_text(*read)});
  add_text(list, "view", operand.view);
  add_text(list, "rows", operand.rows);
  add_text(list, "stored", operand.stored);
  add_text(list, "scales", operand.scales);
  return list;
}

std::string text_of_edge(const SubtileDrain& drain) {
  if (drain.exit == SubtileExit::boxes) return "none";
  return (drain.exit == SubtileExit::rows ? "everywhere, by rows, " : "by rows, ") +
         to_string(drain.edge);
}

std::string boxes_text(const SubtileDrain& drain) {
  return base::format(
      "{}, {} groups of {} copies {} apart, {} turns at {}, {}, by {} to {}; boxes {}; edge {}; {} "
      "by {}{}{}",
      to_string(drain.subtile), drain.groups, drain.copies, drain.stride_elems, drain.turns,
      to_string(drain.m), to_string(drain.n), drain.store_atom.name, to_string(drain.write),
      drain.boxes ? boxes_text(*drain.boxes) : std::string("none"), text_of_edge(drain),
      drain.input ? base::format("input {}", *drain.input) : std::string("C"),
      drain.c_atom ? drain.c_atom->name : std::string("threads"), drain.apart ? "; apart" : "",
      drain.by_ring > 0 ? base::format("; {} turns by the ring", drain.by_ring) : "");
}

Fields fields_of(const KernelSchedule& schedule) {
  std::string roles;
  for (const Role& role : schedule.roles)
    roles += base::format("{}{} {} warps", roles.empty() ? "" : ", ", role.name, role.warps) +
             (role.registers > 0 ? base::format(" of {} registers", role.registers) : "");
  Fields list{{"main_loop", word(kLoopWords, schedule.main_loop)},
              {"roles", roles},
              {"stages", Index{schedule.stages}},
              {"products_in_flight", Index{schedule.products_in_flight}},
              {"first_stages", word(kFirstStagesWords, schedule.first_stages)},
              {"releases", word(kReleaseWords, schedule.releases)},
              {"cluster", std::vector<Index>{schedule.cluster.m, schedule.cluster.n}},
              {"persistent_blocks", Index{schedule.persistent_blocks}},
              {"ping_pong", Index{schedule.ping_pong}},
              {"split_k", Index{schedule.split_k}},
              {"reduction", word(kReductionWords, schedule.reduction)},
              {"raster_width", Index{schedule.raster_width}},
              {"blocks_per_sm", Index{schedule.blocks_per_sm}},
              {"unrolled_k_steps", Index{schedule.unrolled_k_steps}},
              {"k_steps_at_once", Index{schedule.k_steps_at_once}},
              {"lanes_of_k", Index{schedule.lanes_of_k}},
              {"is_generic", schedule.is_generic}};
  if (schedule.k_starts != 1) list.push_back({"k_starts", Index{schedule.k_starts}});
  if (is_batch_first(schedule))
    list.push_back({"matrices_per_block", Index{schedule.matrices_per_block}});
  if (schedule.launches == Launches::alone) list.push_back({"launches", std::string("alone")});
  if (schedule.whole_tiles > 0) list.push_back({"whole_tiles", schedule.whole_tiles});
  if (schedule.split_k_at_run_time) list.push_back({"split_k_at_run_time", true});
  if (!schedule.widths.empty())
    list.push_back({"widths", std::vector<Index>(schedule.widths.begin(), schedule.widths.end())});
  return list;
}

FieldList list_of(const std::vector<Signal>& signals) {
  FieldList list;
  for (const Signal& signal : signals)
    list.items.push_back(
        {"signal",
         Fields{{"name", signal.name},
                {"kind", word(kSignals, signal.kind)},
                {"copies", Index{signal.copies}},
                {"arrivals", Index{signal.arrivals}},
                {"bytes", Index{signal.bytes}},
                {"in_cluster", signal.in_cluster},
                {"raised_by", signal.raised_by},
                {"awaited_by", signal.awaited_by}},
         base::format("{} {} x{}, {} arrivals and {} bytes in the {}, {} > {}", signal.name,
                      word(kSignals, signal.kind), signal.copies, signal.arrivals, signal.bytes,
                      signal.in_cluster ? "cluster" : "block", signal.raised_by,
                      signal.awaited_by)});
  return list;
}

std::string boxes_text(const GatherLines& lines) {
  return base::format("value {} of lines {}, lanes {}, part {} of {}", to_string(lines.slot),
                      to_string(lines.line), lines.lanes, to_string(lines.part), lines.parts);
}

std::string boxes_text(const BitWords& words) {
  return base::format("words of {}, lanes {}, value {} of words from values {}", words.bits,
                      words.lanes, to_string(words.slot), to_string(words.value));
}

FieldList list_of(const char* what, const std::vector<EpilogueOperandPlan>& operands) {
  FieldList list;
  for (const EpilogueOperandPlan& operand : operands) {
    const Fields all{{"name", operand.name},
                     {"extent", word(kExtentWords, operand.extent)},
                     {"gather", word(kGathers, operand.gather)},
                     {"type", named(operand.type)},
                     {"order", named(operand.order)},
                     {"by_value", operand.by_value},
                     {"is_bits", operand.is_bits},
                     field_of("ld", operand.ld),
                     field_of("batch_stride", operand.batch_stride),
                     {"vector_elems", Index{operand.vector_elems}},
                     {"lines", operand.lines ? boxes_text(*operand.lines) : std::string("none")},
                     {"packed", operand.packed ? boxes_text(*operand.packed) : std::string("none")},
                     {"staged", operand.staged ? base::format("from {}", *operand.staged) : "no"}};
    list.items.push_back({what, all});
  }
  return list;
}

Fields fields_of(const EpiloguePlan& out) {
  Fields list{{"store", word(kStores, out.store)},
              {"expression", to_string(out.expression)},
              {"alpha", named(out.alpha)},
              {"beta", named(out.beta)},
              {"compute", named(out.compute)},
              {"accuracy", word(kAccuracies, out.accuracy)},
              {"c_type", named(out.c_type)},
              {"d_type", named(out.d_type)},
              {"c_order", named(out.c_order)},
              {"d_order", named(out.d_order)},
              field_of("ldc", out.ldc),
              field_of("ldd", out.ldd),
              field_of("c_batch_stride", out.c_batch_stride),
              field_of("d_batch_stride", out.d_batch_stride),
              {"vector_elems", Index{out.vector_elems}},
              {"c_vector_elems", Index{out.c_vector_elems}},
              {"stores_together", Index{out.stores_together}},
              {"order", to_string(out.order)},
              {"m", to_string(out.m)},
              {"n", to_string(out.n)},
              {"stage", to_string(out.stage)},
              {"row_tv", to_string(out.row_tv)},
              {"stage_write_elems", Index{out.stage_write_elems}},
              {"stage_read_elems", Index{out.stage_read_elems}},
              {"write_address", to_string(out.stage_write)},
              {"read_address", to_string(out.stage_read)},
              {"drain", out.drain ? boxes_text(*out.drain) : std::string("none")},
              {"inputs", list_of("input", out.inputs)},
              {"outputs", list_of("output", out.outputs)}};
  add_text(list, "c_view", out.c_view);
  add_text(list, "d_view", out.d_view);
  add_text(list, "c_boxed", out.c_boxed);
  add_text(list, "d_boxed", out.d_boxed);
  add_text(list, "d_rows", out.d_rows);
  if (out.drain && out.drain->c_map) list.push_back({"c_map", to_string(*out.drain->c_map)});
  if (out.drain && out.drain->map) list.push_back({"d_map", to_string(*out.drain->map)});
  return list;
}

FieldList list_of(const std::vector<SmemRegion>& regions) {
  FieldList list;
  for (const SmemRegion& region : regions)
    list.items.push_back({"smem",
                          Fields{{"name", region.name},
                                 {"offset", region.offset},
                                 {"bytes", region.bytes},
                                 {"alignment", region.alignment},
                                 {"copies", Index{region.copies}},
                                 {"alive", word(kAliveWords, region.alive)}},
                          base::format("{} from {}, {} bytes, aligned to {}, copies {}, {}",
                                       region.name, region.offset, region.bytes, region.alignment,
                                       region.copies, word(kAliveWords, region.alive))});
  return list;
}

FieldList list_of(const std::vector<KernelParameter>& parameters) {
  FieldList list;
  for (const auto& one : parameters) list.items.push_back({"parameter", to_string(one)});
  return list;
}

/// Fields that every step has, behind its kind.
Fields fields_of(const StepHead& head, const RunValues& planned) {
  const auto at = [&](int axis) { return head.grid[static_cast<size_t>(axis)].evaluate(planned); };
  return {{"symbol", head.symbol},
          {"arch", to_string(head.arch)},
          {"parameters", list_of(head.parameters)},
          {"grid", std::vector<Index>{at(0), at(1), at(2)}},
          {"blocks", base::format("({},{},{})", to_string(head.grid[0]), to_string(head.grid[1]),
                                  to_string(head.grid[2]))},
          {"threads", Index{head.threads}},
          {"cluster", std::vector<Index>{head.cluster.x, head.cluster.y, head.cluster.z}},
          {"dynamic_smem_bytes", head.dynamic_smem_bytes},
          {"order", word(kOrders, head.order)},
          {"residency", word(kResidencies, head.residency)}};
}

Fields fields_of(const MoveStep& step, const RunValues& planned) {
  Fields list{{"kind", std::string("move")}};
  for (Field& field : fields_of(static_cast<const StepHead&>(step), planned))
    list.push_back(std::move(field));
  list.push_back({"releases", word(kReleaseWords, step.releases)});
  for (const Move& move : step.moves)
    list.push_back({base::format("move_{}", name(move.tensor)), plan::fields_of(move, planned)});
  if (!step.sums.empty()) list.push_back({"sums", plan::text_of(step)});
  for (const OperandSum& sum : step.sums)
    list.push_back({base::format("sum_{}", name(sum.tensor)), plan::fields_of(sum, planned)});
  return list;
}

Fields fields_of(const GemmStep& step, const RunValues& planned) {
  Fields list{{"kind", std::string("gemm")}};
  for (Field& field : fields_of(static_cast<const StepHead&>(step), planned))
    list.push_back(std::move(field));
  const Fields own{{"transposed", step.transposed},
                   field_of("m", step.m),
                   field_of("n", step.n),
                   field_of("k", step.k),
                   field_of("batch", step.batch),
                   {"accumulate", named(step.accumulate)},
                   {"promote_every_k", Index{step.promote_every_k}},
                   {"products", plan::to_string(step.products)},
                   {"tile", std::vector<Index>{step.tile.m, step.tile.n, step.tile.k}},
                   {"mma", fields_of(step.mma)},
                   {"schedule", fields_of(step.schedule)},
                   {"a", fields_of(step.a)},
                   {"b", fields_of(step.b)},
                   {"epilogue", fields_of(step.epilogue)},
                   {"smem", list_of(step.smem_map)},
                   {"signals", list_of(step.signals)},
                   {"block", to_string(step.block)}};
  for (const Field& field : own) list.push_back(field);
  if (step.groups) list.push_back({"groups", to_string(*step.groups)});
  if (step.gate) list.push_back({"gate", to_string(*step.gate)});
  return list;
}

}  // namespace

Fields fields(const Problem& problem) {
  Fields list{
      {"m", problem.m},
      {"n", problem.n},
      {"k", problem.k},
      {"batch", problem.batch},
      {"a", fields_of(problem.a)},
      {"b", fields_of(problem.b)},
      {"c", fields_of(problem.c)},
      {"d", fields_of(problem.d)},
      {"accumulate", problem.accumulate ? named(*problem.accumulate) : std::string("usual")},
      {"precision", named(problem.precision)},
      {"alpha", named(problem.alpha)},
      {"beta", named(problem.beta)},
      {"m_range", problem.m_range ? to_string(*problem.m_range) : std::string("none")},
      {"epilogue", problem.epilogue ? to_string(problem.epilogue->expression) : "usual"}};
  if (problem.groups) list.push_back({"groups", to_string(*problem.groups)});
  if (problem.gate) list.push_back({"gate", std::string(name(*problem.gate))});
  const auto add = [&](const char* name, const std::optional<BlockValues>& numbers) {
    if (!numbers) return;
    list.push_back({name, fields_of(static_cast<const Matrix&>(*numbers))});
    std::get<Fields>(list.back().value).push_back({"block", to_string(numbers->block)});
  };
  add("scale_a", problem.scale_a.scale);
  add("scale_b", problem.scale_b.scale);
  add("zero_a", problem.scale_a.zero);
  add("zero_b", problem.scale_b.zero);
  for (const auto& [name, scale] :
       {std::pair("offset_a", &problem.scale_a), std::pair("offset_b", &problem.scale_b)})
    if (scale->offset != 0) list.push_back({name, base::format("{}", scale->offset)});
  if (problem.staged) list.push_back({"staged", named(*problem.staged)});
  return list;
}

Fields fields(const Step& step, const RunValues& planned) {
  return std::visit([&](const auto& one) { return fields_of(one, planned); }, step);
}

}  // namespace jute
