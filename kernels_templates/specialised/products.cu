// specialised/products.cu: the tensor core reads stages itself; while it multiplies a k-tile, the next
// one's products are already issued. A stage is free again when its products are done.
//   needs: int kBarrierBytes
//   needs: FragmentC acc; Pipe pipe
//   needs: int ${registers}; int k_tiles; unsigned full
//   needs: void commit_products(), fence_products(), hold<>(RegisterC&), release_stage(int)
//   needs: void wait_for(unsigned, int), wait_products<>()
//   gives: int k_tile
//   fills: if_any = if (k_tiles > 0); registers = kAccumulatorRegisters
int previous = 0;
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
  fence_products();
  $[issue]
  commit_products();
  $[meanwhile]
  // Only this k-tile's products may still run: those of the one before have read their stage.
  wait_products<1>();
  if (k_tile > 0) release_stage(previous);
  previous = pipe.stage;
  pipe.next();
}
wait_products<0>();
${if_any}release_stage(previous);
#pragma unroll
for (int i = 0; i < ${registers}; ++i) hold(acc.reg[i]);
$[none]

// specialised/products.cu (none): without k-tiles sums are zeros.
//   needs: FragmentC acc; int kAccumulatorRegisters, k_tiles
if (k_tiles == 0) {
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
}

// specialised/products.cu (pass): a group of consumers whose rows all lie past those of the problem group multiplies and drains nothing.
//   needs: int kBarrierBytes; Pipe pipe; int first_m, k_tiles, m, member; unsigned full
//   needs: void release_stage(int), wait_for(unsigned, int)
//   gives: int k_tile
//   fills: rows = 64
if (first_m + member * ${rows} >= m) {
  #pragma unroll 1
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
    wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
    release_stage(pipe.stage);
    pipe.next();
  }
} else {
  $[work]
}

// specialised/products.cu (issue): the products of the k-tile that has come, added to what there is.
//   needs: type FragmentC; FragmentC ${sums}; Pipe pipe
//   needs: int kAtomRegistersC, kKSteps, kMatrixUnit, kRepeatM, kRepeatN, kStageBytesA, kStageBytesB; int k_tile
//   needs: unsigned long long a_matrix, b_matrix; int matrix_a(int, int), matrix_b(int, int)
//   needs: void ${mma}(RegisterC*, unsigned long long, unsigned long long, int)
//   fills: sums = acc; adds = k_tile > 0; mma = mma
const unsigned long long stage_a = a_matrix + pipe.stage * (kStageBytesA / kMatrixUnit);
const unsigned long long stage_b = b_matrix + pipe.stage * (kStageBytesB / kMatrixUnit);
#pragma unroll
for (int k_step = 0; k_step < kKSteps; ++k_step) {
  #pragma unroll
  for (int j = 0; j < kRepeatN; ++j) {
    #pragma unroll
    for (int i = 0; i < kRepeatM; ++i)
      ${mma}(${sums}.reg + kAtomRegistersC * (i + kRepeatM * j),
          stage_a + matrix_a(0, i + kRepeatM * k_step) / kMatrixUnit,
          stage_b + matrix_b(0, j + kRepeatN * k_step) / kMatrixUnit, ${adds} || k_step > 0);
  }
}

// specialised/products.cu (terms): one product of terms of the k-tile behind the other, the smallest first. A stage
// holds all terms of its tiles.
//   needs: type FragmentC; FragmentC ${sums}; Pipe pipe
//   needs: int kAtomRegistersC, kKSteps, kMatrixUnit, kRepeatM, kRepeatN, kStageBytesA, kStageBytesB; int k_tile
//   needs: int kProducts, kTermBits, kTermMask, kTerms, kTermsOfA, kTermsOfB
//   needs: unsigned long long a_matrix, b_matrix; int matrix_a(int, int), matrix_b(int, int)
//   needs: void mma(RegisterC*, unsigned long long, unsigned long long, int)
//   fills: sums = acc; adds = k_tile > 0
#pragma unroll
for (int product = 0; product < kProducts; ++product) {
  const int copy_of_a = pipe.stage * kTerms + (kTermsOfA >> kTermBits * product & kTermMask);
  const int copy_of_b = pipe.stage * kTerms + (kTermsOfB >> kTermBits * product & kTermMask);
  const unsigned long long stage_a = a_matrix + copy_of_a * (kStageBytesA / kMatrixUnit);
  const unsigned long long stage_b = b_matrix + copy_of_b * (kStageBytesB / kMatrixUnit);
  #pragma unroll
  for (int k_step = 0; k_step < kKSteps; ++k_step) {
    #pragma unroll
    for (int j = 0; j < kRepeatN; ++j) {
      #pragma unroll
      for (int i = 0; i < kRepeatM; ++i)
        mma(${sums}.reg + kAtomRegistersC * (i + kRepeatM * j),
            stage_a + matrix_a(0, i + kRepeatM * k_step) / kMatrixUnit,
            stage_b + matrix_b(0, j + kRepeatN * k_step) / kMatrixUnit, ${adds} || product > 0 || k_step > 0);
    }
  }
}

