import type { Json } from '@millrace/dsl'
import type { Edit } from '@millrace/dsl/edit'
import { useState } from 'react'
import { FieldFindings } from '#src/editor/inspector/field-findings.tsx'
import {
  changeChoices,
  changeKind,
  describeField,
  fieldPlace,
  type InputField,
  inputKinds,
  type InputRow,
  limitField,
  removeField,
  requireField,
  restrictFiles,
} from '#src/editor/inspector/input/input-fields.ts'
import { FileRuleField } from '#src/editor/inspector/input/file-rule-field.tsx'
import { LimitsField } from '#src/editor/inspector/input/limits-field.tsx'
import { KeyField } from '#src/editor/inspector/rows-field.tsx'
import { linesOf, TypedText } from '#src/editor/inspector/typed-text.tsx'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'

/** The ways in which a row changes its field. */
export interface FieldEditing {
  readonly change: (
    name: string,
    plan: (now: Json, name: string) => readonly Edit[],
    options?: {
      /** Typed: edits that follow each other shortly are one step of the history. */
      readonly joined?: boolean
    },
  ) => void
  readonly rename: (name: string, next: string) => Promise<void>
}

interface RowProps {
  readonly field: InputField
  /** Whether it was just added: it opens. */
  readonly isNew: boolean
  /** The names of the other fields. */
  readonly others: readonly string[]
  readonly editing: FieldEditing
  readonly toText: () => void
}

/** One field of the input. */
export function InputFieldRow(props: RowProps) {
  const { field, toText } = props
  const w = m.inputFields
  if (field.row !== undefined) return <Row {...props} row={field.row} />
  return (
    <div className="asked" role="group" aria-label={field.name}>
      <bdi className="mono t13">{field.name}</bdi>
      <More text={w.beyond} toText={toText} name={field.name} />
      <FieldFindings pointer={fieldPlace(field.name)} />
    </div>
  )
}

function Row({ field, row, isNew, others, editing, toText }: RowProps & { readonly row: InputRow }) {
  const a = m.approvalStep
  const w = m.inputFields
  const { name, required } = field
  const [taken, setTaken] = useState<string>()
  const [open, setOpen] = useState(isNew)
  const { change } = editing
  const rename = (next: string) => {
    const isTaken = others.includes(next)
    setTaken(isTaken ? next : undefined)
    if (next !== '' && next !== name && !isTaken) void editing.rename(name, next)
  }
  const describe = (key: 'title' | 'description') => (text: string) =>
    change(name, (now, at) => describeField(now, at, key, text), { joined: true })
  return (
    <div className="asked" role="group" aria-label={name}>
      <div className="row">
        <KeyField name={name} label={m.flowEditor.fields.key} onRename={rename} />
        <select
          className="input"
          aria-label={a.kind}
          value={row.kind}
          onChange={({ target }) => {
            const kind = inputKinds.find((one) => one === target.value) ?? 'text'
            if (kind === 'choice') setOpen(true)
            change(name, (now, at) => changeKind(now, at, kind, a.newChoices))
          }}
        >
          {inputKinds.map((kind) => (
            <option key={kind} value={kind}>
              {w.kinds[kind]}
            </option>
          ))}
        </select>
        <IconButton icon="x" size="sm" label={m.flowEditor.fields.removeNamed(name)} onClick={() => change(name, removeField)} />
      </div>
      {taken !== undefined && (
        <p className="t12 c-bad" role="alert">
          {w.taken(taken)}
        </p>
      )}
      <div className="row">
        <label className="row t13">
          <input
            type="checkbox"
            className="check"
            checked={required}
            onChange={({ target: { checked } }) => change(name, (now, at) => requireField(now, at, checked))}
          />
          {a.mustAnswer}
        </label>
        <span className="sp" />
        <Button
          size="sm"
          look="quiet"
          icon={open ? 'down' : 'next'}
          aria-label={`${w.details}: ${name}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {w.details}
        </Button>
      </div>
      {open && (
        <>
          <TypedText label={a.question} value={row.title} onCommit={describe('title')} />
          <TypedText label={w.explanation} value={row.description} onCommit={describe('description')} />
          {row.kind === 'choice' && (
            <TypedText
              label={a.choices}
              value={row.choices.join('\n')}
              lines
              problemOf={(text) => (linesOf(text).length === 0 ? w.oneChoice : undefined)}
              onCommit={(text) => change(name, (_now, at) => changeChoices(at, linesOf(text)), { joined: true })}
            />
          )}
          {row.limits.length > 0 && (
            <LimitsField
              key={row.kind}
              kind={row.kind}
              limits={row.limits}
              onCommit={(limits) => change(name, (now, at) => limitField(now, at, limits), { joined: true })}
            />
          )}
          {row.files !== undefined && (
            <FileRuleField
              rule={row.files}
              onCommit={(rule) => change(name, (now, at) => restrictFiles(now, at, rule), { joined: true })}
            />
          )}
          {others.length > 0 && <Places name={name} editing={editing} />}
        </>
      )}
      {row.more.length > 0 && <More text={w.more(row.more.join(', '))} toText={toText} name={name} />}
      <FieldFindings pointer={fieldPlace(name)} />
    </div>
  )
}

/** Moves a field among the others. */
function Places({ name, editing: { change } }: { readonly name: string; readonly editing: FieldEditing }) {
  const e = m.flowEditor
  const move = (by: 1 | -1) => change(name, (_now, at) => [{ kind: 'moveMember', pointer: fieldPlace(at), by }])
  return (
    <div className="row">
      <Button size="sm" look="quiet" aria-label={`${e.up}: ${name}`} onClick={() => move(-1)}>
        {e.up}
      </Button>
      <Button size="sm" look="quiet" aria-label={`${e.down}: ${name}`} onClick={() => move(1)}>
        {e.down}
      </Button>
    </div>
  )
}

function More({ text, toText, name }: { readonly text: string; readonly toText: () => void; readonly name: string }) {
  const w = m.inputFields
  return (
    <div className="row wrap t12 i3">
      {text}
      <Button size="sm" look="quiet" aria-label={`${w.toText}: ${name}`} onClick={toText}>
        {w.toText}
      </Button>
    </div>
  )
}
