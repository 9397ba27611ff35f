// Who a rank is: torchrun's variables, else Open MPI's, MPICH's and Slurm's.
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/base/rank_settings.hpp>

#include <array>
#include <cstdlib>
#include <map>

namespace jute::test {
namespace {

constexpr const char* kRankNames[] = {"RANK",
                                      "OMPI_COMM_WORLD_RANK",
                                      "PMI_RANK",
                                      "SLURM_PROCID",
                                      "WORLD_SIZE",
                                      "OMPI_COMM_WORLD_SIZE",
                                      "PMI_SIZE",
                                      "SLURM_NTASKS",
                                      "LOCAL_RANK",
                                      "OMPI_COMM_WORLD_LOCAL_RANK",
                                      "MPI_LOCALRANKID",
                                      "SLURM_LOCALID",
                                      "JUTE_RENDEZVOUS",
                                      "JUTE_RENDEZVOUS_SECRET",
                                      "MASTER_ADDR"};

/// What is said where these variables are all that is set of ranks.
RankSettings ranks_with(const std::map<std::string, std::string>& values) {
  std::map<std::string, std::string> before;
  for (const char* name : kRankNames) {
    if (const char* value = std::getenv(name)) before[name] = value;
    ::unsetenv(name);
  }
  for (const auto& [name, value] : values) ::setenv(name.c_str(), value.c_str(), 1);
  const auto restore = [&] {
    for (const char* name : kRankNames) ::unsetenv(name);
    for (const auto& [name, value] : before) ::setenv(name.c_str(), value.c_str(), 1);
  };
  try {
    RankSettings settings = rank_settings_from_environment();
    restore();
    return settings;
  } catch (...) {
    restore();
    throw;
  }
}

}  // namespace

TEST_CASE("each launcher's variables say who a rank is", "[base][settings][ranks]") {
  for (const auto& [rank, size, local] :
       {std::array{"RANK", "WORLD_SIZE", "LOCAL_RANK"},
        std::array{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
        std::array{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
        std::array{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"}}) {
    INFO(rank);
    const RankSettings settings = ranks_with({{rank, "5"}, {size, "8"}, {local, "1"}});
    CHECK(settings.rank == 5);
    CHECK(settings.world_size == 8);
    CHECK(settings.local_rank == 1);
  }
  // torchrun under Slurm: its own count, and its host.
  const RankSettings settings = ranks_with({{"RANK", "3"},
                                            {"SLURM_PROCID", "0"},
                                            {"MASTER_ADDR", "node7"},
                                            {"JUTE_RENDEZVOUS", "tcp://:29600"},
                                            {"JUTE_RENDEZVOUS_SECRET", "/home/me/secret"}});
  CHECK(settings.rank == 3);
  CHECK(settings.host == "node7");
  CHECK(settings.rendezvous == "tcp://:29600");
  CHECK(settings.secret == "/home/me/secret");
  CHECK(!ranks_with({}).rank.has_value());
}

TEST_CASE("a rank that is no number is refused by its variable's name",
          "[base][settings][ranks][refusal]") {
  for (const char* name : {"RANK", "PMI_SIZE", "SLURM_LOCALID"})
    for (const char* text : {"one", "-1", "3x"}) {
      const Error error = refusal_of([&] { (void)ranks_with({{name, text}}); });
      CHECK(error.code == ErrorCode::illegal_config);
      CHECK(error.operand == name);
      CHECK(error.value == text);
    }
}

}  // namespace jute::test
