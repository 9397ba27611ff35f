#pragma once
// The one table of what the law does not speak for: tiles of warpgroups, straight tiles of stored
// elements, and when the next kernel may begin. Measured on an H200 and fitted by hand; what the
// law would lose of tiles of warpgroups is in bench/results/2026-11-29-one-law.md. Names say what
// is counted, comments where it is from.
#include <array>
#include <jute/base/checked.hpp>

namespace jute::plan::fitted {

/// Clocks that a k-block of a band takes however few its products are: so much, and so much a
/// column.
struct BandClocks {
  double block, column = 1;
};
/// What is light enough to start early.
struct Light {
  double accesses, of_sm;  ///< at most
};

// Warp-specialised kernels by wgmma: their starts and ends, the power limit, slices that wait.
// bench/results/2026-11-24-model-of-635-problems.md, 2026-11-28-model-errors.md.

// From one kernel to the next, as far as nothing hides it.
inline constexpr double kGroupsLaunch = 200;
// Until the first products.
inline constexpr double kGroupsStart = 1170;
// Until blocks of a cluster have met, and for each doubling of them.
inline constexpr double kClusterStart = 655, kClusterDoubled = 300;
// Of each block of theirs until all are launched, which work of so many clocks begins to hide.
inline constexpr double kClusterBlock = 20, kHidesLaunch = 2390;
// A kernel of no more clocks feels all that it waits for its first rows; one of twice as many none.
inline constexpr double kShort = 10100;
// Clocks of a tile, however many k-blocks it has; and more where threads store rows of D that begin
// anywhere.
inline constexpr double kGroupsTile = 390, kTileByAnyRows = 1540;
// Of a tile, where a block has others before or after it.
inline constexpr double kWalk = 170;
// Copies of operands: clocks of their launch, bytes that they read and write in a clock.
inline constexpr double kMoves = 3910, kMoved = 2300;
// Of a kernel that copies an operand, or a View, at least.
inline constexpr double kLeastOfCopies = 4000;
// Of the lesser of work and memory, which hides in the other.
inline constexpr double kLeast = 0.02;
// Of memory's clocks, what slices of a cluster wait for each other whose data it brings at
// different times, and at most.
inline constexpr double kApart = 0.166, kMostApart = 2330;
// Clocks of work from which on the power limit is felt.
inline constexpr double kLongWork = 40000;

// What feeds them: rows of both operands by where they begin.
// bench/results/2026-11-22-rows-past-the-edge.md, 2026-11-26-shared-first-rows.md,
// 2026-11-28-model-errors.md; widths: 2026-11-23-ranges-tile-width.md.

/// Clocks of a row of 128 bytes by where rows begin: in every line, at halves, quarters, eighths.
inline constexpr std::array kRow{1.9, 2.45, 2.87, 4.18};
/// Of a row of zeros past the edge.
inline constexpr double kPastRow = 6;
// Of a k-block's products, what its loads may take with those zeros until they wait: tensor cores
// that never do run at a lower clock.
inline constexpr double kHidden = 1.2;
// Bytes into an SM in a clock: of whole lines, likewise where blocks have lost each other's step.
inline constexpr double kFeed = 73.5, kFeedOutOfStep = 55;
// Of that, where each block has one tile and those of a part of the chip lie together, by where
// rows begin; of those that begin at eighths of lines along K, and of all at eighths where every SM
// is at work.
inline constexpr std::array kTogether{0.707, 0.76, 0.81, 0.85};
inline constexpr double kEighthsAlongK = 0.55, kEighthsOnAll = 1.09;
// Likewise by where rows begin: what blocks wait that ask for the same first rows at once, for each
// of the geometric mean of them and of all at work. So many clocks of that nobody feels.
inline constexpr std::array kFirst{0.0, 0.0, 11.4, 28.5};
inline constexpr double kFirstUnfelt = 417;
// Of the SMs, or of the blocks if they are more: those whose blocks ask at the same time at most.
inline constexpr double kAtOnce = 2.0 / 3;
// If others follow them.
inline constexpr double kFirstAgain = 1.6;
// Of a row's clocks, what all who ask for the same one at once wait for one of them.
inline constexpr double kSameRow = 1.27;
// Bytes into an SM in a clock from all who ask in its cluster.
inline constexpr double kFeedOfCluster = 65;
// What two blocks of a cluster wait for each other where rows begin within lines.
inline constexpr double kInPairs = 1.2;
// At its power limit a chip runs slower the more each product reads from shared memory: by so much
// for each row and column less, where its tensor cores never wait.
inline constexpr double kUsualReads = 1.0 / 128 + 1.0 / 256, kPower = 13.5;
// Of a k-block, by rows of half a line.
inline constexpr double kHalfLines = 1.1;
// Clocks of a k-block that nothing hides.
inline constexpr double kIssue = 6;
// Of an instruction by which a warp of the producer copies 32 vectors to a stage, of 4 bytes each
// or of 16.
inline constexpr double kProducersCopy = 10;
// Sums that a block adds in a clock, and clocks until products are issued again.
inline constexpr double kLanes = 128, kUntilIssued = 300;
// In the order of the bands.
inline constexpr auto kBandClocks = std::to_array<BandClocks>({{320}, {475}, {450}, {213, 0.54}});
inline constexpr auto kTeamBandClocks = std::to_array<BandClocks>({{365}, {127, 1.78}});
// Clocks from asking for a k-tile until it has come: with few stages nothing hides them.
inline constexpr double kUntilCome = 1950;
// Of what products take at full power, at least.
inline constexpr double kLeastPower = 0.9;

// What memory moves for them, and how fast.
// bench/results/2026-11-24-model-of-635-problems.md, 2026-11-22-suite-clusters.md.

// Bytes in a clock.
inline constexpr double kDram = 2790;
// Of it, where two blocks each read the larger operand's rows, at once: none comes again.
inline constexpr double kOfPairs = 1.022;
// Of it, where few rows are multiplied with many in each block, and some of the chip is idle.
inline constexpr double kFewLarge = 0.98;
// What memory moves again of an operand that is contiguous along mn and that several tiles read.
inline constexpr double kReadAgain = 0.6;
// Likewise along K; and where the tiles share out rows of the other operand that one could take.
inline constexpr double kReadAgainAlongK = 0.02, kReadAgainForFew = 0.45;
// Of a byte of memory's time, what one takes into an SM.
inline constexpr double kFromCache = 0.01;
// Of a row's cost, what TMA fills with zeros.
inline constexpr double kPastTheEdge = 0.45;
// Those are few rows, and so much of the SMs is some of the chip.
inline constexpr Index kFewOfEither = 48;
inline constexpr double kMostOfFewLarge = 0.9;

// How their tiles of D leave.
// bench/results/2026-11-24-model-of-635-problems.md, 2026-11-26-slabs-of-walking-blocks.md,
// 2026-11-29-great-outputs-and-pairs.md.

// Elements of D in a clock: by subtiles, of 64 rows, of two repeats, of more than 128 rows in cut
// swizzles. Of one team half as many.
inline constexpr double kNarrowEpilogue = 12.5, kEpilogue = 11.5, kLongEpilogue = 9.54,
                        kCutEpilogue = 7.15;
// Rows of which more are long.
inline constexpr int kLongRows = 192;
// Of those, where threads store what they have as it lies.
inline constexpr double kDirectEpilogue = 0.235, kLongDirectEpilogue = 0.5;
// Of an end, where threads store many columns as they hold them.
inline constexpr double kFelt = 0.15;
// Bytes that memory moves for one of D: of whole lines, of a tile's rows of four and more or of a D
// of so many bytes that the cache holds, and where tiles cut lines.
inline constexpr double kInLines = 1.36, kInLongLines = 1.25, kCutLines = 1.88;
inline constexpr double kCachedBytes = 32 << 20;

// Their slices of K.
// bench/results/2026-11-22-suite-bits-slices.md, 2026-11-25-sums-behind-products.md.

// Sums of slices: clocks to leave and count them; bytes that a block stores, and that the last one
// loads, in a clock.
inline constexpr double kReductionByLast = 1480, kPartStores = 24.5, kPartLoads = 32.5;
// Likewise where they wait for each other; a part of 16 bytes of every thread is added by one.
inline constexpr double kReductionByAll = 3270, kPartLoadsOfAll = 50, kPartBytes = 16 * 128;
// In a cluster: clocks of its barriers, and more for each of its blocks.
inline constexpr double kReductionInCluster = 685, kOfBlock = 83.5;
// Of the chip, that clusters of all sizes fill.
inline constexpr double kPlaces = 5. / 6;
// K-blocks of a slice at least.
inline constexpr int kLeastKBlocks = 6;
// Part of the cache that sums fill at most: beyond, memory moves all of them twice.
inline constexpr double kMostSumsInCache = 1.25;

// When the next kernel begins, and which blocks have room beside another.
// bench/results/2026-11-24-next-kernel-begins.md, 2026-11-26-asked-ahead.md,
// 2026-11-26-room-beside-sums-tuning.md.

// Clocks of a kernel: below them starting early pays, and so many are lost without.
inline constexpr double kSoon = 10100;
inline constexpr double kLate = 500;
// Bytes that blocks load once more than memory holds them: more of them want their order.
inline constexpr double kSharedBytes = 9e6;
// Blocks end in their order where nearly all load the same, not too long and in whole lines.
inline constexpr double kShortTile = 0.75, kFewShort = 0.05, kFewKBlocks = 16;
// Bytes of operands that blocks ask for ahead of the kernel before.
inline constexpr double kLeastAskedAhead = 24 << 10, kMostAskedAhead = 3.3e6;
// Clocks of the first k-blocks, which come later then, but for those that all wait for.
inline constexpr double kLateOfKBlock = 100, kWaitedFor = 3, kMostKBlocks = 5;
// Part of the SMs: more blocks find no room beside another kernel's.
inline constexpr double kNearlyAll = 2.0 / 3;
// Columns of sums that leave a thread the registers for all else: of one group, whose threads have
// half of what they can name then, and of two, beside a producer of as many threads as each.
inline constexpr int kMostOfOne = 184, kMostOfTwo = 40;

// Tiles that run together, and rows past the edge.
// bench/results/2026-11-23-neighbouring-tiles.md, 2026-11-22-rows-past-the-edge.md.

// Part of the cache that an operand keeps while tiles pass.
inline constexpr Index kPartOfCache = 3;
// Bytes that the SMs of one part of the chip load in a clock, at least.
inline constexpr double kRasterBytes = 400;
// Clocks until a block knows its place in a group.
inline constexpr double kRasterNumbering = 150;
// Part of a tile past the edge, from which on its rows are left out.
inline constexpr double kMostlyPast = 0.75;

// When the kernel behind a straight one may begin, and what straight tiles of stored elements take.
// bench/results/2026-11-28-straight-short-k-suite.md, 2026-11-27-stores-together-f64.md; of stored
// elements 2026-11-29-words-of-weights.md.

// Clocks. From one kernel to the next, and until the first fragments have come; later where blocks
// have much to load beside those of the kernel before.
inline constexpr double kStraightLaunch = 200, kStraightStart = 1100, kStraightLate = 500;
// Blocks of an SM that none makes later.
inline constexpr double kFewOfSm = 0.1;
// Of a start behind the main loop of the kernel before.
inline constexpr double kBehind = 200;
// Loads of a warp that a block lacks to have as many on each quarter of an SM.
inline constexpr double kMissing = 0.255;
// Of a warp's load, among those of an SM: from rows along K, from ones along M or N; and how much
// of it is left where but one row of an instruction is there.
inline constexpr double kAccessAlongK = 6, kAccessAlongMn = 3.6, kLeastAccess = 0.35;
// Until groups that share out K have left their sums, and for each that a thread of the first one
// adds to one of its own but those of its first access, by the blocks of an SM that add at once.
inline constexpr double kStraightReduction = 80, kStraightAdded = 3, kStraightAtOnce = 4,
                        kStraightMostAdding = 4;
// Accesses of a block, and blocks of an SM, that start as early as one alone: where warps share K
// out, and where not.
inline constexpr Light kLightWarp{650, 1}, kLightWarps{380, 0.75};
// Blocks that are a handful; blocks and warps of an SM that are few.
inline constexpr double kHandful = 10, kMostOfSm = 3, kFewWarps = 5;
// Clocks of an SM that are little, and of an element of D that it stores.
inline constexpr double kLittle = 1800, kStoredElement = 0.8;
// Clocks of a kernel of straight tiles up to which such were timed: of longer ones the law expects
// too little.
inline constexpr double kLongestStraight = 8600;
// Clocks of an SM for few loads.
inline constexpr double kFewLoads = 5000;
// Of dot products of stored elements, what they took of what the law expects at least:
// bench/results/2026-11-29-groups-and-weights.md.
inline constexpr double kDotsOfStored = 1.5;
// Of a last wave that is cut alone, likewise, by warps' products and by threads':
// bench/results/2026-11-29-waves-streams-tiny.md.
inline constexpr double kTail = 1.08, kTailOfThreads = 1.03;
// Of a warp's k-tile of stored elements: instructions for one of their loads, for one of the
// others' and for the turn; clocks of a warp alone for an instruction. Of an SM, for a load of
// eight rows; for the next round of blocks, and until the next kernel's begin where these leave no
// room. bench/results/2026-11-30-few-rows-of-weights.md.
inline constexpr double kTurnLoad = 10, kTurnOther = 6, kTurn = 60, kTurnAlone = 2.9,
                        kTurnRows = 28, kTurnOfRound = 1000, kTurnsEnd = 1200;
/// Clocks of a quarter of an SM for an instruction of all its warps; until what a warp waits for
/// has come: from stages of its threads' own, from registers.
struct Turn {
  double issue, wait;
};
inline constexpr Turn kRing{1.6, 600}, kHeld{2.0, 1500};

// What ranking weighs beside clocks.

// How full a last wave is that slices do not shorten:
// bench/results/2026-11-29-waves-streams-tiny.md.
inline constexpr double kFilledWave = 0.9;
// Of groups' reading of B: where blocks of several rows of tiles read the same of it, where two
// groups of consumers share a tile, and of taller ones; of equals, what they bring to the SMs.
// bench/results/2026-11-29-groups-and-weights.md.
inline constexpr double kReadTogether = 1.35, kSharedTile = 1.1, kTallTile = 1.15, kOfFeed = 0.05;
// Times the work's clocks, memory's where it decides by far.
inline constexpr double kByFar = 1.35;
// Part of the clocks by which ratios between two candidates are off, in the median of those that
// are expected to differ by less than a quarter: bench/results/2026-11-28-model-errors.md.
inline constexpr double kErrorOfGroups = 0.04, kErrorOfStraight = 0.09, kErrorOfStaged = 0.06;

}  // namespace jute::plan::fitted
