import { type ReactNode, useState } from 'react'
import { Field, type FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { MemberInput } from '#src/pages/chains/member-input.tsx'
import type { MemberDraft } from '#src/pages/chains/member.ts'
import { Button, IconButton } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'

interface MemberCardProps {
  readonly member: MemberDraft
  readonly change: (next: MemberDraft) => void
  /** The members of a group. */
  readonly children?: ReactNode
  readonly errors: ReadonlyMap<string, string>
  readonly pointer: string
  readonly up: (() => void) | undefined
  readonly down: (() => void) | undefined
  readonly remove: (() => void) | undefined
}

/** One member: its workflow, what it gets, when it runs, and what happens if it faults. */
export function MemberCard({ member, change, errors, pointer, up, down, remove, children }: MemberCardProps) {
  const c = m.chains
  const group = member.parallel
  const main: readonly FieldSpec[] = [
    { name: 'name', label: c.name, required: true },
    ...(group === undefined ? [{ name: 'workflowId', label: m.starting.workflow, kind: 'workflow' as const, required: true }] : []),
  ]
  const more: readonly FieldSpec[] = [
    { name: 'mapping', label: c.mapping, kind: 'code', rows: 1, placeholder: '{ id: $workflow.input.id }' },
    { name: 'condition', label: c.condition, kind: 'code', rows: 1, placeholder: '.total > 100' },
    {
      name: 'onFault',
      label: c.onFault,
      kind: 'select',
      options: [
        ['stop', c.faults.stop],
        ['continue', c.faults.continue],
      ],
    },
  ]
  const values: Readonly<Record<string, unknown>> = { ...member }
  const isRefused = more.some(({ name }) => errors.has(`${pointer}/${name}`))
  const [isOpen, setOpen] = useState(member.mapping !== '' || member.condition !== '' || member.onFault !== 'stop')
  const fields = (specs: readonly FieldSpec[]) => (
    <div className="member-fields">
      {specs.map((spec) => (
        <Field
          key={spec.name}
          spec={spec}
          value={values[spec.name]}
          error={errors.get(`${pointer}/${spec.name}`)}
          onChange={(value) => change({ ...member, [spec.name]: value })}
        />
      ))}
    </div>
  )
  return (
    <section className="panel member" aria-label={member.name} data-member={member.name} tabIndex={-1}>
      <header className="row">
        <Icon name={group === undefined ? 'flow' : 'list'} />
        <b className="b">
          <bdi className="mono">{member.name}</bdi>
        </b>
        {group !== undefined && <span className="t13 i2">{c.atOnce}</span>}
        <span className="sp" />
        <Button
          look="quiet"
          size="sm"
          aria-label={`${c.earlier}: ${member.name}`}
          title={c.earlier}
          disabled={up === undefined}
          onClick={up}
        >
          ↑
        </Button>
        <Button
          look="quiet"
          size="sm"
          aria-label={`${c.later}: ${member.name}`}
          title={c.later}
          disabled={down === undefined}
          onClick={down}
        >
          ↓
        </Button>
        <IconButton icon="x" size="sm" label={`${m.common.remove}: ${member.name}`} disabled={remove === undefined} onClick={remove} />
      </header>
      {fields(main)}
      {group === undefined && member.workflowId !== '' && <MemberInput member={member} pointer={pointer} />}
      <details className="member-more" open={isOpen || isRefused} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="t13">{c.more}</summary>
        {fields(more)}
      </details>
      {errors.has(pointer) && <p className="t13 c-bad">{errors.get(pointer)}</p>}
      {children}
    </section>
  )
}
