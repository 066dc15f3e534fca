import { JqSyntaxError, tokenize, type Token } from '@millrace/jq'
import { locateExpression } from '#src/expression/runtime-expression.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { type Path, pointerKeys, pointerOf } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Facts, Finding, ListEntry } from '#src/validate/facts.ts'
import { quoted } from '#src/validate/wording.ts'

interface TaskEntry extends ListEntry {
  readonly task: JsonObject
}

/** The `when` of a case of a switch, or the `if` of a task. */
interface Condition {
  readonly path: Path
  readonly value: string
  readonly source: string
  readonly tokens: readonly Token[]
  readonly switchCase?: { readonly name: string; readonly then: string }
}

/** Where a condition asks that an approval was approved, such as `$steps.ask.approved == true`; `member` is `$steps.ask.approved`. */
interface VerdictRead {
  readonly start: number
  readonly end: number
  readonly member: string
  readonly isOfStep: boolean
}

/**
 * Warns of an approval that its `if` may skip, where the task behind it takes the missing verdict for a rejection. Conditions that distinguish the two,
 * by null or by what the `if` reads, are meant so.
 */
export function checkSkippedApprovals({ lists, findings }: Facts, document: Json): void {
  for (const { branches, entries } of lists) {
    if (branches) continue
    for (const [index, entry] of entries.entries()) {
      const following = entries.slice(index + 1, index + 1 + followingMax).filter(isTaskEntry)
      const [next] = following
      if (next === undefined || !isTaskEntry(entry) || !isConditional(entry.task, next)) continue
      const reader = readerOf(entry, next, following)
      if (reader === undefined) continue
      if (!reader.read.isOfStep && mayHaveVerdict({ lists }, entries.slice(0, index), entry, document)) continue
      findings.push(skipped(entry, next, reader))
    }
  }
}

const followingMax = 50

function isTaskEntry(entry: ListEntry): entry is TaskEntry {
  return isObject(entry.task)
}

function isConditional(task: JsonObject, next: TaskEntry): boolean {
  if (task['call'] !== 'approve' || typeof task['if'] !== 'string' || 'output' in task || 'export' in task) return false
  const { then } = task
  return (then === undefined || then === 'continue' || then === next.name) && !('input' in next.task)
}

interface Reader {
  readonly condition: Condition
  readonly read: VerdictRead
}

/** The condition of the next task that takes a missing verdict for a rejection. */
function readerOf(approval: TaskEntry, next: TaskEntry, following: readonly TaskEntry[]): Reader | undefined {
  const [own] = conditionsOf(approval)
  if (own === undefined || verdict.test(own.source)) return undefined
  const ownNames = namesIn(own)
  const conditions = conditionsOf(next)
  if (conditions.some((condition) => isOtherwiseDecided(condition, approval, ownNames))) return undefined
  const others = following.slice(1).filter(({ task }) => !('switch' in next.task) || 'switch' in task)
  const distinguishes = (condition: Condition) =>
    shares(condition, ownNames) || (readsVerdict(condition, approval) && distinguishesNull(condition))
  if (others.flatMap(conditionsOf).some(distinguishes)) return undefined
  const readers = conditions.flatMap((condition): readonly Reader[] => {
    const read = verdictRead(condition.source, approval.name)
    return read === undefined ? [] : [{ condition, read }]
  })
  return readers.find(({ condition, read }) => condition.source.trim().length === read.end - read.start) ?? readers[0]
}

function conditionsOf({ task, path }: TaskEntry): readonly Condition[] {
  const own = conditionAt({ parent: path, key: 'if' }, task['if'])
  const cases = Array.isArray(task['switch']) ? task['switch'] : []
  const list: Path = { parent: path, key: 'switch' }
  return [
    ...own,
    ...cases.flatMap((item: Json, index) =>
      (isObject(item) ? Object.entries(item) : []).flatMap(([name, content]) => {
        if (!isObject(content)) return []
        const { when, then } = content
        const place: Path = { parent: { parent: { parent: list, key: index }, key: name }, key: 'when' }
        return typeof then === 'string' ? conditionAt(place, when).map((condition) => ({ ...condition, switchCase: { name, then } })) : []
      }),
    ),
  ]
}

function conditionAt(path: Path, value: Json | undefined): readonly Condition[] {
  if (typeof value !== 'string') return []
  const { source } = locateExpression(value)
  try {
    return [{ path, value, source, tokens: tokenize(source) }]
  } catch (error) {
    // Reported as an expression that cannot be compiled.
    if (error instanceof JqSyntaxError) return []
    throw error
  }
}

