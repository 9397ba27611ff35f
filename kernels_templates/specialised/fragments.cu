// specialised/fragments.cu: warps read their fragments of a stage, then multiply. TMA fills the stage again
// only behind these reads: without the fence those that queue behind other warps' stores may come too late.
//   needs: int kBarrierBytes
//   needs: FragmentC acc; Pipe pipe; int kAccumulatorRegisters; int k_tiles; unsigned full
//   needs: void hand_to_tma(), multiply(int), release_stage(int), wait_for(unsigned, int)
//   gives: int k_tile
#pragma unroll
for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
  $[meanwhile]
  multiply(pipe.stage);
  hand_to_tma();
  __syncwarp();
  release_stage(pipe.stage);
  pipe.next();
}

// specialised/fragments.cu (places): where this thread finds its fragments in stage 0.
//   needs: int kOffsetA, kOffsetB; int worker; unsigned shared; unsigned char* smem; int read_a_base(int), read_b_base(int)
//   gives: int a_read, b_read; unsigned shared_a, shared_b; unsigned char* smem_a, smem_b
unsigned char *const smem_a = smem + kOffsetA, *const smem_b = smem + kOffsetB;
const unsigned shared_a = shared + kOffsetA, shared_b = shared + kOffsetB;
const int a_read = read_a_base(worker), b_read = read_b_base(worker);

// specialised/fragments.cu (stored): stages have A as it is stored. Threads read their words of it and make fragments of them, whose
// products read B from its stages; while these run, the next part of K becomes fragments in other registers, those of the part
// before. The first part of a k-tile is converted ahead of it; all products are done where one ends: across that the assembler
// would run them one by one.
//   needs: int kBarrierBytes, kPartRegisters, kPartsOfTile, kWords
//   needs: type FragmentC; FragmentC acc; Pipe pipe; int kAccumulatorRegisters; int k_tiles; unsigned full
//   needs: void ask_numbers(int), convert(const unsigned*, int, unsigned*), hold<>(RegisterC&), multiply(unsigned*, int, int, bool)
//   needs: void read_words(int, int, unsigned*), release_stage(int), take_numbers(), wait_for(unsigned, int), wait_products<>()
//   gives: int k_tile
//   fills: if_any = if (k_tiles > 0)
unsigned fragments[2][kPartRegisters];
const auto begin_tile = [&](int k_tile, const Pipe& turn, unsigned* words) {
  take_numbers();
  ask_numbers(min(k_tile + 1, k_tiles - 1));
  wait_for(full + kBarrierBytes * turn.stage, turn.parity);
  read_words(turn.stage, 0, words);
};
${if_any}{
  unsigned words[kWords];
  ask_numbers(0);
  begin_tile(0, pipe, words);
  convert(words, 0, fragments[0]);
}
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  Pipe next = pipe;
  next.next();
  #pragma unroll
  for (int part = 0; part < kPartsOfTile; ++part) {
    unsigned words[kWords];
    if (part + 1 < kPartsOfTile) read_words(pipe.stage, part + 1, words);
    multiply(fragments[part % 2], pipe.stage, part, k_tile > 0 || part > 0);
    if (part + 1 == kPartsOfTile && k_tile + 1 == k_tiles) break;
    if (part + 1 == kPartsOfTile) begin_tile(k_tile + 1, next, words);
    // Only the products of this part may still run.
    wait_products<1>();
    convert(words, (part + 1) % kPartsOfTile, fragments[(part + 1) % 2]);
  }
  $[meanwhile]
  wait_products<0>();
  release_stage(pipe.stage);
  pipe = next;
}
#pragma unroll
for (int i = 0; i < kAccumulatorRegisters; ++i) hold(acc.reg[i]);
$[none]

