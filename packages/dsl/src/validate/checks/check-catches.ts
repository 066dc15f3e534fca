import type { Json } from '#src/json.ts'
import type { Path } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Facts } from '#src/validate/facts.ts'

/** What makes a catch choose among errors, or do something about them. */
const reactions = ['errors', 'when', 'exceptWhen', 'retry', 'do', 'then']

function says(value: Json | undefined): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

/** Warns of a `catch: {}`, after which a task that failed looks like one that succeeded. */
export function checkCatches({ tasks, findings }: Facts): void {
  for (const { task, path } of tasks) {
    const caught = objectAt(task, 'catch')
    const tried = task['try']
    if (caught === undefined || !Array.isArray(tried) || tried.length === 0 || reactions.some((key) => says(caught[key]))) continue
    const message = 'This catch ignores every error: the workflow continues as if the tasks had succeeded.'
    const hint = 'Add retry: to try again and fault at the end, do: to react to the error, or errors: with those that may be ignored.'
    findings.push({ code: 'swallowed_errors', severity: 'warning', path: { parent: path, key: 'catch' }, at: 'key', message, hint })
  }
}

/** Warns of a policy for retries that has no end, where it is used. */
export function checkRetries({ tasks, findings }: Facts, document: Json): void {
  const shared = isObject(document) ? objectAt(objectAt(document, 'use') ?? {}, 'retries') : undefined
  for (const { task, path } of tasks) {
    const tried = task['try']
    const retry = objectAt(task, 'catch')?.['retry']
    const policy = typeof retry === 'string' ? shared?.[retry] : retry
    if (!isEndless(policy) || !Array.isArray(tried) || tried.length === 0) continue
    const message = 'This retry has no limit: the tasks are repeated as long as they fail.'
    const hint = 'Add limit: { attempt: { count: 5 } }, and a delay with backoff: { exponential: {} } between the attempts.'
    const at: Path = { parent: { parent: path, key: 'catch' }, key: 'retry' }
    findings.push({ code: 'endless_retry', severity: 'warning', path: at, at: 'key', message, hint })
  }
}

const policyKeys: ReadonlySet<string> = new Set(['when', 'exceptWhen', 'delay', 'backoff', 'limit', 'jitter'])

function isEndless(policy: Json | undefined): boolean {
  // A misspelt limit is reported by itself.
  if (!isObject(policy) || Object.keys(policy).some((key) => !policyKeys.has(key))) return false
  const limit = objectAt(policy, 'limit') ?? {}
  return limit['duration'] === undefined && objectAt(limit, 'attempt')?.['count'] === undefined
}
