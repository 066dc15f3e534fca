import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parse } from 'yaml'

interface SchemaNode {
  [key: string]: SchemaNode
}

/**
 * The official JSON Schema, compiled once, with what the reference has and the schema file has not (docs/dsl.md, Where the sources differ):
 * `catch.then`, a list in `for.in`, `schedule.read`, `detail` of an error filter, `version` of an MCP client, `evaluate`, any `input` of a workflow.
 */
export function officialSchema(): ValidateFunction {
  compiled ??= compileSchema()
  return compiled
}

let compiled: ValidateFunction | undefined

function compileSchema(): ValidateFunction {
  const schema = publishedSchema()
  amend(schema)
  const ajv = new Ajv2020({ strict: false, logger: false })
  formats.default(ajv)
  return ajv.compile(schema)
}

/** Names of the properties that the official schema, as it was published, has anywhere. */
export function officialPropertyNames(): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, child] of Object.entries(node)) {
      if (key === 'properties') for (const name of Object.keys(Object(child))) names.add(name)
      visit(child)
    }
  }
  visit(publishedSchema())
  return names
}

/** The schema file of DSL 1.0.3 from the SDK of the specification's authors, whose bundle has it as an object literal. */
function publishedSchema(): SchemaNode {
  const bundle = readFileSync(new URL(import.meta.resolve('@serverlessworkflow/sdk')), 'utf8')
  const literal =
    /^(?:var|const|let) workflow_default = (\{\n\s*\$id: "https:\/\/serverlessworkflow\.io\/schemas\/1\.0\.3\/[^]*?^\});$/m.exec(
      bundle,
    )?.[1]
  if (literal === undefined) throw new Error('@serverlessworkflow/sdk has no schema of DSL 1.0.3.')
  // Written as an object literal of JSON values, which is YAML too.
  return parse(literal)
}

function amend(schema: SchemaNode): void {
  const definitions = at(schema, '$defs')
  const caught = at(definitions, 'tryTask', 'allOf', '1', 'properties', 'catch', 'properties')
  Object.assign(caught, Object.fromEntries([['then', { $ref: '#/$defs/flowDirective' }]]))
  const loop = at(definitions, 'forTask', 'allOf', '1', 'properties', 'for', 'properties')
  Object.assign(loop, { in: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] } })
  Object.assign(at(definitions, 'errorFilter', 'properties'), { detail: { type: 'string' } })
  Object.assign(at(definitions, 'callTask', 'oneOf', '5', 'allOf', '1', 'properties', 'with', 'properties', 'client', 'properties'), {
    version: { type: 'string' },
  })
  Object.assign(at(schema, 'properties'), {
    evaluate: {
      type: 'object',
      additionalProperties: false,
      properties: { language: { type: 'string' }, mode: { type: 'string', enum: ['strict', 'loose'] } },
    },
  })
  const processes = at(definitions, 'runTask', 'allOf', '1', 'properties', 'run', 'oneOf')
  for (const process of Object.values(processes)) {
    const workflow = process['properties']?.['workflow']
    if (workflow !== undefined) Object.assign(at(workflow, 'properties'), { input: {} })
  }
  const schedule = at(schema, 'properties', 'schedule', 'properties')
  Object.assign(schedule, { read: { type: 'string', enum: ['data', 'envelope', 'raw'] } })
}

function at(node: SchemaNode, ...keys: readonly string[]): SchemaNode {
  let found = node
  for (const key of keys) {
    const child = found[key]
    if (child === undefined) throw new Error(`The official schema has no ${keys.join('/')}.`)
    found = child
  }
  return found
}
