import fc from 'fast-check'
import { isObject, type Json } from '#core/json.ts'
import type { CompiledWorkflow, Directive, Sequence, TaskBody, TaskNode } from '#core/node.ts'

/** Whether the data that flows is odd in some way: so that decisions depend on outcomes. */
const got = (dot: Json): number => (isObject(dot) && typeof dot.got === 'number' ? dot.got : 0)
/** Workflows of every task kind, nested, whose choices depend on what their effects gave. */
export const arbitraryWorkflow: fc.Arbitrary<CompiledWorkflow> = fc
  .letrec<{ body: TaskBody; tasks: Sequence; node: Omit<TaskNode, 'segment' | 'reference'> }>((tie) => ({
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
      tie('tasks').map((tasks): TaskBody => ({ kind: 'do', tasks })),
      fc.tuple(tie('tasks'), fc.integer({ min: 0, max: 3 }), fc.boolean()).map(([tasks, count, conditional]): TaskBody => {
        const condition = conditional ? { while: (dot: Json) => got(dot) !== 2 } : {}
        return { kind: 'for', in: () => Array.from({ length: count }, (_, index) => index), each: 'item', at: 'index', tasks, ...condition }
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
      })
      .map(({ condition, timeout, ...node }) => ({
        ...node,
        kind: node.body.kind,
        exportAs: (dot) => dot,
        ...(condition === null ? {} : { if: (dot: Json) => got(dot) !== condition }),
        ...(timeout === null ? {} : { timeoutMs: () => timeout }),
      })),
    tasks: fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((nodes): Sequence => {
      return { tasks: nodes.map((node, index) => ({ ...node, segment: `${index}/${node.name}`, reference: `/${index}/${node.name}` })) }
    }),
  }))
  .tasks.map((tasks) => ({ document: { namespace: 'n', name: 'w', version: '1' }, definition: null, secrets: [], tasks }))
