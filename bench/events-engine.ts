import type { EffectFunction } from '@millrace/engine'
import { type BenchEngine, openBenchEngine } from './bench-engine.ts'

const about = (name: string, expect: string) => `correlate: { ${name}: { from: .data.${name}, expect: '\${ ${expect} }' } }`
const mark = (name: string) =>
  `{ mark: { call: http, with: { method: post, endpoint: { uri: 'http://mark/' }, body: { name: '\${ ${name} }' } } } }`

const definitions = {
  /** Waits for the event of its order, and reports it. */
  waits: `do:
  - paid: { listen: { to: { one: { with: { type: bench.paid }, ${about('order', '.order')} } } } }
  - ${mark('.[0].order')}
`,
  /** Waits for a kept event. */
  finds: `do:
  - sent: { listen: { to: { one: { with: { type: bench.sent }, ${about('order', '.order')} } } } }
  - ${mark('.[0].order')}
`,
  /** Emits an event and waits for the reply, repeatedly. */
  pings: `do:
  - remember: { set: '\${ . }', export: { as: '.' } }
  - rounds:
      for: { each: round, in: '\${ [range($context.rounds)] }' }
      do:
        - ping: { emit: { event: { with: { type: bench.ping, source: /bench, data: { pair: '\${ $context.pair }' } } } } }
        - pong: { input: { from: $context }, listen: { to: { one: { with: { type: bench.pong }, ${about('pair', '.pair')} } } } }
  - ${mark('$context.pair')}
`,
  pongs: `do:
  - remember: { set: '\${ . }', export: { as: '.' } }
  - rounds:
      for: { each: round, in: '\${ [range($context.rounds)] }' }
      do:
        - ping: { input: { from: $context }, listen: { to: { one: { with: { type: bench.ping }, ${about('pair', '.pair')} } } } }
        - pong: { emit: { event: { with: { type: bench.pong, source: /bench, data: { pair: '\${ $context.pair }' } } } } }
`,
}

export interface EventsEngineOptions {
  /** Called with the name that an execution marks. */
  readonly onMark: (name: string) => void
  readonly liveMax?: number
}

/** The engine of one process, with workflows that wait for events. */
export function openEventsEngine(url: string, { onMark, ...settings }: EventsEngineOptions): Promise<BenchEngine> {
  const http: EffectFunction = async (call) => {
    onMark(nameIn(call.arguments))
    return null
  }
  return openBenchEngine(url, { definitions, functions: { http }, ...settings })
}

function nameIn(given: unknown): string {
  const body = typeof given === 'object' && given !== null && 'body' in given ? given.body : undefined
  return typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : ''
}
