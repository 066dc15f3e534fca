import type { Json } from '#core/json.ts'
import type { CompiledWorkflow, TaskBody, TaskNode } from '#core/node.ts'

/** A workflow of nodes made by hand, for tests without expressions. */
export function workflowOf(...bodies: readonly TaskBody[]): CompiledWorkflow {
  return {
    document: { namespace: 'test', name: 'test', version: '1.0.0' },
    definition: null,
    secrets: [],
    tasks: { tasks: bodies.map((body, index) => node(`task${index}`, `/do/${index}/task${index}`, body)) },
  }
}

export function node(name: string, reference: string, body: TaskBody): TaskNode {
  return { name, kind: body.kind, segment: reference.split('/').slice(-2).join('/'), reference, definition: null, then: 'continue', body }
}

export function set(value: Json): TaskBody {
  return { kind: 'set', value: () => value }
}

export function call(functionName: string, argument: Json = null): TaskBody {
  return { kind: 'call', function: functionName, arguments: () => argument }
}

export function wait(ms: number): TaskBody {
  return { kind: 'wait', durationMs: () => ms }
}

export function runWorkflow(name: string): TaskBody {
  return { kind: 'run-workflow', namespace: 'test', name, version: '1.0.0', input: (dot) => dot, await: true }
}

export function fork(compete: boolean, ...bodies: readonly TaskBody[]): TaskBody {
  return { kind: 'fork', compete, branches: bodies.map((body, index) => node(`branch${index}`, `/fork/${index}`, body)) }
}
