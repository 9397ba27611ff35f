// The commands that there are.
#include "command/command_line.hpp"

namespace jute::command {

Command jute_command(CommonOptions& common, void (*add_bench)(Command&)) {
  return jute_of(common,
                 {{"Look", {add_eval, add_explain, add_atom, add_draw, add_epilogue, add_view}},
                  {"Plan", {add_plan, add_kernels, add_cover}},
                  {"Run", {add_gemm, add_contract, add_conv, add_bench, add_tune, add_ranks}},
                  {"Emulate", {add_emulate, add_run}},
                  {"Ship", {add_export, add_pack_weights, add_shim}},
                  {"Machine", {add_cache, add_chips, add_doctor, add_completion}}});
}

Command jute_command(CommonOptions& common) { return jute_command(common, add_bench); }

}  // namespace jute::command
