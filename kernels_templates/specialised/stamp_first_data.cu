// specialised/stamp_first_data.cu: the main loop waits for this once more.
if (k_tiles > 0) wait_for(full + 8 * pipe.stage, pipe.parity);
put_stamp(stamp_log, 2, clock_now());
