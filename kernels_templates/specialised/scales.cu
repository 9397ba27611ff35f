// specialised/scales.cu: which blocks of ${X}'s scales this thread's lines of the tile lie in.
//   needs: int first_${mn}, kScaleLines${X}, ${mn}, worker; int scale_line_${x}(int), scaled_${x}_base(int)
//   gives: int ${x}_block[]
//   fills: block = 128
int ${x}_block[kScaleLines${X}];
#pragma unroll
for (int i = 0; i < kScaleLines${X}; ++i) ${x}_block[i] = min(first_${mn} + scaled_${x}_base(worker) + scale_line_${x}(i), ${mn} - 1) / ${block};

// specialised/scales.cu (spans): the blocks of ${X}'s scales that the tile lies in.
//   needs: int first_${mn}, kScaleLines${X}, ${mn}
//   gives: int ${x}_block[]
//   fills: block = 128
int ${x}_block[kScaleLines${X}];
#pragma unroll
for (int i = 0; i < kScaleLines${X}; ++i) ${x}_block[i] = min(first_${mn} / ${block} + i, (${mn} - 1) / ${block});

// specialised/scales.cu (first): where ${X}'s scales of this thread's lines lie, and those of the first run of k. (Places that the
// compiler takes as they are: found anew for every run they would keep its sums waiting.)
//   needs: type ${type}; const unsigned char* ${x}_scale; int k_tiles, kScaleLines${X}; float number_at(const ${type}*, long long)
//   gives: long long ${x}_place[]; float ${x}_coming[]
//   fills: type = f32; at = 0; run = + 0; if_any = if (k_tiles > 0)
long long ${x}_place[kScaleLines${X}];
float ${x}_coming[kScaleLines${X}];
#pragma unroll
for (int i = 0; i < kScaleLines${X}; ++i) {
  ${x}_place[i] = ${at};
  asm volatile("" : "+l"(${x}_place[i]));
  ${if_any}${x}_coming[i] = number_at(reinterpret_cast<const ${type}*>(${x}_scale), ${x}_place[i]${run});
}

// specialised/scales.cu (kept): ${X}'s scales of the run whose sums are added.
//   needs: int kScaleLines${X}
//   gives: float ${x}_scales[]
float ${x}_scales[kScaleLines${X}] = {};

// specialised/scales.cu (load): ${X}'s scales for a run of k-tiles; those of the next one, if there is one, are on their way meanwhile.
//   needs: type ${type}; const unsigned char* ${x}_scale; long long ${x}_place[]; float ${x}_coming[]
//   needs: float ${x}_scales[]; int k_tiles, kPromoteTiles, kScaleLines${X}, run_start; float number_at(const ${type}*, long long)
//   gives: long long ${x}_run
//   fills: type = f32; run = 0
const long long ${x}_run = ${run};
#pragma unroll
for (int i = 0; i < kScaleLines${X}; ++i) {
  ${x}_scales[i] = ${x}_coming[i];
  ${x}_coming[i] = number_at(reinterpret_cast<const ${type}*>(${x}_scale), ${x}_place[i] + ${x}_run);
}

// specialised/scales.cu (staged): ${X}'s scales of this thread's lines, from the stage of the k-tile that has come.
//   needs: Pipe pipe; float ${x}_scales[]; unsigned shared; void read_shared<>(Word&, unsigned)
//   needs: int first_${mn}, kScalesOffset, kScaleBytes, kScalePlace${X}, kScaleLines${X}, worker; int scale_line_${x}(int), scaled_${x}_base(int)
//   fills: block = 1; line = + 4
#pragma unroll
for (int i = 0; i < kScaleLines${X}; ++i) {
  unsigned scale;
  read_shared(scale, shared + kScalesOffset + pipe.stage * kScaleBytes + kScalePlace${X}${line});
  ${x}_scales[i] = __uint_as_float(scale);
}

