import { containerSize, growOfRun, workOfRun } from './machine.ts'
import { raise, excerpt } from '#src/values/describe.ts'
import type { Value } from '#src/values/value.ts'
import type { LostPath, Path, Track } from './code.ts'

function isLost(track: Track): track is LostPath {
  return track !== undefined && 'lost' in track
}

/** The track after a step that no path describes. */
export function lose(track: Track, value: Value): LostPath {
  return isLost(track) ? track : { lost: true, path: track, value }
}

/** The track after a new constant: it is never the value that was at the path, even when it is equal. */
export function loseForGood(track: Track, _value?: Value): LostPath {
  return { lost: true, path: isLost(track) ? track.path : track, value: Number.NaN }
}

/** The path of a value, or `undefined` for the root; raises an error when the value has no path. */
function pathOf(track: Track, value: Value, complaint: () => string): Path | undefined {
  if (!isLost(track)) return track
  return track.value === value ? track.path : raise(complaint())
}

export function stepInto(track: Track, target: Value, key: Value): Path {
  const up = pathOf(track, target, () => `Invalid path expression near attempt to access element ${excerpt(key)} of ${excerpt(target)}`)
  return { up, key, length: (up?.length ?? 0) + 1 }
}

export function checkIterable(track: Track, target: Value): Path | undefined {
  return pathOf(track, target, () => `Invalid path expression near attempt to iterate through ${excerpt(target)}`)
}

/** The whole path of a result as `path(…)` gives it. */
export function toKeys(track: Track, result: Value): Value[] {
  const path = pathOf(track, result, () => `Invalid path expression with result ${excerpt(result)}`)
  workOfRun(1)
  growOfRun((path?.length ?? 0) + containerSize)
  const keys: Value[] = []
  for (let at = path; at !== undefined; at = at.up) keys.push(at.key)
  return keys.toReversed()
}
