import { calledFunction, type Definition, eachTask, isCallOf, knownNames } from '@millrace/dsl'

/** Functions that change nothing outside of the platform, or ask a person themselves. */
const harmless: ReadonlySet<string> = new Set([
  'approve',
  'model',
  'respond',
  'variables',
  'tables.get',
  'tables.list',
  'tables.count',
  'files.get',
  'files.list',
  'files.stat',
])

/**
 * Whether a person should decide before a program runs a workflow: by `metadata.risk` of the document (`safe`, `ask`), otherwise by its tasks, of which reading by HTTP is
 * harmless. A function that the document or another catalog defines may do anything, whatever its name.
 */
export function isRisky(definition: Definition): boolean {
  const declared = definition.document.metadata?.['risk']
  if (declared === 'safe' || declared === 'ask') return declared === 'ask'
  return [...eachTask(definition)].some(({ kind, task }) => {
    if (kind === 'run') return true
    if (kind !== 'call') return false
    if (isCallOf(task, 'http')) return !/^(?:get|head)$/i.test(task.with.method)
    const called = calledFunction(task.call, knownNames(definition.use))
    return !((called.kind === 'built-in' || called.kind === 'default') && harmless.has(called.name))
  })
}
