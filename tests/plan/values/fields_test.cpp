// Plans as text: every field shows, and plans read as they were reviewed.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/fields.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "plan/named_plans.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// What fields say by their names; of the items of a list one after the other.
using Facts = std::map<std::string, std::string>;
void add_facts(Facts& facts, const std::string& prefix, const Fields& fields) {
  for (const Field& field : fields) {
    const std::string name = prefix + field.name;
    if (const auto* group = std::get_if<Fields>(&field.value))
      add_facts(facts, name + ".", *group);
    else if (const auto* list = std::get_if<FieldList>(&field.value))
      add_facts(facts, name + ".", list->items);
    else
      facts[name] += to_string(field) + "\n";
  }
}
Facts facts_of(const Plan& plan) {
  Facts facts;
  add_facts(facts, "", fields(plan));
  return facts;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

using Change = std::function<void(Plan&)>;
Factor other_of(Factor scale) { return scale == Factor::zero ? Factor::one : Factor::zero; }
GemmStep& gemm_of(Plan& plan) { return std::get<GemmStep>(plan.steps.back()); }

void change_signal(GemmStep& step, const std::function<void(Signal&)>& change) {
  if (!step.signals.empty()) change(step.signals.front());
}
void change_drain(GemmStep& step, const std::function<void(SubtileDrain&)>& change) {
  if (step.epilogue.drain) change(*step.epilogue.drain);
}
TmaBoxes changed(const std::optional<TmaBoxes>& boxes) {
  TmaBoxes other = boxes.value_or(TmaBoxes{});
  ++other.outer;
  return other;
}

/// Of an operand that goes that way.
template <typename Way>
void change_way(OperandPlan& operand, const std::function<void(Way&)>& change) {
  if (auto* const way = std::get_if<Way>(&operand.way)) change(*way);
}

/// A change of every field of a plan with one step or more.
std::vector<std::pair<const char*, Change>> changes() {
  std::vector<std::pair<const char*, Change>> list{
      {"problem.m", [](Plan& p) { ++p.problem.m; }},
      {"problem.batch", [](Plan& p) { ++p.problem.batch; }},
      {"problem.precision",
       [](Plan& p) {
         p.problem.precision =
             p.problem.precision == Precision::f32 ? Precision::tf32x3 : Precision::f32;
       }},
      {"problem.n", [](Plan& p) { ++p.problem.n; }},
      {"problem.k", [](Plan& p) { ++p.problem.k; }},
      {"problem.accumulate", [](Plan& p) { p.problem.accumulate = DType::f64; }},
      {"problem.alpha", [](Plan& p) { p.problem.alpha = Factor::zero; }},
      {"problem.beta", [](Plan& p) { p.problem.beta = other_of(p.problem.beta); }},
      {"problem.m_range",
       [](Plan& p) {
         p.problem.m_range = MRange{1, p.problem.m};
       }},
      {"problem.epilogue",
       [](Plan& p) {
         p.problem.epilogue = Epilogue{parse_epilogue("relu(acc)")};
         p.problem = completed(p.problem);
       }},
      {"device.arch", [](Plan& p) { p.device.arch = parse_arch("sm_70"); }},
      {"device.l2", [](Plan& p) { ++p.device.l2_bytes; }},
      {"device.registers", [](Plan& p) { ++p.device.registers_per_sm; }},
      {"device.smem_of_sm", [](Plan& p) { ++p.device.smem_bytes_per_sm; }},
      {"device.threads", [](Plan& p) { ++p.device.threads_per_sm; }},
      {"device.name", [](Plan& p) { p.device.name += "x"; }},
      {"device.sm_count", [](Plan& p) { ++p.device.sm_count; }},
      {"device.smem", [](Plan& p) { ++p.device.smem_bytes_per_block; }},
      {"device.memory", [](Plan& p) { ++p.device.memory_bytes; }},
      {"workspace",
       [](Plan& p) {
         p.workspace.push_back({"more", Count("m*256")});
       }},
      {"workspace.zeroed",
       [](Plan& p) {
         p.workspace.push_back({"more", 256, true});
       }},
      {"steps", [](Plan& p) { p.steps.push_back(p.steps.back()); }}};
  const std::pair<const char*, std::function<void(Matrix&)>> of_matrices[] = {
      {"matrix.type", [](Matrix& x) { x.type = DType::u8; }},
      {"matrix.order", [](Matrix& x) { x.order = x.order == kRow ? kCol : kRow; }},
      {"matrix.ld", [](Matrix& x) { ++x.ld_elems; }},
      {"matrix.batch_stride",
       [](Matrix& x) {
         if (!x.broadcast) ++x.batch_stride_elems;
       }},
      {"matrix.broadcast",
       [](Matrix& x) {
         x.broadcast = !x.broadcast;
         x.batch_stride_elems = x.broadcast ? 0 : x.ld_elems * 8192;
       }},
      {"matrix.alignment", [](Matrix& x) { x.alignment_bytes *= 2; }}};
  for (const auto& [name, change] : of_matrices)
    for (const auto matrix : {&Problem::a, &Problem::b, &Problem::c, &Problem::d})
      list.emplace_back(name, [matrix, change = change](Plan& p) {
        const bool is_there = matrix != &Problem::c || p.problem.beta != Factor::zero;
        if (is_there) change(p.problem.*matrix);
      });
  const auto add = [&](const char* name, const std::function<void(GemmStep&)>& change) {
    list.emplace_back(name, [change](Plan& plan) { change(gemm_of(plan)); });
  };
  const auto add_move = [&](const char* name, const std::function<void(MoveStep&)>& change) {
    list.emplace_back(name, [change](Plan& plan) {
      if (auto* moves = std::get_if<MoveStep>(&plan.steps.front()); moves && !moves->moves.empty())
        change(*moves);
    });
  };
  const auto add_sum = [&](const char* name, const std::function<void(OperandSum&)>& change) {
    list.emplace_back(name, [change](Plan& plan) {
      if (auto* step = std::get_if<MoveStep>(&plan.steps.front()); step && !step->sums.empty())
        change(step->sums.back());
    });
  };
  const auto add_sums = [&](const char* name, const std::function<void(MoveStep&)>& change) {
    list.emplace_back(name, [change](Plan& plan) {
      if (auto* step = std::get_if<MoveStep>(&plan.steps.front()); step && !step->sums.empty())
        change(*step);
    });
  };
  add_sums("sums.follows", [](MoveStep& s) { s.follows ^= true; });
  add_sums("sums.compute", [](MoveStep& s) { s.compute = DType::f64; });
  add_sums("sums.accuracy", [](MoveStep& s) {
    s.accuracy =
        s.accuracy == EpilogueAccuracy::half ? EpilogueAccuracy::full : EpilogueAccuracy::half;
  });
  add_sums("sums.scalars", [](MoveStep& s) { s.scalars.emplace_back(); });
  add_sum("sum.tensor", [](OperandSum& s) {
    s.tensor = s.tensor == TensorRole::a ? TensorRole::b : TensorRole::a;
  });
  add_sum("sum.type", [](OperandSum& s) { s.type = DType::u8; });
  add_sum("sum.sum", [](OperandSum& s) { s.sum = DType::f64; });
  add_sum("sum.region", [](OperandSum& s) { s.region += "x"; });
  add_sum("sum.major", [](OperandSum& s) { s.major = s.major == Major::k ? Major::mn : Major::k; });
  add_sum("sum.lines", [](OperandSum& s) { s.lines = s.lines + 1; });
  add_sum("sum.length", [](OperandSum& s) { s.length = s.length + 1; });
  add_sum("sum.matrices", [](OperandSum& s) { s.matrices = s.matrices + 1; });
  add_sum("sum.batch_stride", [](OperandSum& s) { s.batch_stride = s.batch_stride + 1; });
  add_sum("sum.vector", [](OperandSum& s) { ++s.vector_elems; });
  add_sum("sum.outputs", [](OperandSum& s) { s.outputs.emplace_back(); });
  add_sum("sum.output.type", [](OperandSum& s) {
    s.outputs.push_back({parse_epilogue("acc"), TensorRole::first_output, DType::f16});
  });
  add_sum("sum.blocks", [](OperandSum& s) { s.blocks = s.blocks + 1; });
  add_move("move.symbol", [](MoveStep& s) { s.symbol += "x"; });
  add_move("move.parameter", [](MoveStep& s) { s.parameters[2].role = Count("m+1"); });
  add_move("move.arch", [](MoveStep& s) { s.arch = parse_arch("sm_70"); });
  add_move("move.threads", [](MoveStep& s) { s.threads += 32; });
  add_move("move.cluster", [](MoveStep& s) { s.cluster.y = 2; });
  add_move("move.dynamic_smem", [](MoveStep& s) { ++s.dynamic_smem_bytes; });
  add_move("move.residency", [](MoveStep& s) { s.residency = Residency::whole_grid; });
  add_move("move.grid", [](MoveStep& s) { s.grid[0] = s.grid[0] + 1; });
  add_move("move.order", [](MoveStep& s) {
    s.order = s.order == LaunchOrder::after_previous ? LaunchOrder::overlap_previous
                                                     : LaunchOrder::after_previous;
  });
  add_move("move.releases", [](MoveStep& s) { s.releases = Release::after_main_loop; });
  add_move("moves", [](MoveStep& s) { s.moves.pop_back(); });
  add_move("move.tensor", [](MoveStep& s) {
    TensorRole& tensor = s.moves[0].tensor;
    tensor = tensor == TensorRole::a ? TensorRole::b : TensorRole::a;
  });
  add_move("move.type", [](MoveStep& s) { s.moves[0].type = DType::u8; });
  add_move("move.copy_type", [](MoveStep& s) { s.moves[0].copy_type = DType::u8; });
  add_move("move.terms", [](MoveStep& s) { ++s.moves[0].terms; });
  add_move("move.region", [](MoveStep& s) { s.moves[0].region += "x"; });
  add_move("move.transposed", [](MoveStep& s) { s.moves[0].transposed ^= true; });
  add_move("move.inner", [](MoveStep& s) { s.moves[0].inner = s.moves[0].inner + 1; });
  add_move("move.outer", [](MoveStep& s) { s.moves[0].outer = s.moves[0].outer + 1; });
  add_move("move.matrices", [](MoveStep& s) { s.moves[0].matrices = s.moves[0].matrices + 1; });
  add_move("move.ld", [](MoveStep& s) { s.moves[0].ld = s.moves[0].ld + 1; });
  add_move("move.batch_stride",
           [](MoveStep& s) { s.moves[0].batch_stride = s.moves[0].batch_stride + 1; });
  add_move("move.access", [](MoveStep& s) { s.moves[0].access_bytes *= 2; });
  add_move("move.segments", [](MoveStep& s) { s.moves[0].segments = s.moves[0].segments + 1; });
  add_move("move.blocks", [](MoveStep& s) { s.moves[0].blocks = s.moves[0].blocks + 1; });
  add("symbol", [](GemmStep& s) { s.symbol += "x"; });
  add("arch", [](GemmStep& s) { s.arch = parse_arch(s.arch.number == 89 ? "sm_86" : "sm_89"); });
  add("parameter.name", [](GemmStep& s) { s.parameters[0].name = "x"; });
  add("parameter.kind", [](GemmStep& s) { s.parameters[0].kind = ParameterKind::i64; });
  add("parameter.role", [](GemmStep& s) { s.parameters[0].role = Base(InWorkspace{"x"}); });
  add("grid", [](GemmStep& s) { s.grid[0] = s.grid[0] + 1; });
  add("grid.z", [](GemmStep& s) { s.grid[2] = RunValue{RunValue::Quantity::batch}; });
  add("threads", [](GemmStep& s) { s.threads += 32; });
  add("cluster", [](GemmStep& s) { s.cluster.y = 2; });
  add("dynamic_smem", [](GemmStep& s) { ++s.dynamic_smem_bytes; });
  add("order", [](GemmStep& s) { s.order = LaunchOrder::overlap_previous; });
  add("residency", [](GemmStep& s) { s.residency = Residency::whole_grid; });
  add("transposed", [](GemmStep& s) { s.transposed = !s.transposed; });
  add("m.count", [](GemmStep& s) { s.m.count = s.m.count + 1; });
  add("n.value", [](GemmStep& s) { ++s.n.value; });
  add("k.baked", [](GemmStep& s) { s.k.baked = !s.k.baked; });
  add("batch", [](GemmStep& s) { ++s.batch.value; });
  add("accumulate", [](GemmStep& s) { s.accumulate = DType::u8; });
  add("tile", [](GemmStep& s) { ++s.tile.n; });
  add("mma", [](GemmStep& s) { s.mma = TiledMma(s.mma.atom()); });
  add("stages", [](GemmStep& s) { ++s.schedule.stages; });
  add("blocks_per_sm", [](GemmStep& s) { ++s.schedule.blocks_per_sm; });
  add("unrolled", [](GemmStep& s) { ++s.schedule.unrolled_k_steps; });
  add("k_steps_at_once", [](GemmStep& s) { ++s.schedule.k_steps_at_once; });
  add("lanes_of_k", [](GemmStep& s) { s.schedule.lanes_of_k ^= 16; });
  add("widths", [](GemmStep& s) { s.schedule.widths.push_back(s.tile.n); });
  add("split_k_at_run_time",
      [](GemmStep& s) { s.schedule.split_k_at_run_time = !s.schedule.split_k_at_run_time; });
  add("is_generic", [](GemmStep& s) { s.schedule.is_generic = !s.schedule.is_generic; });
  for (const auto extent : {&GemmStep::m, &GemmStep::n, &GemmStep::k, &GemmStep::batch})
    add("multiple_of", [extent](GemmStep& s) { (s.*extent).multiple_of += 6; });
  add("ld.multiple_of", [](GemmStep& s) {
    for (OperandPlan* operand : {&s.a, &s.b})
      for (Extent* extent : {&operand->ld, &operand->batch_stride}) extent->multiple_of += 6;
    EpiloguePlan& out = s.epilogue;
    for (Extent* extent : {&out.ldc, &out.ldd, &out.c_batch_stride, &out.d_batch_stride})
      extent->multiple_of += 6;
    for (auto* operands : {&out.inputs, &out.outputs})
      for (EpilogueOperandPlan& operand : *operands)
        operand.ld.multiple_of += 6, operand.batch_stride.multiple_of += 6;
  });
  add("main_loop", [](GemmStep& s) {
    s.schedule.main_loop = s.schedule.main_loop == MainLoop::multistage ? MainLoop::register_staged
                                                                        : MainLoop::multistage;
  });
  add("role.name", [](GemmStep& s) { s.schedule.roles[0].name += "x"; });
  add("role.warps", [](GemmStep& s) { ++s.schedule.roles[0].warps; });
  add("role.registers", [](GemmStep& s) { s.schedule.roles[0].registers += 8; });
  add("products", [](GemmStep& s) { ++s.schedule.products_in_flight; });
  add("first_stages", [](GemmStep& s) {
    s.schedule.first_stages = s.schedule.first_stages == FirstStages::after_barrier
                                  ? FirstStages::by_initialiser
                                  : FirstStages::after_barrier;
  });
  add("releases", [](GemmStep& s) { s.schedule.releases = Release::at_start; });
  add("schedule.cluster", [](GemmStep& s) { ++s.schedule.cluster.n; });
  add("persistent", [](GemmStep& s) { ++s.schedule.persistent_blocks; });
  add("edge_unit", [](GemmStep& s) { change_way<TmaWay>(s.a, [](TmaWay& w) { ++w.edge_unit; }); });
  add("hint", [](GemmStep& s) {
    change_way<TmaWay>(s.a, [](TmaWay& w) {
      w.hint = w.hint == CacheHint::none ? CacheHint::evict_first : CacheHint::none;
    });
  });
  add("ping_pong", [](GemmStep& s) { ++s.schedule.ping_pong; });
  add("k_starts", [](GemmStep& s) { ++s.schedule.k_starts; });
  add("products of terms", [](GemmStep& s) { s.products.push_back({0, 1}); });
  add("promote", [](GemmStep& s) { s.promote_every_k += 128; });
  add("d_order", [](GemmStep& s) { s.epilogue.d_order = Order::col; });
  add("split_k", [](GemmStep& s) { ++s.schedule.split_k; });
  add("reduction", [](GemmStep& s) {
    s.schedule.reduction =
        s.schedule.reduction == SplitK::all_add ? SplitK::last_adds : SplitK::all_add;
    ;
  });
  add("signal.name", [](GemmStep& s) { change_signal(s, [](Signal& x) { x.name += "x"; }); });
  add("signal.kind",
      [](GemmStep& s) { change_signal(s, [](Signal& x) { x.kind = SignalKind::bulk_group; }); });
  add("signal.copies", [](GemmStep& s) { change_signal(s, [](Signal& x) { ++x.copies; }); });
  add("signal.arrivals", [](GemmStep& s) { change_signal(s, [](Signal& x) { ++x.arrivals; }); });
  add("signal.bytes", [](GemmStep& s) { change_signal(s, [](Signal& x) { ++x.bytes; }); });
  add("signal.scope",
      [](GemmStep& s) { change_signal(s, [](Signal& x) { x.in_cluster = !x.in_cluster; }); });
  add("signal.awaited",
      [](GemmStep& s) { change_signal(s, [](Signal& x) { x.awaited_by += "x"; }); });
  add("a.boxes",
      [](GemmStep& s) { change_way<TmaWay>(s.a, [](TmaWay& w) { w.boxes = changed(w.boxes); }); });
  add("b.descriptor", [](GemmStep& s) {
    if (const DescriptorRead* const read = descriptor_of(s.b))
      its_stage(s.b).read = DescriptorRead{read->bits + 1, read->start};
  });
  add("drain.copies", [](GemmStep& s) { change_drain(s, [](SubtileDrain& d) { ++d.copies; }); });
  add("drain.groups", [](GemmStep& s) { change_drain(s, [](SubtileDrain& d) { ++d.groups; }); });
  add("drain.turns", [](GemmStep& s) { change_drain(s, [](SubtileDrain& d) { ++d.turns; }); });
  add("drain.by_ring", [](GemmStep& s) { change_drain(s, [](SubtileDrain& d) { ++d.by_ring; }); });
  add("drain.stride",
      [](GemmStep& s) { change_drain(s, [](SubtileDrain& d) { ++d.stride_elems; }); });
  add("drain.subtile", [](GemmStep& s) {
    change_drain(s, [](SubtileDrain& d) { d.subtile = ComposedLayout("(3,5):(1,3)"); });
  });
  add("drain.boxes", [](GemmStep& s) {
    change_drain(s, [](SubtileDrain& d) {
      if (d.boxes) ++d.boxes->inner;
    });
  });
  add("drain.exit", [](GemmStep& s) {
    change_drain(s, [](SubtileDrain& d) {
      d.exit = d.exit == SubtileExit::rows ? SubtileExit::boxes : SubtileExit::rows;
    });
  });
  add("raster", [](GemmStep& s) { ++s.schedule.raster_width; });
  add("smem.offset", [](GemmStep& s) { ++s.smem_map.back().offset; });
  add("smem.bytes", [](GemmStep& s) { ++s.smem_map[0].bytes; });
  add("smem.alignment", [](GemmStep& s) { ++s.smem_map[0].alignment; });
  add("smem.copies", [](GemmStep& s) { ++s.smem_map[0].copies; });
  add("smem.alive", [](GemmStep& s) { s.smem_map[0].alive = Alive::epilogue; });
  add("a.type", [](GemmStep& s) { s.a.type = DType::u8; });
  add("a.major", [](GemmStep& s) { s.a.major = s.a.major == Major::k ? Major::mn : Major::k; });
  add("b.ld", [](GemmStep& s) { ++s.b.ld.value; });
  add("b.batch_stride", [](GemmStep& s) { ++s.b.batch_stride.value; });
  add("b.transfer", [](GemmStep& s) {
    set_transfer(s.b,
                 transfer_of(s.b) == Transfer::cp_async ? Transfer::registers : Transfer::cp_async);
  });
  add("b.vector", [](GemmStep& s) { ++s.b.vector_elems; });
  add("b.shifted",
      [](GemmStep& s) { change_way<StraightWay>(s.b, [](StraightWay& w) { w.shifted ^= true; }); });
  add("b.from_chunk", [](GemmStep& s) {
    change_way<StraightWay>(s.b, [](StraightWay& w) { w.from_chunk ^= true; });
  });
  add("b.order", [](GemmStep& s) {
    change_way<StraightWay>(s.b, [](StraightWay& w) { w.order = Layout("(3,5):(1,3)"); });
  });
  add("b.copy_tv", [](GemmStep& s) {
    if (transfer_of(s.b) != Transfer::tma) its_copy(s.b).copy_tv = Layout("(3,5):(1,3)");
  });
  const auto add_stage = [&](const char* name, const std::function<void(StagedTile&)>& change) {
    add(name, [change](GemmStep& s) {
      if (transfer_of(s.b) != Transfer::straight) change(its_stage(s.b));
    });
  };
  add_stage("b.smem", [](StagedTile& stage) { stage.smem = ComposedLayout("(3,5):(1,3)"); });
  add_stage("b.stage_stride", [](StagedTile& stage) { ++stage.stage_stride_elems; });
  const auto add_read = [&](const char* name, const std::function<void(FragmentRead&)>& change) {
    add(name, [change](GemmStep& s) {
      for (OperandPlan* operand : {&s.a, &s.b})
        if (transfer_of(*operand) != Transfer::straight && descriptor_of(*operand) == nullptr)
          change(its_fragments(*operand));
    });
  };
  add_read("read", [](FragmentRead& read) { ++read.elems; });
  add_read("read_order", [](FragmentRead& read) { read.order = Layout("(3,5):(1,3)"); });
  add_read("read_atom", [](FragmentRead& read) {
    if (read.atom)
      read.atom.reset();
    else
      read.atom = Catalogue().copy("SM75_U32x4_LDSM_N");
  });
  add_read("read_bytes", [](FragmentRead& read) { read.bytes = Layout("(2,4):(4,1)"); });
  const auto add_copies = [&](const char* name, const std::function<void(CopiedWay&)>& change) {
    add(name, [change](GemmStep& s) {
      for (OperandPlan* operand : {&s.a, &s.b})
        if (transfer_of(*operand) == Transfer::registers ||
            transfer_of(*operand) == Transfer::cp_async)
          change(its_copies(*operand));
    });
  };
  add_copies("store", [](CopiedWay& way) { ++way.store_elems; });
  add("epilogue.store", [](GemmStep& s) {
    s.epilogue.store = s.epilogue.store == Store::direct ? Store::staged_rows : Store::direct;
  });
  add("epilogue.expression",
      [](GemmStep& s) { s.epilogue.expression = scaled_sum(Factor::one, Factor::zero); });
  add("epilogue.alpha", [](GemmStep& s) { s.epilogue.alpha = Factor::zero; });
  add("epilogue.compute", [](GemmStep& s) { s.epilogue.compute = DType::s32; });
  add("epilogue.accuracy", [](GemmStep& s) { s.epilogue.accuracy = EpilogueAccuracy::half; });
  const auto add_operand = [&](const char* name,
                               const std::function<void(EpilogueOperandPlan&)>& change) {
    add(name, [change](GemmStep& s) {
      for (auto* operands : {&s.epilogue.inputs, &s.epilogue.outputs})
        if (!operands->empty()) change(operands->back());
    });
  };
  add_operand("operand.name", [](EpilogueOperandPlan& o) { o.name += "x"; });
  add_operand("operand.extent", [](EpilogueOperandPlan& o) {
    o.extent = o.extent == EpilogueExtent::rows ? EpilogueExtent::columns : EpilogueExtent::rows;
  });
  add_operand("operand.gather", [](EpilogueOperandPlan& o) { o.gather = EpilogueGather::sum; });
  add_operand("operand.type", [](EpilogueOperandPlan& o) { o.type = DType::u8; });
  add_operand("operand.order", [](EpilogueOperandPlan& o) {
    o.order = o.order == Order::row ? Order::col : Order::row;
  });
  add_operand("operand.by_value", [](EpilogueOperandPlan& o) { o.by_value = !o.by_value; });
  add_operand("operand.ld", [](EpilogueOperandPlan& o) { ++o.ld.value; });
  add_operand("operand.batch_stride", [](EpilogueOperandPlan& o) { ++o.batch_stride.value; });
  add_operand("operand.vector", [](EpilogueOperandPlan& o) { ++o.vector_elems; });
  add_operand("operand.lines", [](EpilogueOperandPlan& o) {
    if (o.lines) ++o.lines->parts;
  });
  add_operand("operand.is_bits", [](EpilogueOperandPlan& o) { o.is_bits = !o.is_bits; });
  add_operand("operand.packed", [](EpilogueOperandPlan& o) {
    if (o.packed) ++o.packed->bits;
  });
  add("epilogue.inputs", [](GemmStep& s) { s.epilogue.inputs.push_back({}); });
  add("epilogue.outputs", [](GemmStep& s) { s.epilogue.outputs.push_back({}); });
  add("epilogue.c_type", [](GemmStep& s) { s.epilogue.c_type = DType::u8; });
  add("epilogue.d_type", [](GemmStep& s) { s.epilogue.d_type = DType::u8; });
  add("epilogue.c_order", [](GemmStep& s) {
    s.epilogue.c_order = s.epilogue.c_order == Order::row ? Order::col : Order::row;
  });
  add("epilogue.ldc", [](GemmStep& s) { ++s.epilogue.ldc.value; });
  add("epilogue.d_batch_stride", [](GemmStep& s) { ++s.epilogue.d_batch_stride.value; });
  add("epilogue.vector", [](GemmStep& s) { ++s.epilogue.vector_elems; });
  add("epilogue.c_vector", [](GemmStep& s) { ++s.epilogue.c_vector_elems; });
  add("epilogue.stores_together", [](GemmStep& s) { ++s.epilogue.stores_together; });
  add("epilogue.stage", [](GemmStep& s) { s.epilogue.stage = ComposedLayout("(3,5):(1,3)"); });
  add("epilogue.row_tv", [](GemmStep& s) { s.epilogue.row_tv = Layout("(3,5):(1,3)"); });
  add("epilogue.write", [](GemmStep& s) { ++s.epilogue.stage_write_elems; });
  const Address other = address_of(ComposedLayout("(3,5):(1,3)"), Layout("(3,5):(1,3)"));
  const auto add_copy = [&](const char* name, Address ThreadCopy::*coordinate) {
    add(name, [other, coordinate](GemmStep& s) {
      if (transfer_of(s.a) != Transfer::tma) its_copy(s.a).*coordinate = other;
    });
  };
  add_copy("a.copy_mn", &ThreadCopy::copy_mn);
  add_copy("a.copy_k", &ThreadCopy::copy_k);
  add_copies("store_address", [other](CopiedWay& way) { way.store = other; });
  add_read("read_address", [other](FragmentRead& read) { read.address = other; });
  add("epilogue.order", [](GemmStep& s) { s.epilogue.order = Layout("3:7"); });
  add("epilogue.m", [other](GemmStep& s) { s.epilogue.m = other; });
  add("epilogue.n", [other](GemmStep& s) { s.epilogue.n = other; });
  add("epilogue.stage_write", [other](GemmStep& s) { s.epilogue.stage_write = other; });
  add("epilogue.stage_read", [other](GemmStep& s) { s.epilogue.stage_read = other; });
  add("epilogue.read", [](GemmStep& s) { ++s.epilogue.stage_read_elems; });
  return list;
}

}  // namespace

