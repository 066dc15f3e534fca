import type { JSModuleLoadResult } from 'quickjs-emscripten-core'

/** The modules that a script may import, as programs for the sandbox. */
const modules: Readonly<Record<string, string>> = {
  fs: `const fs = process.getBuiltinModule('fs'); export default fs; export const { readFileSync } = fs`,
  process: `const it = process; export default it; export const { argv, env, exit, stdin, stdout, stderr } = it`,
}

/** @returns the program of a module, or why there is none. Nothing is read from anywhere. */
export function loadModule(name: string): JSModuleLoadResult {
  const bare = name.replace(/^node:/, '')
  const source = Object.hasOwn(modules, bare) ? modules[bare] : undefined
  return source ?? { error: new Error(`Cannot find module '${name}': a script can import node:fs and node:process alone`) }
}
