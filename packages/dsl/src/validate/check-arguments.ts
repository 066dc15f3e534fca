import type { Path } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { calledFunction, knownNames } from '#src/tasks/called-function.ts'
import { catalogFunction } from '#src/tasks/catalog-function.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { argumentFindings } from './argument-findings.ts'
import type { Facts } from './facts.ts'
import type { ValidateOptions } from './options.ts'

/** Checks what is given to functions of the document and of the default catalog, as far as it is known before anything runs. */
export function checkArguments(facts: Facts, document: Json, { functions = [], checkValue }: ValidateOptions): void {
  const use = (isObject(document) ? objectAt(document, 'use') : undefined) ?? {}
  const names = knownNames(use)
  for (const { task, path } of facts.tasks) {
    if (typeof task['call'] !== 'string') continue
    const called = calledFunction(task['call'], names)
    if (called.kind !== 'inline' && called.kind !== 'default') continue
    const schema =
      called.kind === 'inline'
        ? inputSchema(objectAt(objectAt(use, 'functions') ?? {}, called.name))
        : catalogFunction(functions, called.name, called.version)?.input
    if (schema !== undefined) facts.findings.push(...findingsOfCall(called.name, task, path, schema, checkValue))
  }
}

function inputSchema(task: JsonObject | undefined): Json | undefined {
  const schema = objectAt(objectAt(task ?? {}, 'input') ?? {}, 'schema')
  const { format = 'json', document } = schema ?? {}
  return typeof format === 'string' && /^json(?::|$)/.test(format) ? document : undefined
}

function findingsOfCall(name: string, task: JsonObject, path: Path | undefined, schema: Json, checkValue: ValidateOptions['checkValue']) {
  const given = task['with']
  if (given === undefined) return argumentFindings(name, schema, {}, { path: { parent: path, key: 'call' }, at: 'value' }, checkValue)
  return isObject(given) ? argumentFindings(name, schema, given, { path: { parent: path, key: 'with' }, at: 'key' }, checkValue) : []
}
