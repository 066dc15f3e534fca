import { expect, test } from 'vitest'
import { decidingIn, isDecidedIn } from '#src/run/deciding.ts'
import { taskStates } from '#src/run/task-states.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'

const entry = (position: string, kind: string, state: TimelineEntry['state'] = 'completed'): TimelineEntry => ({
  position,
  reference: position.replaceAll(/[~!]\d+(?=\/|$)/g, ''),
  name: position.slice(position.lastIndexOf('/') + 1),
  kind,
  iteration: [],
  attempt: 1,
  state,
  startedAt: '2026-11-23T10:00:00.000Z',
  endedAt: '2026-11-23T10:00:00.000Z',
})

const definition = {
  do: [
    { mail: { if: '.vip', set: {} } },
    { branch: { do: [{ choose: { switch: [] } }] } },
    { 'a/b': { for: {}, while: '.n', do: [] } },
    { plain: { set: {} } },
  ],
}

const states = taskStates([
  entry('/do/0/mail', 'set', 'skipped'),
  entry('/do/1/branch', 'do'),
  entry('/do/1/branch/do/0/choose', 'switch'),
  entry('/do/1/branch~1', 'do'),
  entry('/do/1/branch~1/do/0/choose', 'switch'),
  entry('/do/2/a~1b', 'for'),
  entry('/do/3/plain', 'set'),
  entry('/functions/other/do/0/skips', 'set', 'skipped'),
])

function positions(reference: string, chooser?: string, known: unknown = definition): readonly string[] {
  const own = [...states.values()].find(({ last }) => last.position.startsWith(reference))
  const other = [...states.values()].find(({ last }) => last.reference === chooser)
  return own === undefined ? [] : decidingIn(own, other, known).map(({ position }) => position)
}

test('a step decides by its own condition, by the switch that is drawn as the step, or by the one that skipped it', () => {
  expect(positions('/do/0/mail')).toEqual(['/do/0/mail'])
  expect(positions('/do/1/branch', '/do/1/branch/do/0/choose')).toEqual(['/do/1/branch/do/0/choose', '/do/1/branch~1/do/0/choose'])
  expect(positions('/do/2/')).toEqual(['/do/2/a~1b'])
  expect(positions('/do/3/plain')).toEqual([])
  expect(positions('/functions/other', undefined, undefined)).toEqual(['/functions/other/do/0/skips'])
})

test('a visit of a step has its own decision and that of the switch in it, and no other visit has', () => {
  expect(isDecidedIn('/do/1/branch', '/do/1/branch/do/0/choose')).toBe(true)
  expect(isDecidedIn('/do/1/branch', '/do/1/branch~1/do/0/choose')).toBe(false)
  expect(isDecidedIn('/do/0/mail', '/do/0/mail')).toBe(true)
  expect(isDecidedIn('/do/0/mail', '/do/0/mailed')).toBe(false)
})
