/** A part of an audio, in seconds. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The length from which a piece is cut at a silence. */
const secondsMin = 8
/** The length at which a piece is cut without a silence. */
const secondsMax = 30

/**
 * Where an audio is cut into pieces: at the last silence that leaves a piece of 8 to 30 seconds, else after 30 seconds. Pieces in which nothing
 * is heard are left out. The same audio is always cut in the same way.
 */
export function cutsOf(silences: readonly Span[], seconds: number): readonly Span[] {
  const pieces: Span[] = []
  for (let start = 0; start < seconds; ) {
    const end = endOf(start, silences, seconds)
    if (!silences.some((silence) => silence.start <= start && silence.end >= end)) pieces.push({ start, end })
    start = end
  }
  return pieces
}

function endOf(start: number, silences: readonly Span[], seconds: number): number {
  const rest = seconds - start
  const places = silences
    .map((silence) => (Math.max(silence.start, start) + Math.min(silence.end, seconds)) / 2)
    .filter((place) => place >= start + secondsMin && place <= start + secondsMax)
  return (rest <= secondsMax ? undefined : places.at(-1)) ?? Math.min(start + secondsMax, seconds)
}