// specialised/scales.cu (producer): another warp of producers copies the scales of every k-tile to its stage, a lane a block's, as
// soon as the stage is free. Its copies arrive at the stage's barrier when they are done.
//   needs: int kBarrierBytes
//   needs: type Pipe, Place; int kConsumerWarps, cluster_step, clusters, first_cluster, k_tiles, ${extents}, rank, thread, warp
//   needs: unsigned free, full; Place place_of(int, int, int, int); void wait_for(unsigned, int)
//   gives: Pipe pipe; Place at; int k_tile, lane
//   fills: extents = m, n
if (warp == kConsumerWarps + 1) {
  Pipe pipe;
  const int lane = thread % 32;
  #pragma unroll 1
  for (int cluster = first_cluster; cluster < clusters; cluster += cluster_step) {
    const Place at = place_of(cluster, rank, ${extents});
    #pragma unroll 1
    for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
      wait_for(free + kBarrierBytes * pipe.stage, pipe.parity ^ 1);
      $[copies]
      asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(full + kBarrierBytes * pipe.stage) : "memory");
      pipe.next();
    }
  }
}

// specialised/scales.cu (copies): ${X}'s scales of a k-tile; no more addresses at once than a producer has registers for.
//   needs: const unsigned char* ${x}_scale; Pipe pipe; Place at; unsigned shared; void copy_async<>(unsigned, const Elem*, int)
//   needs: int k_tile, kScalesOffset, kScaleBytes, kScalePlace${X}, kScaleSlots${X}, kTile${MN}, lane, ${extent}
//   fills: block = 1; at = 0; extent = m
#pragma unroll 4
for (int first = 0; first < kScaleSlots${X}; first += 32) {
  const int slot = first + lane, block = min(at.tile_${mn} * kTile${MN} / ${block} + slot, (${extent} - 1) / ${block});
  if (slot < kScaleSlots${X})
    copy_async<1>(shared + kScalesOffset + pipe.stage * kScaleBytes + kScalePlace${X} + 4 * slot,
                  reinterpret_cast<const float*>(${x}_scale) + (${at}), 1);
}

// specialised/scales.cu (of a line): the scale of an accumulator, by its line.
//   needs: float ${x}_scales[]; int scale_slot_${x}(int)
//   gives: float scale_of_${x}(int)
const auto scale_of_${x} = [&](int value) { return ${x}_scales[scale_slot_${x}(value)]; };

// specialised/scales.cu (of a span): the scale of an accumulator, by the blocks that begin ahead of its line; lines count from the
// thread's first.
//   needs: float ${x}_scales[]; int first_${mn}, kScaleLines${X}, worker; int scaled_${x}(int), scaled_${x}_base(int)
//   gives: int ${x}_next; float scale_of_${x}(int)
//   fills: block = 128
const int ${x}_next = (first_${mn} / ${block} + 1) * ${block} - first_${mn} - scaled_${x}_base(worker);
const auto scale_of_${x} = [&](int value) {
  float scale = ${x}_scales[0];
  #pragma unroll
  for (int i = 1; i < kScaleLines${X}; ++i) scale = scaled_${x}(value) < ${x}_next + (i - 1) * ${block} ? scale : ${x}_scales[i];
  return scale;
};

// specialised/scales.cu (part): of kernels whose warps all copy and multiply: sums of one k-tile, which has one scale of each line.
//   needs: type FragmentC; int thread
//   gives: FragmentC part; int scaled_tiles, worker
const int worker = thread;
int scaled_tiles = 0;
FragmentC part;

// specialised/scales.cu (begin): a k-tile's sums begin with nothing, and its scales are on their way.
//   needs: FragmentC part; int kAccumulatorRegisters, scaled_tiles
//   gives: int run_start
const int run_start = scaled_tiles++;
$[scales]
#pragma unroll
for (int i = 0; i < kAccumulatorRegisters; ++i) part.reg[i] = 0;

// specialised/scales.cu (add): what they are, scaled, to those of the k-tiles before.
//   needs: FragmentC acc, part; int kAccumulators
//   fills: add = acc.elem[i] += part.elem[i]
#pragma unroll
for (int i = 0; i < kAccumulators; ++i) ${add};
