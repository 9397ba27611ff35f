// Sums of NCCL's stand-in: all ranks' summands are kept until each rank has added them.
#include "transport/stand_in_parts.hpp"

namespace jute::test {

using namespace jute::transport;

bool sum_up(FakeComm& own) {
  std::vector<std::vector<std::byte>> all;
  for (int rank = 0; rank < own.world->size; ++rank) {
    const auto& said = own.world->summands[rank];
    if (said.size() <= own.sums_done) return false;
    all.push_back(said[own.sums_done]);
  }
  const FakeSum sum = *own.sum;
  const DType type = sum.type == 7 ? DType::f32 : sum.type == 9 ? DType::bf16 : DType::f16;
  const std::size_t first = sum.kind == 0 ? 0 : sum.bytes * static_cast<std::size_t>(own.rank);
  std::vector<double> sums;
  for (const std::vector<std::byte>& bytes : all) {
    const std::vector<double> more = decode(type, std::span(bytes).subspan(first, sum.bytes));
    sums.resize(more.size(), 0);
    for (std::size_t i = 0; i < more.size(); ++i) sums[i] += more[i];
    sums = decode(type, encode(type, sums));
  }
  stand_in().memory->write(own.gpu, sum.to, encode(type, sums));
  own.sum.reset();
  ++own.sums_done;
  return true;
}

namespace {

NcclResult put_summands(int kind, const void* from, void* to, std::size_t count, int type,
                        int operation, NcclComm comm) {
  FakeComm& own = comm_of(comm);
  const char* const call = kind == 0 ? "ncclAllReduce" : "ncclReduceScatter";
  if (const NcclResult fault = told(call, own.rank)) return fault;
  if (operation != kNcclSum || (type != 7 && type != 9 && type != 6)) return 4;
  const std::size_t bytes = count * (type == 7 ? 4 : 2);
  const auto ranks = static_cast<std::size_t>(own.world->size);
  std::vector<std::byte> all(kind == 0 ? bytes : bytes * ranks);
  stand_in().memory->read(own.gpu, all,
                          static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(from)));
  const std::lock_guard lock(nccl_mutex());
  own.world->summands[own.rank].push_back(std::move(all));
  own.sum =
      FakeSum{kind, static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(to)), bytes, type};
  return kNcclInProgress;
}
NcclResult nccl_all_reduce(const void* from, void* to, std::size_t count, int type, int operation,
                           NcclComm comm, StreamHandle) {
  return put_summands(0, from, to, count, type, operation, comm);
}
NcclResult nccl_reduce_scatter(const void* from, void* to, std::size_t count, int type,
                               int operation, NcclComm comm, StreamHandle) {
  return put_summands(1, from, to, count, type, operation, comm);
}

}  // namespace

const Symbols& nccl_sum_symbols() {
  static const Symbols kSymbols{{"ncclAllReduce", as_symbol(nccl_all_reduce)},
                                {"ncclReduceScatter", as_symbol(nccl_reduce_scatter)}};
  return kSymbols;
}

}  // namespace jute::test
