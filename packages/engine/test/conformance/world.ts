import { parse } from 'yaml'
import { type Json, parseJson } from '#core/json.ts'
import type { Begin, Outcome, Running, Setup } from './running.ts'
import { type Service, startService } from './service.ts'
import { givesBack, type Stage } from './stage.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'

/** The state of a running scenario. */
export interface World {
  readonly setup: Setup
  readonly stage: Stage
  readonly service: Service
  /** Values of the placeholders `%name%` in the definition, which are known at run time only. */
  readonly places: Map<string, string>
  execute(): Promise<void>
  /** The execution. @throws Error before it was started */
  running(): Running
  /** Its end, or its state while it waits. */
  outcome(): Promise<Outcome>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly stage: Stage
  readonly begin: Begin
  /** Replace the functions that call the scenario's own service. */
  readonly functions?: Readonly<Record<string, EffectFunction>> | undefined
}

export async function createWorld({ stage, begin, functions }: WorldOptions): Promise<World> {
  const service = await startService()
  const setup: Setup = { definition: '', input: {}, secrets: {}, others: [], functions: [], resources: {}, events: [] }
  const places = new Map<string, string>()
  let running: Running | undefined
  let outcome: Promise<Outcome> | undefined
  const filled = (text: string) => [...places].reduce((whole, [name, value]) => whole.replaceAll(`%${name}%`, value), text)
  const under = () => {
    if (running === undefined) throw new Error('the workflow has not been executed')
    return running
  }
  return {
    setup,
    stage,
    service,
    places,
    async execute() {
      setup.definition = filled(setup.definition)
      const catalog = setup.functions.filter(({ performs }) => performs === 'effect').map(({ name }) => [name, givesBack] as const)
      const own = functions ?? stage.functions(service.http)
      running = await begin(setup, { functions: { ...own, ...Object.fromEntries(catalog) }, hanging: () => service.hanging })
    },
    running: under,
    outcome: () => (outcome ??= under().finish()),
    close: () => service.close(),
  }
}

export function fromYaml(text: string | undefined): Json {
  return text === undefined ? null : parseJson(JSON.stringify(parse(text)))
}
