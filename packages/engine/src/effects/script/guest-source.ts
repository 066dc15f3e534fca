import * as format from './guest/format.ts'
import * as inspect from './guest/inspect.ts'
import * as install from './guest/install.ts'

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