// specialised/products.cu (promoted): the tensor core reads stages itself and keeps few bits of sums, so that
// every ${run} of k are summed on their own and then added in full; meanwhile other groups multiply.
//   needs: int kBarrierBytes
//   needs: type FragmentC; FragmentC acc; Pipe pipe
//   needs: int kAccumulatorRegisters, kAccumulators, kPromoteTiles; int k_tiles; unsigned full
//   needs: void commit_products(), fence_products(), hold<>(RegisterC&), release_stage(int)
//   needs: void wait_for(unsigned, int), wait_products<>()
//   gives: int k_tile, run_start; FragmentC part
//   fills: run = 128; add = acc.elem[i] += part.elem[i]
FragmentC part;
#pragma unroll
for (int i = 0; i < kAccumulators; ++i) acc.elem[i] = 0;
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles;) {
  const int run_start = k_tile;
  int previous = 0;
  $[scales]
  #pragma unroll 1
  do {
    wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
    fence_products();
    $[issue]
    commit_products();
    $[meanwhile]
    wait_products<1>();
    if (k_tile > run_start) release_stage(previous);
    previous = pipe.stage;
    pipe.next();
  } while (++k_tile % kPromoteTiles > 0 && k_tile < k_tiles);
  wait_products<0>();
  release_stage(previous);
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) hold(part.reg[i]);
  #pragma unroll
  for (int i = 0; i < kAccumulators; ++i) ${add};
}

// specialised/products.cu (promoted by instruction): as above, but a k-tile is a run, and its sums are formed and added by one
// instruction's tile after the other, so that few registers hold them; meanwhile other groups multiply. (Two sets by turns, so that a
// group adds one while its next is formed, need narrower instructions, which wait for shared memory.) The next k-tile's stage is waited for while the last products of this
// one run.
//   needs: int kBarrierBytes
//   needs: type Pipe, RegisterC; FragmentC acc; Pipe pipe
//   needs: int kAccumulators, kAtomRegistersC, kRepeatM, kRepeatN; int k_tiles; unsigned full
//   needs: void commit_products(), fence_products(), hold<>(RegisterC&), release_stage(int)
//   needs: void wait_for(unsigned, int), wait_products<>()
//   gives: int k_tile, run_start, tile; Pipe coming; RegisterC part[]; void add_sums(int)
//   fills: add = acc.elem[i] += part[from]; if_any = if (k_tiles > 0)
constexpr int kTilesOfGroup = kRepeatM * kRepeatN;
RegisterC part[kAtomRegistersC];
#pragma unroll
for (int i = 0; i < kAccumulators; ++i) acc.elem[i] = 0;
$[kept]
const auto add_sums = [&](int tile) {
  #pragma unroll
  for (int from = 0; from < kAtomRegistersC; ++from) {
    const int i = kAtomRegistersC * tile + from;
    hold(part[from]);
    ${add};
  }
};
${if_any}wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  const int run_start = k_tile;
  Pipe coming = pipe;
  coming.next();
  #pragma unroll
  for (int tile = 0; tile < kTilesOfGroup; ++tile) {
    fence_products();
    $[issue]
    commit_products();
    if (tile == 0) {
      $[meanwhile]
      $[scales]
    }
    if (tile + 1 == kTilesOfGroup && k_tile + 1 < k_tiles)
      wait_for(full + kBarrierBytes * coming.stage, coming.parity);
    wait_products<0>();
    if (tile + 1 == kTilesOfGroup) release_stage(pipe.stage);
    add_sums(tile);
  }
  pipe = coming;
}

// specialised/products.cu (of a tile): the products of one instruction's tile of the k-tile that has come.
//   needs: type RegisterC; RegisterC part[]; Pipe pipe
//   needs: int tile, kAtomRegistersC, kKSteps, kMatrixUnit, kRepeatM, kRepeatN, kStageBytesA, kStageBytesB
//   needs: unsigned long long a_matrix, b_matrix; int matrix_a(int, int), matrix_b(int, int)
//   needs: void mma(RegisterC*, unsigned long long, unsigned long long, int)
const unsigned long long stage_a = a_matrix + pipe.stage * (kStageBytesA / kMatrixUnit);
const unsigned long long stage_b = b_matrix + pipe.stage * (kStageBytesB / kMatrixUnit);
#pragma unroll
for (int k_step = 0; k_step < kKSteps; ++k_step)
  mma(part, stage_a + matrix_a(0, tile % kRepeatM + kRepeatM * k_step) / kMatrixUnit,
      stage_b + matrix_b(0, tile / kRepeatM + kRepeatN * k_step) / kMatrixUnit, k_step > 0);

// specialised/products.cu (matrices): descriptors of this group's matrices in stage 0.
//   needs: unsigned long long matrix_address(unsigned)
//   needs: int kOffsetA, kOffsetB; int member; unsigned shared; unsigned long long kMatrixA, kMatrixB
//   needs: int matrix_a_base(int), matrix_b_base(int)
//   gives: unsigned long long a_matrix, b_matrix
const unsigned long long a_matrix = kMatrixA | matrix_address(shared + kOffsetA + matrix_a_base(member));
const unsigned long long b_matrix = kMatrixB | matrix_address(shared + kOffsetB + matrix_b_base(member));

// specialised/products.cu (from zero): the first product of a tile starts its sums anew, but not for the assembler: sums that
// others have added to in the tile before would reach it, and it would run products one by one.
//   needs: FragmentC acc; int kAccumulators
#pragma unroll
for (int i = 0; i < kAccumulators; ++i) acc.elem[i] = 0;

// specialised/products.cu (widths): instructions of the tile's width; accumulators of the narrower are the first of the wider.
//   needs: int kTileN
switch (kTileN) {
  $[cases]
}

// specialised/products.cu (of a width): all k-tiles by instructions of ${width} columns.
//   fills: width = 64; registers = 32
{
  constexpr int kWidthRegisters = ${registers};
  $[multiply]
}
