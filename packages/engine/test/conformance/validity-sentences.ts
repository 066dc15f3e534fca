import { validateDefinition } from '@millrace/dsl'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { compileSchema } from '#compile/schema.ts'
import { unsupportedIn } from '#compile/unsupported.ts'
import type { Sentence } from './sentence.ts'
import type { Setup } from './running.ts'

/** Checks of the diagnostics of a definition before it runs. */
export const validitySentences: readonly Sentence[] = [
  [/^the definition should be valid$/, ({ setup }) => expect(validated(setup).found).toEqual([])],
  [
    /^the definition should be invalid: (\S+) at (\S+)$/,
    ({ setup }, { words: [code, pointer] }) => expect(validated(setup).found).toEqual([{ severity: 'error', code, pointer }]),
  ],
  [
    /^the definition should be warned of: (\S+) at (\S+)$/,
    ({ setup }, { words: [code, pointer] }) => expect(validated(setup).found).toEqual([{ severity: 'warning', code, pointer }]),
  ],
  [
    /^the definition should be valid, but refused here at (\S+)$/,
    ({ setup }, { words: [pointer] }) => {
      const { definition, found } = validated(setup)
      expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
      if (definition === undefined) throw new Error('there is no definition')
      const { functions } = setup
      const resources = Object.keys(setup.resources).length === 0 ? undefined : setup.resources
      expect(unsupportedIn(definition, { functions, resources }).map((one) => one.pointer)).toEqual([pointer])
    },
  ],
]

function validated({ definition: text, functions }: Setup) {
  const given: unknown = parse(text)
  const document = { dsl: '1.0.3', namespace: 'test', name: 'test', version: '1.0.0' }
  const { definition, diagnostics } = validateDefinition(JSON.stringify({ document, ...Object(given) }), {
    functions: functions.map(({ name, version, input }) => ({ name, version, input })),
    checkValue: (schema, value) => compileSchema({ document: schema })(value),
  })
  return { definition, found: diagnostics.map(({ severity, code, pointer }) => ({ severity, code, pointer })) }
}
