// Fills the templates of warp-specialised kernels.
#include <jute/emit/copy_functions.hpp>
#include <jute/emit/index_function.hpp>
#include <jute/emit/instruction.hpp>
#include <jute/plan/derive/block/arrivals.hpp>
#include <jute/plan/values/carried_stages.hpp>
#include <jute/plan/values/group_maps.hpp>
#include <jute/plan/values/products.hpp>
#include <jute/plan/values/promoted_sums.hpp>
#include <jute/plan/values/shares.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>

#include "base/format.hpp"
#include "codegen/boxes.hpp"
#include "codegen/carried.hpp"
#include "codegen/edges.hpp"
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

/// Has the block's tile no other behind it?
bool has_one_tile(const KernelSchedule& schedule) {
  return !says_cluster(schedule) && !walks(schedule);
}
/// Are the first k-tiles asked for ahead of the barrier?
bool loads_early(const GemmStep& step) {
  return says_cluster(step.schedule) || step.schedule.first_stages != FirstStages::after_barrier;
}

/// Which k-tile it is a block's turn to load.
std::string turn_piece(const GemmStep& step) {
  if (step.schedule.k_starts == 1) return "";
  const Index most = most_shared_rows(step.tile.m);
  return (has_widths(step) ? base::format("if (n <= {}) ", most) : "") +
         "k_tile = " + call("in_turn", "k_tile, k_tiles");
}

/// All boxes of a k-tile, by one thread; of which one, where neighbours load others.
std::string load_piece(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const bool has_hints =
      tma_of(step.a).hint != CacheHint::none || tma_of(step.b).hint != CacheHint::none;
  std::string boxes;
  for (const OperandSide* side : {&kernel.side_a, &kernel.side_b})
    if (!is_carried(step, *side->plan))
      boxes += tma_piece(kernel.templates, *side, step, BoxesTo::stage);
  return turn_piece(step) +
         (has_hints ? "const unsigned long long once = " + call("evict_first") : "") + boxes;
}

/// Is it what a producer makes its groups' maps of, by which no box comes?
bool is_replaced(const KernelParameter& parameter) {
  const auto* map = std::get_if<MapOf>(&parameter.role);
  return map != nullptr && map->base == Base(InWorkspace{std::string(kMadeMaps)});
}

/// Only where a tile comes to the block at once.
std::string if_has_tile(const GemmStep& step) {
  return only_if(joined({{has_one_tile(step.schedule), "first_cluster < clusters"}}));
}

/// Boxes of the first k-tiles, for the L2 cache.
std::string ahead_piece(const Kernel& kernel) {
  const auto load = [&](const OperandSide& side) {
    return turn_piece(kernel.step) + tma_piece(kernel.templates, side, kernel.step, BoxesTo::cache);
  };
  return Piece(kernel.templates, "specialised/start.cu (ahead)")
      .fill("if_ready", if_has_tile(kernel.step))
      .fill("m", extent_of_all(kernel.step, Operand::a))
      .fill("n", extent_of_all(kernel.step, Operand::b))
      .fill("load_a", load(kernel.side_a))
      .fill("load_b", load(kernel.side_b))
      .text();
}

