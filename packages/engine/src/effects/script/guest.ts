import * as install from './guest/install.ts'
import * as inspect from './guest/inspect.ts'
import * as format from './guest/format.ts'
import type { JSModuleLoadResult } from 'quickjs-emscripten-core'

/** The text of our own functions, so that they are checked, formatted and tested as all others are. Nothing in it comes from a definition. */
function textOf(...modules: readonly object[]): string {
  return modules.flatMap((module) => Object.values(module).map(String)).join('\n')
}

/** Writes values as Node.js does. It is compiled when a script first prints something other than plain text: that costs more than most scripts. */
const formatting = `(() => {
${textOf(inspect, format)}
return { inspect, format: (values) => format(inspect, values) }
})()`

/** A program for the sandbox whose value is `(write, exit, inputJson) => Ending`, see `guest/install.ts`. */
export const guestSource = `(() => {
${textOf(install)}
const compile = eval
const source = ${JSON.stringify(formatting)}
let loaded
const load = () => loaded ??= compile(source)
return (write, exit, input) => install({ write, exit }, JSON.parse(input), {
  inspect: (value) => load().inspect(value),
  format: (values) => load().format(values),
})
})()`

/** The modules that a script may import, as programs for the sandbox. */
const modules: Readonly<Record<string, string>> = {
  fs: `const fs = process.getBuiltinModule('fs'); export default fs; export const { readFileSync } = fs`,
  process: `const it = process; export default it; export const { argv, env, exit, stdin, stdout, stderr } = it`,
}

/** @returns the program of a module, or an error for an unknown one. Reads no files. */
export function loadModule(name: string): JSModuleLoadResult {
  const bare = name.replace(/^node:/, '')
  const source = Object.hasOwn(modules, bare) ? modules[bare] : undefined
  return source ?? { error: new Error(`Cannot find module '${name}': a script can import node:fs and node:process alone`) }
}
