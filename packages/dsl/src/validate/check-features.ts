import type { Path } from '#src/parse/pointer.ts'
import { callShapes } from '#src/shape/task-shapes.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/types/json.ts'
import type { Facts, Finding } from './facts.ts'
import type { OptionalFeature } from './options.ts'

/** Reports every place of a document that needs what this installation lacks. */
export function checkFeatures(facts: Facts, document: Json, unsupported: readonly OptionalFeature[]): void {
  if (unsupported.length === 0) return
  const lacking = new Set(unsupported)
  const report = (uses: readonly FeatureUse[], path: Path | undefined): void => {
    for (const use of uses) if (lacking.has(use.feature)) facts.findings.push(finding(use, path))
  }
  if (isObject(document)) report([...documentUses(document), ...schemaUses(document, ['input', 'output'])], undefined)
  for (const { task, path } of facts.tasks) report([...taskUses(task), ...schemaUses(task, ['input', 'output', 'export'])], path)
}

interface FeatureUse {
  readonly feature: OptionalFeature
  readonly at: readonly string[]
  readonly place: 'key' | 'value'
}

function documentUses(document: JsonObject): FeatureUse[] {
  const uses: FeatureUse[] = []
  if ('schedule' in document) uses.push({ feature: 'schedule', at: ['schedule'], place: 'key' })
  const extensions = objectAt(document, 'use')?.['extensions']
  if (Array.isArray(extensions) && extensions.length > 0) uses.push({ feature: 'extensions', at: ['use', 'extensions'], place: 'key' })
  const loose = objectAt(document, 'evaluate')?.['mode'] === 'loose'
  if (loose) uses.push({ feature: 'evaluate.loose', at: ['evaluate', 'mode'], place: 'value' })
  return uses
}

function schemaUses(owner: JsonObject, sections: readonly string[]): FeatureUse[] {
  return sections.flatMap((section) => {
    const schema = objectAt(objectAt(owner, section) ?? {}, 'schema')
    return schema === undefined || !('resource' in schema)
      ? []
      : [{ feature: 'schema.resource', at: [section, 'schema', 'resource'], place: 'key' } as const]
  })
}

function taskUses(task: JsonObject): FeatureUse[] {
  const uses: FeatureUse[] = []
  if ('emit' in task) uses.push({ feature: 'emit', at: ['emit'], place: 'key' })
  if ('listen' in task) uses.push({ feature: 'listen', at: ['listen'], place: 'key' })
  const called = task['call']
  if (typeof called === 'string') uses.push(...callUses(called, task))
  const run = objectAt(task, 'run')
  if (run === undefined) return uses
  if ('container' in run) uses.push({ feature: 'run.container', at: ['run', 'container'], place: 'key' })
  if ('shell' in run) uses.push({ feature: 'run.shell', at: ['run', 'shell'], place: 'key' })
  const language = objectAt(run, 'script')?.['language']
  const script = language === 'python' ? 'run.script.python' : 'run.script.js'
  if (typeof language === 'string') uses.push({ feature: script, at: ['run', 'script', 'language'], place: 'value' })
  return uses
}

const callFeatures: ReadonlyMap<string, OptionalFeature> = new Map([
  ['openapi', 'call.openapi'],
  ['grpc', 'call.grpc'],
  ['asyncapi', 'call.asyncapi'],
  ['a2a', 'call.a2a'],
])

function callUses(called: string, task: JsonObject): FeatureUse[] {
  const feature = callFeatures.get(called)
  if (feature !== undefined) return [{ feature, at: ['call'], place: 'value' }]
  if (!callShapes.has(called)) return [{ feature: 'call.function', at: ['call'], place: 'value' }]
  const transport = objectAt(objectAt(task, 'with') ?? {}, 'transport')
  if (called !== 'mcp' || transport === undefined) return []
  return 'stdio' in transport
    ? [{ feature: 'call.mcp.stdio', at: ['with', 'transport', 'stdio'], place: 'key' }]
    : [{ feature: 'call.mcp.http', at: ['call'], place: 'value' }]
}

const words: Readonly<Record<OptionalFeature, string>> = {
  'call.openapi': 'call operations of OpenAPI documents',
  'call.grpc': 'call gRPC services',
  'call.asyncapi': 'call AsyncAPI operations',
  'call.a2a': 'call A2A agents',
  'call.mcp.http': 'call MCP servers',
  'call.mcp.stdio': 'start MCP servers as processes',
  'call.function': 'call functions',
  emit: 'emit events',
  listen: 'listen to events',
  'run.container': 'run containers',
  'run.shell': 'run shell commands',
  'run.script.js': 'run JavaScript',
  'run.script.python': 'run Python',
  extensions: 'apply extensions',
  'schema.resource': 'fetch schemas from elsewhere',
  schedule: 'start workflows by schedule',
  'evaluate.loose': 'evaluate expressions loosely',
}

const hints: Partial<Record<OptionalFeature, string>> = {
  'call.mcp.stdio': 'Use the http transport.',
  'run.script.python': 'Write the script in js.',
  extensions: 'Remove them, and write their tasks where they are needed.',
  'schema.resource': 'Write the schema here, below document.',
  schedule: 'Remove it, and start the workflow by a request.',
  'evaluate.loose': 'Remove it, and write every expression in ${ … }.',
}

function finding(use: FeatureUse, owner: Path | undefined): Finding {
  const path = use.at.reduce<Path | undefined>((parent, key) => ({ parent, key }), owner)
  const hint = hints[use.feature] ?? 'Do this part in a service and call it with call: http.'
  return { code: 'unsupported_feature', path, at: use.place, message: `This installation cannot ${words[use.feature]}.`, hint }
}
