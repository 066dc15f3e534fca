import { expect, test } from 'vitest'
import { decidingIn } from '#src/run/deciding.ts'
import { taskStates } from '#src/run/task-states.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'

const entry = (position: string, kind: string, state: TimelineEntry['state'] = 'completed'): TimelineEntry => ({
  position,
  reference: position.replaceAll(/~\d+(?=\/|$)/g, ''),
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

function deciding(reference: string, visit: string, chooser?: string, known: unknown = definition): readonly string[] {
  const own = states.get(reference)
  return own === undefined ? ['no such step'] : decidingIn(own, states.get(chooser ?? ''), known)(visit)
}

test('a step decides by its own condition, or by the one that skipped it where its definition is not at hand', () => {
  expect(deciding('/do/0/mail', '/do/0/mail')).toEqual(['/do/0/mail'])
  expect(deciding('/do/2/a~1b', '/do/2/a~1b')).toEqual(['/do/2/a~1b'])
  expect(deciding('/do/3/plain', '/do/3/plain')).toEqual([])
  const other = '/functions/other/do/0/skips'
  expect(deciding(other, other, undefined, null)).toEqual([other])
})

test('a visit of a step that is drawn for its switch has the decision of the switch in it, and of no other visit', () => {
  const choose = '/do/1/branch/do/0/choose'
  expect(deciding('/do/1/branch', '/do/1/branch', choose)).toEqual([choose])
  expect(deciding('/do/1/branch', '/do/1/branch~1', choose)).toEqual(['/do/1/branch~1/do/0/choose'])
  expect(deciding(choose, choose)).toEqual([choose])
})
