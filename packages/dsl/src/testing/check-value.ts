import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Json } from '#src/json.ts'
import type { ValueFault } from '#src/validate/options.ts'

/** A `checkValue` for tests, by an independent validator. */
export function checkValue(schema: Json, value: Json): readonly ValueFault[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  const check = ajv.compile(typeof schema === 'boolean' ? schema : Object(schema))
  check(value)
  return (check.errors ?? []).map(({ instancePath, message = '' }) => ({ pointer: instancePath, detail: message }))
}
