// Fills the templates of warp-specialised kernels.
#include <jute/emit/copy_functions.hpp>
#include <jute/emit/index_function.hpp>
#include <jute/emit/instruction.hpp>
#include <jute/plan/derive/block/arrivals.hpp>
#include <jute/plan/values/group_maps.hpp>
#include <jute/plan/values/products.hpp>
#include <jute/plan/values/promoted_sums.hpp>
#include <jute/plan/values/shares.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>

#include "base/format.hpp"
#include "codegen/boxes.hpp"
#include "codegen/epilogue.hpp"
#include "codegen/epilogue_operands.hpp"
#include "codegen/frames.hpp"
#include "codegen/gathers.hpp"
#include "codegen/groups.hpp"
#include "codegen/parameters.hpp"
#include "codegen/product_scales.hpp"
#include "codegen/stamps.hpp"
#include "codegen/stored_fragments.hpp"
#include "codegen/views.hpp"

namespace jute::codegen {
using namespace emit;
namespace {

bool is_ping_pong(const GemmStep& step) { return step.schedule.ping_pong > 1; }

std::string team_constants(const GemmStep& step, Index groups) {
  return constant("kPingPong", step.schedule.ping_pong, "that take turns") +
         constant("kTeamGroups", groups, "groups of a team") +
         constant("kTeamThreads", size(step.mma), "threads of a team") +
         constant("kTurnOffset", smem_region(step, "turn").offset, "barriers of teams' turns");
}

/// Which terms a product is of.
std::string product_constants(const ProductTable& table) {
  return constant("kProducts", table.products, "of terms of a k-tile") +
         constant("kTerms", table.terms, "of an operand, each a matrix, and a copy in a stage") +
         constant("kTermBits", table.bits, "that name a term") +
         constant("kTermMask", (1 << table.bits) - 1, "of them") +
         constant("kTermsOfA", table.of_a, "by product, from the lowest bits on") +
         constant("kTermsOfB", table.of_b, "likewise");
}

/// What each block of a cluster drains.
std::string share_constants(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const int count = shares(step);
  const std::optional<SubtileDrain>& drain = step.epilogue.drain;
  return constant("kPartsOffset", smem_region(step, "parts").offset, "sums that others read") +
         constant("kShares", count, "of a tile, each drained by a block") +
         constant("kShareElems", kernel.accumulators / count, "sums of a thread in a share") +
         (drain ? constant("kShareTurns", drain->turns / count, "subtiles of a group in a share")
                : "");
}

std::string subtile_functions(const Kernel& kernel, const SubtileDrain& drain) {
  const int bytes = width_bytes(kernel.step.epilogue.d_type);
  return smem_function("subtile_row", "the row of a subtile that a lane points at", drain.write,
                       bytes) +
         coordinate_function("subtile_m", "first row of a subtile in the tile, by group and turn",
                             drain.m) +
         coordinate_function("subtile_n", "its first column", drain.n) +
         (drain.exit != SubtileExit::boxes
              ? smem_function("edge_row", "a row of a subtile, and its columns", drain.edge, bytes)
              : "") +
         (drain.boxes ? layout_function("subtile_box", "where a box begins in a subtile; bytes",
                                        scaled(drain.boxes->place, bytes))
                      : "") +
         subtile_store(drain.store_atom, kernel.templates) +
         (drain.c_atom ? subtile_load(*drain.c_atom, kernel.templates) : "");
}

/// Which k-tile it is a block's turn to load.
std::string turn_piece(const GemmStep& step) {
  if (step.schedule.k_starts == 1) return "";
  const Index most = most_shared_rows(step.tile.m);
  return (has_widths(step) ? base::format("if (n <= {}) ", most) : "") +
         "k_tile = in_turn(k_tile, k_tiles);\n";
}

/// All boxes of a k-tile, by one thread; of which one, where neighbours load others.
std::string load_piece(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const bool has_hints =
      tma_of(step.a).hint != CacheHint::none || tma_of(step.b).hint != CacheHint::none;
  return turn_piece(step) + (has_hints ? "const unsigned long long once = evict_first();\n" : "") +
         tma_piece(kernel.templates, kernel.side_a, step, BoxesTo::stage) +
         tma_piece(kernel.templates, kernel.side_b, step, BoxesTo::stage);
}

/// Boxes of the first k-tiles, for the L2 cache.
std::string ahead_piece(const Kernel& kernel) {
  const auto load = [&](const OperandSide& side) {
    return turn_piece(kernel.step) + tma_piece(kernel.templates, side, kernel.step, BoxesTo::cache);
  };
  return Piece(kernel.templates, "specialised/start.cu (ahead)")
      .fill("load_a", load(kernel.side_a))
      .fill("load_b", load(kernel.side_b))
      .text();
}

std::string start_piece(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const bool says_cluster = jute::says_cluster(step.schedule);
  const bool early = says_cluster || step.schedule.first_stages != FirstStages::after_barrier;
  Piece piece(kernel.templates, early ? "specialised/start.cu (by the initialiser)"
                                      : "specialised/start.cu (after the barrier)");
  const bool c_by_tma = step.epilogue.drain && step.epilogue.drain->c_atom;
  std::string prefetch;
  for (const KernelParameter& parameter : step.parameters)
    if (parameter.kind == ParameterKind::tensor_map && !makes_maps(step))
      prefetch += base::format("prefetch_map({});\n", parameter.name);
  if (early)
    piece
        .fill("ahead",
              step.schedule.first_stages == FirstStages::prefetched ? ahead_piece(kernel) : "")
        .fill("ready", base::format("{}first_cluster < clusters",
                                    says_cluster ? "kClusterBlocks == 1 && " : ""))
        .fill("meet", says_cluster ? "kClusterBlocks == 1 ? __syncthreads() : cluster_barrier();"
                                   : "cluster_barrier();");
  return piece.fill("prefetch", prefetch)
      .fill(
          "more_barriers",
          (c_by_tma ? text(kernel, "specialised/start.cu (barriers of C)") : "") +
              (is_ping_pong(step) ? text(kernel, "specialised/start.cu (barriers of turns)") : ""))
      .fill("release", release_piece(step, Release::at_start))
      .text();
}

/// One of the pieces that load C, or what lands in its place.
std::string c_load_piece(const Kernel& kernel, const char* name) {
  const EpiloguePlan& out = kernel.step.epilogue;
  const std::optional<int>& input = out.drain->input;
  const Extent& stride =
      input ? out.inputs.at(static_cast<size_t>(*input)).batch_stride : out.c_batch_stride;
  const bool by_rows = out.d_order == Order::row;
  return landing_piece(kernel.templates, kernel.step, name)
      .fill("inner", by_rows ? "col" : "row")
      .fill("outer", by_rows ? "row" : "col")
      .fill("matrix", is_always(stride, 0) ? "0" : "at.matrix")
      .text();
}

/// What a group computes once.
std::string before_piece(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  std::string lines =
      text(kernel, "specialised/group.cu") + text(kernel, path_of_release(step)) +
      text(kernel, is_ping_pong(step) ? "specialised/ping_pong.cu (in turn)"
                                      : "specialised/ping_pong.cu (one)") +
      (descriptor_of(step.a) ? text(kernel, "specialised/products.cu (matrices)")
       : has_stored_boxes(step.a)
           ? stored_places(kernel)
           : text(kernel, "specialised/fragments.cu (places)") +
                 feed_piece(kernel.templates, kernel.side_a, kernel.step) +
                 feed_piece(kernel.templates, kernel.side_b, kernel.step) + multiply_piece(kernel));
  const std::optional<SubtileDrain>& drain = step.epilogue.drain;
  if (drain) lines += text(kernel, "specialised/subtiles.cu (place)");
  return lines + gather_before_tiles(kernel.templates, step) +
         (drain && drain->c_atom ? c_load_piece(kernel, "load") : "");
}

/// What is done while products run: C and inputs are asked for, the next team has its turn.
std::string meanwhile(const Kernel& kernel) {
  const std::optional<SubtileDrain>& drain = kernel.step.epilogue.drain;
  const bool has_subtiles =
      drain && drain->c_atom && smem_region(kernel.step, "subtile").alive != Alive::epilogue;
  return (has_subtiles ? landing_piece(kernel.templates, kernel.step, "ahead").text() : "") +
         (reads_ahead(kernel.templates, kernel.step) && !reduces_in_cluster(kernel.step.schedule)
              ? text(kernel, "specialised/subtiles.cu (first inputs)")
              : "") +
         (is_ping_pong(kernel.step) ? text(kernel, "specialised/ping_pong.cu (give)") : "");
}

std::string products_piece(const Kernel& kernel) {
  if (has_widths(kernel.step))
    return products_by_width(atoms_of_widths(kernel.step), meanwhile(kernel), kernel.templates);
  if (has_stored_boxes(kernel.step.a)) return stored_products(kernel, meanwhile(kernel));
  const int run = kernel.step.promote_every_k;
  if (adds_by_instruction(kernel.step)) return promoted_by_instruction(kernel, meanwhile(kernel));
  Piece piece(kernel.templates, !descriptor_of(kernel.step.a) ? "specialised/fragments.cu"
                                : run > 0                     ? "specialised/products.cu (promoted)"
                                                              : "specialised/products.cu");
  piece.fill("meanwhile", meanwhile(kernel));
  if (!descriptor_of(kernel.step.a)) return piece.text();
  if (run > 0)
    piece.fill("scales", scales_of_run(kernel))
        .fill("add", scaled_addition(kernel, "part.elem[i]"));
  Piece issue(kernel.templates, kernel.step.products.empty() ? "specialised/products.cu (issue)"
                                                             : "specialised/products.cu (terms)");
  issue.fill("sums", run > 0 ? "part" : "acc")
      .fill("adds", run > 0 ? "k_tile > run_start" : "k_tile > 0")
      .fill_if("mma", "mma");
  if (run > 0) piece.fill("run", run);
  return scales_of_tile(kernel) + piece.fill("issue", issue.text()).text();
}

/// Of sliced tiles by the block that holds all sums, or part by part.
std::string drain_piece(const Kernel& kernel) {
  const KernelSchedule& schedule = kernel.step.schedule;
  const std::string drain = epilogue_piece(kernel.templates, kernel.step);
  const auto piece = [&](const char* name) {
    return Piece(kernel.templates, base::format("specialised/slices.cu ({})", name));
  };
  if (!takes_split_k(kernel.step)) return drain;
  if (reduces_in_cluster(schedule))
    return piece("exchange").text() + piece("portion").fill("drain", drain).text();
  const bool is_launched = says_split_k(schedule);
  const bool are_some = schedule.whole_tiles > 0;
  std::string met = piece(is_launched ? "parts, launched"
                          : are_some  ? "parts, behind"
                                      : "parts")
                        .text();
  if (schedule.reduction == SplitK::all_add)
    return met + piece("share").fill("drain", drain).text();
  met += reduction_of_slices(is_launched ? Slices::launched : Slices::planned,
                             schedule.split_k_at_run_time ? Columns::launched : Columns::all,
                             kernel.templates);
  if (is_launched || are_some) met = piece("if any").fill("meet", met).text();
  return met + piece("last").fill("drain", drain).text();
}

/// Products of a tile, and its drain.
std::string work_of_tile(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const bool from_zero = step.schedule.split_k_at_run_time;
  const std::string ends = release_piece(step, Release::after_main_loop);
  return (is_ping_pong(step) ? text(kernel, "specialised/ping_pong.cu (take)") : "") +
         if_stamped(kernel, "kernel/stamp.cu (first data)") +
         (from_zero ? text(kernel, "specialised/products.cu (from zero)") : "") +
         operands_ahead(kernel.templates, step) + products_piece(kernel) +
         stamp_piece(step, Moment::multiplied) +
         (is_ping_pong(step) ? text(kernel, "specialised/ping_pong.cu (over)") : "") +
         (ends.empty() ? "" : "if (cluster + cluster_step >= clusters) " + ends) +
         drain_piece(kernel) + stamp_piece(step, Moment::drained);
}

std::string consumer_piece(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const int registers = role_of(step, "consumer").registers;
  return Piece(kernel.templates, "specialised/consumer.cu")
      .fill("begin", says_stages(step) ? "{0, 0, kStages}" : "")
      .fill("before", registers > 0 ? base::format("take_registers<{}>();\n", registers) : "")
      .fill("share", before_piece(kernel))
      .fill("main_loop", origin_piece(kernel) + work_of_rows(kernel, work_of_tile(kernel)))
      .fill("after",
            std::string(step.epilogue.drain && !leaves_by_rows(*step.epilogue.drain)
                            ? "if (in_group == 0) wait_stores_read<0>();\n"
                            : "") +
                (reduces_in_cluster(step.schedule) ? text(kernel, "specialised/slices.cu (taken)")
                                                   : ""))
      .text();
}

}  // namespace

std::string specialised_constants(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const KernelSchedule& schedule = step.schedule;
  const Signal &full = signal_of(step, "full"), &free = signal_of(step, "free");
  const Index groups = size(step.mma) / std::max(32, threads(step.mma.atom()));
  std::string result =
      constant("kConsumerWarps", role_of(step, "consumer").warps,
               "the producer's come after them") +
      constant("kGroups", step.schedule.ping_pong * groups, "groups of consumers") +
      (is_ping_pong(step) ? team_constants(step, groups) : "") +
      constant("kGroupThreads", std::max(32, threads(step.mma.atom())),
               "threads that multiply and drain together") +
      constant("kClusterM", schedule.cluster.m, "blocks along M that share tiles of B") +
      constant("kClusterN", schedule.cluster.n, "blocks along N that share tiles of A") +
      constant("kClusterBlocks", blocks(schedule.cluster), "blocks of a cluster") +
      constant("kFullArrivals", full.arrivals, "of the producer, when it has asked for a stage") +
      constant("kFullBytes", full.bytes, "of a stage") +
      (says_cluster(schedule)
           ? constant("kReaders", free.arrivals, "groups of each block") +
                 constant("kStagesAlignment", kStagesAlignment, "where stages of A and of B begin")
           : "") +
      constant("kFreeArrivals", free.arrivals, "of the groups that have read a stage") +
      constant("kOffsetA", smem_region(step, "a").offset, "A's stages in shared memory") +
      constant("kOffsetB", smem_region(step, "b").offset, "B's stages") +
      constant("kFullOffset", smem_region(step, "full").offset, "barriers of stages that land") +
      constant("kFreeOffset", smem_region(step, "free").offset, "barriers of stages that are read");
  if (step.epilogue.drain)
    result +=
        constant("kSubtileOffset", smem_region(step, "subtile").offset, "the groups' subtiles") +
        subtile_constants(*step.epilogue.drain, step.epilogue.d_type);
  if (step.epilogue.drain && step.epilogue.drain->c_atom)
    result += constant("kCFullOffset", smem_region(step, "c_full").offset,
                       "barriers of subtiles that C lands in") +
              constant("kCBytes", signal_of(step, "c_full").bytes, "of C in a subtile");
  if (const auto vectors = std::ranges::find(step.smem_map, "vectors", &SmemRegion::name);
      vectors != step.smem_map.end())
    result += constant("kVectorsOffset", vectors->offset, "what tiles have of vectors") +
              constant("kVectorBytes", vectors->bytes / vectors->copies, "of a group's");
  if (reduces_in_cluster(schedule)) result += share_constants(kernel);
  if (step.promote_every_k > 0)
    result += constant("kPromoteTiles", step.promote_every_k / step.tile.k,
                       "k-tiles that the tensor core sums before threads add them");
  result += scale_constants(kernel);
  if (!step.products.empty()) result += product_constants(product_table(step));
  result += stamp_constants(step);
  if (descriptor_of(step.a)) result += matrix_constant("A", descriptor_of(step.a)->bits);
  if (descriptor_of(step.b)) result += matrix_constant("B", descriptor_of(step.b)->bits);
  return result;
}

std::string specialised_functions(const Kernel& kernel) {
  const KernelSchedule& schedule = kernel.step.schedule;
  const bool in_groups = lies_in_groups(schedule), along_n = lies_along_n(schedule),
             is_dealt = kernel.step.groups.has_value(), are_cut = schedule.whole_tiles > 0,
             come = awaits_arrivals(kernel.step);
  const auto piece = [&](const char* name) {
    return Piece(kernel.templates, base::format("specialised/place.cu ({})", name));
  };
  Piece place = piece(walks(schedule) ? "walk" : in_groups ? "grid, grouped" : "grid");
  place.fill_if("m", along_n ? "y" : "x")
      .fill_if("n", along_n ? "x" : "y")
      .fill_if("split_k", takes_split_k(kernel.step) ? " / kSplitK" : "");
  const bool is_launched = has_widths(kernel.step) || says_cluster(schedule);
  std::string result =
      text(kernel, "specialised/place.cu") +
      (in_groups || is_launched || is_dealt || are_cut || come ? piece("groups").text() : "") +
      (is_launched || is_dealt || are_cut || come ? "" : place.text()) + stamp_functions(kernel);
  if (come)
    result +=
        text(kernel, "specialised/arrivals.cu") + text(kernel, "specialised/arrivals.cu (wait)");
  if (schedule.k_starts > 1)
    result += constant("kStarts", schedule.k_starts, "places of K at which blocks begin in turn") +
              text(kernel, "specialised/load_stage.cu (in turn)");
  if (kernel.step.epilogue.drain) result += subtile_functions(kernel, *kernel.step.epilogue.drain);
  result += subtiles_of_views(kernel.step) + scale_functions(kernel);
  return result;
}

Piece specialised_body(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const int registers = role_of(step, "producer").registers;
  Piece producer(kernel.templates, "specialised/producer.cu");
  const bool has_maps = makes_maps(step);
  producer.fill("begin", says_stages(step) ? "{0, 0, kStages}" : "")
      .fill("more", says_stages(step) ? ", kStages" : "")
      .fill("registers",
            registers > 0 ? base::format("give_registers_away<{}>();\n", registers) : "")
      .fill("maps", has_maps ? text(kernel, "kernel/each.cu (first maps)") : "")
      .fill("behind", step.epilogue.drain && step.epilogue.drain->by_ring > 0
                          ? c_load_piece(kernel, "behind")
                          : "")
      .fill("tile", maps_of_tile(kernel));
  const bool come = awaits_arrivals(step);
  Piece load_stage(kernel.templates,
                   come ? "specialised/arrivals.cu (load stage)" : "specialised/load_stage.cu");
  load_stage
      .fill("bytes",
            "kFullBytes" + less_left_out(kernel.side_a, step) + less_left_out(kernel.side_b, step))
      .fill_if("maps", has_maps ? text(kernel, "kernel/each.cu (maps of a stage)") : "")
      .fill("load", load_piece(kernel));
  const char* const k_tiles = has_maps                        ? "specialised/k_tiles.cu (most)"
                              : !takes_split_k(step)          ? "specialised/k_tiles.cu (all)"
                              : says_split_k(step.schedule)   ? "specialised/k_tiles.cu (launched)"
                              : step.schedule.whole_tiles > 0 ? "specialised/k_tiles.cu (some)"
                                                              : "specialised/k_tiles.cu (slice)";
  const char* const walk = says_cluster(step.schedule) ? "specialised/place.cu (launched)"
                           : walks(step.schedule)      ? "specialised/walk.cu"
                                                       : "specialised/walk.cu (one tile)";
  Piece piece(kernel.templates, "kernel/warp_specialised.cu");
  piece
      .fill("share", text(kernel, descriptor_of(step.b) ? "specialised/start.cu (settled addresses)"
                                                        : "specialised/start.cu (addresses)") +
                         literal_text(step) +
                         (has_widths(step) ? text(kernel, "specialised/place.cu (width)") : "") +
                         (step.groups ? dealt_place(kernel) : "") +
                         (come ? text(kernel, "specialised/arrivals.cu (place)") : "") +
                         (step.schedule.whole_tiles > 0 ? cut_place(kernel) : "") +
                         text(kernel, k_tiles) + text(kernel, walk) + load_stage.text() +
                         if_stamped(kernel, "kernel/stamp.cu (begin)") + start_piece(kernel) +
                         release_piece(step, Release::after_previous) +
                         if_stamped(kernel, "kernel/stamp.cu (start)"))
      .fill("producer", producer.text() + staged_scales_piece(kernel))
      .fill("consumer", consumer_piece(kernel))
      .fill("leave",
            stamp_piece(step, Moment::end) +
                (says_cluster(step.schedule)
                     ? text(kernel, "specialised/release.cu (leave, launched)")
                 : may_be_clustered(step.schedule) ? text(kernel, "specialised/release.cu (leave)")
                                                   : ""));
  return piece;
}

}  // namespace jute::codegen
