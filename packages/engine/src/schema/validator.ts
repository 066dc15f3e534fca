import type { Json } from '#core/json.ts'
import type { Meter } from '#core/meter.ts'
import { Run, type SchemaFault } from './run.ts'
import { SchemaDocument } from './schema-document.ts'
import { SchemaError } from './schema-error.ts'
import { Scope } from './scope.ts'

/** Where a value does not fit a schema; empty where it does. Whatever the meter throws is thrown on, and leaves nothing behind. */
export type Validator = (value: Json, meter?: Meter) => readonly SchemaFault[]

/** A validator for a schema, which is read at the first value. No code is generated: schemas come from users. */
export function createValidator(schema: Json): Validator {
  let document: SchemaDocument | undefined
  return (value, meter) => {
    const run = new Run(new Scope([]), meter)
    try {
      // Every validation pays for reading the schema, so that its cost does not depend on earlier ones.
      if (document === undefined) document = new SchemaDocument(schema, (steps) => run.charge(steps))
      else run.charge(document.steps)
      run.flush()
      const faults = faultsOf(document, value, run)
      run.flush()
      return faults
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      return [{ pointer: '', detail: `the schema cannot be applied: ${error.message}` }]
    }
  }
}

function faultsOf({ root }: SchemaDocument, value: Json, run: Run): readonly SchemaFault[] {
  if (root.visit(value, run, undefined, undefined)) return []
  root.visit(value, run, undefined, '')
  const distinct = new Map(run.faults.map((fault) => [`${fault.pointer} ${fault.detail}`, fault]))
  return distinct.size > 0 ? [...distinct.values()] : [{ pointer: '', detail: 'does not fit the schema' }]
}
