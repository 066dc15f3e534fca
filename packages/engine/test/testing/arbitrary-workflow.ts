import fc from 'fast-check'
import { isObject, type Json } from '#core/json.ts'
import type { CompiledWorkflow, Directive, ExtensionNode, FilterNode, ListenBody, Sequence, TaskBody, TaskNode } from '#core/node.ts'

/** A number from the data, so that decisions depend on outcomes. */
const got = (dot: Json): number => (isObject(dot) && typeof dot.got === 'number' ? dot.got : 0)
const filters = (count: number): readonly FilterNode[] =>
  Array.from({ length: count }, (_, index) => ({ filter: { with: { type: `t${index}` } }, correlations: [] }))
/** Strategies of `listen`, some of which end by a condition or by further events. */
const listening: fc.Arbitrary<Omit<ListenBody, 'foreach'>> = fc
  .record({
    mode: fc.constantFrom('one', 'any', 'all'),
    count: fc.integer({ min: 1, max: 3 }),
    until: fc.constantFrom('none', 'condition', 'any', 'all'),
    read: fc.constantFrom('data', 'envelope', 'raw'),
  })
  .map(({ mode, count, until, read }) => {
    const plain = { kind: 'listen', mode, filters: filters(mode === 'one' ? 1 : count), read } as const
    if (mode !== 'any' || until === 'none') return plain
    if (until !== 'condition') return { ...plain, until: { all: until === 'all', filters: filters(2) } }
    return { ...plain, until: (consumed) => Array.isArray(consumed) && consumed.length >= count }
  })
/** A loop that is long enough to pause. */
const busy: TaskBody = {
  kind: 'for',
  in: () => Array.from({ length: 1_500 }, (_, index) => index),
  each: 'item',
  at: 'index',
  tasks: { tasks: [{ ...bare('busy'), body: { kind: 'pass' } }] },
}

function bare(name: string): Omit<TaskNode, 'body'> {
  return { name, kind: 'set', segment: `0/${name}`, reference: `/0/${name}`, definition: null, then: 'continue' }
}

/** Workflows of every task kind, nested, whose choices depend on the outcomes of their effects. */
export const arbitraryWorkflow: fc.Arbitrary<CompiledWorkflow> = fc
  .letrec<{ body: TaskBody; tasks: Sequence; node: Omit<TaskNode, 'segment' | 'reference'>; extension: ExtensionNode }>((tie) => ({
    body: fc.oneof(
      { depthSize: 'small', withCrossShrink: true, maxDepth: 4 },
      fc.integer({ min: 0, max: 3 }).map((n): TaskBody => ({ kind: 'set', value: () => ({ got: n }) })),
      fc.constant<TaskBody>({ kind: 'call', function: 'effect', arguments: (dot) => dot }),
      fc.integer({ min: 0, max: 90 }).map((ms): TaskBody => ({ kind: 'wait', durationMs: () => ms })),
      fc
        .boolean()
        .map((waits): TaskBody => ({ kind: 'run-workflow', namespace: 'n', name: 'w', version: '1', input: (dot) => dot, await: waits })),
      fc.constant<TaskBody>({ kind: 'raise', error: () => ({ type: 'https://test/raised', status: 400 }) }),
      fc.constantFrom<Directive>('continue', 'exit', 'end').map((then): TaskBody => {
        return { kind: 'switch', cases: [{ when: (dot) => got(dot) === 1, then }], otherwise: 'continue' }
      }),
      fc.constantFrom<TaskBody>(
        { kind: 'message', topic: 'approve', arguments: (dot) => dot },
        { kind: 'answer', arguments: (dot) => ({ body: dot }) },
        { kind: 'emit', event: (dot) => ({ type: 'emitted', n: got(dot) }) },
        { kind: 'emit', event: (dot) => ({ type: got(dot) === 2 ? '' : 'emitted' }) },
        busy,
      ),
      fc.tuple(listening, fc.option(tie('tasks'), { freq: 2 })).map(([listen, tasks]): TaskBody => {
        return tasks === null ? listen : { ...listen, foreach: { item: 'item', at: 'index', tasks } }
      }),
      tie('node').map((node): TaskBody => {
        const called = { ...node, name: 'f', segment: 'functions/f', reference: '/use/functions/f' }
        return { kind: 'function', foreign: false, node: called, arguments: (dot) => dot }
      }),
      tie('tasks').map((tasks): TaskBody => ({ kind: 'do', tasks })),
      fc
        .tuple(tie('tasks'), fc.integer({ min: 0, max: 4 }), fc.boolean(), fc.option(fc.integer({ min: 1, max: 3 })))
        .map(([tasks, count, conditional, lanes]): TaskBody => {
          const condition = conditional ? { while: (dot: Json) => got(dot) !== 2 } : {}
          const concurrency = lanes === null ? {} : { concurrency: lanes }
          const items = Array.from({ length: count }, (_, index) => index)
          return { kind: 'for', in: () => items, each: 'item', at: 'index', tasks, ...condition, ...concurrency }
        }),
      fc.tuple(tie('tasks'), fc.boolean()).map(([tasks, compete]): TaskBody => ({ kind: 'fork', branches: tasks.tasks, compete })),
      fc.tuple(tie('tasks'), tie('tasks'), fc.integer({ min: 0, max: 2 }), fc.boolean(), fc.boolean()).map(
        ([tasks, handler, retriesMax, retries, handles]): TaskBody => ({
          kind: 'try',
          tasks,
          catch: {
            filter: {},
            as: 'error',
            ...(handles ? { tasks: handler } : {}),
            ...(retries
              ? { retry: { delayMs: () => 10, backoff: 'exponential', retriesMax, jitter: { fromMs: () => 0, toMs: () => 20 } } }
              : {}),
          },
        }),
      ),
    ),
    extension: fc
      .record({ before: tie('tasks'), after: tie('tasks'), when: fc.boolean() })
      .map(({ when, ...lists }) => ({ ...lists, ...(when ? { when: (dot: Json) => got(dot) !== 1 } : {}) })),
    node: fc
      .record({
        name: fc.constantFrom('a', 'b', 'c'),
        definition: fc.constant(null),
        then: fc.oneof(
          { weight: 8, arbitrary: fc.constant<Directive>('continue') },
          { weight: 1, arbitrary: fc.constantFrom<Directive>('exit', 'end') },
        ),
        body: tie('body'),
        condition: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 4 }),
        timeout: fc.option(fc.integer({ min: 1, max: 80 }), { freq: 4 }),
        extensions: fc.option(fc.array(tie('extension'), { minLength: 1, maxLength: 2, depthIdentifier: 'extensions' }), { freq: 1 }),
      })
      .map(({ condition, timeout, extensions, ...node }) => ({
        ...node,
        kind: node.body.kind,
        exportAs: (dot) => dot,
        ...(condition === null ? {} : { if: (dot: Json) => got(dot) !== condition }),
        ...(timeout === null ? {} : { timeoutMs: () => timeout }),
        ...(extensions === null ? {} : { extensions }),
      })),
    tasks: fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((nodes): Sequence => {
      const named = nodes.map((node, index) => ({ ...node, name: `${node.name}${index}` }))
      return { tasks: named.map((node, index) => ({ ...node, segment: `${index}/${node.name}`, reference: `/${index}/${node.name}` })) }
    }),
  }))
  .tasks.map((tasks) => ({ document: { namespace: 'n', name: 'w', version: '1' }, definition: null, secrets: [], tasks }))
