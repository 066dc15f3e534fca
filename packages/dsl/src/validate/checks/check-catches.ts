import type { Json } from '#src/json.ts'
import { objectAt } from '#src/shape/variables.ts'
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
