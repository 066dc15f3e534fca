import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { node, set, workflowOf } from '#testing/nodes.ts'
import { freshMachine } from '#testing/simulate.ts'
import { definitionOf } from '#testing/run-definition.ts'
import type { CompiledWorkflow, TaskBody } from './node.ts'
import type { Turn } from './work.ts'

function settled(workflow: CompiledWorkflow) {
  const machine = freshMachine(workflow)
  let pauses = 0
  for (; machine.paused && pauses < 10_000; pauses++) machine.continueAfterPause()
  return { machine, pauses }
}

/** Bytes of the heap that are still referenced. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

const loop = (count: number): TaskBody => ({
  kind: 'for',
  in: () => Array.from({ length: count }, (_, index) => index),
  each: 'item',
  at: 'index',
  tasks: { tasks: [node('body', '/do/0/body', set({ x: 1 }))] },
})

describe('a long stretch of pure work', () => {
  test('pure work pauses about every thousand tasks', () => {
    const { machine, pauses } = settled(workflowOf(...Array.from({ length: 10_000 }, (_, index) => set({ index }))))
    expect(pauses).toBe(10)
    expect(machine.ending).toMatchObject({ ok: true, output: { index: 9_999 } })
  })

  test('a short stretch of pure work does not pause', () => {
    expect(settled(workflowOf(loop(900))).pauses).toBe(0)
  })

  test('pure work of 100,000 iterations ends and leaves no request', () => {
    settled(workflowOf(loop(1_000)))
    const before = usedBytes()
    const { machine, pauses } = settled(workflowOf(loop(100_000)))
    expect(pauses).toBe(100)
    expect(machine.ending).toMatchObject({ ok: true, output: { x: 1 } })
    expect(usedBytes() - before).toBeLessThan(2_000_000)
  })

  test('pure work in a branch pauses that branch while the other branches run', () => {
    const branches = [
      node('busy', '/fork/0/busy', loop(5_000)),
      node('ask', '/fork/1/ask', { kind: 'call', function: 'a', arguments: () => null }),
    ] as const
    const machine = freshMachine(workflowOf({ kind: 'fork', compete: false, branches }))
    expect(machine.paused).toBe(true)
    expect(machine.pending.size).toBe(1)
    const [position = ''] = machine.pending.keys()
    machine.resolve(position, { ok: true, value: 'answered' }, 0)
    expect(machine.paused).toBe(true)
    while (machine.paused) machine.continueAfterPause()
    expect(machine.ending).toMatchObject({ output: [{ x: 1 }, 'answered'] })
  })

  test('a strand that is abandoned during its pause does not continue', () => {
    const branches = [
      node('busy', '/fork/0/busy', loop(1_000_000)),
      node('ask', '/fork/1/ask', { kind: 'call', function: 'a', arguments: () => null }),
    ] as const
    const machine = freshMachine(workflowOf({ kind: 'fork', compete: true, branches }))
    machine.resolve([...machine.pending.keys()][0] ?? '', { ok: true, value: 'won' }, 0)
    machine.continueAfterPause()
    expect(machine).toMatchObject({ paused: false, ending: { ok: true, output: 'won' } })
  })

  test('an endless loop pauses again and again without growing memory', () => {
    const machine = freshMachine(
      definitionOf(`do: [{ a: { set: { x: 1 } } }, { again: { switch: [{ yes: { when: .x == 1, then: a } }] } }]`),
    )
    for (let pauses = 0; pauses < 50; pauses++) machine.continueAfterPause()
    expect(machine.paused).toBe(true)
    expect(machine.pending.size).toBe(0)
    expect(machine.ending).toBeUndefined()
  })
})

describe('a machine that stalls because its turn is over', () => {
  const over: Turn = { fuel: -1, interruptMs: 0, isOver: () => true, elapsed: () => 0, tryBegin: () => true }

  test('a stalled machine accepts no outcome and no end of a pause before it is continued', () => {
    const machine = freshMachine(workflowOf(set(1)), {}, over)
    expect(machine.stall).toMatchObject({ kind: 'turn' })
    expect(() => machine.continueAfterPause()).toThrow('a stalled machine received')
    machine.continueAfterStall(undefined)
    while (machine.stall !== undefined) machine.continueAfterStall(undefined)
    expect(machine.ending).toMatchObject({ ok: true, output: 1 })
  })

  test('a machine cannot be continued twice after one stall', () => {
    expect(() => freshMachine(workflowOf(set(1))).continueAfterStall(undefined)).toThrow('not stalled')
  })
})
