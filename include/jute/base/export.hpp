#pragma once
// What a shared jute offers: everything in a public header, and nothing else. The library is built
// with hidden visibility; the public headers open their namespace with JUTE_API.

#define JUTE_API [[gnu::visibility("default")]]
