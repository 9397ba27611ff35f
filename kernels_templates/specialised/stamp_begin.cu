// specialised/stamp_begin.cu: the kernel's first moment; it is written down later.
//   needs: unsigned long long clock_now()
//   gives: unsigned long long began
const unsigned long long began = clock_now();
