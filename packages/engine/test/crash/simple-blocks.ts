import { numberOf, saidOf } from './answers.ts'
import { type Block, effectUri, ForetoldFault, foretellEffect, modulus, type Surroundings } from './block.ts'

/** Parts without parts. */

export function setBlock({ random, name }: Surroundings): Block {
  const [factor, summand] = [random.int(1, 9), random.int(0, 99)]
  return {
    tasks: [{ [name()]: { set: { n: `\${ (.n * ${factor} + ${summand}) % ${modulus} }` } } }],
    foretell: (n) => (n * factor + summand) % modulus,
  }
}

export function effectBlock({ name, indices, random }: Surroundings): Block {
  const label = name()
  const address = effectUri('effect', label, indices)
  const output = { as: `{ n: (($input.n + .add) % ${modulus}) }` }
  const call = random.chance(0.3)
    ? { call: 'record', with: { address, n: '${ .n }' }, output }
    : { call: 'http', with: { method: 'post', endpoint: { uri: address } }, output }
  return { tasks: [{ [label]: call }], foretell: (n, place) => (n + numberOf(foretellEffect(label, place))) % modulus }
}

/** Waits in memory, or parks. */
export function waitBlock({ name, random, budget, indices }: Surroundings): Block {
  const parks = indices.length === 0 && budget.leftMs > 2_000 && random.chance(0.35)
  const ms = parks ? random.int(1_050, 1_900) : random.int(5, indices.length === 0 ? 300 : 60)
  budget.leftMs -= ms
  return { tasks: [{ [name()]: { wait: { milliseconds: ms } } }], foretell: (n) => n }
}

/** A service that fails at first. */
export function flakyBlock({ name, indices, random }: Surroundings): Block {
  const label = name()
  const failures = random.int(1, 2)
  const call = { call: 'http', with: { method: 'post', endpoint: { uri: effectUri(`flaky-${failures}`, label, indices) } } }
  const retry = { delay: { milliseconds: 20 }, backoff: { exponential: {} }, limit: { attempt: { count: failures } } }
  const task = {
    try: [{ [name()]: { ...call, output: { as: `{ n: (($input.n + .add) % ${modulus}) }` } } }],
    catch: { errors: { with: { status: 503 } }, retry },
  }
  return {
    tasks: [{ [name()]: task }],
    foretell: (n, place) => (n + numberOf(foretellEffect(label, place, failures + 1))) % modulus,
  }
}

/** What fails and is caught: raised by the workflow itself, or by a service. */
export function caughtBlock(surroundings: Surroundings): Block {
  const { name, indices, random } = surroundings
  const summand = random.int(0, 99)
  const handler = (status: number) =>
    [{ [name()]: { set: { n: `\${ ($error.status + ${summand}) % ${modulus} }` } } }].map((task) => ({ task, status }))
  if (random.chance(0.5)) {
    const label = name()
    const failing = { call: 'http', with: { method: 'post', endpoint: { uri: effectUri('refuse', label, indices) } } }
    const does = handler(404).map(({ task }) => task)
    return {
      tasks: [{ [name()]: { try: [{ [name()]: failing }], catch: { errors: { with: { status: 404 } }, do: does } } }],
      foretell(_n, place) {
        foretellEffect(label, place)
        return (404 + summand) % modulus
      },
    }
  }
  const type = 'https://millrace.test/expected'
  const raise = { raise: { error: { type, status: 418, title: 'Expected' } } }
  const does = handler(418).map(({ task }) => task)
  return {
    tasks: [{ [name()]: { try: [{ [name()]: raise }], catch: { errors: { with: { type } }, do: does } } }],
    foretell: () => (418 + summand) % modulus,
  }
}

/** What takes too long and is stopped. */
export function timeoutBlock({ name, random }: Surroundings): Block {
  const after = { milliseconds: random.int(20, 150) }
  const n = random.int(0, 99)
  const task = {
    try: [{ [name()]: { do: [{ [name()]: { wait: { seconds: 40 } } }], timeout: { after } } }],
    catch: { errors: { with: { status: 408 } }, do: [{ [name()]: { set: { n } } }] },
  }
  return { tasks: [{ [name()]: task }], foretell: () => n }
}