// specialised/fragments.cu (stored places): where this thread finds its words of A in stage 0, and which of their elements are its own.
//   needs: unsigned long long kMatrixB, matrix_address(unsigned); int kOffsetA, kOffsetB; int member, worker; unsigned shared
//   needs: int copy_a_k_base(int), matrix_b_base(int), read_a_base(int)
//   gives: int in_read; unsigned stored_a; unsigned long long b_matrix
const int in_read = copy_a_k_base(worker);
const unsigned stored_a = shared + kOffsetA + read_a_base(worker);
const unsigned long long b_matrix = kMatrixB | matrix_address(shared + kOffsetB + matrix_b_base(member));

// specialised/fragments.cu (words of 4 bits): of each row what one read brings, a byte of which in each of its words is the thread's;
// those of all four in one word. A selector of j and 4 + j takes byte j of two words, 0x5410 puts two such pairs together.
//   needs: int kRepeatM, kRowsOfThread, kStageBytesA, kStepsOfPart, kWords; int in_read; unsigned stored_a
//   needs: int read_a(int, int); void read_shared<>(Word&, unsigned)
//   gives: void read_words(int, int, unsigned*)
const unsigned own_byte = 0x40 + 0x11 * (in_read / 2);
const auto read_words = [&](int stage, int part, unsigned* words) {
  #pragma unroll
  for (int i = 0; i < kRowsOfThread; ++i) {
    uint4 read;
    read_shared(read, read_a(stored_a + stage * kStageBytesA, 8 * (i / 2 + kRepeatM * kStepsOfPart * part) + 2 * (i % 2)));
    words[i] = __byte_perm(__byte_perm(read.x, read.y, own_byte), __byte_perm(read.z, read.w, own_byte), 0x5410);
  }
};

// specialised/fragments.cu (words of 8 bits): of each row half of what a read of four elements brings is the thread's; two reads make
// a word, for one instruction.
//   needs: int kRepeatM, kRowsOfThread, kStageBytesA, kStepsOfPart; int in_read; unsigned stored_a
//   needs: int read_a(int, int); void read_shared<>(Word&, unsigned)
//   gives: void read_words(int, int, unsigned*)
const unsigned own_bytes = in_read % 4 == 0 ? 0x5410 : 0x7632;
const auto read_words = [&](int stage, int part, unsigned* words) {
  #pragma unroll
  for (int i = 0; i < kRowsOfThread; ++i) {
    #pragma unroll
    for (int step = 0; step < kStepsOfPart; ++step) {
      const int value = 8 * (i / 2 + kRepeatM * (kStepsOfPart * part + step)) + 2 * (i % 2);
      unsigned first, second;
      read_shared(first, read_a(stored_a + stage * kStageBytesA, value));
      read_shared(second, read_a(stored_a + stage * kStageBytesA, value + 4));
      words[i * kStepsOfPart + step] = __byte_perm(first, second, own_bytes);
    }
  }
};

// specialised/fragments.cu (pairs): what is multiplied, two neighbours at a time in the type that is.
//   needs: int kOfWord, kRepeatM, kRowsOfThread, kStepsOfPart; void pairs_of_${type}(unsigned, unsigned*)
//   gives: void convert(const unsigned*, int, unsigned*); unsigned pair
//   fills: type = e5m2
const auto convert = [&](const unsigned* words, int part, unsigned* fragments) {
  constexpr int kStepsOfWord = kOfWord / 4;
  #pragma unroll
  for (int i = 0; i < kRowsOfThread; ++i) {
    $[numbers]
    #pragma unroll
    for (int step = 0; step < kStepsOfPart; step += kStepsOfWord) {
      unsigned pairs[kOfWord / 2];
      pairs_of_${type}(words[(i * kStepsOfPart + step) / kStepsOfWord], pairs);
      #pragma unroll
      for (int p = 0; p < kOfWord / 2; ++p) {
        unsigned& pair = pairs[p];
        $[value]
        fragments[4 * (i / 2 + kRepeatM * (step + p / 2)) + i % 2 + 2 * (p % 2)] = pair;
      }
    }
  }
};

