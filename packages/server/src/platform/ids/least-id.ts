/** The least UUIDv7 of a time in milliseconds since the epoch, which are its first 48 bits (RFC 9562): a bound for ids. */
export function leastId(ms: number): string {
  const hex = Math.min(Math.max(Math.trunc(ms), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