TEST_CASE("plans read as they were reviewed", "[plan][text][golden]") {
  for (const NamedPlan& named : named_plans()) {
    const std::string path =
        std::string(JUTE_SOURCE_DIR) + "/tests/golden/plans/" + named.name + ".txt";
    const std::string now = to_string(plan_of(named));
    if (std::getenv("JUTE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << now;
    INFO(path << "\nIf the new text is right, take it over:"
                 "\n  JUTE_UPDATE_GOLDEN=1 test_plan '[golden]' && git diff tests/golden/plans");
    CHECK(now == text_of(path));
  }
}

TEST_CASE("the text of a plan shows a change of any of its fields", "[plan][text][law]") {
  std::set<std::string> there, changeable;
  for (const NamedPlan& named : named_plans()) {
    const Plan plan = plan_of(named);
    const std::string text = to_string(plan);
    const Facts facts = facts_of(plan);
    for (const auto& [name, value] : facts) there.insert(name);
    for (const auto& [name, change] : changes()) {
      Plan changed = plan;
      change(changed);
      INFO(named.name << ": " << name);
      if (changed == plan) continue;
      CHECK(to_string(changed) != text);
      const Facts now = facts_of(changed);
      for (const auto& [fact, value] : facts)
        if (const auto after = now.find(fact); after == now.end() || after->second != value)
          changeable.insert(fact);
    }
  }
  // And there is a change of each.
  for (const std::string& fact : there) {
    INFO(fact);
    CHECK((changeable.contains(fact) || fact.ends_with(".kind")));
  }
}

TEST_CASE("check refuses a change of any field but of what may be chosen", "[plan][rules][law]") {
  // Of these both values are legal somewhere, and nothing else in the plan follows from them.
  const std::set<std::string> choices{
      "device.name",    "device.sm_count",  "device.smem",       "device.memory",   "device.l2",
      "device.threads", "device.registers", "device.smem_of_sm", "raster",          "blocks_per_sm",
      "first_stages",   "releases",         "unrolled",          "promote",         "hint",
      "k_starts",       "dynamic_smem",     "problem.m_range",   "matrix.alignment"};
  // Likewise of an operand that is copied: the copy lies as it did.
  const std::set<std::string> of_copied{"matrix.ld", "matrix.batch_stride"};
  for (const NamedPlan& named : named_plans()) {
    const Plan plan = plan_of(named);
    INFO(named.name);
    CHECK(check(plan).empty());
    for (const auto& [name, change] : changes()) {
      Plan changed = plan;
      change(changed);
      if (changed == plan || choices.contains(name)) continue;
      if (plan.steps.size() > 1 && of_copied.contains(name)) continue;
      // The only matrix is everybody's.
      if (plan.problem.batch == 1 && std::string_view(name) == "matrix.broadcast") continue;
      INFO(name);
      const std::vector<Error> errors = check(changed);
      CHECK_FALSE(errors.empty());
      for (const Error& error : errors) CHECK_FALSE(error.violated_rules.empty());
    }
  }
}
