// specialised/stamp_first_data.cu: the main loop waits for this once more.
//   needs: type Clock, Stamps; Pipe pipe; Stamps stamp_log; Clock clock_now(); int k_tiles; unsigned full
//   needs: void wait_for(unsigned, int), put_stamp(Stamps&, int, Clock)
if (k_tiles > 0) wait_for(full + 8 * pipe.stage, pipe.parity);
put_stamp(stamp_log, 2, clock_now());
