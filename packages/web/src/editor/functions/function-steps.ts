import type { groups, Reply } from '@millrace/contract'
import { passingOn } from '#src/editor/picker/passing-on.ts'
import type { StepTemplate } from '#src/editor/picker/templates.ts'

export type ListedFunction = Reply<(typeof groups)['functions']['list']>['data'][number]

/** The functions of connectors as steps that can be added. */
export function functionSteps(functions: readonly ListedFunction[]): readonly StepTemplate[] {
  return functions
    .filter(({ connector }) => connector !== null)
    .map(({ name, connector }) => ({
      key: name,
      group: 'connectors',
      glyph: 'connector',
      words: `${connector ?? ''} ${name.replaceAll(/(?<=[a-z])(?=[A-Z])|[._]/g, ' ')}`,
      task: { [stepName(name)]: isForEffect(name) ? passingOn({ call: name, with: {} }) : { call: name, with: {} } },
    }))
}

/** Whether a function is called to write or to notify: what it returns is a receipt that seldom matters. */
function isForEffect(name: string): boolean {
  return /^tables\.(?:add|put|update|delete)$|\.(?:send|post|publish|notify|reply)(?=[A-Z]|$)/.test(name)
}

/** The name of a step that calls a function: that of the function without its connector. */
function stepName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** Title and text of each function, as the steps of the language have them in the messages. */
export function functionTexts(functions: readonly ListedFunction[]): Readonly<Record<string, readonly [string, string]>> {
  return Object.fromEntries(functions.map(({ name, summary }) => [name, [name, summary] as const]))
}
