import type { Json } from '@millrace/dsl'
import { useState } from 'react'
import { below, isObject, jsonAt } from '#src/document/task-json.ts'
import { addressIn, type AccountPerson, personOf, useAccountPeople } from '#src/editor/inspector/approve/account-people.ts'
import { ApproverPicker, roleName } from '#src/editor/inspector/approve/approver-picker.tsx'
import { FieldFindings } from '#src/editor/inspector/field-findings.tsx'
import { scalarText } from '#src/editor/inspector/field-model.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { StepField } from '#src/editor/inspector/step-field.tsx'
import { TextField } from '#src/editor/inspector/text-field.tsx'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Person } from '#src/ui/person.tsx'

interface ApproversFieldProps {
  readonly label: string
  readonly pointer: string
  readonly required?: boolean
}

/** Who decides: chosen from the roles and the people of the account, an address, or an expression for one or for all. */
export function ApproversField({ label, pointer, required = false }: ApproversFieldProps) {
  const a = m.approvalStep
  const { json, set, unset } = useForm()
  const people = useAccountPeople() ?? []
  const [isPicking, setPicking] = useState(false)
  const [edited, setEdited] = useState<number>()
  const value = jsonAt(json, pointer)
  const isList = value === undefined || Array.isArray(value)
  const approvers = listOf(value)
  const add = (approver: Json) => {
    setPicking(false)
    set(pointer, (now) => [...listOf(now), approver])
    if (typeof approver === 'string' && addressIn(approver) === undefined) setEdited(approvers.length)
  }
  const remove = (index: number) => {
    setEdited(undefined)
    if (approvers.length === 1 && !required) unset(pointer)
    else set(pointer, (now) => listOf(now).toSpliced(index, 1))
  }
  return (
    <StepField
      name="approvers"
      label={label}
      pointer={pointer}
      required={required}
      actions={
        <Button size="sm" look="quiet" onClick={() => set(pointer, isList ? '${ .approvers }' : [])}>
          {isList ? a.byExpression : m.flowEditor.fields.as.list}
        </Button>
      }
    >
      {isList ? (
        <div className="rows-field">
          {approvers.length > 0 && (
            <ul className="approvers">
              {approvers.map((approver, index) => (
                <li key={index}>
                  <Approver
                    approver={approver}
                    pointer={below(pointer, index)}
                    label={`${label} ${index + 1}`}
                    people={people}
                    edited={edited === index}
                    onEdit={() => setEdited(index)}
                    onEdited={() => setEdited(undefined)}
                    onRemove={() => remove(index)}
                  />
                  <FieldFindings pointer={below(pointer, index)} />
                </li>
              ))}
            </ul>
          )}
          <Button size="sm" icon="plus" onClick={() => setPicking(true)}>
            {a.add}
          </Button>
        </div>
      ) : (
        <TextField label={label} pointer={pointer} value={scalarText(value)} onCommit={(text) => set(pointer, text)} />
      )}
      {isPicking && <ApproverPicker present={approvers} onPick={add} onClose={() => setPicking(false)} />}
    </StepField>
  )
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

interface ApproverProps {
  readonly approver: Json
  readonly pointer: string
  readonly label: string
  readonly people: readonly AccountPerson[]
  readonly edited: boolean
  readonly onEdit: () => void
  readonly onEdited: () => void
  readonly onRemove: () => void
}

function Approver({ approver, pointer, label, people, edited, onEdit, onEdited, onRemove }: ApproverProps) {
  const f = m.flowEditor.fields
  const { set } = useForm()
  const shown = shownOf(approver, people)
  const isTyped = edited || shown === undefined
  const name = shown?.title ?? scalarText(approver)
  return (
    <div className="row approver">
      {isTyped ? (
        <div
          className="grow"
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) onEdited()
          }}
        >
          <TextField
            label={label}
            pointer={pointer}
            value={isObject(approver) ? scalarText(approver['role']) : scalarText(approver)}
            onCommit={(text) => set(pointer, isObject(approver) ? { role: text } : text)}
          />
        </div>
      ) : (
        <>
          {shown.person ? <Person name={shown.title} /> : <Icon name={shown.icon} />}
          <span className="grow approver-words">
            <bdi className="trunc">{shown.title}</bdi>
            {shown.text !== '' && (
              <span className="t12 i3 trunc">
                <bdi>{shown.text}</bdi>
              </span>
            )}
          </span>
          {shown.icon === 'letter' && <IconButton icon="edit" size="sm" label={`${m.common.edit}: ${name}`} onClick={onEdit} />}
        </>
      )}
      <IconButton icon="x" size="sm" label={f.removeNamed(name)} onClick={onRemove} />
    </div>
  )
}

interface Shown {
  readonly title: string
  readonly text: string
  readonly icon: string
  readonly person: boolean
}

/** An approver as a person reads it; undefined for an expression, and for what is no approver yet. */
function shownOf(approver: Json, people: readonly AccountPerson[]): Shown | undefined {
  const a = m.approvalStep
  if (isObject(approver)) {
    const { role } = approver
    const names: Readonly<Record<string, string>> = a.roles
    return typeof role === 'string' && names[role] !== undefined
      ? { title: names[role], text: '', icon: 'people', person: false }
      : undefined
  }
  if (typeof approver !== 'string') return undefined
  const person = personOf(approver, people)
  if (person !== undefined) return { title: person.name, text: `${person.email} · ${roleName(person.role)}`, icon: '', person: true }
  return addressIn(approver) === undefined ? undefined : { title: approver, text: a.outsider, icon: 'letter', person: false }
}
