// Every thread copies its share of both tiles, and computes its own part of the tile of D. In time, from
// one barrier of the block to the next:
//   loads into registers    tile 1           tile 2           ...   asked for first, waited for last
//   multiplies              tile 0, stage 0  tile 1, stage 1  ...
//   stores into a stage     tile 1, stage 1  tile 2, stage 0  ...   nobody reads that stage now
