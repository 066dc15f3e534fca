import type { Json } from '#core/json.ts'
import type { SchemaFault } from './run.ts'
import { createValidator } from './validator.ts'

const stepsExceeded = new Error('a validation exceeded its step budget')

/** What does not match a schema, and a fault of the whole value if to say so takes more steps: 100,000 take some tens of milliseconds at most. */
export function faultsWithin(stepsMax: number, schema: Json, value: Json): readonly SchemaFault[] {
  let spent = 0
  try {
    return createValidator(schema)(value, {
      spend(steps) {
        spent += steps
        if (spent > stepsMax) throw stepsExceeded
      },
    })
  } catch (error) {
    if (error !== stepsExceeded) throw error
    return [{ pointer: '', detail: `cannot be validated: it takes more than ${stepsMax} steps` }]
  }
}
