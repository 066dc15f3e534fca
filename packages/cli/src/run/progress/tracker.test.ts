import { compileWorkflow, type TaskNode } from '@millrace/engine/definition'
import { expect, test } from 'vitest'
import { checkDefinition } from '#definitions/check-definition.ts'
import { tasksIn } from '#definitions/tasks-in.ts'
import { definition } from '#testing/definitions.ts'
import type { TaskEvent } from './task-event.ts'
import { createTracker } from './tracker.ts'

const { definition: checked } = checkDefinition(
  'test.yaml',
  definition(`
- loop:
    for: { each: n, in: '\${ [1, 2] }' }
    do:
      - guarded:
          try:
            - act:
                set: { a: 1 }
          catch:
            do:
              - recover:
                  set: { b: 1 }
- side:
    fork:
      branches:
        - left:
            do:
              - inner:
                  set: { c: 1 }
`),
)
if (checked === undefined) throw new Error('the definition of the test is wrong')
const which = { iteration: [], attempt: 1 }
const nodes = new Map(tasksIn(compileWorkflow(checked)).map((task) => [task.name, task]))

function node(name: string): TaskNode {
  const found = nodes.get(name)
  if (found === undefined) throw new Error(`no task ${name}`)
  return found
}

test('an event has depth, iteration, attempt, visit, branches and duration', () => {
  const events: TaskEvent[] = []
  let nowMs = 100
  const tracker = createTracker(
    (event) => events.push(event),
    () => nowMs,
  )
  const start = (position: string, name: string) => tracker.started(position, node(name), 0, { from: name }, which)
  start('/do/0/loop', 'loop')
  start('/do/0/loop[1]/do/0/guarded', 'guarded')
  start('/do/0/loop[1]/do/0/guarded!2/try/0/act', 'act')
  nowMs = 130
  const error = { type: 't', status: 500, title: 'no' }
  tracker.faulted('/do/0/loop[1]/do/0/guarded!2/try/0/act', node('act'), 0, error, which)
  start('/do/0/loop[1]/do/0/guarded!2/catch/do/0/recover~1', 'recover')
  tracker.skipped('/do/0/loop[1]/do/0/guarded!2/catch/do/0/recover~2', node('recover'), 0, which)
  start('/do/1/side', 'side')
  start('/do/1/side/fork/branches/0/left', 'left')
  start('/do/1/side/fork/branches/0/left/do/0/inner', 'inner')
  expect(events[0]).toMatchObject({ event: 'started', name: 'loop', depth: 0, branches: [], input: { from: 'loop' } })
  expect(events[1]).toMatchObject({ name: 'guarded', depth: 1, iteration: 1 })
  expect(events[2]).toMatchObject({ name: 'act', depth: 2, attempt: 3 })
  expect(events[2]).not.toHaveProperty('iteration')
  expect(events[3]).toMatchObject({ event: 'faulted', name: 'act', durationMs: 30, error })
  expect(events[4]).toMatchObject({ name: 'recover', depth: 2, visit: 2 })
  expect(events[4]).not.toHaveProperty('attempt')
  expect(events[5]).toMatchObject({ event: 'skipped', visit: 3 })
  expect(events.slice(6).map(({ name, depth, branches }) => ({ name, depth, branches }))).toEqual([
    { name: 'side', depth: 0, branches: [] },
    { name: 'left', depth: 1, branches: [] },
    { name: 'inner', depth: 2, branches: ['left'] },
  ])
})

test('tasks that are still open when the one around them ends are cancelled, innermost first', () => {
  const events: TaskEvent[] = []
  const tracker = createTracker(
    (event) => events.push(event),
    () => 0,
  )
  tracker.started('/do/1/side', node('side'), 0, null, which)
  tracker.started('/do/1/side/fork/branches/0/left', node('left'), 0, null, which)
  tracker.started('/do/1/side/fork/branches/0/left/do/0/inner', node('inner'), 0, null, which)
  tracker.completed('/do/1/side', node('side'), 0, null)
  expect(events.slice(3).map(({ event, name, depth }) => ({ event, name, depth }))).toEqual([
    { event: 'cancelled', name: 'inner', depth: 2 },
    { event: 'cancelled', name: 'left', depth: 1 },
    { event: 'completed', name: 'side', depth: 0 },
  ])
})

test('a task whose name is a prefix of another is not its parent', () => {
  const events: TaskEvent[] = []
  const tracker = createTracker(
    (event) => events.push(event),
    () => 0,
  )
  tracker.started('/do/0/loop', node('loop'), 0, null, which)
  tracker.started('/do/0/loop2', node('act'), 0, null, which)
  expect(events.map(({ depth }) => depth)).toEqual([0, 0])
})
