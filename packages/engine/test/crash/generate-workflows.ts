import type { Definition } from '@millrace/dsl'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import { type Block, ExpectedFault, type Expectation, type RunnableChild, type Surroundings, type Tasks } from './workflow-block.ts'
import { childBlock, doBlock, forkBlock, ifBlock, loopBlock, parallelLoopBlock, raceBlock, sequence, switchBlock } from './nested-blocks.ts'
import { createRandom, type Random } from './random.ts'
import {
  askBlock,
  caughtBlock,
  earlyEventBlock,
  effectBlock,
  faultBlock,
  flakyBlock,
  respondBlock,
  scriptBlock,
  setBlock,
  emitAndListenBlock,
  timeoutBlock,
  waitBlock,
} from './simple-blocks.ts'

/** The predicted end of an execution. */
export interface Prediction extends Expectation {
  readonly end: { readonly state: 'completed'; readonly n: number } | { readonly state: 'faulted'; readonly type: string }
}

/** A generated workflow with a prediction of its result. */
export interface GeneratedWorkflow {
  readonly versionId: string
  readonly name: string
  readonly definition: Readonly<Record<string, unknown>>
  predict(n: number): Prediction
}

/** The workflows of one run. */
export interface GeneratedWorkflows {
  /** The workflows that the test starts; the others are children. */
  readonly main: readonly [GeneratedWorkflow, ...GeneratedWorkflow[]]
  readonly all: readonly GeneratedWorkflow[]
}

const MAIN_COUNT = 60
const CHILD_COUNT = 12
const DEPTH_MAX = 3

/** Blocks that are possible at every position. */
const leaves = [setBlock, effectBlock, effectBlock, effectBlock, waitBlock, flakyBlock, caughtBlock, timeoutBlock] as const
const nests = [doBlock, loopBlock, parallelLoopBlock, forkBlock, raceBlock, switchBlock, ifBlock] as const

/** Generates workflows that together contain every kind of task. The same seed generates the same workflows. */
export function generateWorkflows(seed: number): GeneratedWorkflows {
  const random = createRandom(seed)
  const children = Array.from({ length: CHILD_COUNT }, (_, index) => generate(random, `child-${index}`, index, []))
  const runnable = children.map(
    (child): RunnableChild => ({
      name: child.name,
      costMs: 1_500,
      predictOutput(n) {
        const { end } = child.predict(n)
        if (end.state === 'faulted') throw new Error('a generated child faults')
        return end.n
      },
    }),
  )
  const first = generate(random, 'main-0', CHILD_COUNT, runnable)
  const others = Array.from({ length: MAIN_COUNT - 1 }, (_, index) =>
    generate(random, `main-${index + 1}`, CHILD_COUNT + index + 1, runnable),
  )
  return { main: [first, ...others], all: [...children, first, ...others] }
}

function generate(random: Random, name: string, index: number, children: readonly RunnableChild[]): GeneratedWorkflow {
  const isMain = name.startsWith('main')
  let names = 0
  const surroundings: Surroundings = {
    random,
    name: () => `t${++names}`,
    depth: isMain ? DEPTH_MAX : 1,
    indices: [],
    children,
    budget: { leftMs: isMain ? 5_000 : 1_500 },
  }
  const length = isMain ? random.int(3, 6) : random.int(1, 3)
  const main = sequence(Array.from({ length }, () => (isMain ? topLevelBlock(surroundings) : anyBlock(surroundings))))
  return {
    versionId: `01900000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`,
    name,
    definition: definitionOf(name, main.tasks),
    predict: (n) => predictEnd(main, n),
  }
}

/** Replies and faults are possible in the main list only, because their order must be defined. */
function topLevelBlock(surroundings: Surroundings): Block {
  const { random } = surroundings
  if (random.chance(0.06)) return faultBlock(surroundings)
  if (random.chance(0.1)) return respondBlock(surroundings)
  return anyBlock(surroundings)
}

function anyBlock(surroundings: Surroundings): Block {
  const { random, depth, indices, children, budget } = surroundings
  const [child] = children
  if (child !== undefined && random.chance(0.1) && budget.leftMs > 0) return childBlock(surroundings, random.pick([child, ...children]))
  if (depth > 0 && random.chance(0.35)) return random.pick(nests)(surroundings, anyBlock)
  if (random.chance(0.06)) return askBlock(surroundings)
  if (random.chance(0.03)) return scriptBlock(surroundings)
  // Not in loops: two iterations would emit the same events.
  if (indices.length === 0 && random.chance(0.15)) return random.pick([earlyEventBlock, emitAndListenBlock])(surroundings)
  return random.pick(leaves)(surroundings)
}

function definitionOf(name: string, tasks: Tasks): Readonly<Record<string, unknown>> {
  return {
    document: { dsl: '1.0.3', namespace: 'crash', name, version: '1.0.0' },
    use: { functions: { record: { call: 'http', with: { method: 'post', endpoint: { uri: '${ .address }' } } } } },
    // Events are correlated by `ref`: a retry of a dead letter has the same input and another id.
    input: { from: '{ ledger: .ledger, n: .n, ref: (.ref // $workflow.id) }' },
    timeout: { after: { minutes: 20 } },
    do: [{ begin: { set: { n: '${ .n }' } } }, ...tasks],
    output: { as: '{ n: .n }' },
  }
}

function predictEnd(main: Block, n: number): Prediction {
  const expected: Expectation = { effects: new Map(), detached: 0, answer: undefined }
  try {
    const end = main.predict(n, { expected, iterations: [] })
    return { ...expected, end: { state: 'completed', n: end } }
  } catch (error) {
    if (!(error instanceof ExpectedFault)) throw error
    return { ...expected, end: { state: 'faulted', type: error.type } }
  }
}

const manifest = { version: '1.0.0', summary: 'For this test.', input: {}, output: {} } as const
/** Waits for a reply. */
const ask = { ...manifest, name: 'ask', performs: 'waiting' } as const
const respond = { ...manifest, name: 'respond', performs: 'answer' } as const
export const installation = { functions: [ask, respond] }

/** Compiles the workflows. @returns them by the id of their version */
export function compileGenerated({ all }: GeneratedWorkflows): ReadonlyMap<string, CompiledWorkflow> {
  return new Map(
    all.map(({ versionId, definition }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written above; a test validates it.
      const compiled = compileWorkflow(definition as unknown as Definition, installation)
      return [versionId, compiled]
    }),
  )
}
