// The words that the kernels beside this file are written in: one function an instruction, each
// with the sentence that one has to know about it. This text is put in front of every kernel, so
// that a kernel needs no header.
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
#define WORD __device__ __forceinline__

struct alignas(64) TensorMap {
  u8 bytes[128];
};

// ---- addresses and places --------------------------------------------------------------------
WORD u32 shared_address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
WORD u32 block_rank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
// The same shared address in block `rank` of the cluster.
WORD u32 map_to_rank(u32 address, u32 rank) {
  u32 mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}
WORD u32 load_shared(u32 address) {
  u32 value;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  return value;
}
WORD void store_shared(u32 address, u32 value) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}
// One lane of a converged warp says yes.
WORD bool is_elected() {
  u32 yes;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(yes));
  return yes != 0;
}

// ---- mbarriers: a phase ends when its arrivals are in and its bytes have landed --------------
WORD void init_barrier(u32 bar, u32 arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(arrivals) : "memory");
}
// Shows fresh barriers to the copy engine and to the cluster.
WORD void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
WORD void arrive(u32 bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}
// On a barrier of any block of the cluster; `bar` comes from map_to_rank.
WORD void arrive_remote(u32 bar) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory");
}
// One arrival, and the phase now also waits for so many bytes.
WORD void arrive_expecting(u32 bar, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
// Until the phase of this parity is over. A fresh barrier is in phase 0; a wait for parity 1 on it
// returns at once, as if a phase before the first were over.
WORD void wait(u32 bar, u32 parity) {
  asm volatile(
      "{ .reg .pred done;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again; }" ::"r"(bar), "r"(parity) : "memory");
}
// The same where another block of the cluster stored what is waited for.
WORD void wait_cluster(u32 bar, u32 parity) {
  asm volatile(
      "{ .reg .pred done;\n"
      "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again; }" ::"r"(bar), "r"(parity) : "memory");
}

// ---- barriers of the block and of the cluster ------------------------------------------------
WORD void named_sync(u32 id, u32 threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
WORD void named_arrive(u32 id, u32 threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
WORD void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// ---- the proxy between ordinary stores and the engines ---------------------------------------
// What this thread has stored, or a barrier has shown it, may now be read by TMA and wgmma.
WORD void show_to_engines() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// ---- cp.async: copies by threads, counted in groups ------------------------------------------
WORD void copy_16(u32 to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
WORD void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Until all but the newest kNewest groups of this thread have landed.
template <int kNewest>
WORD void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kNewest) : "memory");
}

// ---- bulk copies of plain bytes, and boxes of tensor maps ------------------------------------
WORD void bulk_load(u32 to, const void* from, u32 bytes, u32 bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar) : "memory");
}
WORD void bulk_store(void* to, u32 from, u32 bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
               ::"l"(to), "r"(from), "r"(bytes) : "memory");
}
WORD void load_box_2d(u32 to, const TensorMap& map, int x, int y, u32 bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(&map), "r"(x), "r"(y), "r"(bar) : "memory");
}
WORD void store_box_2d(const TensorMap& map, int x, int y, u32 from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
               ::"l"(&map), "r"(x), "r"(y), "r"(from) : "memory");
}
WORD void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
// Until all but the newest kNewest groups of stores have been carried out.
template <int kNewest>
WORD void wait_stores() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kNewest) : "memory");
}
// Until their sources have been read: the shared memory may be written again.
template <int kNewest>
WORD void wait_stores_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kNewest) : "memory");
}

// ---- wgmma: a warpgroup multiplies out of shared memory, behind the program's back -----------
// Orders what threads wrote to accumulators and A registers before the products that use them.
WORD void fence_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
WORD void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kNewest>
WORD void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kNewest) : "memory");
}
// Accumulators may be read from here on: keeps the compiler from moving reads before the wait.
WORD void hold_one(float& d) { asm volatile("" : "+f"(d)::"memory"); }
WORD void hold_one(u32& d) { asm volatile("" : "+r"(d)::"memory"); }
template <class T, int kCount>
WORD void hold(T (&d)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) hold_one(d[i]);
}
// Sixteen accumulators, as an instruction lists them and as asm holds them: "+f" or "+r".
#define SIXTEEN "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}"
#define HELD(how, d) \
  how(d[0]), how(d[1]), how(d[2]), how(d[3]), how(d[4]), how(d[5]), how(d[6]), how(d[7]), \
  how(d[8]), how(d[9]), how(d[10]), how(d[11]), how(d[12]), how(d[13]), how(d[14]), how(d[15])
// Rows of 128 bytes, swizzled by 128: eight rows are 1024 bytes, which is also the step to the next
// eight. `address` may stand 32, 64 or 96 bytes into the row: the next steps of K.
WORD u64 descriptor_128(u32 address) {
  return (u64)(address >> 4 & 0x3FFF) | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62;
}
// D (64 x 32, f32) = A * B, or D += A * B, of 16 bf16 of K, both operands with K along rows.
WORD void multiply_bf16(float (&d)[16], u64 a, u64 b, int adds) {
  asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %18, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 " SIXTEEN ", %16, %17, adds, 1, 1, 0, 0; }"
               : HELD("+f", d) : "l"(a), "l"(b), "r"(adds));
}
// The same for 64 of K: a row of 128 bytes. `first` says that D holds nothing yet.
WORD void multiply_row(float (&d)[16], u32 a, u32 b, bool first) {
#pragma unroll
  for (int k = 0; k < 128; k += 32)
    multiply_bf16(d, descriptor_128(a + k), descriptor_128(b + k), !first || k > 0);
}
// D of a 64 x 8n tile: a thread holds, of each eight columns, two neighbours in two rows.
WORD int product_row(int i) { return threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8; }
WORD int product_column(int i) { return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2; }
