import type { EffectFunction } from '@millrace/engine'

/** A function of executions that needs parts which are made after the engine. */
export interface LateFunction {
  /** Waits until the function is provided; executions of a process begin a moment before. */
  readonly perform: EffectFunction
  provide(perform: EffectFunction): void
}

export function createLateFunction(): LateFunction {
  const { promise, resolve } = Promise.withResolvers<EffectFunction>()
  return { perform: async (call) => (await promise)(call), provide: resolve }
}