std::string start_piece(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const bool says_cluster = jute::says_cluster(step.schedule);
  const bool early = loads_early(step);
  Piece piece(kernel.templates, early ? "specialised/start.cu (by the initialiser)"
                                      : "specialised/start.cu (after the barrier)");
  const bool c_by_tma = step.epilogue.drain && step.epilogue.drain->c_atom;
  const bool is_single = has_one_tile(step.schedule);
  std::string prefetch;
  for (const KernelParameter& parameter : step.parameters)
    if (parameter.kind == ParameterKind::tensor_map && !is_replaced(parameter))
      prefetch += call("prefetch_map", parameter.name);
  if (early)
    piece
        .fill("ahead",
              step.schedule.first_stages == FirstStages::prefetched ? ahead_piece(kernel) : "")
        .fill("if_ready", only_if(joined({{!says_cluster, "kClusterBlocks == 1"},
                                          {is_single, "first_cluster < clusters"}})))
        .fill("extents", extents_of_all(step))
        .fill("meet", (says_cluster ? "kClusterBlocks == 1 ? __syncthreads() : " : "") +
                          call("cluster_barrier"));
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

/// The lines that a group computes once.
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

/// The work while products run: C and inputs are asked for, the next team has its turn.
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

std::string stamped_data(const Kernel& kernel) {
  if (!is_stamped(kernel.step)) return "";
  return Piece(kernel.templates, "kernel/stamp.cu (first data)")
      .fill("if_any", if_any(kernel.step))
      .text();
}

std::string products_piece(const Kernel& kernel) {
  if (has_widths(kernel.step))
    return products_by_width(atoms_of_widths(kernel.step),
                             {if_any(kernel.step), without_k_tiles(kernel), meanwhile(kernel)},
                             kernel.templates);
  if (has_stored_boxes(kernel.step.a)) return stored_products(kernel, meanwhile(kernel));
  const int run = kernel.step.promote_every_k;
  if (adds_by_instruction(kernel.step)) return promoted_by_instruction(kernel, meanwhile(kernel));
  Piece piece(kernel.templates, !descriptor_of(kernel.step.a) ? "specialised/fragments.cu"
                                : run > 0                     ? "specialised/products.cu (promoted)"
                                                              : "specialised/products.cu");
  piece.fill("meanwhile", meanwhile(kernel))
      .fill_if("if_any", if_any(kernel.step))
      .fill_if("registers", "kAccumulatorRegisters")
      .fill_if("none", without_k_tiles(kernel));
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

/// The drain of a tile; sliced ones by the block that holds all sums, or part by part.
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
         stamped_data(kernel) +
         (from_zero ? text(kernel, "specialised/products.cu (from zero)") : "") +
         operands_ahead(kernel.templates, step) + products_piece(kernel) +
         stamp_piece(step, Moment::multiplied) +
         (is_ping_pong(step) && may_lack_k_tiles(step)
              ? text(kernel, "specialised/ping_pong.cu (none)")
              : "") +
         (is_ping_pong(step) ? text(kernel, "specialised/ping_pong.cu (over)") : "") +
         (ends.empty() ? "" : "if (cluster + cluster_step >= clusters) " + ends) +
         drain_piece(kernel) + stamp_piece(step, Moment::drained);
}

std::string producer_piece(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const int registers = role_of(step, "producer").registers;
  const std::string give =
      registers > 0 ? call(base::format("give_registers_away<{}>", registers)) : "";
  if (carries(step)) return copying_producer(kernel, give, extents_of_all(step));
  Piece producer(kernel.templates, "specialised/producer.cu");
  producer.fill("begin", says_stages(step) ? "{0, 0, kStages}" : "")
      .fill("extents", extents_of_all(step))
      .fill("first", !loads_early(step) ? "int k_tile = 0"
                     : has_one_tile(step.schedule)
                         ? "int k_tile = loaded"
                         : "int k_tile = cluster == first_cluster ? loaded : 0")
      .fill("loaded", loads_early(step)
                          ? Piece(kernel.templates, "specialised/producer.cu (loaded)")
                                .fill("more", says_stages(step) ? ", kStages" : "")
                                .text()
                          : "")
      .fill("registers", give)
      .fill("maps", makes_maps(step) ? text(kernel, "kernel/each.cu (first maps)") : "")
      .fill("behind", step.epilogue.drain && step.epilogue.drain->by_ring > 0
                          ? c_load_piece(kernel, "behind")
                          : "")
      .fill("tile", maps_of_tile(kernel));
  return producer.text() + staged_scales_piece(kernel);
}

std::string consumer_piece(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const int registers = role_of(step, "consumer").registers;
  return Piece(kernel.templates, "specialised/consumer.cu")
      .fill("begin", says_stages(step) ? "{0, 0, kStages}" : "")
      .fill("extents", extents_of_all(step))
      .fill("before", registers > 0 ? call(base::format("take_registers<{}>", registers)) : "")
      .fill("share", before_piece(kernel))
      .fill("main_loop", origin_piece(kernel) + part_of_tile(kernel) +
                             work_of_rows(kernel, work_of_tile(kernel)))
      .fill("after",
            std::string(step.epilogue.drain && !leaves_by_rows(*step.epilogue.drain)
                            ? "if (in_group == 0) " + call("wait_stores_read<0>")
                            : "") +
                (reduces_in_cluster(step.schedule) ? text(kernel, "specialised/slices.cu (taken)")
                                                   : ""))
      .text();
}

}  // namespace

std::string specialised_functions(const Kernel& kernel) {
  const KernelSchedule& schedule = kernel.step.schedule;
  const bool in_groups = lies_in_groups(schedule), along_n = lies_along_n(schedule),
             is_dealt = kernel.step.groups && !has_parts_of_k(kernel.step.groups),
             are_cut = schedule.whole_tiles > 0, come = awaits_arrivals(kernel.step);
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
  result += subtiles_of_views(kernel.templates, kernel.step) + scale_functions(kernel);
  return result;
}

Piece specialised_body(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const bool has_maps = makes_maps(step);
  const bool come = awaits_arrivals(step);
  Piece load_stage(kernel.templates,
                   come ? "specialised/arrivals.cu (load stage)" : "specialised/load_stage.cu");
  load_stage
      .fill("bytes",
            "kFullBytes" + less_left_out(kernel.side_a, step) + less_left_out(kernel.side_b, step))
      .fill_if("maps", has_maps ? text(kernel, "kernel/each.cu (maps of a stage)") : "")
      .fill("load", load_piece(kernel));
  const char* const k_tiles = !takes_split_k(step)            ? "specialised/k_tiles.cu (all)"
                              : says_split_k(step.schedule)   ? "specialised/k_tiles.cu (launched)"
                              : step.schedule.whole_tiles > 0 ? "specialised/k_tiles.cu (some)"
                                                              : "specialised/k_tiles.cu (slice)";
  const char* const walk = says_cluster(step.schedule) ? "specialised/place.cu (launched)"
                           : walks(step.schedule)      ? "specialised/walk.cu"
                                                       : "specialised/walk.cu (one tile)";
  Piece piece(kernel.templates, "kernel/warp_specialised.cu");
  piece
      .fill("share",
            text(kernel, descriptor_of(step.b) ? "specialised/start.cu (settled addresses)"
                                               : "specialised/start.cu (addresses)") +
                literal_text(step) +
                (has_widths(step) ? text(kernel, "specialised/place.cu (width)") : "") +
                (step.groups ? dealt_place(kernel) : "") +
                (come ? text(kernel, "specialised/arrivals.cu (place)") : "") +
                (step.schedule.whole_tiles > 0 ? cut_place(kernel) : "") +
                (has_maps || has_parts_of_k(step.groups) ? "" : text(kernel, k_tiles)) +
                Piece(kernel.templates, walk).fill_if("extents", extents_of_all(step)).text() +
                (has_boxes(step) ? load_stage.text() : "") +
                if_stamped(kernel, "kernel/stamp.cu (begin)") + start_piece(kernel) +
                release_piece(step, Release::after_previous) +
                if_stamped(kernel, "kernel/stamp.cu (start)"))
      .fill("producer", producer_piece(kernel))
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
