// specialised/stamp_start.cu: before the kernel ahead has ended nobody writes.
Stamps stamp_log = stamps_of(stamps, thread);
put_stamp(stamp_log, 0, began);
put_stamp(stamp_log, 1, clock_now());
