// Exit statuses and environment variables, as manual and reference tell them.
#include "pages/facts.hpp"

#include <array>

#include "command/exit_status.hpp"

namespace jute::command {

std::span<const StatusFact> status_facts() {
  static constexpr std::array<StatusFact, 5> kStatuses{{
      {kDone, "done; `doctor` too, unless `--require` asks for what is missing"},
      {kAnswerIsNo, "the answer is no: a verification or check failed, a line of a batch failed"},
      {kBadInput, "wrong usage, bad input, a refusal with its rules"},
      {kEnvironmentLacks,
       "the environment lacks something: GPU, NVRTC, disassembler, memory, a writable place"},
      {kLaunchFailed, "a launch failed, or an internal error"},
  }};
  return kStatuses;
}

std::span<const VariableFact> variable_facts() {
  // clang-format off
  static constexpr std::array<VariableFact, 27> kVariables{{
      {"JUTE_CACHE_DIR", "the folder of compiled kernels; else `$XDG_CACHE_HOME/jute`, else `~/.cache/jute`"},
      {"JUTE_CACHE", "`on`, `off` or `readonly`"},
      {"JUTE_CACHE_LAYERS",
       "folders of kernels that are only read, between colons, as `jute cache pack` writes them"},
      {"JUTE_COMPILE", "`forbidden`: what no cache has is refused, not compiled; or `allowed`"},
      {"JUTE_LOG", "`info` or `debug`: say what `--verbose` says"},
      {"JUTE_DUMP_DIR", "keep source, PTX and machine code of every kernel that is prepared to run (`gemm`, `bench`, "
       "`tune`, programs) here"},
      {"JUTE_ARCH", "the architecture when none is asked for"},
      {"JUTE_DEVICE", "`auto`, `cuda` or `emulator`"},
      {"JUTE_NVRTC", "the file of libnvrtc"},
      {"JUTE_NCCL", "the file of libnccl, which `jute gemm --transport nccl` loads"},
      {"JUTE_RENDEZVOUS", "where ranks that are processes meet: `file:FOLDER` or `tcp://HOST:PORT`, or `tcp://:PORT` on the host of `MASTER_ADDR`; `jute ranks` sets it"},
      {"JUTE_RENDEZVOUS_SECRET", "a file of mode 0600 whose bytes, 16 or more, let a process join a run at a port; without it ranks meet at loopback addresses alone; `jute ranks` makes one where it is not set"},
      {"RANK", "which rank a process is; else `OMPI_COMM_WORLD_RANK`, `PMI_RANK`, `SLURM_PROCID`"},
      {"WORLD_SIZE", "how many ranks there are; else `OMPI_COMM_WORLD_SIZE`, `PMI_SIZE`, `SLURM_NTASKS`"},
      {"LOCAL_RANK", "which GPU is the rank's; else `OMPI_COMM_WORLD_LOCAL_RANK`, `MPI_LOCALRANKID`, `SLURM_LOCALID`"},
      {"MASTER_ADDR", "the host of rank 0, where `JUTE_RENDEZVOUS` names none; its port is torchrun's own"},
      {"JUTE_PDL", "`off` or `0`: no kernel begins before the one ahead has ended (programmatic dependent launch)"},
      {"JUTE_TUNED", "`off` or `0`: plan by the model alone, not as `jute tune` found best"},
      {"JUTE_TEMPLATE_DIR", "kernel templates laid over the built-in ones"},
      {"JUTE_SHIM_RECORD", "a file that takes the calls of cuBLAS, which `jute shim record` sets beside LD_PRELOAD"},
      {"JUTE_SHIM_SERVE", "a file of `jute shim prepare` that is served from, which `jute shim serve` sets likewise"},
      {"JUTE_STAND_IN", "options of the stand-in driver, which `jute run` sets: `device=h100 check=full`"},
      {"JUTE_STAND_IN_FINDINGS", "the file that takes what the stand-in driver finds; else standard error"},
      {"CUDA_HOME", "an installed toolkit, in which NVRTC, CUDA's headers and the disassembler are looked for"},
      {"CUDA_PATH", "likewise, where CUDA_HOME is not set"},
      {"VIRTUAL_ENV", "a Python environment, in which the same are looked for"},
      {"NO_COLOR", "no colour, whatever its value"},
  }};
  // clang-format on
  return kVariables;
}

}  // namespace jute::command
