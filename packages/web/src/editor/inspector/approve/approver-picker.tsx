import type { Json } from '@millrace/dsl'
import { useState } from 'react'
import { addressIn, personOf, useAccountPeople } from '#src/editor/inspector/approve/account-people.ts'
import { type Choice, matching, PickList } from '#src/forms/pick-list.tsx'
import { m } from '#src/messages/messages.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Person } from '#src/ui/person.tsx'

interface ApproverPickerProps {
  /** Those that are asked already are not offered. */
  readonly present: readonly Json[]
  readonly onPick: (approver: Json) => void
  readonly onClose: () => void
}

/** Viewers decide nothing, so that their role would ask no one else. */
const roles = ['member', 'admin', 'owner'] as const

/** Chooses who decides: a role, a person of the account, an address, or an expression. */
export function ApproverPicker({ present, onPick, onClose }: ApproverPickerProps) {
  const a = m.approvalStep
  const [query, setQuery] = useState('')
  const people = useAccountPeople() ?? []
  const taken = new Set(present.map((one) => (typeof one === 'string' ? (personOf(one, people)?.id ?? one) : JSON.stringify(one))))
  const known: readonly Choice[] = [
    ...roles
      .filter((role) => !taken.has(JSON.stringify({ role })))
      .map((role) => ({
        key: `role ${role}`,
        title: a.roles[role],
        text: a.roleTexts[role],
        mark: <Icon name="people" />,
        group: a.groups.roles,
      })),
    ...people
      .filter(({ id, role }) => !['viewer', 'auditor'].includes(role) && !taken.has(id))
      .map(({ id, name, email, role }) => ({
        key: id,
        title: name,
        text: `${email} · ${roleName(role)}`,
        mark: <Person name={name} />,
        group: a.groups.people,
      })),
  ]
  const address = addressIn(query)
  const isNew = address !== undefined && personOf(address, people) === undefined && !taken.has(query.trim())
  const others: readonly Choice[] = [
    ...(isNew ? [{ key: 'address', title: query.trim(), text: a.outsiderText, mark: <Icon name="letter" />, group: a.groups.others }] : []),
    { key: 'expression', title: a.byExpression, text: a.byExpressionText, mark: <Icon name="var" />, group: a.groups.others },
  ]
  const pick = (key: string) => {
    const role = roles.find((one) => key === `role ${one}`)
    if (role !== undefined) onPick({ role })
    else if (key === 'address') onPick(query.trim())
    else if (key === 'expression') onPick(newExpression)
    else onPick(people.find(({ id }) => id === key)?.email ?? key)
  }
  return (
    <Dialog title={a.add} onClose={onClose}>
      <PickList
        label={a.find}
        choices={[...matching(known, query), ...(isNew ? others : matching(others, query))]}
        query={query}
        onQuery={setQuery}
        onPick={pick}
        none={a.noneFits}
      />
    </Dialog>
  )
}

/** Where a person begins to write an expression. */
export const newExpression = '${ .approver }'

export function roleName(role: string): string {
  const names: Readonly<Record<string, string>> = m.team.roles
  return names[role] ?? role
}
