import type { Path } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/types/json.ts'
import type { Facts, Finding } from './facts.ts'
import type { OptionalFeature } from './options.ts'

/** Reports every place of a document that needs what this installation lacks. */
export function checkFeatures(facts: Facts, document: Json, unsupported: readonly OptionalFeature[]): void {
  if (unsupported.length === 0) return
  const lacking = new Set(unsupported)
  for (const { task, path } of facts.tasks) {
    for (const use of usesOf(task)) if (lacking.has(use.feature)) facts.findings.push(finding(use, path))
  }
  const evaluate = isObject(document) ? objectAt(document, 'evaluate') : undefined
  if (evaluate?.['mode'] === 'loose' && lacking.has('evaluate.loose')) {
    facts.findings.push(finding({ feature: 'evaluate.loose', at: ['evaluate', 'mode'], place: 'value' }, undefined))
  }
}

interface FeatureUse {
  readonly feature: OptionalFeature
  readonly at: readonly string[]
  readonly place: 'key' | 'value'
}

const callFeatures: ReadonlyMap<unknown, OptionalFeature> = new Map([
  ['grpc', 'call.grpc'],
  ['asyncapi', 'call.asyncapi'],
  ['a2a', 'call.a2a'],
])

function usesOf(task: JsonObject): FeatureUse[] {
  const uses: FeatureUse[] = []
  const call = callFeatures.get(task['call'])
  if (call !== undefined) uses.push({ feature: call, at: ['call'], place: 'value' })
  if (task['call'] === 'mcp' && usesStdio(task)) uses.push({ feature: 'call.mcp.stdio', at: ['with', 'transport', 'stdio'], place: 'key' })
  const run = objectAt(task, 'run')
  if (run === undefined) return uses
  if ('container' in run) uses.push({ feature: 'run.container', at: ['run', 'container'], place: 'key' })
  if ('shell' in run) uses.push({ feature: 'run.shell', at: ['run', 'shell'], place: 'key' })
  const language = objectAt(run, 'script')?.['language']
  const script = language === 'python' ? 'run.script.python' : 'run.script.js'
  if (typeof language === 'string') uses.push({ feature: script, at: ['run', 'script', 'language'], place: 'value' })
  return uses
}

function usesStdio(task: JsonObject): boolean {
  const transport = objectAt(objectAt(task, 'with') ?? {}, 'transport')
  return transport !== undefined && 'stdio' in transport
}

const words: Readonly<Record<OptionalFeature, string>> = {
  'call.grpc': 'call gRPC services',
  'call.asyncapi': 'call AsyncAPI operations',
  'call.a2a': 'call A2A agents',
  'call.mcp.stdio': 'start MCP servers as processes',
  'run.container': 'run containers',
  'run.shell': 'run shell commands',
  'run.script.js': 'run JavaScript',
  'run.script.python': 'run Python',
  'evaluate.loose': 'evaluate expressions loosely',
}

const hints: Partial<Record<OptionalFeature, string>> = {
  'call.mcp.stdio': 'Use the http transport.',
  'run.script.python': 'Write the script in js.',
  'evaluate.loose': 'Remove it, and write every expression in ${ … }.',
}

function finding(use: FeatureUse, task: Path | undefined): Finding {
  const path = use.at.reduce<Path | undefined>((parent, key) => ({ parent, key }), task)
  const hint = hints[use.feature] ?? 'Do this part in a service and call it with call: http.'
  return { code: 'unsupported_feature', path, at: use.place, message: `This installation cannot ${words[use.feature]}.`, hint }
}
