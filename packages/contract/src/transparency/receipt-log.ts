import type { JsonValue } from '#src/json.ts'
import type { AuditEntry } from './audit-entry.ts'

/** What a receipt states about an execution and the event of its end states too. */
export interface StatedExecution {
  readonly execution: {
    readonly state: string
    readonly trigger: string
    readonly createdAt: string
    readonly startedAt: string | null
    readonly endedAt: string | null
  }
  readonly definition: { readonly workflow: string; readonly version: string }
  readonly input: { readonly digest: string }
  readonly output: { readonly digest: string } | null
}

/**
 * Which members of a receipt are not those that the audit log recorded when the execution ended: its record was changed or erased since. None for an event
 * whose details are erased, and for a member that the event does not have.
 */
export function differencesFromLog(
  { execution, definition, input, output }: StatedExecution,
  { details }: Pick<AuditEntry, 'details'>,
): readonly string[] {
  if (!isObject(details)) return []
  const stated: Readonly<Record<string, readonly [logged: string, value: JsonValue]>> = {
    state: ['state', execution.state],
    trigger: ['trigger', execution.trigger],
    startedAt: ['startedAt', execution.startedAt ?? execution.createdAt],
    endedAt: ['endedAt', execution.endedAt],
    workflow: ['workflow', definition.workflow],
    version: ['version', definition.version],
    input: ['inputDigest', input.digest],
    output: ['outputDigest', output?.digest ?? null],
  }
  return Object.entries(stated).flatMap(([member, [logged, value]]) => {
    const recorded = details[logged]
    return recorded === undefined || recorded === value ? [] : [member]
  })
}

function isObject(value: JsonValue): value is { readonly [member: string]: JsonValue } {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

const erasureMark = /\[erased:([0-9a-f]{8})-\d+(?:-[0-9a-f]{8})?\]/g

/** Whether data of a person was erased in a text: an erasure puts a mark such as `[erased:4f2a91c0-1]` in its place. */
export function hasErasureMark(text: string): boolean {
  return erasureMarksIn(text).length > 0
}

/** The ends of the ids of the erasures whose marks a text has. */
export function erasureMarksIn(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(erasureMark), ([, erasure = '']) => erasure))]
}
