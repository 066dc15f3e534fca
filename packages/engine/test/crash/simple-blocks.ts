import { effectResult, replyTo } from './outside-values.ts'
import { type Block, effectUri, ExpectedFault, expectEffect, modulus, type Surroundings } from './workflow-block.ts'

/** Parts without inner parts. */

export function setBlock({ random, name }: Surroundings): Block {
  const [factor, summand] = [random.int(1, 9), random.int(0, 99)]
  return {
    tasks: [{ [name()]: { set: { n: `\${ (.n * ${factor} + ${summand}) % ${modulus} }` } } }],
    predict: (n) => (n * factor + summand) % modulus,
  }
}

export function effectBlock({ name, indices, random }: Surroundings): Block {
  const label = name()
  const address = effectUri('effect', label, indices)
  const output = { as: `{ n: (($input.n + .add) % ${modulus}) }` }
  const call = random.chance(0.3)
    ? { call: 'record', with: { address, n: '${ .n }' }, output }
    : { call: 'http', with: { method: 'post', endpoint: { uri: address } }, output }
  return { tasks: [{ [label]: call }], predict: (n, place) => (n + effectResult(expectEffect(label, place))) % modulus }
}

/** A wait, in memory or parked. */
export function waitBlock({ name, random, budget, indices }: Surroundings): Block {
  const parks = indices.length === 0 && budget.leftMs > 2_000 && random.chance(0.35)
  const ms = parks ? random.int(1_050, 1_900) : random.int(5, indices.length === 0 ? 300 : 60)
  budget.leftMs -= ms
  return { tasks: [{ [name()]: { wait: { milliseconds: ms } } }], predict: (n) => n }
}

/** A call of a service that fails at first, with retries. */
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
    predict: (n, place) => (n + effectResult(expectEffect(label, place, failures + 1))) % modulus,
  }
}

/** A caught error, raised by the workflow itself or by a service. */
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
      predict(_n, place) {
        expectEffect(label, place)
        return (404 + summand) % modulus
      },
    }
  }
  const type = 'https://millrace.test/expected'
  const raise = { raise: { error: { type, status: 418, title: 'Expected' } } }
  const does = handler(418).map(({ task }) => task)
  return {
    tasks: [{ [name()]: { try: [{ [name()]: raise }], catch: { errors: { with: { type } }, do: does } } }],
    predict: () => (418 + summand) % modulus,
  }
}

/** A wait that is ended by a timeout. */
export function timeoutBlock({ name, random }: Surroundings): Block {
  const after = { milliseconds: random.int(20, 150) }
  const n = random.int(0, 99)
  const task = {
    try: [{ [name()]: { do: [{ [name()]: { wait: { seconds: 40 } } }], timeout: { after } } }],
    catch: { errors: { with: { status: 408 } }, do: [{ [name()]: { set: { n } } }] },
  }
  return { tasks: [{ [name()]: task }], predict: () => n }
}

/** A question to an outside person. */
export function askBlock({ name }: Surroundings): Block {
  const task = { call: 'ask', with: { question: '${ .n }' }, output: { as: '{ n: .answer }' } }
  return { tasks: [{ [name()]: task }], predict: replyTo }
}

/** An event that is emitted before its listener opens. */
export function earlyEventBlock({ name, random, budget }: Surroundings): Block {
  const line = name()
  const data = { of: '${ $context.ref }', line, n: '${ .n }' }
  const filter = { with: { type: 'crash.line', data: { line } }, correlate: { of: { from: '.data.of', expect: '${ $context.ref }' } } }
  const emit = { emit: { event: { with: { type: 'crash.line', source: 'https://millrace.test/crash', data } } }, output: { as: '$input' } }
  const listen = { listen: { to: { one: filter } }, output: { as: '{ n: .[0].n }' }, timeout: { after: { minutes: 10 } } }
  const pause = budget.leftMs > 2_000 && random.chance(0.3) ? [{ [name()]: { wait: { milliseconds: 1_050 } } }] : []
  if (pause.length > 0) budget.leftMs -= 1_050
  return { tasks: [{ [name()]: emit }, ...pause, { [name()]: listen }], predict: (n) => n }
}

/** One branch emits three events; the other one receives them one by one and performs an effect for each. */
export function emitAndListenBlock({ name, indices }: Surroundings): Block {
  const line = name()
  const received = name()
  const data = (part: number) => ({ of: '${ $context.ref }', line, part })
  const emit = (part: number) => ({
    [name()]: { emit: { event: { with: { type: 'crash.line', source: 'https://millrace.test/crash', data: data(part) } } } },
  })
  const filter = { with: { type: 'crash.line', data: { line } }, correlate: { of: { from: '.data.of', expect: '${ $context.ref }' } } }
  const record = {
    call: 'http',
    with: { method: 'post', endpoint: { uri: effectUri('effect', received, [...indices, 'event.part']) } },
    output: { as: '.add' },
  }
  const listener = {
    listen: { to: { any: [filter], until: '. | length == 3' } },
    foreach: { item: 'event', do: [{ [received]: record }] },
  }
  const fork = {
    fork: { branches: [{ [name()]: { do: [emit(1), emit(2), emit(3)] } }, { [name()]: listener }] },
    output: { as: `{ n: (($input.n + (.[1] | add)) % ${modulus}) }` },
  }
  return {
    tasks: [{ [name()]: fork }],
    predict(n, place) {
      const parts = [1, 2, 3].map((part) => effectResult(expectEffect(received, { ...place, iterations: [...place.iterations, part] })))
      return (n + parts.reduce((sum, part) => sum + part, 0)) % modulus
    },
  }
}

/** A reply to the caller; the first reply of an execution counts. */
export function respondBlock({ name }: Surroundings): Block {
  const task = { call: 'respond', with: { body: { n: '${ .n }' } }, output: { as: '$input' } }
  return {
    tasks: [{ [name()]: task }],
    predict(n, { expected }) {
      expected.answer ??= n
      return n
    },
  }
}

/** An uncaught error, for some numbers. */
export function faultBlock({ name, random }: Surroundings): Block {
  const modulo = random.int(2, 4)
  const type = `https://millrace.test/fault-${modulo}`
  const raise = { if: `.n % ${modulo} == 0`, raise: { error: { type, status: 500, title: 'Expected' } } }
  return {
    tasks: [{ [name()]: raise }],
    predict(n) {
      if (n % modulo === 0) throw new ExpectedFault(type)
      return n
    },
  }
}

/** A script in its sandbox. */
export function scriptBlock({ name, random }: Surroundings): Block {
  const factor = random.int(2, 9)
  const code = `console.log((Number(process.argv[2]) * ${factor}) % ${modulus})`
  const run = { script: { language: 'js', arguments: ['${ .n }'], code } }
  return { tasks: [{ [name()]: { run, output: { as: '{ n: fromjson }' } } }], predict: (n) => (n * factor) % modulus }
}
