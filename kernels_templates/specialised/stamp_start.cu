// specialised/stamp_start.cu: before the kernel ahead has ended nobody writes.
//   needs: unsigned long long began, clock_now(); unsigned long long* stamps; int thread
//   needs: Stamps stamps_of(unsigned long long*, int); void put_stamp(Stamps&, int, unsigned long long)
//   gives: Stamps stamp_log
Stamps stamp_log = stamps_of(stamps, thread);
put_stamp(stamp_log, 0, began);
put_stamp(stamp_log, 1, clock_now());
