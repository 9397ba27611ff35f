// specialised/arrivals.cu: rows of A that come from other ranks while the kernel runs, in pieces. Behind the words below lie, for
// each piece, which one comes at that turn; the rank that brings it; and a flag, raised once it is there.
//   gives: type Arrivals; bool has_come(const unsigned*); const int* turns_of(const Arrivals*); int piece_at(const Arrivals*, int)
struct Arrivals {
  unsigned* fault;  // not 0: nobody waits any longer
  unsigned long long limit_ns;
  int pieces, piece_clusters, own_tile, own_tiles;
};
__device__ __forceinline__ const int* turns_of(const Arrivals* arrivals) { return reinterpret_cast<const int*>(arrivals + 1); }
// The rows of clusters' tiles, in the order in which their pieces come.
__device__ __forceinline__ int piece_at(const Arrivals* arrivals, int row) {
  const int clusters = arrivals->piece_clusters, turn = row / clusters;
  return turns_of(arrivals)[turn] * clusters + (row - turn * clusters);
}
// What was written before the flag was raised, by whomever, lies before the end.
__device__ __forceinline__ bool has_come(const unsigned* flag) {
  unsigned value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value != 0;
}

// specialised/arrivals.cu (wait): until a piece is there, or a fault; who waits too long says for whom.
//   needs: type Arrivals; bool has_come(const unsigned*); const int* turns_of(const Arrivals*)
//   gives: void wait_for_piece(const Arrivals*, int)
__device__ __forceinline__ void wait_for_piece(const Arrivals* arrivals, int piece) {
  const int* const senders = turns_of(arrivals) + arrivals->pieces;
  const unsigned* const flag = reinterpret_cast<const unsigned*>(senders + arrivals->pieces) + piece;
  unsigned long long begin = 0, now;
  for (unsigned look = 1; !has_come(flag); ++look) {
    if (look % 64 != 0) continue;
    if (has_come(arrivals->fault)) return;
    if (arrivals->limit_ns == 0) continue;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (begin == 0) begin = now;
    if (now - begin <= arrivals->limit_ns) continue;
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(arrivals->fault), "r"(1 + senders[piece]) : "memory");
    return;
  }
  // TMA reads what the flag was raised for.
  asm volatile("fence.proxy.async.global;" ::: "memory");
}

// specialised/arrivals.cu (place): tiles in the order in which their rows come; within it blocks that run together cover a compact
// group of tiles, as ever.
//   needs: type Arrivals, Place, TileInGroups; Arrivals* arrivals; int kClusterM, kClusterN, kRasterWidth, kTileM, kTileN, m, n
//   needs: TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned); int piece_at(const Arrivals*, int)
//   gives: int clusters_of(int, int, int); Place place_of(int, int, int, int)
const auto clusters_of = [&](int, int, int) {
  return (m + kClusterM * kTileM - 1) / (kClusterM * kTileM) * ((n + kClusterN * kTileN - 1) / (kClusterN * kTileN));
};
const auto place_of = [&](int cluster, int rank, int, int) -> Place {
  const int clusters_m = (m + kClusterM * kTileM - 1) / (kClusterM * kTileM);
  const int clusters_n = (n + kClusterN * kTileN - 1) / (kClusterN * kTileN);
  const TileInGroups place = in_groups(cluster, clusters_m, clusters_n, kRasterWidth);
  return {piece_at(arrivals, place.row) * kClusterM + rank % kClusterM, place.column * kClusterN + rank / kClusterM, 0};
};

// specialised/arrivals.cu (load stage): all boxes of a k-tile: of rows that lie where A does by their map, of others by that of the
// memory to which they come, once they are there.
//   needs: int kBarrierBytes, kClusterM
//   needs: type Arrivals, Place, TensorMap; Arrivals* arrivals; const TensorMap map_a, map_came; int kFullBytes; unsigned full
//   needs: void expect_bytes(unsigned, int), wait_for_piece(const Arrivals*, int)
//   gives: Place at; int k_tile, stage; unsigned stage_full; const TensorMap map_here; void load_stage(int, int, const Place&)
//   fills: bytes = kFullBytes
int tile_here = -1, first_here = 0;
bool is_own = false;
const auto load_stage = [&](int stage, int k_tile, const Place& tile) {
  if (tile.tile_m != tile_here) {
    tile_here = tile.tile_m;
    const int in_own = tile_here - arrivals->own_tile;
    is_own = in_own >= 0 && in_own < arrivals->own_tiles;
    first_here = is_own ? in_own : tile_here;
    if (!is_own) wait_for_piece(arrivals, tile_here / (kClusterM * arrivals->piece_clusters));
  }
  const TensorMap& map_here = is_own ? map_a : map_came;
  const Place at{first_here, tile.tile_n, tile.matrix};
  const unsigned stage_full = full + kBarrierBytes * stage;
  expect_bytes(stage_full, ${bytes});
  $[load]
};
