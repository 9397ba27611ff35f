// fragment/vector_read.cu: the reads `first` up to `end` of a k-step's fragments of ${X}.
//   needs: type Fragment${X}; int kFragment${X}, kReadElems${X}, kStageBytes${X}; int ${x}_read; unsigned char* smem_${x}
//   needs: int read_${x}(int, int); void read_vector<>(Elem*, const unsigned char*)
//   gives: void feed_${x}(Fragment${X}&, int, int, int, int)
const auto feed_${x} = [&](Fragment${X}& fragment, int stage, int k_step, int first, int end) {
  #pragma unroll
  for (int i = first; i < end; ++i)
    read_vector<kReadElems${X}>(
        fragment.elem + kReadElems${X} * i,
        smem_${x} + read_${x}(stage * kStageBytes${X} + ${x}_read, k_step * kFragment${X} + kReadElems${X} * i));
};

// fragment/vector_read.cu (staged): the elements `first` up to `end` of a k-step's fragments of ${X}, from registers.
//   needs: type Fragment${X}, Vector${X}; Vector${X} ${x}_staged[]; int kCopyElems${X}, kFragment${X}
//   gives: void feed_${x}(Fragment${X}&, int, int, int, int)
const auto feed_${x} = [&](Fragment${X}& fragment, int, int k_step, int first, int end) {
  #pragma unroll
  for (int i = first; i < end; ++i) {
    const int value = k_step * kFragment${X} + i;
    fragment.elem[i] = ${x}_staged[value / kCopyElems${X}].elem[value % kCopyElems${X}];
  }
};

// fragment/vector_read.cu (staged words): likewise of 16 bits, two neighbours in each register: beside words that are converted what is
// taken apart would be put together again.
//   needs: type Fragment${X}, Vector${X}; Vector${X} ${x}_staged[]; int kCopyElems${X}, kFragment${X}
//   gives: void feed_${x}(Fragment${X}&, int, int, int, int)
const auto feed_${x} = [&](Fragment${X}& fragment, int, int k_step, int first, int end) {
  #pragma unroll
  for (int i = first / 2; i < end / 2; ++i) {
    const int value = k_step * kFragment${X} + 2 * i;
    fragment.reg[i] = ${x}_staged[value / kCopyElems${X}].part[value % kCopyElems${X} / 2];
  }
};

// fragment/vector_read.cu (sorted): likewise of values that were loaded in another order, neighbours first.
//   needs: type Fragment${X}, Vector${X}; Vector${X} ${x}_staged[]; int kCopyElems${X}, kFragment${X}
//   needs: int place_${x}(int)
//   gives: void feed_${x}(Fragment${X}&, int, int, int, int)
const auto feed_${x} = [&](Fragment${X}& fragment, int, int k_step, int first, int end) {
  #pragma unroll
  for (int i = first; i < end; ++i) {
    const int place = place_${x}(k_step * kFragment${X} + i);
    fragment.elem[i] = ${x}_staged[place / kCopyElems${X}].elem[place % kCopyElems${X}];
  }
};

// fragment/vector_read.cu (sorted words): likewise of 16 bits, two neighbours in each register of a fragment as in what was loaded:
// taken apart, they would be put together again.
//   needs: type Fragment${X}, Vector${X}; Vector${X} ${x}_staged[]; int kCopyElems${X}, kFragment${X}
//   needs: int place_${x}(int)
//   gives: void feed_${x}(Fragment${X}&, int, int, int, int)
const auto feed_${x} = [&](Fragment${X}& fragment, int, int k_step, int first, int end) {
  #pragma unroll
  for (int i = first / 2; i < end / 2; ++i) {
    const int place = place_${x}(k_step * kFragment${X} + 2 * i);
    fragment.reg[i] = ${x}_staged[place / kCopyElems${X}].part[place % kCopyElems${X} / 2];
  }
};

// fragment/vector_read.cu (ordered): the reads `first` up to `end` of the fragments of ${X} of k-steps that are read
// together: neighbours in shared memory, which have their places among the values of the fragments.
//   needs: type Elem${X}, Fragment${X}, Vector<>; int kFragment${X}, kReadElems${X}, kStageBytes${X}; int ${x}_read
//   needs: unsigned shared_${x}; int read_${x}(int, int), value_${x}(int); void read_shared<>(Word&, unsigned)
//   gives: void feed_${x}(Fragment${X}&, int, int, int, int)
const auto feed_${x} = [&](Fragment${X}& fragment, int stage, int k_step, int first, int end) {
  #pragma unroll
  for (int i = first; i < end; ++i) {
    Vector<Elem${X}, kReadElems${X}> read;
    read_shared(read.word, read_${x}(shared_${x} + stage * kStageBytes${X} + ${x}_read,
                                     k_step * kFragment${X} + kReadElems${X} * i));
    #pragma unroll
    for (int e = 0; e < kReadElems${X}; ++e) fragment.elem[value_${x}(kReadElems${X} * i + e)] = read.elem[e];
  }
};
