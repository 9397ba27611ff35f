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
//   fills: type = f32; at = 0; run = 0
long long ${x}_place[kScaleLines${X}];
float ${x}_coming[kScaleLines${X}];
#pragma unroll
for (int i = 0; i < kScaleLines${X}; ++i) {
  ${x}_place[i] = ${at};
  asm volatile("" : "+l"(${x}_place[i]));
  if (k_tiles > 0) ${x}_coming[i] = number_at(reinterpret_cast<const ${type}*>(${x}_scale), ${x}_place[i] + ${run});
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
