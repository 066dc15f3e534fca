import { readableName } from '@millrace/contract'
import type { Messages } from '#src/messages/messages.ts'

type Words = Pick<Messages, 'approvalStep' | 'fieldNames' | 'problemPlaces'>

/** The field of a form in words: by the keys that lead to it from its step, with the labels that the form has. */
export function fieldWords(words: Words, isApproval: boolean, keys: readonly string[]): string {
  const { approvalStep: a, fieldNames, problemPlaces: p } = words
  const labels: Readonly<Record<string, string>> = isApproval
    ? {
        title: a.title,
        description: a.description,
        approvers: a.approvers,
        required: a.required,
        veto: a.veto,
        excludeStarter: a.starter,
        deadline: a.deadline,
        onDeadline: a.onDeadline,
        escalation: a.escalation,
        after: a.after,
        replace: a.replace,
        notify: a.notify,
        form: a.form,
        reason: a.reason,
      }
    : {}
  const general: Readonly<Record<string, string>> = fieldNames
  const entries: Readonly<Record<string, (number: number) => string>> = isApproval
    ? { approvers: p.approver, escalation: a.escalationStep, notify: p.notice }
    : {}
  const parts: string[] = []
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? ''
    const number = /^\d+$/.test(keys[index + 1] ?? '') ? Number(keys[index + 1]) + 1 : undefined
    if (number === undefined) parts.push(labels[key] ?? general[key] ?? readableName(key))
    else {
      parts.push(entries[key]?.(number) ?? `${labels[key] ?? general[key] ?? readableName(key)} ${number}`)
      index++
    }
  }
  return p.join(parts)
}
