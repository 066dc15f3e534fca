import type { Transcript } from './transcribe.ts'

/** Segments with times that begin at `from` seconds. */
export function segmentViews(segments: Transcript['segments'], from: number) {
  return segments.map(({ start, end, text, confidence }) => ({
    start: rounded(start + from),
    end: rounded(end + from),
    text,
    confidence: confidence ?? null,
  }))
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000
