// specialised/stamp_begin.cu: the kernel's first moment; it is written down later.
//   needs: type Clock; Clock clock_now()
//   gives: Clock began
const Clock began = clock_now();
