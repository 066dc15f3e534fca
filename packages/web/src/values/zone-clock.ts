const dayMs = 86_400_000

/** What the clocks of a zone show, to the second, such as `2026-03-02 20:40:00`: the form of dates in Sweden. Without a zone, those of the browser. */
export function clockAt(time: number, zone: string | undefined): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone }).format(time)
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(time: number, zone: string | undefined): number {
  return Date.parse(`${clockAt(time, zone).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000
}

/**
 * When the clocks of a zone show a time: the first moment where they show it twice, and what follows where they skip it.
 * @param local such as `2026-03-02T20:40`
 * @returns milliseconds since the epoch
 */
export function momentOf(local: string, zone: string | undefined): number {
  const shown = Date.parse(`${local}Z`)
  const moments = [-dayMs, dayMs].map((by) => shown - offsetAt(shown + by, zone)).toSorted((one, other) => one - other)
  const isShown = (moment: number) => moment + offsetAt(moment, zone) === shown
  return moments.find(isShown) ?? moments.at(-1) ?? shown
}

/** When the clocks of a zone are next put forward or back, if that is within a year: the first moment of the new time, in milliseconds since the epoch. */
export function nextClockChange(zone: string, from: number): number | undefined {
  for (let before = from; before < from + 366 * dayMs; before += stepMs) {
    const offset = offsetAt(before, zone)
    if (offsetAt(before + stepMs, zone) !== offset) return firstAfter(before, before + stepMs, (time) => offsetAt(time, zone) !== offset)
  }
  return undefined
}

/** No zone changes its clocks for a shorter time. */
const stepMs = 14 * dayMs

/** The first moment at which something is so, between one at which it is not and one at which it is. */
function firstAfter(no: number, yes: number, isSo: (time: number) => boolean): number {
  let [early, late] = [no, yes]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (isSo(middle)) late = middle
    else early = middle
  }
  return late
}
