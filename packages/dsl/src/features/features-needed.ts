import { type Path, pointerOf } from '#src/parse/pointer.ts'
import { definitionShape } from '#src/shape/definition-shape.ts'
import { schema } from '#src/shape/data-shapes.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { type VisitedObject, visitDocument } from '#src/shape/visit.ts'
import { type KnownNames, calledFunction, knownNames } from '#src/tasks/called-function.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import type { JsonObject } from '#src/json.ts'
import type { Task } from '#src/shape/task-shapes.ts'
import type { OptionalFeature } from './optional-features.ts'

/** A feature that a definition needs, and the property that needs it. */
export interface FeatureNeed {
  readonly feature: OptionalFeature
  /** JSON Pointer to the property. */
  readonly pointer: string
}

/** The optional features that a valid definition, or a function on its own, needs, in the order of the document. */
export function featuresNeeded(definition: Definition | Task): readonly FeatureNeed[] {
  return featureUses(definition).map(({ feature, path }) => ({ feature, pointer: pointerOf(path) }))
}

/** A use of a feature; `at` is whether the key or the value of the property needs it. */
export interface FeatureUse {
  readonly feature: OptionalFeature
  readonly path: Path | undefined
  readonly at: 'key' | 'value'
}

/** The uses of optional features in a document, which may have mistakes elsewhere. */
export function featureUses(document: unknown): readonly FeatureUse[] {
  const uses: FeatureUse[] = []
  const names = knownNames(isObject(document) ? objectAt(document, 'use') : undefined)
  visitDocument(document, (object) => {
    for (const { feature, below, at } of usesOf(object, names)) {
      const path = below.reduce<Path | undefined>((parent, key) => ({ parent, key }), object.path)
      uses.push({ feature, path, at })
    }
  })
  return uses
}

interface LocalUse {
  readonly feature: OptionalFeature
  readonly below: readonly string[]
  readonly at: 'key' | 'value'
}

function usesOf({ shape, value, isTask }: VisitedObject, names: KnownNames): readonly LocalUse[] {
  if (isTask) return taskUses(value, names)
  if (shape === schema) return schemaUses(value)
  return shape === definitionShape ? documentUses(value) : []
}

function ofKey(feature: OptionalFeature, ...below: readonly string[]): LocalUse {
  return { feature, below, at: 'key' }
}

function ofValue(feature: OptionalFeature, ...below: readonly string[]): LocalUse {
  return { feature, below, at: 'value' }
}

const scheduleKinds = ['every', 'cron', 'after', 'on'] as const

function documentUses(document: JsonObject): LocalUse[] {
  const schedule = objectAt(document, 'schedule') ?? {}
  const extensions = objectAt(document, 'use')?.['extensions']
  const isLoose = objectAt(document, 'evaluate')?.['mode'] === 'loose'
  return [
    ...scheduleKinds.filter((kind) => kind in schedule).map((kind) => ofKey(`schedule.${kind}`, 'schedule', kind)),
    ...(Array.isArray(extensions) && extensions.length > 0 ? [ofKey('extensions', 'use', 'extensions')] : []),
    ...(isLoose ? [ofValue('evaluate.loose', 'evaluate', 'mode')] : []),
  ]
}

function schemaUses({ resource, format }: JsonObject): LocalUse[] {
  const isForeign = typeof format === 'string' && !/^json(?::|$)/.test(format)
  return [
    ...(resource === undefined ? [] : [ofKey('schema.resource', 'resource')]),
    ...(isForeign ? [ofValue('schema.format', 'format')] : []),
  ]
}

function taskUses(task: JsonObject, names: KnownNames): readonly LocalUse[] {
  const { call } = task
  if (typeof call === 'string') return callUses(call, task, names)
  if ('emit' in task) return [ofKey('emit', 'emit')]
  if ('listen' in task) return [ofKey('listen', 'listen')]
  return runUses(objectAt(task, 'run') ?? {})
}

const builtInFeatures: ReadonlyMap<string, OptionalFeature> = new Map([
  ['openapi', 'call.openapi'],
  ['grpc', 'call.grpc'],
  ['asyncapi', 'call.asyncapi'],
  ['a2a', 'call.a2a'],
])

function callUses(call: string, task: JsonObject, names: KnownNames): readonly LocalUse[] {
  const called = calledFunction(call, names)
  switch (called.kind) {
    case 'inline':
      return [ofValue('call.function.inline', 'call')]
    case 'default':
      return [ofValue('call.function.default', 'call')]
    case 'cataloged':
    case 'url':
      return [ofValue('call.function.cataloged', 'call')]
    case 'built-in': {
      if (call === 'mcp') return transportUses(task)
      const feature = builtInFeatures.get(call)
      return feature === undefined ? [] : [ofValue(feature, 'call')]
    }
  }
}

function transportUses(task: JsonObject): LocalUse[] {
  const transport = objectAt(objectAt(task, 'with') ?? {}, 'transport') ?? {}
  return (['http', 'stdio'] as const)
    .filter((kind) => kind in transport)
    .map((kind) => ofKey(`call.mcp.${kind}`, 'with', 'transport', kind))
}

function runUses(run: JsonObject): LocalUse[] {
  const script = objectAt(run, 'script')
  if (script === undefined) {
    return (['container', 'shell', 'workflow'] as const).filter((kind) => kind in run).map((kind) => ofKey(`run.${kind}`, 'run', kind))
  }
  const language = script['language'] === 'python' ? 'run.script.python' : 'run.script.js'
  return [
    ofValue(language, 'run', 'script', 'language'),
    ...('source' in script ? [ofKey('run.script.source', 'run', 'script', 'source')] : []),
  ]
}
