// fragment/ordered_read.cu: the reads `first` up to `end` of the fragments of ${X} of k-steps that are read
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
