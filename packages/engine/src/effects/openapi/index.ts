export type { HttpEffectDeps as OpenApiFunctionDeps } from '#effects/http/effect-call.ts'
export { createOpenApiFunction } from './openapi-function.ts'
