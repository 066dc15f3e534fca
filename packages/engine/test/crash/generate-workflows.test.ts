import { validateDefinition } from '@millrace/dsl'
import { expect, test } from 'vitest'
import { standardError, WorkflowError } from '#core/error.ts'
import { isObject, type Json } from '#core/json.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import { runDefinition } from '#testing/run-definition.ts'
import { replyTo } from './outside-values.ts'
import { compileGenerated, generateWorkflows, type GeneratedWorkflow, installation } from './generate-workflows.ts'
import { createLedgerBook } from './ledger-book.ts'

const seeds = [1, 2]

test('the same seed generates the same workflows, and another seed generates others', () => {
  const [one, again, other] = [generateWorkflows(5), generateWorkflows(5), generateWorkflows(6)].map(({ all }) => JSON.stringify(all))
  expect(again).toBe(one)
  expect(other).not.toBe(one)
})

test('generated workflows are valid and together contain every kind of task', () => {
  const kinds = new Set<string>()
  for (const seed of seeds) {
    const generated = generateWorkflows(seed)
    compileGenerated(generated)
    for (const { definition } of generated.all) {
      const functions = installation.functions.map(({ name, version, input }) => ({ name, version, input }))
      expect(
        validateDefinition(JSON.stringify(definition), { functions }).diagnostics.filter(({ severity }) => severity === 'error'),
      ).toEqual([])
      for (const kind of JSON.stringify(definition).matchAll(
        /"(set|call|do|for|fork|try|retry|switch|raise|catch|wait|emit|listen|foreach|run|await|compete|concurrency|while|if|timeout|ask|respond|record|script)"/g,
      ))
        kinds.add(kind[1] ?? '')
    }
  }
  expect([...kinds].toSorted()).toEqual(
    'ask await call catch compete concurrency do emit for foreach fork if listen raise record respond retry run script set switch timeout try wait while'
      .split(' ')
      .toSorted(),
  )
})

test.for(seeds)('the predictions for generated workflows are correct (seed %i)', async (seed) => {
  const { main, all } = generateWorkflows(seed)
  const others = all.filter(({ name }) => name.startsWith('child')).map(({ definition }) => JSON.stringify(definition))
  const runs = await Promise.all(main.slice(0, 30).map((workflow) => runInMemory(workflow, 3 + seed, others)))
  for (const { workflow, ...came } of runs) expect({ name: workflow.name, ...came }).toEqual(expectedOf(workflow, 3 + seed))
})

function expectedOf(workflow: GeneratedWorkflow, n: number) {
  const { end, effects, answer } = workflow.predict(n)
  return {
    name: workflow.name,
    end: end.state === 'completed' ? { state: 'completed', output: { n: end.n } } : { state: 'faulted', type: end.type },
    effects,
    answer: answer === undefined ? undefined : { n: answer },
  }
}

async function runInMemory(workflow: GeneratedWorkflow, n: number, others: readonly string[]) {
  const book = createLedgerBook()
  let keys = 0
  const http: EffectFunction = async ({ executionId, arguments: args }) => {
    const [, kind = '', label = ''] = new URL(addressOf(args)).pathname.split('/')
    // Each call has its own key, because a run in memory repeats no effects.
    const { status, body } = book.perform({ kind, label, executionId, key: String(++keys), atMs: 0 })
    if (status === 200) return { ...body }
    throw new WorkflowError({ ...standardError('communication', 'refused').data, status })
  }
  let answering: NodeJS.Timeout | undefined
  // Replaces the sandbox, which has its own tests.
  const script: EffectFunction = async ({ arguments: args }) => {
    const { code, arguments: given } = isObject(args) ? args : {}
    const factor = Number(/\* (\d+)/.exec(typeof code === 'string' ? code : '')?.[1])
    return `${(Number(Array.isArray(given) ? given[0] : Number.NaN) * factor) % 1_000}\n`
  }
  const { state, output, error, writes } = await runDefinition(JSON.stringify(workflow.definition), {
    input: { ledger: 'http://ledger.test', n, ref: 'this' },
    http,
    functions: { script },
    others,
    installation,
    started: (run) => {
      answering = setInterval(() => {
        for (const { topic, position, arguments: asked } of run.waits()) {
          if (topic === 'ask') run.answer(position, { answer: replyTo(questionOf(asked)) })
        }
      }, 5)
    },
  })
  clearInterval(answering)
  const effects = new Map<string, number>()
  for (const { label, executionId } of book.effects.values())
    if (executionId === writes[0]?.executionId) effects.set(label, (effects.get(label) ?? 0) + 1)
  return {
    workflow,
    end: error === undefined ? { state, output } : { state, type: error.type },
    effects,
    answer: writes.find(({ reply: answer }) => answer !== undefined)?.reply?.body,
  }
}

function addressOf(args: Json): string {
  const { endpoint } = isObject(args) ? args : {}
  const uri = endpoint !== undefined && isObject(endpoint) ? endpoint.uri : endpoint
  if (typeof uri !== 'string') throw new Error('a call goes nowhere')
  return uri
}

function questionOf(asked: Json): number {
  return isObject(asked) ? Number(asked.question) : Number.NaN
}
