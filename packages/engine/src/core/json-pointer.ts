/** A name as a segment of a JSON Pointer (RFC 6901). */
export function pointerSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The name that a segment of a JSON Pointer stands for. */
export function segmentName(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
