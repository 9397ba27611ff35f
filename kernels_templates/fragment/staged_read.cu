// fragment/staged_read.cu: the elements `first` up to `end` of a k-step's fragments of ${X}, from registers.
//   needs: type Fragment${X}, Vector${X}; Vector${X} ${x}_staged[]; int kCopyElems${X}, kFragment${X}
//   gives: void feed_${x}(Fragment${X}&, int, int, int, int)
const auto feed_${x} = [&](Fragment${X}& fragment, int, int k_step, int first, int end) {
  #pragma unroll
  for (int i = first; i < end; ++i) {
    const int value = k_step * kFragment${X} + i;
    fragment.elem[i] = ${x}_staged[value / kCopyElems${X}].elem[value % kCopyElems${X}];
  }
};