/** Whether a condition of the next task decides by anything but the output of the approval, or treats null in its own way. */
function isOtherwiseDecided(condition: Condition, approval: TaskEntry, ownNames: ReadonlySet<string>): boolean {
  return distinguishesNull(condition) || shares(condition, ownNames) || !readsVerdict(condition, approval)
}

const verdict = /\.\s*"?(?:approved|outcome)\b/
const output = /\.\s*"?(?:approved|outcome|data|details|answers|approval|decidedAt)\b/

function readsVerdict({ source }: Condition, { name }: TaskEntry): boolean {
  return output.test(source) || (source.includes('$steps') && source.includes(name))
}

/** What makes a difference between null and false, or makes a condition more than a conjunction. */
const distinguishing = new Set(['null', 'false', 'not', 'has', 'or', 'if', 'try', 'reduce', 'foreach', 'def', '!=', '//', '?//', '|', ','])

function distinguishesNull({ tokens, source }: Condition): boolean {
  if (/\boutcome\s*==\s*"(?!approved"|expired")/.test(source)) return true
  return tokens.some(({ kind, text }) => !textKinds.has(kind) && distinguishing.has(text))
}

const textKinds: ReadonlySet<string> = new Set(['FIELD', 'QQSTRING_TEXT'])

function shares(condition: Condition, ownNames: ReadonlySet<string>): boolean {
  return [...namesIn(condition)].some((name) => ownNames.has(name))
}

const roots = new Set(['input', '$workflow', '$input', '$steps', '$context'])

/** The members and variables that a condition reads. */
function namesIn({ tokens }: Condition): ReadonlySet<string> {
  const names = tokens.flatMap(({ kind, text }) => {
    if (kind === 'FIELD') return [text]
    return kind === 'BINDING' ? [`$${text.replace(/^\$/, '')}`] : []
  })
  return new Set(names.filter((name) => !roots.has(name)))
}

function verdictRead(source: string, name: string): VerdictRead | undefined {
  const step = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  const pattern = new RegExp(
    String.raw`(?<=^\s*|\(\s*|\band\s+)(?<member>(?<step>\$steps\s*(?:\.\s*"?${step}"?|\[\s*"${step}"\s*\])\s*)?\.(?:approved|outcome))` +
      String.raw`(?:(?<=approved)(?:\s*==\s*true)?|(?<=outcome)\s*==\s*"approved")(?=\s*(?:$|\)|and\b))`,
  )
  const found = pattern.exec(source)
  const member = found?.groups?.['member']
  if (found === null || member === undefined) return undefined
  return { start: found.index, end: found.index + found[0].length, member, isOfStep: found.groups?.['step'] !== undefined }
}

/** Whether the data that a skipped approval passes on may have a verdict of an earlier approval, or a value in its place. */
function mayHaveVerdict({ lists }: Pick<Facts, 'lists'>, before: readonly ListEntry[], approval: ListEntry, document: Json): boolean {
  for (const { task } of before.toReversed()) {
    if (!isObject(task)) return false
    if (task['call'] === 'approve') return true
    // A switch passes its input on.
    if ('switch' in task) continue
    if ((!('call' in task) || 'output' in task) && named.test(JSON.stringify(task))) return true
    if (!('if' in task)) return false
  }
  const { input } = Object(document)
  if (named.test(JSON.stringify(input ?? null))) return true
  if (pointerKeys(pointerOf(approval.path)).length === 3) return false
  return lists.some(({ entries }) =>
    entries.some(({ task, path }) => path !== approval.path && isObject(task) && task['call'] === 'approve'),
  )
}

const named = /\b(?:approved|outcome)\b/

function skipped(approval: TaskEntry, next: TaskEntry, { condition, read }: Reader): Finding {
  const { path, value, switchCase } = condition
  const { start, end, member } = read
  const effect =
    switchCase === undefined
      ? `${quoted(next.name)} is skipped`
      : `the case ${quoted(switchCase.name)} of ${quoted(next.name)} is not taken`
  const message = `When the if of ${quoted(approval.name)} is false, no one is asked and there is no verdict: ${effect}, as after a rejection.`
  const other = member.endsWith('outcome') ? `(${member} // "approved") == "approved"` : `${member} != false`
  const hint =
    switchCase === undefined
      ? `Write ${other} to continue when no one is asked.`
      : `Add a first case such as notAsked: { when: ${member} == null, then: ${switchCase.then} }.`
  const piece = { value, offset: locateExpression(value).offset, start, end }
  return { code: 'skipped_approval', severity: 'warning', path, at: 'value', message, hint, piece }
}
