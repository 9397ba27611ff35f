// Unpacks a frame by the launcher's own function; with a fourth word also all that differ in a bit.
#include BUNDLE_SOURCE

int main(int count, char **words) {
  if (count < 4) return 2;
  size_t size;
  char *const frame = read_file(words[1], words[2], ".cubin.lz4", &size);
  char *const content = unpack_frame(frame, size);
  if (content == NULL) return 3;
  FILE *const file = fopen(words[3], "wb");
  if (file == NULL) return 4;
  const size_t bytes = little_endian((const unsigned char *)frame + 6, 8);
  const size_t written = fwrite(content, 1, bytes, file);
  fclose(file);
  free(content);
  for (size_t at = 0; count > 4 && at < size; ++at)
    for (int flipped = 1; flipped < 256; flipped *= 2) {
      frame[at] = (char)(frame[at] ^ flipped);
      free(unpack_frame(frame, size));
      frame[at] = (char)(frame[at] ^ flipped);
    }
  for (size_t shorter = 0; count > 4 && shorter < size; ++shorter) free(unpack_frame(frame, shorter));
  free(frame);
  return written == bytes ? 0 : 5;
}
