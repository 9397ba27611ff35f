// Every thread copies its share of both tiles, and every warp computes its own part of the tile of D. In
// time, from one barrier of the block to the next, with s the stage of a k-tile:
//   multiplies k-tile t in its stage s, fragments read a k-step ahead
//   asks for k-tile t + kStages - 1, into the stage that k-tile t - 1 has left
//   waits until k-tile t + 1 has landed, and for all threads: then s may be written again
