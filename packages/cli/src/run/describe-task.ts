import type { Json, TaskNode } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'

/** A short description of a task: `call http GET https://…`, `wait PT5S`, `for each order`. */
export function describeTask({ body, definition }: TaskNode): string {
  switch (body.kind) {
    case 'call':
      return ['call', body.function, ...callTarget(definition)].join(' ')
    case 'run-workflow':
      return `run ${body.namespace}/${body.name}:${body.version}`
    case 'for':
      return `for each ${body.each}`
    case 'fork':
      return `fork ${body.branches.length} branches${body.compete ? ', first wins' : ''}`
    case 'wait':
      return `wait ${durationText(property(definition, 'wait'))}`.trimEnd()
    case 'function':
      return `call ${body.node.name}`
    case 'message':
      return `call ${body.topic}`
    case 'answer':
      return 'call respond'
    case 'emit':
      return `emit ${textOf(property(property(property(definition, 'emit'), 'event'), 'with'), 'type')}`.trimEnd()
    case 'listen':
      return `listen to ${body.mode}`
    case 'pass':
      return 'run'
    case 'do':
    case 'set':
    case 'switch':
    case 'raise':
    case 'try':
      return body.kind
  }
}

/** Method and endpoint, or the operation, as they are written; expressions included, since their values are not known here. */
function callTarget(definition: Json): readonly string[] {
  const args = property(definition, 'with')
  const method = property(args, 'method')
  const endpoint = property(args, 'endpoint')
  const uri = typeof endpoint === 'string' ? endpoint : property(endpoint, 'uri')
  const operation = property(args, 'operationId')
  return [typeof method === 'string' ? method.toUpperCase() : undefined, uri, operation].filter((part) => typeof part === 'string')
}

function durationText(duration: Json | undefined): string {
  if (typeof duration === 'string') return duration
  if (duration === undefined || !isObject(duration)) return ''
  return Object.entries(duration)
    .map(([unit, amount]) => `${JSON.stringify(amount)} ${unit}`)
    .join(' ')
}

function textOf(value: Json | undefined, name: string): string {
  const member = property(value, name)
  return typeof member === 'string' ? member : ''
}

function property(value: Json | undefined, name: string): Json | undefined {
  return value !== undefined && isObject(value) ? value[name] : undefined
}
