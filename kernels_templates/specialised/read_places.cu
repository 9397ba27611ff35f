// specialised/read_places.cu: where this thread finds its fragments in stage 0.
//   needs: int kOffsetA, kOffsetB; int worker; unsigned shared; unsigned char* smem; int read_a_base(int), read_b_base(int)
//   gives: int a_read, b_read; unsigned shared_a, shared_b; unsigned char* smem_a, smem_b
unsigned char *const smem_a = smem + kOffsetA, *const smem_b = smem + kOffsetB;
const unsigned shared_a = shared + kOffsetA, shared_b = shared + kOffsetB;
const int a_read = read_a_base(worker), b_read = read_b_base(worker);
