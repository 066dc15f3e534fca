import type { Origin } from '@millrace/engine/storage'
import { describe, expect, test } from 'vitest'
import { fileNamesIn } from './file-names-in.ts'
import { belongsTo } from './files-of-execution.ts'

const [run, first, caller, called, retry, other] = ['run', 'first', 'caller', 'called', 'retry', 'other']
const origin = (of: string, id: string, actor: string, more: Partial<Origin> = {}): Origin => ({
  of,
  id,
  actor,
  trigger: 'manual',
  retryOf: undefined,
  isCaller: false,
  ...more,
})

/** A run that `user:lee` started again, whose first attempt `user:ada` had started, and that `key:boss` let another run call. */
const ofRun = [
  origin(run, run, 'user:lee', { retryOf: first }),
  origin(run, first, 'user:ada'),
  origin(run, caller, 'key:boss', { isCaller: true }),
]
const origins = [
  ...ofRun,
  origin(called, called, 'execution:run', { trigger: 'workflow' }),
  origin(called, run, 'user:lee', { isCaller: true }),
  origin(retry, retry, 'user:kim', { retryOf: run }),
  origin(retry, run, 'user:lee', { retryOf: first }),
  origin(other, other, 'user:lee'),
]

interface Given {
  readonly executionId?: string
  readonly writtenBy?: string
  /** The executions whose inputs name the file. */
  readonly inputs?: readonly string[]
}

function belongs({ executionId, writtenBy = 'user:eve', inputs = [] }: Given): boolean {
  const file = { name: 'a.png', writtenBy, executionId }
  return belongsTo(file, { executionId: run, origins, isInInput: (id, name) => name === 'a.png' && inputs.includes(id) })
}

describe('a file belongs to a run', () => {
  test.each([
    ['that it has itself', { executionId: run }],
    ['that the run has which it repeats', { executionId: first }],
    ['that a run has which it called', { executionId: called }],
    ['that a run has which called it with this name in the input', { executionId: caller, inputs: [run] }],
    ['that the person wrote who started it with this name', { writtenBy: 'user:lee', inputs: [run] }],
    ['that the person wrote who started its first attempt with this name', { writtenBy: 'user:ada', inputs: [first] }],
    ['that the starter of the run wrote which called it and passed the name on', { writtenBy: 'key:boss', inputs: [caller, run] }],
  ])('%s', (_, given) => {
    expect(belongs(given)).toBe(true)
  })

  test.each([
    ['that nothing connects with it', {}],
    ['that its input alone names', { inputs: [run, first, caller] }],
    ['that its starter wrote and that no input names', { writtenBy: 'user:lee' }],
    [
      'that the first starter wrote, and that only another person named when they started it again',
      { writtenBy: 'user:ada', inputs: [run] },
    ],
    [
      'that its starter wrote, who only retried it with the names that another person had given',
      { writtenBy: 'user:lee', inputs: [first, run] },
    ],
    ['that its starter wrote in another run', { executionId: other, writtenBy: 'user:lee', inputs: [run] }],
    ['that the run has which called it, without passing the name on', { executionId: caller, inputs: [caller] }],
    ['that a later repetition of it has', { executionId: retry, inputs: [run] }],
    ['that the starter of the run wrote which called it, without passing the name on', { writtenBy: 'key:boss', inputs: [caller] }],
  ])('unless it is one %s', (_, given) => {
    expect(belongs(given)).toBe(false)
  })
})

describe('a name in the input of a run', () => {
  const isOf = (actor: string, line: readonly Partial<Origin>[], inputs: readonly string[]) =>
    belongsTo(
      { name: 'a.png', writtenBy: actor, executionId: undefined },
      {
        executionId: 'r0',
        origins: line.map((one, index) => origin('r0', `r${index}`, 'user:lee', one)),
        isInInput: (id) => inputs.includes(id),
      },
    )

  test.each(['manual', 'chain'] as const)('is of the one who started it directly (%s)', (trigger) => {
    expect(isOf('user:lee', [{ trigger }], ['r0'])).toBe(true)
  })

  test.each(['webhook', 'schedule', 'event', 'watch', 'replay', 'test', 'agent', 'assistant', 'workflow'] as const)(
    'is of no one when a run began by %s, also for its actor',
    (trigger) => {
      expect(isOf('user:lee', [{ trigger }], ['r0'])).toBe(false)
    },
  )

  test('is of the one who retries if it is in no input before, as far as these can be read', () => {
    const form = { trigger: 'webhook', actor: 'trigger:form' } as const
    const line = [{ ...form, actor: 'user:lee', retryOf: 'r1' }, { ...form, actor: 'user:ada', retryOf: 'r2' }, form]
    expect(isOf('user:lee', line, ['r0'])).toBe(true)
    expect(isOf('user:lee', line, ['r0', 'r1'])).toBe(false)
    expect(isOf('user:lee', line, ['r0', 'r2'])).toBe(false)
    expect(isOf('user:lee', line.slice(0, 2), ['r0'])).toBe(false)
  })
})

test('names of files in data are whole texts, in their order, each once', () => {
  const data = { a: ['b/c.png', { d: 'x.pdf' }], e: 'b/c.png', f: 'see b/c.png', g: ['/no', 'no/', '', 'a\\b', '../x'], h: [1, null, true] }
  expect(fileNamesIn(data)).toEqual(['b/c.png', 'x.pdf', 'see b/c.png'])
  const many = fileNamesIn(Array.from({ length: 300_000 }, (_, index) => `file-${index}`))
  expect([many.length, many[0]]).toEqual([2_000, 'file-0'])
})
