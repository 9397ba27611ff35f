// specialised/stamp_start.cu: before the kernel ahead has ended nobody writes.
//   needs: type Clock, Stamps; Clock began, clock_now(); Clock* stamps; int thread
//   needs: Stamps stamps_of(Clock*, int); void put_stamp(Stamps&, int, Clock)
//   gives: Stamps stamp_log
Stamps stamp_log = stamps_of(stamps, thread);
put_stamp(stamp_log, 0, began);
put_stamp(stamp_log, 1, clock_now());
