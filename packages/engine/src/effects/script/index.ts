export { defaultScriptLimits, type ScriptLimits } from './limits.ts'
export { createScriptPool, type ScriptPool, type ScriptPoolOptions } from './pool.ts'
export { createScriptFunction } from './script-function.ts'
