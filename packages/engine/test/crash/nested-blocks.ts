import { type Block, modulus, type Place, type RunnableChild, type Surroundings } from './block.ts'

type Make = (surroundings: Surroundings) => Block

/** Parts that hold parts; `make` makes what is in them. */

function deeper(surroundings: Surroundings): Surroundings {
  return { ...surroundings, depth: surroundings.depth - 1 }
}

/** One after the other. */
export function sequence(blocks: readonly Block[]): Block {
  return {
    tasks: blocks.flatMap(({ tasks }) => tasks),
    foretell: (n, place) => blocks.reduce((value, block) => block.foretell(value, place), n),
  }
}

function several(surroundings: Surroundings, make: Make, max: number): Block {
  return sequence(Array.from({ length: surroundings.random.int(1, max) }, () => make(surroundings)))
}

export function doBlock(surroundings: Surroundings, make: Make): Block {
  const inner = several(deeper(surroundings), make, 3)
  const timeout = surroundings.random.chance(0.3) ? { timeout: { after: { minutes: 10 } } } : {}
  return { tasks: [{ [surroundings.name()]: { do: inner.tasks, ...timeout } }], foretell: (n, place) => inner.foretell(n, place) }
}

const within = (place: Place, index: number): Place => ({ ...place, iterations: [...place.iterations, index] })

/** Each iteration on the output of the one before; some loops end early by a condition. */
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
    foretell(n, place) {
      let value = n
      for (let at = 0; at < count && (modulo === undefined || value % modulo !== 0); at++) value = inner.foretell(value, within(place, at))
      return value
    },
  }
}

/** Iterations side by side, each on the input of the loop. */
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
    foretell(n, place) {
      let sum = 0
      for (let at = 0; at < count; at++) sum += inner.foretell(n, within(place, at))
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
    foretell: (n, place) => branches.reduce((sum, branch) => sum + branch.foretell(n, place), 0) % modulus,
  }
}

/** A race that one branch cannot win. */
export function raceBlock(surroundings: Surroundings, make: Make): Block {
  const { name } = surroundings
  const fast = several(deeper(surroundings), make, 2)
  const task = { fork: { compete: true, branches: [{ [name()]: { wait: { minutes: 10 } } }, { [name()]: { do: fast.tasks } }] } }
  return { tasks: [{ [name()]: task }], foretell: (n, place) => fast.foretell(n, place) }
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
    foretell: (n, place) => (n % 2 === 1 ? whenOdd : whenEven).foretell(n, place),
  }
}

export function ifBlock(surroundings: Surroundings, make: Make): Block {
  const { name, random } = surroundings
  const modulo = random.int(2, 3)
  const inner = several(deeper(surroundings), make, 2)
  return {
    tasks: [{ [name()]: { if: `.n % ${modulo} == 0`, do: inner.tasks } }],
    foretell: (n, place) => (n % modulo === 0 ? inner.foretell(n, place) : n),
  }
}

/** Runs a workflow, and waits for it or not. */
export function childBlock({ name, random, budget, indices }: Surroundings, child: RunnableChild): Block {
  const task = name()
  const waits = random.chance(0.7)
  // Whoever waits runs another when it goes on; one that nobody waits for goes on itself.
  const path = ['\\($context.ref)', task, ...indices.map((index) => `\\($${index})`)].join('.')
  const ref = waits ? {} : { ref: `\${ "${path}" }` }
  const input = { ledger: '${ $context.ledger }', n: '${ .n }', ...ref }
  const run = { workflow: { namespace: 'crash', name: child.name, version: '1.0.0', input }, await: waits }
  if (waits) budget.leftMs -= child.costMs
  return {
    tasks: [{ [task]: { run, output: { as: waits ? '{ n: .n }' : '$input' } } }],
    foretell(n, { foretold }) {
      if (waits) return child.foretellOutput(n)
      foretold.detached += 1
      return n
    },
  }
}
