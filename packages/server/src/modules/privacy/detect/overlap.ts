import type { Finding } from './finding.ts'

/** Of findings that overlap, the one with the greatest score stays, of equal ones the longest. Adjacent places become one. */
export function resolveOverlaps(text: string, findings: readonly Finding[]): readonly Finding[] {
  const merged = mergePlaces(text, findings)
  const ranked = merged.toSorted((a, b) => b.score - a.score || b.end - b.start - (a.end - a.start) || a.start - b.start)
  const taken = new Uint8Array(text.length)
  const kept: Finding[] = []
  for (const finding of ranked) {
    if (finding.end <= finding.start) continue
    const isFree = taken[finding.start] === 0 && taken[finding.end - 1] === 0 && !taken.subarray(finding.start, finding.end).includes(1)
    if (!isFree) continue
    taken.fill(1, finding.start, finding.end)
    kept.push(finding)
  }
  return kept.toSorted((a, b) => a.start - b.start)
}

const gapMax = 120
/** A city that no list contains, between street and country. */
const shortGap = /^[ ,>?]*\n?[ ,>?]*\p{L}{3,20}(?:[ -]\p{L}{2,20}){0,2}[ ,>?]*\n?[ ,>?]*$/u

/** Parts of an address overlap or stand side by side: they are one finding. */
function mergePlaces(text: string, findings: readonly Finding[]): Finding[] {
  const others = findings.filter(({ rule }) => rule !== 'address' && rule !== 'place')
  const places = findings
    .filter(({ rule }) => rule === 'address' || rule === 'place')
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  const merged: Finding[] = []
  for (const place of places) {
    const last = merged.at(-1)
    const gap = last === undefined ? '' : text.slice(last.end, place.start)
    const touches =
      last !== undefined &&
      (gap === '' ||
        /^[\s,>?]*$/.test(gap) ||
        (last.rule === 'address' && place.rule === 'place' && gap.length <= gapMax && shortGap.test(gap)))
    if (touches && (last.rule === 'address' || place.rule === 'address') && place.score >= 0.4 && last.score >= 0.4)
      merged[merged.length - 1] = {
        ...last,
        rule: 'address',
        end: Math.max(last.end, place.end),
        score: Math.max(last.score, place.score, 0.92),
      }
    else merged.push(place)
  }
  return [...others, ...merged]
}
