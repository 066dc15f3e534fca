import type { groups, JsonValue, Reply } from '@millrace/contract'
import { isObject } from '#src/document/task-json.ts'
import type { auditWords } from '#src/messages/en/audit-words.ts'

type Found = Reply<(typeof groups)['audit']['query']>
/** An entry of the log. */
export type Entry = Found['data'][number]
/** Names by id, as the log is read. */
export type Names = Found['names']
export type Words = typeof auditWords
type Described = Pick<Entry, 'actor' | 'event' | 'target' | 'details'>

/** An entry as a sentence with places in braces, and what stands there. */
export function sentenceOf(entry: Described, names: Names, words: Words) {
  const { actor, event, target, details } = entry
  const [kind = '', action = ''] = event.split('.')
  const nouns: Readonly<Record<string, string | undefined>> = words.nouns
  const verbs: Readonly<Record<string, string | undefined>> = words.verbs
  const verb = verbs[action]
  const noun = nouns[kind]
  const parts: Readonly<Record<string, string>> = {
    who: actorName(actor, names, words),
    what: targetName(entry, names, words) ?? '',
    workflow: workflowName(details, names) ?? words.aWorkflow,
    state: stateWord(textIn(details, 'state'), words),
    version: versionIn(details),
    verb: verb ?? '',
    noun: noun ?? '',
    event,
  }
  const sentences: Readonly<Record<string, string | undefined>> = words.events
  const whole = sentences[isPublishing(event, details) ? 'workflow.published' : event]
  const pattern = whole ?? (verb === undefined || noun === undefined ? words.other : words.sentence)
  // A thing without a name, such as one that was deleted, leaves the noun.
  return { pattern: target === null || parts['what'] === '' ? pattern.replace(' {what}', '') : pattern, parts }
}

/** Whether a change of a workflow published a version. */
function isPublishing(event: string, details: JsonValue): boolean {
  if (event === 'workflow.created' || event === 'workflow.imported') return versionIn(details) !== ''
  const changes = isObject(details) ? details['changes'] : undefined
  return event === 'workflow.updated' && isObject(changes) && Object.hasOwn(changes, 'version')
}

/** Who did it, by name; by id where it has none any more. */
export function actorName(actor: string, names: Names, words: Words): string {
  const [kind = '', id = ''] = actor.split(/:(?<rest>.*)/s)
  if (kind === 'system') return words.system
  if (kind === 'anonymous') return words.someone
  if (kind === 'operator') return words.operator
  return names[id] ?? actor
}

/** On what it was done, by name; undefined without a name. */
export function targetName({ target, details }: Pick<Entry, 'target' | 'details'>, names: Names, words: Words): string | undefined {
  if (target === null) return undefined
  const workflow = workflowName(details, names)
  if (target.startsWith('exec_')) return words.runOf.replace('{workflow}', workflow ?? words.aWorkflow)
  return names[target] ?? textIn(details, 'name')
}

function workflowName(details: JsonValue, names: Names): string | undefined {
  return names[textIn(details, 'workflow') ?? textIn(details, 'workflowId') ?? '']
}

function stateWord(state: string | undefined, words: Words): string {
  const states: Readonly<Record<string, string | undefined>> = words.states
  return state === undefined ? '' : (states[state] ?? state)
}

function versionIn(details: JsonValue): string {
  const version = isObject(details) ? details['version'] : undefined
  return typeof version === 'number' ? String(version) : ''
}

function textIn(details: JsonValue, member: string): string | undefined {
  const value = isObject(details) ? details[member] : undefined
  return typeof value === 'string' ? value : undefined
}
