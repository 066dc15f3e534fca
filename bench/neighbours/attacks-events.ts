import type { Attack, Attacker } from './attack.ts'

const sum = 'reduce range(190000) as $i (0; . + ($i|tostring|length)) | . < 0'
const readsScope = `\${ . as $d | $context as $c | ${sum} }`
const readsEvent = `\${ . as $d | ${sum} }`
const matches = '${ tostring + ("a" * 20000) | [match("a.*b|a"; "g")] | length < 0 }'
const preparedAtOnce = 8

let events = 0

function event(type: string, data: unknown): unknown {
  return { specversion: '1.0', id: `attack-${events++}`, source: '/attack', type, data }
}

function publish(attacker: Attacker, batch: readonly unknown[]): ReturnType<Attacker['call']> {
  return attacker.call({ method: 'POST', path: '/events', body: { events: batch } })
}

interface Listening {
  /** Attributes in addition to the type. */
  readonly filter?: Readonly<Record<string, unknown>>
  readonly correlate?: Readonly<Record<string, unknown>>
  readonly listeners: number
  readonly batch: number
  readonly data?: (n: number) => unknown
}

/** Executions that listen with a filter, and batches of events for it. */
function listens({ filter = {}, correlate, listeners, batch, data = (n) => ({ n }) }: Listening): Attack['open'] {
  return async (attacker) => {
    const type = `com.evil.${events++}`
    const one = { with: { type, ...filter }, ...(correlate === undefined ? {} : { correlate }) }
    const id = await attacker.define({ do: [{ hear: { listen: { to: { one } } } }] })
    let left = listeners
    const lane = async () => {
      while (left-- > 0) await attacker.start(String(id), { n: left })
    }
    if (id !== undefined) await Promise.all(Array.from({ length: preparedAtOnce }, lane))
    return (n) =>
      publish(
        attacker,
        Array.from({ length: batch }, (_, index) => event(type, data(n * batch + index))),
      )
  }
}

const kilobytes = (count: number) => 'x'.repeat(count * 1024)

export const eventAttacks: readonly Attack[] = [
  {
    name: 'filters that read the scope',
    family: 'events',
    lanes: 2,
    open: listens({ filter: { data: readsScope }, listeners: 100, batch: 30 }),
  },
  {
    name: 'filters that read the event',
    family: 'events',
    lanes: 2,
    open: listens({ filter: { data: readsEvent }, listeners: 100, batch: 100 }),
  },
  {
    name: 'filters with a costly match',
    family: 'events',
    lanes: 2,
    open: listens({ filter: { data: matches }, listeners: 50, batch: 100 }),
  },
  {
    name: 'filters with a pattern of RE2 on large data',
    family: 'events',
    lanes: 2,
    open: listens({ filter: { data: { text: '(x|xx|xxx)*y' } }, listeners: 20, batch: 10, data: () => ({ text: kilobytes(200) }) }),
  },
  {
    name: 'correlations that compute',
    family: 'events',
    lanes: 2,
    open: listens({ correlate: { sum: { from: `[${sum}, .data.n]`, expect: '${ .n }' } }, listeners: 100, batch: 100 }),
  },
  {
    name: 'events of the largest accepted size',
    family: 'events',
    lanes: 1,
    open: listens({ filter: { data: { n: 1 } }, listeners: 20, batch: 16, data: () => ({ n: 1, text: kilobytes(240) }) }),
  },
  { name: 'batches of 100 small events', family: 'events', lanes: 4, open: listens({ listeners: 0, batch: 100 }) },
  {
    name: 'an until that computes',
    family: 'events',
    lanes: 2,
    open: async (attacker) => {
      const type = `com.evil.${events++}`
      const until = `\${ ${sum} }`
      const id = await attacker.define({ do: [{ hear: { listen: { to: { any: [{ with: { type } }], until } } } }] })
      if (id !== undefined) for (let n = 0; n < 20; n++) await attacker.start(id)
      return (n) =>
        publish(
          attacker,
          Array.from({ length: 50 }, (_, index) => event(type, { n, index })),
        )
    },
  },
  {
    name: 'workflows that answer one another',
    family: 'events',
    lanes: 4,
    open: async (attacker) => {
      const type = `com.evil.${events++}`
      const emit = { emit: { event: { with: { source: 'https://x.example', type } } } }
      const id = await attacker.define({ do: [{ emit }, { hear: { listen: { to: { one: { with: { type } } } }, then: 'emit' } }] })
      return () => attacker.start(String(id))
    },
  },
  {
    name: 'events emitted in a loop',
    family: 'events',
    lanes: 4,
    open: async (attacker) => {
      const emit = { emit: { event: { with: { source: 'https://x.example', type: 'com.evil.loop', data: { text: kilobytes(10) } } } } }
      const id = await attacker.define({ do: [{ each: { for: { in: '${ [range(10000)] }' }, do: [{ emit }] } }] })
      return () => attacker.run(String(id))
    },
  },
]
