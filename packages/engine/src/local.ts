// Of the engine, what runs a definition in this process without a database.
export type { Observer } from '#core/observer.ts'
export type { EffectFunction } from '#durable/ports/effects.ts'
export { type LocalRun, type LocalRunDeps, runLocally } from '#durable/local/local-run.ts'
export { gatherResources, pinnedIn } from '#effects/gather-resources.ts'
