import { validateDefinition } from '@millrace/dsl'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import { gives, walk } from '#testing/walk.ts'
import { isObject, type Json } from './json.ts'

const member = fc.constantFrom('a', 'b', 'c', 'd')
const value = fc.oneof(
  member.map((name) => `\${ .${name} }`),
  member.map((name) => `\${ $workflow.input.${name} }`),
  fc.integer({ min: 0, max: 3 }),
)
const made = fc.dictionary(member, value, { minKeys: 1, maxKeys: 2 })
const source = fc.oneof(
  fc.tuple(member, member).map(([one, other]) => `. + { ${one}: .${other} }`),
  fc.tuple(member, member).map(([one, other]) => `{ ${one}: .${other} } + .`),
  fc.tuple(member, member).map(([one, other]) => `if .${one} == 1 then { ${other}: 1 } else . end`),
  fc.tuple(member, member).map(([one, other]) => `try { ${one}: (.${other} | tonumber) } catch { ${other}: 1 }`),
  fc.tuple(member, member).map(([one, other]) => `.${one} = .${other}`),
  fc.tuple(member, member).map(([one, other]) => `.${one} // { ${other}: 1 }`),
  member.map((name) => `{ ${name} }`),
  member.map((name) => `del(.${name})`),
  fc.constantFrom('.', '$input', '$workflow.input', '$context'),
)
const condition = fc.tuple(member, fc.constantFrom('== 1', '== null', '!= 2')).map(([name, check]) => `.${name} ${check}`)

type Task = Readonly<Record<string, unknown>>

/** Lists of tasks of the kinds whose outputs are known in part; every choice depends on the data. */
const { list } = fc.letrec<{ task: Task; list: readonly Task[] }>((tie) => ({
  task: fc
    .record({
      body: fc.oneof(
        { depthSize: 'small', withCrossShrink: true, maxDepth: 3 },
        made.map((set): Task => ({ set })),
        source.map((set): Task => ({ set })),
        fc.constant<Task>({ wait: 'PT1S' }),
        fc.constant<Task>({ call: 'http', with: { method: 'get', endpoint: 'https://a.b' } }),
        fc
          .tuple(condition, fc.constantFrom('continue', 'exit', 'end', 's0', 's1', 's2'))
          .map(([when, then]): Task => ({ switch: [{ case: { when, then } }] })),
        tie('list').map((tasks): Task => ({ do: tasks })),
        fc.tuple(tie('list'), tie('list')).map(([tasks, handler]): Task => ({ try: tasks, catch: { do: handler } })),
        tie('list').map((tasks): Task => ({ try: tasks, catch: {} })),
        tie('list').map((tasks): Task => ({ for: { in: [1, 2] }, do: tasks })),
        tie('list').map((tasks): Task => ({ for: { in: [1, 2] }, do: tasks, metadata: { concurrency: 2 } })),
      ),
      more: fc.record(
        { if: condition, then: fc.constantFrom('continue', 'exit', 's0', 's1', 's2'), output: source.map((as) => ({ as })) },
        { requiredKeys: [] },
      ),
    })
    .map(({ body, more }): Task => ({ ...more, ...body })),
  list: fc.array(tie('task'), { minLength: 1, maxLength: 4 }).map((tasks) => tasks.map((task, index): Task => ({ [`s${index}`]: task }))),
}))

const inputs: readonly Json[] = [{}, { a: 1, b: 2 }, { b: 1, c: { a: 1 }, d: 'x' }, { a: 2, d: 1 }]

test('a member that is reported to be absent is never there when the task of the expression runs', () => {
  let met = 0
  const property = fc.property(list, (tasks) => {
    const text = JSON.stringify({ document: { dsl: '1.0.3', namespace: 'n', name: 'w', version: '1.0.0' }, do: tasks })
    const { definition, diagnostics } = validateDefinition(text)
    if (definition === undefined) return true
    const lacking = diagnostics.flatMap(({ code, pointer, message }) => {
      const [, name = ''] = /"(.*?)"/.exec(message) ?? []
      return code === 'replaced_data' && /\/(?:if|set|when)(?:\/\w+)?$/.test(pointer) ? [{ pointer, name }] : []
    })
    if (lacking.length === 0) return true
    const workflow = compileWorkflow(definition, { functions: [] })
    return inputs.every((input) => {
      let isRight = true
      let entries = 0
      const entered = (reference: string, { rawInput }: { readonly rawInput: Json }) => {
        // A list that leads back to itself may never end.
        if (++entries > 200) throw new Error('too long')
        for (const { pointer, name } of lacking) {
          if (!pointer.startsWith(`${reference}/`) || /\/(?:do|try|catch)\//.test(pointer.slice(reference.length))) continue
          met++
          isRight &&= !(isObject(rawInput) && Object.hasOwn(rawInput, name) && rawInput[name] !== null)
        }
      }
      try {
        walk(workflow, { input, entered, call: () => gives({ a: 1, c: 3 }) })
      } catch (error) {
        if (!(error instanceof Error) || error.message !== 'too long') throw error
      }
      return isRight
    })
  })
  const { counterexample, errorInstance } = fc.check(property, { numRuns: 600 })
  expect([counterexample, errorInstance]).toEqual([null, null])
  expect(met).toBeGreaterThan(100)
})
