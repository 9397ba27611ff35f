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

// specialised/scales.cu (load): ${X}'s scales for a run of k-tiles, on their way while its products are formed.
//   needs: type ${type}; const unsigned char* ${x}_scale; int kScaleLines${X}; float number_at(const ${type}*, long long)
//   gives: float ${x}_scales[]
//   fills: type = f32; at = 0
float ${x}_scales[kScaleLines${X}];
#pragma unroll
for (int i = 0; i < kScaleLines${X}; ++i) ${x}_scales[i] = number_at(reinterpret_cast<const ${type}*>(${x}_scale), ${at});

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
