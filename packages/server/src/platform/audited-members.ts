import type { JsonValue } from '@millrace/contract'
import { asJson } from './as-json.ts'

/** The members of an object for the state that the audit log commits to, each by its own name such as `schedule.cron`, so that the log says which differ. */
export function auditedMembers(name: string, value: object | undefined): Readonly<Record<string, JsonValue>> {
  const members = Object.entries(value ?? {}).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([member, state]) => [`${name}.${member}`, asJson(state)]))
}
