// Picks and fills the pieces that scale accumulators and store them.
#include "codegen/epilogue.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/index_function.hpp>
#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/shares.hpp>
#include <jute/plan/values/tile_width.hpp>

#include "base/format.hpp"
#include "codegen/block_lines.hpp"
#include "codegen/blocks.hpp"
#include "codegen/by_width.hpp"
#include "codegen/edges.hpp"
#include "codegen/epilogue_expression.hpp"
#include "codegen/epilogue_operands.hpp"
#include "codegen/frame_shares.hpp"
#include "codegen/gathers.hpp"
#include "codegen/groups.hpp"
#include "codegen/kernel.hpp"
#include "codegen/row_tables.hpp"
#include "codegen/views.hpp"

namespace jute::codegen {

using namespace emit;
namespace {

/// Tiles that a text is for: those that lie inside D, or any.
enum class TilesOf { inside, any };

/// How the vectors that are in flight take the epilogue's inputs, which lie by functions of that
/// name.
std::string load_inputs(const TemplateSet& templates, const GemmStep& step, const Run& run,
                        const std::string& edge, const std::string& place) {
  const std::string arrays = operand_arrays(step, run, "[kInFlight]");
  const std::string reads = input_reads(templates, step, run);
  if (reads.empty()) return arrays;
  Piece next(templates, "epilogue/inputs.cu (next)");
  next.fill("m", place + "_m").fill("n", place + "_n").fill("edge", edge).fill("reads", reads);
  return arrays + next.text();
}

/// The statement that goes on to the next vector where this one lies outside D.
std::string direct_edge(const TemplateSet& templates, const GemmStep& step, TilesOf tiles) {
  if (tiles == TilesOf::inside) return {};
  const std::string outside = joined(
      {{has_whole_tiles(step, Operand::a), "out_row + row >= m"},
       {may_be_ragged(step) || has_whole_tiles(step, Operand::b), "out_col + col > n - kOutElems"}},
      " || ");
  if (outside.empty()) return {};
  return Piece(templates, "epilogue/vector.cu (outside)").fill("outside", outside).text();
}

/// Where this thread's part of D lies, whose rows or columns have a stride, and an element there.
std::string start_of_d(const EpiloguePlan& out) {
  const bool by_rows = out.d_order == Order::row;
  return assign("ElemD* const d_thread",
                base::format("d + matrix * batch_stride_d + static_cast<long long>({}) * ldd + {}",
                             by_rows ? "out_row" : "out_col", by_rows ? "out_col" : "out_row"));
}
const char* place_in_d(const EpiloguePlan& out) {
  return out.d_order == Order::row ? "d_thread + row * ldd + col" : "d_thread + col * ldd + row";
}

/// A place of D in the words of its View, or of C: rows are the problem's.
std::string viewed_place(const GemmStep& step, std::string_view row, std::string_view col) {
  return step.transposed ? base::format("{}, {}", col, row) : base::format("{}, {}", row, col);
}

/// Elements of a vector that lie inside D.
const char* valid_in_row(bool ragged) { return ragged ? "n - out_col - col" : "kOutElems"; }

/// How the vectors that are in flight take C.
std::string direct_c_read(const TemplateSet& templates, const GemmStep& step,
                          const std::string& edge, bool ragged) {
  const EpiloguePlan& out = step.epilogue;
  const bool row = out.c_order == Order::row || out.c_view;
  const std::string valid = valid_in_row(ragged);
  Piece read_c(templates, out.c_view ? "epilogue/c.cu (read by view)"
                          : row      ? "epilogue/c.cu (read by rows)"
                                     : "epilogue/c.cu (read by columns)");
  if (out.c_view)
    read_c.fill("place", viewed_place(step, "out_row + row", "out_col + col + begin"));
  read_c.fill("edge", edge).fill("left", !row ? valid : ragged ? valid + " - begin" : "kInElems");
  return c_reads(out, read_c);
}

/// The largest magnitudes of blocks, ahead of the drain that they are for.
std::string blocks_piece(const TemplateSet& templates, const GemmStep& step) {
  if (!step.epilogue.blocks) return {};
  const bool ragged = may_be_ragged(step);
  const std::string edge = direct_edge(templates, step, TilesOf::any);
  const std::string valid = valid_in_row(ragged);
  const Run run{.turn = "[turn]", .left = ragged ? valid + " - begin" : valid, .row_exists = valid};
  const Drained range =
      drained_range(step, "kShareElems", step.gate ? "kDrained" : "kAccumulators");
  return find_blocks(
      templates, step,
      {.worker = worker(step),
       .sources = c_source(templates, step.epilogue) + operand_sources(step, "out_row", "out_col"),
       .operands = direct_c_read(templates, step, edge, ragged) +
                   load_inputs(templates, step, run, edge, "out"),
       .edge = edge,
       .first = range.first,
       .end = range.end,
       .valid = valid,
       .value = call_of_expression(step, "block_value", "acc.elem[out_acc(i + e)]", "beta",
                                   "from_c[turn][e]", run_arguments(step, run, "e"))});
}

std::string direct_piece(const TemplateSet& templates, const GemmStep& step, TilesOf tiles) {
  const EpiloguePlan& out = step.epilogue;
  const bool ragged = tiles == TilesOf::any && may_be_ragged(step);
  const bool shares = step.schedule.reduction == SplitK::all_add;  // parts of what is in registers
  const std::string add = shares ? "if (i == part_start) " + call("add_slices") : "";
  const std::string edge = direct_edge(templates, step, tiles);
  const std::string valid = valid_in_row(ragged);
  const std::string read_c = direct_c_read(templates, step, edge, ragged);
  const std::string place = out.d_view
                                ? base::format("d + element_d({}, matrix)",
                                               viewed_place(step, "out_row + row", "out_col + col"))
                                : std::string(place_in_d(out));
  const Run run{.turn = "[turn]", .left = ragged ? valid + " - begin" : valid, .row_exists = valid};
  const Drained range =
      drained_range(step, "kShareElems", step.gate ? "kDrained" : "kAccumulators");
  return Piece(templates, "epilogue/direct.cu")
      .fill("worker", worker(step))
      .fill("drained", shares ? "int first = part_start; first < part_start + kPartElems"
                              : base::format("int first = {}; first < {}", range.first, range.end))
      .fill("epilogue", call_of_expression(
                            step, "epilogue",
                            shares ? "sums.elem[i - part_start + e]" : "acc.elem[out_acc(i + e)]",
                            "beta", "from_c[turn][e]",
                            run_arguments(step, run, "e") + block_argument(step, "i + e") +
                                gather_arguments(step, ragged ? "e < " + valid : "true", "i + e")))
      .fill("sources", (out.d_view || out.d_rows ? std::string() : start_of_d(out)) +
                           c_source(templates, out) + operand_sources(step, "out_row", "out_col"))
      .fill("store", out.d_rows ? row_store(templates, *out.d_rows, valid)
                                : call("put_vector", place + ", result, " + valid))
      .fill("operands", read_c + load_inputs(templates, step, run, edge, "out"))
      .fill("edge", shares && !first_is_nearest(step) ? add + edge : edge + add)
      .fill("write_outputs", output_writes(templates, step, run))
      .text();
}

/// Where an epilogue gathers, tiles that lie inside D do not ask of every element whether it
/// counts.
std::string direct_piece(const TemplateSet& templates, const GemmStep& step) {
  const std::string any = direct_piece(templates, step, TilesOf::any), tile = inside_tile(step);
  if (gather_parameters(step).empty() || tile.empty()) return any;
  return Piece(templates, "epilogue/vector.cu (whole tile)")
      .fill("inside", tile)
      .fill("inside_d", direct_piece(templates, step, TilesOf::inside))
      .fill("any", any)
      .text();
}

std::string staged_piece(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const bool row = out.c_order == Order::row;
  std::string ragged;
  if (may_be_ragged(step))
    ragged = Piece(templates, "epilogue/ragged_rows.cu")
                 .fill("epilogue", call_of_expression(step, "epilogue", "sum", "beta",
                                                      row ? "c_thread[row * ldc + col]"
                                                          : "c_thread[col * ldc + row]",
                                                      single_arguments(step, "row", "col") +
                                                          gather_arguments(step, "true", "i")))
                 .text();
  const std::string inside = joined(
                        {{has_whole_tiles(step, Operand::a), "out_row + row < m"},
                         {has_whole_tiles(step, Operand::b), "out_col + col <= n - kOutElems"}}),
                    asked = inside.empty() ? "" : "whole";
  std::string edge;
  if (!inside.empty())
    edge = Piece(templates, "epilogue/vector.cu (whole)").fill("inside", inside).text();
  Piece load_c(templates, "epilogue/c.cu (staged)");
  load_c.fill("edge", edge)
      .fill("if_whole", only_if(asked))
      .fill("place", row ? "row * ldc + col + e" : "(col + e) * ldc + row");
  const std::string exists = where(asked, "1");
  const Run run{.turn = "[turn]", .left = where(asked, "kOutElems"), .row_exists = exists};
  return Piece(templates, "epilogue/staged_rows.cu")
      .fill("epilogue", call_of_expression(
                            step, "epilogue", "sum[e]", "beta", "from_c[turn][e]",
                            run_arguments(step, run, "e") +
                                gather_arguments(step, inside.empty() ? "true" : "whole", "i + e")))
      .fill("if_whole", only_if(asked))
      .fill("edge", edge)
      .fill("c_source", c_source(templates, out) + operand_sources(step, "out_row", "out_col"))
      .fill("load_c", c_reads(out, load_c) + load_inputs(templates, step, run, edge, "row"))
      .fill("write_outputs", output_writes(templates, step, run))
      .fill("ragged", ragged)
      .text();
}

/// A thread's part of a subtile, as the epilogue's own operands have it. Operands of a turn are
/// read while the subtile before is filled.
Run subtile_run(const GemmStep& step) {
  const std::string row = joined(
      {{has_whole_tiles(step, Operand::a), "in_row + out_m(turn * kSubtileElems + begin) < m"}});
  const std::string left = has_whole_tiles(step, Operand::b)
                               ? "kSubtileElems"
                               : "n - in_col - out_n(turn * kSubtileElems + begin)";
  return {.count = "kSubtileElems",
          .turn = "[turn % 2]",
          .row = "out_m(turn * kSubtileElems + begin)",
          .col = "out_n(turn * kSubtileElems + begin)",
          .first_row = "in_row",
          .first_col = "in_col",
          .left = where(row, left),
          .left_of_column = left,
          .row_exists = where(row, "1"),
          .one_row = false};
}

/// The rows of a subtile, with C or without.
std::string fill_subtile(const TemplateSet& templates, const GemmStep& step,
                         const std::string& read_c, const char* beta, const char* first,
                         const char* second) {
  Run run = subtile_run(step);
  const auto value = [&](const char* at, const char* c) {
    run.landed = c;
    const std::string place = base::format("i * 2 * kStoreRegisters + {}", at);
    return call_of_expression(step, stores_words(step) ? "epilogue" : "unrounded",
                              base::format("acc.elem[out_acc(first + {})]", at), beta, c,
                              run_arguments(step, run, place) + gather_arguments(step, "", place));
  };
  return Piece(templates,
               stores_words(step) ? "specialised/fill.cu (words)" : "specialised/fill.cu")
      .fill("read_c", read_c)
      .fill("left", value("e", first))
      .fill("right", value("e + 1", second))
      .text();
}

/// The subtile's rows, where TMA has put C into the subtile or threads read it.
std::string fill_with_c(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  if (out.drain->c_atom)
    return landing_piece(templates, step, out.drain->by_ring > 0 ? "read by ring" : "read").text() +
           landing_piece(templates, step, "parts").text() +
           fill_subtile(templates, step, "if (i % kPartOfC == 0) " + call("load_part", "i"), "beta",
                        "from_c[i % kPartOfC][e / 2].elem[0]",
                        "from_c[i % kPartOfC][e / 2].elem[1]");
  Piece read(templates, "specialised/subtile_c.cu (threads)");
  read.fill("place",
            out.c_order == Order::row ? "from_row * ldc + from_col" : "from_col * ldc + from_row");
  return fill_subtile(templates, step, read.text(), "beta", "from_c[e]", "from_c[e + 1]");
}

/// The subtile's rows, with C and without.
std::string fill_piece(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const CRead read = c_read(out.expression, out.beta);
  if (out.drain->input || read == CRead::always) return fill_with_c(templates, step);
  if (read == CRead::never) return fill_subtile(templates, step, "", "beta", "", "");
  return Piece(templates, "specialised/fill.cu (with C)")
      .fill("with_c", fill_with_c(templates, step))
      .fill("without", fill_subtile(templates, step, "", "0", "ElemC{}", "ElemC{}"))
      .text();
}

std::string subtile_piece(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const bool again = walks(step.schedule) || out.drain->copies < out.drain->turns;
  const bool waits = again && !out.drain->input && out.drain->by_ring == 0;
  const bool in_stages = smem_region(step, "subtile").alive == Alive::epilogue;
  const bool by_tma = out.drain->c_atom.has_value(), by_rows = leaves_by_rows(*out.drain);
  const bool has_ends = out.vector_elems * width_bytes(out.d_type) < 16 || may_be_ragged(step);
  const bool has_share = reduces_in_cluster(step.schedule);
  const Drained turns = drained_range(step, "kShareTurns", "kSubtileTurns");
  const auto piece = [&](const char* path) {
    return Piece(templates, path).fill_if("first", turns.first).fill_if("end", turns.end);
  };
  std::string before =
      in_stages && !has_share ? piece("specialised/subtiles.cu (in stages)").text() : "";
  if (by_tma && (in_stages || may_lack_k_tiles(step)))
    before += landing_piece(templates, step, "now")
                  .fill("when", in_stages ? "" : "k_tiles == 0 && ")
                  .fill("first", turns.first)
                  .fill("end", has_share ? "share * kShareTurns + min(kSubtileCopies, kShareTurns)"
                                         : "kSubtileCopies")
                  .text();
  else if (!by_tma && c_read(out.expression) != CRead::never)
    before += piece("specialised/subtile_c.cu (source)").fill("worker", worker(step)).text();
  const bool reads = reads_ahead(templates, step);
  if (reads && (has_share || may_lack_k_tiles(step)))
    before += piece("specialised/subtiles.cu (inputs now)")
                  .fill("when", has_share ? "" : "if (k_tiles == 0) ")
                  .text();
  const std::string vectors = staged_vectors(templates, step, "put");
  const bool is_seen = vectors.empty() || (waits && !by_rows);
  const std::string all_see = call("group_barrier", "group, kGroupThreads");
  before += vectors + (is_seen ? "" : all_see);
  if (has_widths(step)) before += piece("specialised/subtiles.cu (last tile)").text();
  const std::string fill = (has_widths(step) ? subtile_of_width(templates)
                            : !waits         ? ""
                            : !by_rows       ? piece("specialised/subtiles.cu (wait)").text()
                            : out.drain->copies == 1 && !by_tma ? all_see
                                                                : "") +
                           (reads ? piece("specialised/subtiles.cu (next inputs)").text() : "") +
                           input_reads(templates, step, subtile_run(step), Inputs::at_once) +
                           fill_piece(templates, step);
  const char* const along = out.d_order == Order::row ? "col" : "row";
  return piece(by_rows ? "specialised/subtiles_by_rows.cu" : "specialised/subtiles.cu")
      .fill_if("subtile", subtile_place(step.schedule.widths))
      .fill_if("store", subtile_store(step, along, templates))
      .fill("before", before)
      .fill("fill", fill)
      .fill_if("edge", subtile_edge(templates, step))
      .fill_if("ends", has_ends ? piece("specialised/subtiles_by_rows.cu (ends)").text() : "")
      .fill("behind",
            (by_rows && by_tma && again ? piece("specialised/subtiles_by_rows.cu (read)").text()
                                        : "") +
                gather_in_turn(templates, step) +
                output_writes(templates, step, subtile_run(step)) +
                (!by_tma || out.drain->copies == out.drain->turns ? ""
                 : out.drain->by_ring > 0
                     ? landing_piece(templates, step, "release").text()
                     : landing_piece(templates, step, "next").fill("end", turns.end).text()))
      .text();
}

}  // namespace

const char* worker(const GemmStep& step) {
  return step.schedule.ping_pong > 1 ? "worker" : "thread";
}

bool reads_ahead(const TemplateSet& templates, const GemmStep& step) {
  return step.epilogue.drain &&
         !input_reads(templates, step, subtile_run(step), Inputs::ahead).empty();
}

std::string operands_ahead(const TemplateSet& templates, const GemmStep& step) {
  if (!step.epilogue.drain || !reads_places(step)) return {};
  const std::string reads = input_reads(templates, step, subtile_run(step), Inputs::ahead);
  Piece operands(templates, "specialised/subtiles.cu (operands)");
  operands.fill("sources", operand_sources(step, "in_row", "in_col"))
      .fill("arrays", staged_vectors(templates, step, "place") +
                          operand_arrays(step, subtile_run(step), "[2]") +
                          staged_vectors(templates, step, "ask"));
  const char* const read = "specialised/subtiles.cu (read inputs)";
  return operands.text() +
         (reads.empty() ? "" : Piece(templates, read).fill("reads", reads).text());
}

std::string epilogue_piece(const TemplateSet& templates, const GemmStep& step) {
  std::string drain = step.epilogue.drain                         ? subtile_piece(templates, step)
                      : step.epilogue.store == Store::staged_rows ? staged_piece(templates, step)
                                                                  : direct_piece(templates, step);
  drain = gather_before_drain(templates, step) + blocks_piece(templates, step) + drain +
          gather_after_drain(templates, step);
  if (operand_of_line_ends(step)) return drain;  // whose sums meet by line
  const auto by = [&](const char* first) {
    drain = Piece(templates, first).fill("drain", drain).text();
  };
  if (shares_of(step).drainers == Drainers::block && takes_split_k(step)) {
    by("specialised/slices.cu (last)");
    const bool are_some = step.schedule.whole_tiles > 0;
    const std::string reduction = reduction_of_block(step, templates);
    drain = (are_some
                 ? Piece(templates, "specialised/slices.cu (if any)").fill("meet", reduction).text()
                 : reduction) +
            drain;
    by(are_some ? "specialised/slices.cu (behind)" : "specialised/slices.cu (in a row)");
  }
  if (step.schedule.lanes_of_k != 0) by("epilogue/direct.cu (first lane)");
  if (groups_of_k(step) > 1) by("epilogue/direct.cu (first group)");
  return drain;
}

}  // namespace jute::codegen