// specialised/fragments.cu (floats): likewise elements in f32 that are rounded two by two.
//   needs: int kOfWord, kRepeatM, kRowsOfThread, kStepsOfPart; void floats_of_${type}(unsigned, float*); unsigned rounded_pair(float, float)
//   gives: void convert(const unsigned*, int, unsigned*); float value
//   fills: type = e5m2
const auto convert = [&](const unsigned* words, int part, unsigned* fragments) {
  constexpr int kStepsOfWord = kOfWord / 4;
  #pragma unroll
  for (int i = 0; i < kRowsOfThread; ++i) {
    $[numbers]
    #pragma unroll
    for (int step = 0; step < kStepsOfPart; step += kStepsOfWord) {
      float values[kOfWord];
      floats_of_${type}(words[(i * kStepsOfPart + step) / kStepsOfWord], values);
      #pragma unroll
      for (int e = 0; e < kOfWord; ++e) {
        float& value = values[e];
        $[value]
        if (e % 2 == 1)
          fragments[4 * (i / 2 + kRepeatM * (step + e / 4)) + i % 2 + 2 * (e / 2 % 2)] = rounded_pair(values[e - 1], value);
      }
    }
  }
};

// specialised/fragments.cu (numbers): those of the blocks that a thread's rows have in a k-tile, asked for while the one before it is
// converted. Rows past the edge, which nobody stores, take the last one's.
//   needs: int kNumbersOfRow, kRowsOfThread, kTileK; int first_m, m, matrix, worker; int copy_a_mn(int), copy_a_mn_base(int)
//   gives: void ask_numbers(int), take_numbers()
//   fills: tile = k_tile
$[held]
const auto ask_numbers = [&](int k_tile) {
  #pragma unroll
  for (int number = 0; number < kNumbersOfRow * kRowsOfThread; ++number) {
    const int i = number % kRowsOfThread;
    const unsigned row = min(first_m + copy_a_mn_base(worker) + copy_a_mn(8 * (i / 2) + 2 * (i % 2)), m - 1);
    const unsigned place = ${tile} * kTileK + number / kRowsOfThread * (kTileK / kNumbersOfRow);
    $[load]
  }
};
const auto take_numbers = [&] {
  #pragma unroll
  for (int number = 0; number < kNumbersOfRow * kRowsOfThread; ++number) {
    $[take]
  }
};

// specialised/fragments.cu (multiply): starts the products of a part of a k-tile, added to what there is. What begins anew is said
// by -1. All that instructions take is computed ahead of the fence: behind it, or of sums of which products run, nobody may write.
//   needs: FragmentC acc; int kAtomRegistersC, kMatrixUnit, kPartRegisters, kRepeatM, kRepeatN, kStageBytesB, kStepsOfPart
//   needs: unsigned long long b_matrix; int matrix_b(int, int); void mma(float*, const unsigned*, unsigned long long, int)
//   needs: void commit_products(), fence_products(), hold(unsigned&)
//   gives: void multiply(unsigned*, int, int, bool)
const auto multiply = [&](unsigned* fragments, int stage, int part, bool adds) {
  unsigned long long b[kRepeatN * kStepsOfPart];
  int first = adds ? 1 : -1;
  asm volatile("" : "+r"(first));
  #pragma unroll
  for (int i = 0; i < kRepeatN * kStepsOfPart; ++i) {
    b[i] = b_matrix + stage * (kStageBytesB / kMatrixUnit) + matrix_b(0, i + kRepeatN * kStepsOfPart * part) / kMatrixUnit;
    asm volatile("" : "+l"(b[i]));
  }
  #pragma unroll
  for (int i = 0; i < kPartRegisters; ++i) hold(fragments[i]);
  fence_products();
  #pragma unroll
  for (int step = 0; step < kStepsOfPart; ++step) {
    #pragma unroll
    for (int j = 0; j < kRepeatN; ++j) {
      #pragma unroll
      for (int i = 0; i < kRepeatM; ++i)
        mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), fragments + 4 * (i + kRepeatM * step), b[j + kRepeatN * step], step > 0 ? 1 : first);
    }
  }
  commit_products();
};
