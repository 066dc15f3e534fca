/** The part of a file that a request asks for. */
export interface AskedRange {
  /** The fields `Range` and `If-Range`, unchanged. */
  readonly range: string | undefined
  readonly ifRange: string | undefined
}

export interface ByteRange {
  readonly from: number
  /** The byte behind the last one. */
  readonly to: number
}

/**
 * Reads `Range` (RFC 9110, section 14) for a file. Undefined: all of it, as for several ranges, for one that the file does not have, and for a file that is
 * another one by now.
 */
export function byteRangeOf(
  { range, ifRange }: AskedRange,
  file: { readonly bytes: number; readonly etag: string },
): ByteRange | undefined {
  if (range === undefined || (ifRange !== undefined && ifRange !== file.etag)) return undefined
  const { first = '', last = '' } = /^bytes=(?<first>\d{0,15})-(?<last>\d{0,15})$/.exec(range.trim())?.groups ?? {}
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, file.bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? file.bytes : Math.min(Number(last) + 1, file.bytes)
  return from < to ? { from, to } : undefined
}
