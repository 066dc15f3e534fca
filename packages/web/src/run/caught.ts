import type { ReadEntry, TimelineEntry } from '#src/run/use-run.ts'

/** The entries of a run, with the state `caught` for a fault after which a task around it completed all the same. */
export function withCaught(entries: readonly ReadEntry[]): readonly TimelineEntry[] {
  if (entries.every(({ state }) => state !== 'faulted')) return entries
  const completed = new Set(entries.flatMap(({ state, position }) => (state === 'completed' ? [position] : [])))
  const isCaught = ({ state, position }: ReadEntry) => state === 'faulted' && outers(position).some((outer) => completed.has(outer))
  return entries.map((entry) => (isCaught(entry) ? { ...entry, state: 'caught' } : entry))
}

/** The positions around a position, which grow by a part, an iteration, a visit or an attempt. */
function outers(position: string): readonly string[] {
  return Array.from(position.matchAll(/[/[~!]/g), ({ index }) => position.slice(0, index))
}
