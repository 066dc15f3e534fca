/** The least UUIDv7 of a time in milliseconds since the epoch, which are its first 48 bits (RFC 9562): a bound for ids. */
export function leastIdAt(ms: number): string {
  const hex = Math.min(Math.max(Math.trunc(ms), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The time of a UUIDv7, in milliseconds since the epoch. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
