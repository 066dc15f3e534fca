import type { Definition } from '@millrace/dsl'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import { type Block, ForetoldFault, type Foretold, type RunnableChild, type Surroundings, type Tasks } from './block.ts'
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
  talkBlock,
  timeoutBlock,
  waitBlock,
} from './simple-blocks.ts'

/** How an execution ends, known before it begins. */
export interface Foretelling extends Foretold {
  readonly end: { readonly state: 'completed'; readonly n: number } | { readonly state: 'faulted'; readonly type: string }
}

/** A generated workflow, and what comes of it. */
export interface GeneratedWorkflow {
  readonly versionId: string
  readonly name: string
  readonly definition: Readonly<Record<string, unknown>>
  foretell(n: number): Foretelling
}

/** The workflows of one run. */
export interface GeneratedWorkflows {
  /** Those that are started from outside. */
  readonly main: readonly [GeneratedWorkflow, ...GeneratedWorkflow[]]
  readonly all: readonly GeneratedWorkflow[]
}

const MAIN_COUNT = 60
const CHILD_COUNT = 12
const DEPTH_MAX = 3

/** What may stand anywhere. */
const leaves = [setBlock, effectBlock, effectBlock, effectBlock, waitBlock, flakyBlock, caughtBlock, timeoutBlock] as const
const nests = [doBlock, loopBlock, parallelLoopBlock, forkBlock, raceBlock, switchBlock, ifBlock] as const

/** Makes workflows that all together hold every kind of task: the same ones for the same seed. */
export function generateWorkflows(seed: number): GeneratedWorkflows {
  const random = createRandom(seed)
  const children = Array.from({ length: CHILD_COUNT }, (_, index) => generate(random, `child-${index}`, index, []))
  const runnable = children.map(
    (child): RunnableChild => ({
      name: child.name,
      costMs: 1_500,
      foretellOutput(n) {
        const { end } = child.foretell(n)
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
  const main = sequence(Array.from({ length }, () => (isMain ? outermost(surroundings) : anywhere(surroundings))))
  return {
    versionId: `01900000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`,
    name,
    definition: definitionOf(name, main.tasks),
    foretell: (n) => foretell(main, n),
  }
}

/** What can stand in the main list alone: answers and faults, of which there must be an order. */
function outermost(surroundings: Surroundings): Block {
  const { random } = surroundings
  if (random.chance(0.06)) return faultBlock(surroundings)
  if (random.chance(0.1)) return respondBlock(surroundings)
  return anywhere(surroundings)
}

function anywhere(surroundings: Surroundings): Block {
  const { random, depth, indices, children, budget } = surroundings
  const [child] = children
  if (child !== undefined && random.chance(0.1) && budget.leftMs > 0) return childBlock(surroundings, random.pick([child, ...children]))
  if (depth > 0 && random.chance(0.35)) return random.pick(nests)(surroundings, anywhere)
  if (random.chance(0.06)) return askBlock(surroundings)
  if (random.chance(0.03)) return scriptBlock(surroundings)
  // Two rounds of a loop would tell events that look alike.
  if (indices.length === 0 && random.chance(0.15)) return random.pick([earlyEventBlock, talkBlock])(surroundings)
  return random.pick(leaves)(surroundings)
}

function definitionOf(name: string, tasks: Tasks): Readonly<Record<string, unknown>> {
  return {
    document: { dsl: '1.0.3', namespace: 'crash', name, version: '1.0.0' },
    use: { functions: { record: { call: 'http', with: { method: 'post', endpoint: { uri: '${ .address }' } } } } },
    // By this events find their way: whoever goes on from an execution that was given up has its input, and another id.
    input: { from: '{ ledger: .ledger, n: .n, ref: (.ref // $workflow.id) }' },
    timeout: { after: { minutes: 20 } },
    do: [{ begin: { set: { n: '${ .n }' } } }, ...tasks],
    output: { as: '{ n: .n }' },
  }
}

function foretell(main: Block, n: number): Foretelling {
  const foretold: Foretold = { effects: new Map(), detached: 0, answer: undefined }
  try {
    const end = main.foretell(n, { foretold, iterations: [] })
    return { ...foretold, end: { state: 'completed', n: end } }
  } catch (error) {
    if (!(error instanceof ForetoldFault)) throw error
    return { ...foretold, end: { state: 'faulted', type: error.type } }
  }
}

const manifest = { version: '1.0.0', summary: 'For this test.', input: {}, output: {} } as const
/** Waits until somebody answers. */
const ask = { ...manifest, name: 'ask', performs: 'waiting' } as const
const respond = { ...manifest, name: 'respond', performs: 'answer' } as const
export const installation = { functions: [ask, respond] }

/** By the ids of their versions. */
export function compileGenerated({ all }: GeneratedWorkflows): ReadonlyMap<string, CompiledWorkflow> {
  return new Map(
    all.map(({ versionId, definition }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written above, and held to be valid by a test.
      const compiled = compileWorkflow(definition as unknown as Definition, installation)
      return [versionId, compiled]
    }),
  )
}
