import { type Block, modulus, type WalkPosition, type RunnableChild, type Surroundings } from './workflow-block.ts'

type Make = (surroundings: Surroundings) => Block

/** Parts that contain parts; `make` generates the inner ones. */

function deeper(surroundings: Surroundings): Surroundings {
  return { ...surroundings, depth: surroundings.depth - 1 }
}

/** The blocks in sequence. */
export function sequence(blocks: readonly Block[]): Block {
  return {
    tasks: blocks.flatMap(({ tasks }) => tasks),
    predict: (n, place) => blocks.reduce((value, block) => block.predict(value, place), n),
  }
}

function several(surroundings: Surroundings, make: Make, max: number): Block {
  return sequence(Array.from({ length: surroundings.random.int(1, max) }, () => make(surroundings)))
}

export function doBlock(surroundings: Surroundings, make: Make): Block {
  const inner = several(deeper(surroundings), make, 3)
  const timeout = surroundings.random.chance(0.3) ? { timeout: { after: { minutes: 10 } } } : {}
  return { tasks: [{ [surroundings.name()]: { do: inner.tasks, ...timeout } }], predict: (n, place) => inner.predict(n, place) }
}

const within = (place: WalkPosition, index: number): WalkPosition => ({ ...place, iterations: [...place.iterations, index] })

/** A sequential loop, in which each iteration gets the output of the previous one. Some loops end early by a condition. */
export function loopBlock(surroundings: Surroundings, make: Make): Block {
  const { name, random, indices } = surroundings
  const index = `i${name()}`
  const count = random.int(1, 3)
  const inner = several({ ...deeper(surroundings), indices: [...indices, index] }, make, 2)
  const modulo = random.chance(0.4) ? random.int(3, 5) : undefined
  const task = {
    for: { each: index, in: `\${ [range(${count})] }` },
    ...(modulo === undefined ? {} : { while: `.n % ${modulo} != 0` }),
    do: inner.tasks,
  }
  return {
    tasks: [{ [name()]: task }],
    predict(n, place) {
      let value = n
      for (let at = 0; at < count && (modulo === undefined || value % modulo !== 0); at++) value = inner.predict(value, within(place, at))
      return value
    },
  }
}

/** A parallel loop, in which each iteration gets the input of the loop. */
export function parallelLoopBlock(surroundings: Surroundings, make: Make): Block {
  const { name, random, indices } = surroundings
  const index = `i${name()}`
  const count = random.int(2, 4)
  const inner = several({ ...deeper(surroundings), indices: [...indices, index] }, make, 1)
  const task = {
    metadata: { concurrency: random.int(1, 3) },
    for: { each: index, in: `\${ [range(${count})] }` },
    do: inner.tasks,
    output: { as: `{ n: ((map(.n) | add) % ${modulus}) }` },
  }
  return {
    tasks: [{ [name()]: task }],
    predict(n, place) {
      let sum = 0
      for (let at = 0; at < count; at++) sum += inner.predict(n, within(place, at))
      return sum % modulus
    },
  }
}

export function forkBlock(surroundings: Surroundings, make: Make): Block {
  const { name, random } = surroundings
  const branches = Array.from({ length: random.int(2, 3) }, () => several(deeper(surroundings), make, 2))
  const task = {
    fork: { branches: branches.map(({ tasks }) => ({ [name()]: { do: tasks } })) },
    output: { as: `{ n: ((map(.n) | add) % ${modulus}) }` },
  }
  return {
    tasks: [{ [name()]: task }],
    predict: (n, place) => branches.reduce((sum, branch) => sum + branch.predict(n, place), 0) % modulus,
  }
}

/** A race with one branch that cannot win. */
export function raceBlock(surroundings: Surroundings, make: Make): Block {
  const { name } = surroundings
  const fast = several(deeper(surroundings), make, 2)
  const task = { fork: { compete: true, branches: [{ [name()]: { wait: { minutes: 10 } } }, { [name()]: { do: fast.tasks } }] } }
  return { tasks: [{ [name()]: task }], predict: (n, place) => fast.predict(n, place) }
}

export function switchBlock(surroundings: Surroundings, make: Make): Block {
  const { name } = surroundings
  const [odd, even, choose, end] = [name(), name(), name(), name()]
  const whenOdd = several(deeper(surroundings), make, 2)
  const whenEven = several(deeper(surroundings), make, 2)
  return {
    tasks: [
      { [choose]: { switch: [{ odd: { when: '.n % 2 == 1', then: odd } }, { other: { then: even } }] } },
      { [odd]: { do: whenOdd.tasks, then: end } },
      { [even]: { do: whenEven.tasks, then: end } },
      { [end]: { set: { n: '${ .n }' } } },
    ],
    predict: (n, place) => (n % 2 === 1 ? whenOdd : whenEven).predict(n, place),
  }
}

export function ifBlock(surroundings: Surroundings, make: Make): Block {
  const { name, random } = surroundings
  const modulo = random.int(2, 3)
  const inner = several(deeper(surroundings), make, 2)
  return {
    tasks: [{ [name()]: { if: `.n % ${modulo} == 0`, do: inner.tasks } }],
    predict: (n, place) => (n % modulo === 0 ? inner.predict(n, place) : n),
  }
}

/** Runs a child workflow, with or without waiting for it. */
export function childBlock({ name, random, budget, indices }: Surroundings, child: RunnableChild): Block {
  const task = name()
  const waits = random.chance(0.7)
  // A retry of the parent starts an awaited child again. A detached child continues by itself, so its reference must not depend on the parent's id.
  const path = ['\\($context.ref)', task, ...indices.map((index) => `\\($${index})`)].join('.')
  const ref = waits ? {} : { ref: `\${ "${path}" }` }
  const input = { ledger: '${ $context.ledger }', n: '${ .n }', ...ref }
  const run = { workflow: { namespace: 'crash', name: child.name, version: '1.0.0', input }, await: waits }
  if (waits) budget.leftMs -= child.costMs
  return {
    tasks: [{ [task]: { run, output: { as: waits ? '{ n: .n }' : '$input' } } }],
    predict(n, { expected }) {
      if (waits) return child.predictOutput(n)
      expected.detached += 1
      return n
    },
  }
}
