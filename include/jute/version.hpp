#pragma once
// Which jute this is. The build reads its version here, so that header, library and package agree.

/// 10000 * major + 100 * minor + patch: `#if JUTE_VERSION >= 200` asks for 0.2.0.
#define JUTE_VERSION (JUTE_VERSION_MAJOR * 10000 + JUTE_VERSION_MINOR * 100 + JUTE_VERSION_PATCH)
#define JUTE_VERSION_MAJOR 0
#define JUTE_VERSION_MINOR 1
#define JUTE_VERSION_PATCH 0
#define JUTE_VERSION_TEXT "0.1.0"
