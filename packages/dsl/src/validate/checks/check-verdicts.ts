import { pointerOf } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Facts, Finding, ListEntry } from '#src/validate/facts.ts'
import { quoted } from '#src/validate/wording.ts'

/** Warns of an approval after which the workflow continues alike, whatever people decide. */
export function checkVerdicts({ lists, expressions, findings }: Facts): void {
  for (const { branches, entries } of lists) {
    // The output of the last task is the output of its list, which someone else may read.
    for (const entry of branches ? [] : entries.slice(0, -1)) {
      if (!isApproval(entry)) continue
      const own = `${pointerOf(entry.path)}/`
      const readers = expressions.filter(({ path }) => !pointerOf(path).startsWith(own))
      if (!readers.some(({ source }) => readsVerdict(source, entry))) findings.push(unread(entry))
    }
  }
}

/** Whether a task asks for an approval, and passes the verdict on as it is. */
function isApproval({ task }: ListEntry): boolean {
  if (!isObject(task) || task['call'] !== 'approve') return false
  return !('output' in task) && !('export' in task) && (task['then'] === undefined || task['then'] === 'continue')
}

/** Members of the output that depend on the decision. */
const verdict = /\b(?:approved|outcome|decision|answers)\b/
const choice = /\bdata\b/
/** All of the data, which the next task may pass on. */
const everything = /(?:^|[\s([{,|:])\.(?:$|[\s)\]},|])/

function readsVerdict(source: string, { name, task }: ListEntry): boolean {
  if (verdict.test(source) || everything.test(source)) return true
  if (source.includes('$steps') && (source.includes(name) || /\$steps(?!\s*[.[])/.test(source))) return true
  const args = isObject(task) ? task['with'] : undefined
  return isObject(args) && 'form' in args && choice.test(source)
}

function unread({ name, path }: ListEntry): Finding {
  const message = `Nothing reads the verdict of ${quoted(name)}: the workflow continues alike when it is rejected.`
  const hint =
    'Add a switch behind it, with a case such as approved: { when: .approved, then: … }, or an if to the tasks that need the approval.'
  return { code: 'unread_verdict', severity: 'warning', path, at: 'key', message, hint }
}