/** Asks somebody outside. */
export function askBlock({ name }: Surroundings): Block {
  const task = { call: 'ask', with: { question: '${ .n }' }, output: { as: '{ n: .answer }' } }
  return { tasks: [{ [name()]: task }], foretell: saidOf }
}

/** An event that comes before anybody listens, and one who then does. */
export function earlyEventBlock({ name, random, budget }: Surroundings): Block {
  const line = name()
  const data = { of: '${ $context.ref }', line, n: '${ .n }' }
  const filter = { with: { type: 'crash.line', data: { line } }, correlate: { of: { from: '.data.of', expect: '${ $context.ref }' } } }
  const emit = { emit: { event: { with: { type: 'crash.line', source: 'https://millrace.test/crash', data } } }, output: { as: '$input' } }
  const listen = { listen: { to: { one: filter } }, output: { as: '{ n: .[0].n }' }, timeout: { after: { minutes: 10 } } }
  const pause = budget.leftMs > 2_000 && random.chance(0.3) ? [{ [name()]: { wait: { milliseconds: 1_050 } } }] : []
  if (pause.length > 0) budget.leftMs -= 1_050
  return { tasks: [{ [name()]: emit }, ...pause, { [name()]: listen }], foretell: (n) => n }
}

/** One branch tells, the other hears three events one by one and does something for each. */
export function talkBlock({ name, indices }: Surroundings): Block {
  const line = name()
  const heard = name()
  const data = (part: number) => ({ of: '${ $context.ref }', line, part })
  const emit = (part: number) => ({
    [name()]: { emit: { event: { with: { type: 'crash.line', source: 'https://millrace.test/crash', data: data(part) } } } },
  })
  const filter = { with: { type: 'crash.line', data: { line } }, correlate: { of: { from: '.data.of', expect: '${ $context.ref }' } } }
  const kept = {
    call: 'http',
    with: { method: 'post', endpoint: { uri: effectUri('effect', heard, [...indices, 'event.part']) } },
    output: { as: '.add' },
  }
  const hears = {
    listen: { to: { any: [filter], until: '. | length == 3' } },
    foreach: { item: 'event', do: [{ [heard]: kept }] },
  }
  const fork = {
    fork: { branches: [{ [name()]: { do: [emit(1), emit(2), emit(3)] } }, { [name()]: hears }] },
    output: { as: `{ n: (($input.n + (.[1] | add)) % ${modulus}) }` },
  }
  return {
    tasks: [{ [name()]: fork }],
    foretell(n, place) {
      const parts = [1, 2, 3].map((part) => numberOf(foretellEffect(heard, { ...place, iterations: [...place.iterations, part] })))
      return (n + parts.reduce((sum, part) => sum + part, 0)) % modulus
    },
  }
}

/** Answers whoever waits for the execution; the first answer counts. */
export function respondBlock({ name }: Surroundings): Block {
  const task = { call: 'respond', with: { body: { n: '${ .n }' } }, output: { as: '$input' } }
  return {
    tasks: [{ [name()]: task }],
    foretell(n, { foretold }) {
      foretold.answer ??= n
      return n
    },
  }
}

/** Ends the execution with an error that nobody catches, for some numbers. */
export function faultBlock({ name, random }: Surroundings): Block {
  const modulo = random.int(2, 4)
  const type = `https://millrace.test/fault-${modulo}`
  const raise = { if: `.n % ${modulo} == 0`, raise: { error: { type, status: 500, title: 'Foretold' } } }
  return {
    tasks: [{ [name()]: raise }],
    foretell(n) {
      if (n % modulo === 0) throw new ForetoldFault(type)
      return n
    },
  }
}

/** Code in its sandbox, in a thread of its own. */
export function scriptBlock({ name, random }: Surroundings): Block {
  const factor = random.int(2, 9)
  const code = `console.log((Number(process.argv[2]) * ${factor}) % ${modulus})`
  const run = { script: { language: 'js', arguments: ['${ .n }'], code } }
  return { tasks: [{ [name()]: { run, output: { as: '{ n: fromjson }' } } }], foretell: (n) => (n * factor) % modulus }
}
