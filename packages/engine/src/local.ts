// Of the engine, what runs a definition in this process without a database.
export type { Observer } from '#core/observer.ts'
export type { EffectFunction } from '#durable/ports.ts'
export { type LocalRun, type LocalRunDeps, runLocally } from '#durable/local-run.ts'
export { createResourceFetcher, type FetchResource } from '#effects/fetch-resource.ts'
export { gatherResources, pinnedIn } from '#effects/gather-resources.ts'
export { createHttpFunctions } from '#effects/http-functions.ts'
export { createScriptFunction, createScriptPool, type ScriptPool } from '#effects/script/index.ts'
export type { HttpPort, HttpReply, HttpRequest } from '#effects/http/index.ts'
