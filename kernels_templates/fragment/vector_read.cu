// fragment/vector_read.cu: the reads `first` up to `end` of a k-step's fragments of ${X}.
//   needs: type Fragment${X}; int kFragment${X}, kReadElems${X}, kStageBytes${X}; int ${x}_read; unsigned char* smem_${x}
//   needs: int read_${x}(int, int); void read_vector<>(Elem*, const unsigned char*)
//   gives: void feed_${x}(Fragment${X}&, int, int, int, int)
const auto feed_${x} = [&](Fragment${X}& fragment, int stage, int k_step, int first, int end) {
  #pragma unroll
  for (int i = first; i < end; ++i)
    read_vector<kReadElems${X}>(
        fragment.elem + kReadElems${X} * i,
        smem_${x} + stage * kStageBytes${X} + read_${x}(${x}_read, k_step * kFragment${X} + kReadElems${X} * i));
};
