import { inputPaths } from './expression.ts'
import { isRuntimeExpression, unwrapExpression } from './runtime-expression.ts'

/** Places that take an expression also without braces. */
const bareKeys = new Set(['if', 'when', 'in', 'while', 'from', 'as'])
/** Parts of a task that read its result, or that are tasks of their own. */
const laterKeys = new Set(['output', 'export', 'then', 'catch', 'foreach', 'do', 'try'])
/** Tasks that give their input to the next one. */
const passing = ['switch', 'wait']
const ofWorkflow = /\$workflow\s*\.\s*input\s*(?:\.\s*(?<plain>[A-Za-z_]\w*)|\[\s*"(?<quoted>[^"\\]+)"\s*\])/g
const beginning = /^\.(?<name>[A-Za-z_]\w*)/
const variable = /\$([A-Za-z_]\w*)/g

/**
 * The members of its input that a definition names: as `$workflow.input.NAME`, and as `.NAME` in what transforms the input, or in the tasks that get it as it
 * is. A hint for people; whatever an expression reads in another way is not found.
 */
export function inputNames(definition: unknown): readonly string[] {
  const { input, do: tasks } = nodeOf(definition)
  const named = expressionsIn(definition, () => true).flatMap((source) =>
    [...source.matchAll(ofWorkflow)].flatMap(({ groups }) => groups?.['plain'] ?? groups?.['quoted'] ?? []),
  )
  const { from } = nodeOf(input)
  const reading = from === undefined ? firstTasks(tasks) : [{ from }]
  const read = reading.flatMap((one) => expressionsIn(one, (key) => !laterKeys.has(key))).flatMap(namesRead)
  return [...new Set([...read, ...named])]
}

/** The first task, and those after it as long as the ones before pass the input on. */
function firstTasks(tasks: unknown): readonly unknown[] {
  const list = Array.isArray(tasks) ? tasks.flatMap((item) => Object.values(nodeOf(item)).slice(0, 1)) : []
  const last = list.findIndex((task) => !passing.some((kind) => kind in nodeOf(task)))
  return last === -1 ? list : list.slice(0, last + 1)
}

function expressionsIn(value: unknown, enters: (key: string) => boolean, bare = false): readonly string[] {
  if (typeof value === 'string') return bare || isRuntimeExpression(value) ? [unwrapExpression(value)] : []
  if (Array.isArray(value)) return value.flatMap((item) => expressionsIn(item, enters))
  return Object.entries(nodeOf(value)).flatMap(([key, item]) => (enters(key) ? expressionsIn(item, enters, bareKeys.has(key)) : []))
}

function namesRead(source: string): readonly string[] {
  const variables = [...source.matchAll(variable)].flatMap(([, name]) => name ?? [])
  try {
    return inputPaths(source, variables).flatMap((path) => beginning.exec(path)?.groups?.['name'] ?? [])
  } catch {
    // What does not compile is a finding elsewhere.
    return []
  }
}

function nodeOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
