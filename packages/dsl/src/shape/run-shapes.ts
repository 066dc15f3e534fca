import { any, boolean, code, formatted, list, must, object, oneOf, text } from './build.ts'
import { anyObject, duration, externalResource } from './data-shapes.ts'
import type { ObjectRule, TypeOf } from './shape.ts'

const afterGoesWithEventually: ObjectRule = (value) => {
  if (value['cleanup'] === 'eventually' && !('after' in value)) {
    return {
      code: 'missing_property',
      message: 'A container that is cleaned up eventually needs "after".',
      hint: 'Add after: with a duration, for example { minutes: 30 }.',
    }
  }
  // For a missing or misspelled cleanup it is unknown whether after is allowed.
  if (!('after' in value) || (value['cleanup'] !== 'always' && value['cleanup'] !== 'never')) return undefined
  return {
    code: 'unknown_property',
    key: 'after',
    message: '"after" goes with cleanup: eventually only.',
    hint: 'Remove it, or write cleanup: eventually.',
  }
}

const lifetime = object(
  'the lifetime of a container',
  { cleanup: must(oneOf('always', 'never', 'eventually')), after: duration },
  { rule: afterGoesWithEventually },
)

export interface ContainerLifetime extends TypeOf<typeof lifetime> {}

const processInput = { stdin: text, arguments: list('arguments', text), environment: anyObject }

const container = object('a container', {
  image: must(text),
  name: text,
  command: code,
  ports: anyObject,
  volumes: anyObject,
  ...processInput,
  environment: anyObject,
  lifetime,
  pullPolicy: oneOf('ifNotPresent', 'always', 'never'),
})

export interface ContainerProcess extends TypeOf<typeof container> {}

export const script = object(
  'a script',
  { language: must(formatted('scriptLanguage', 'literal')), code, source: externalResource, ...processInput },
  { exactlyOne: [['code', 'source']] },
)

export interface ScriptProcess extends TypeOf<typeof script> {}

const shell = object('a shell command', { command: must(code), ...processInput })

export interface ShellProcess extends TypeOf<typeof shell> {}

/** `version` may be `latest`; `input` is any value, or an expression that gives one. */
const workflow = object('a reference to a workflow', {
  namespace: must(text),
  name: must(text),
  version: must(formatted('workflowVersion')),
  input: any,
})

export interface WorkflowProcess extends TypeOf<typeof workflow> {}

const processes = { container, script, shell, workflow }

const processReturn = oneOf('stdout', 'stderr', 'code', 'all', 'none')

export type ProcessReturn = TypeOf<typeof processReturn>

export const run = object('a run task', { ...processes, await: boolean, return: processReturn }, { exactlyOne: [Object.keys(processes)] })

export interface RunConfiguration extends TypeOf<typeof run> {}

/** The output of a process when `return` is `all`. */
export interface ProcessResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}
