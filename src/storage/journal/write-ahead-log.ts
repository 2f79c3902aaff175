/** The lengths of a log's header, and of the header of each frame in it (sqlite.org/fileformat.html, section 4.1). */
const HEADER = 32;
const FRAME_HEADER = 24;

/** Two running sums, each over every second word. */
type Checksum = readonly [number, number];

/**
 * Whether a write-ahead log contains something that SQLite wrote and will not read. SQLite reads up to the first frame whose checksum is
 * wrong, and takes that for the end. It really ends there if that frame is incomplete, or left over from before the log last started over:
 * such a frame has both salts of that time. `read` fills a buffer with what is at an offset, and returns the number of bytes.
 */
export function isLogDamaged(read: (into: Buffer, at: number) => number): boolean {
  const header = Buffer.alloc(HEADER);
  if (read(header, 0) < HEADER) return false;
  // The magic number says in which order of bytes the checksums were computed.
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1;
  let sum = addTo([0, 0], header.subarray(0, 24), isBigEndian);
  if (!endsWith(header, sum)) return true;
  const frame = Buffer.alloc(FRAME_HEADER + header.readUInt32BE(8));
  for (let at = HEADER; read(frame, at) === frame.length; at += frame.length) {
    const isCurrent = [0, 4].some((salt) => frame.readUInt32BE(8 + salt) === header.readUInt32BE(16 + salt));
    if (!isCurrent) return false;
    sum = addTo(addTo(sum, frame.subarray(0, 8), isBigEndian), frame.subarray(FRAME_HEADER), isBigEndian);
    if (!endsWith(frame.subarray(0, FRAME_HEADER), sum)) return true;
  }
  return false;
}

function addTo([first, second]: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [odd, even] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    odd = (odd + words.getUint32(at, !isBigEndian) + even) >>> 0;
    even = (even + words.getUint32(at + 4, !isBigEndian) + odd) >>> 0;
  }
  return [odd, even];
}

/** Whether these are the sums that a header ends with. */
function endsWith(header: Buffer, [odd, even]: Checksum): boolean {
  return header.readUInt32BE(header.length - 8) === odd && header.readUInt32BE(header.length - 4) === even;
}

const RESTORE = "if it matters, stop Kredo and put both files of one copy in their place";

export const missingLog = (path: string): string =>
  `${path}: its log ${path}-wal is missing, although Kredo did not close the file: what was only in the log is lost; ${RESTORE}`;

export const damagedLog = (path: string): string =>
  `${path}: its log ${path}-wal is damaged: what it held after that place is lost; ${RESTORE}`;
